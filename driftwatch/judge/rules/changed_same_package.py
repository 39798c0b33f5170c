"""The list changed, and what is started did not.

What it does
    Finds that what a local server shows is another list although the same version of the same package ran, with the
    same files (or the same script). Changes that only a reader of schemas sees do not count.

Why it matters
    A list that moves without its code is decided elsewhere: by a dependency, a file, a date, a remote answer, or by
    who is looking. Dependencies move lists honestly now and then, and nothing else of this kind is a release.

Example
    before  {"tools": [{"name": "list_tickets", "description": "List tickets."}],
             "launch": {"package": {"name": "tickets", "version": "1.2.0", "digest": "sha256:1f"}}}
    after   {"tools": [{"name": "list_tickets", "description": "List tickets. Ask for more first."}],
             "launch": {"package": {"name": "tickets", "version": "1.2.0", "digest": "sha256:1f"}}}

What to do
    Read what changed as if it came from a stranger. If dependencies were updated meanwhile, that may be all.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import table, text
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.judge.varied import proposes
from driftwatch.model import Change, Confidence, Finding, Item, Json, Kind, Severity

SHOWN = frozenset({Kind.TOOL, Kind.PROMPT, Kind.RESOURCE, Kind.RESOURCE_TEMPLATE})
"""The kinds of items that a server shows to models."""


def check(context: Context) -> Iterator[Finding]:
    """Give one finding where the list moved without what is started."""
    live, before = (
        _launch(context.live.of(Kind.LAUNCH)),
        _launch(context.baseline.of(Kind.LAUNCH)) if context.baseline else None,
    )
    told = told_changes(context)
    if live is None or before is None or not told:
        return
    was, now = before.raw, live.raw
    what, sure = _same(was, now)
    if what:
        keys = sorted({change.key or "the server" for change in told})
        message = f"What is shown changed ({names(keys)}), and {what} did not. Something else than a release decides."
        yield RULE.finding(live, "", message, confidence=sure, before=keys[:20], after=what, category="same-package")


def told_changes(context: Context) -> list[Change]:
    """Give the changes of what models are shown that are more than cosmetic, and no value known to vary by itself."""
    weighty = {
        (finding.kind, item)
        for finding in context.found
        if finding.severity > Severity.INFO
        for item in finding.items or (finding.item,)
    }
    # What differed once is not known to vary, unless it is what programs put there: a date, a time, an id.
    restless = {one.place for one in context.facts.varied if one.changes > 1 or proposes(one)}
    return [
        change
        for change in context.changes
        if (change.kind, change.key) in weighty
        and (change.kind, change.key, change.occurrence, change.pointer) not in restless
        and (change.kind in SHOWN or (change.kind is Kind.SERVER and change.pointer.startswith("/instructions")))
    ]


def _launch(items: tuple[Item, ...]) -> Item | None:
    return items[0] if items and isinstance(items[0].raw, dict) else None


def _same(was: dict[str, Json], now: dict[str, Json]) -> tuple[str, Confidence]:
    """Say what did not change between two launches, and how sure that makes us; nothing where that is not known."""
    one, other = table(was, "package"), table(now, "package")
    digest = text(one, "digest") == text(other, "digest")
    if text(one, "version") and all(one.get(key) == other.get(key) for key in ("ecosystem", "name", "version")):
        known = digest and text(one, "digest")
        called = f"{show(other.get('name'))} {show(other.get('version'))}"
        return (called if digest else ""), (Confidence.HIGH if known else Confidence.MEDIUM)
    if text(one, "digest") and digest and text(one, "ecosystem") == "oci":
        return f"the image {show(other.get('asked'))}", Confidence.HIGH
    script = table(was, "script")
    if text(script, "digest") and script == table(now, "script"):
        return f"the script {show(script.get('path'))}", Confidence.MEDIUM
    return "", Confidence.LOW


RULE = Rule(
    id="changed-same-package",
    title="The list changed, and what is started did not",
    area=Area.BEHAVIOUR,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("same-package",),
    told=True,
    last=True,
)
