"""A parameter is copied into a header.

What it does
    Finds a parameter whose value clients are newly asked to copy into an HTTP header (x-mcp-header), a header of
    another name, and one that moved to another parameter. A parameter that holds credentials, personal data or what
    the model knows is high, and is told in a first list too. One that is not copied any more is low.

Why it matters
    Headers are read and logged by every proxy on the way. A value that the model fills in leaves the message that
    way. The specification says that sensitive parameters should not be marked.

Example
    before  {"text": {"type": "string"}}
    after   {"text": {"type": "string", "x-mcp-header": "Payload"}}

What to do
    Ask why a proxy has to see this value. Approve only for values that are no secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from driftwatch.judge.headers import Header, headers
from driftwatch.judge.rules.base import Action, Area, Context, Look, Rule, show
from driftwatch.judge.schema import INPUT
from driftwatch.model import Finding, Item, Kind, Severity

_SENSITIVE, _MOVED, _ADDED, _RENAMED, _WITHDRAWN = "sensitive", "moved", "added", "renamed", "withdrawn"


def check(context: Context) -> Iterator[Finding]:
    """Give every valid header that the baseline did not have at the same parameter, and those that went."""
    for look in context.looks(Kind.TOOL):
        now = _valid(look.after)
        if look.before is None:
            yield from (_told(look, one, None, {}) for one in now if one.sensitive)
            continue
        was = _valid(look.before)
        before, by_name = {one.path: one for one in was}, {one.folded: one for one in was}
        for one in now:
            same = before.get(one.path)
            if same is None or same.folded != one.folded:
                yield _told(look, one, same, by_name)
        here = {one.path for one in now}
        yield from (_withdrawn(look, one) for one in was if one.path not in here)


def _valid(item: Item) -> Sequence[Header]:
    schema = item.raw.get(INPUT) if isinstance(item.raw, dict) else None
    return [one for one in headers(schema, f"/{INPUT}") if one.fault is None]


def _told(look: Look, one: Header, same: Header | None, by_name: Mapping[str, Header]) -> Finding:
    """Make the finding of one header."""
    came_from = by_name.get(one.folded)
    category = _ADDED
    how = f"Clients are asked to copy the parameter {show(one.path)} into the header {show(one.name, 40)}"
    if same is not None:
        category, how = _RENAMED, f"{how} and no longer into {show(same.name, 40)}"
    elif came_from is not None:
        category, how = _MOVED, f"{how}, which held {show(came_from.path)} before"
    severity = Severity.MEDIUM
    if one.sensitive:
        # A new tool that comes with one is a fact to look at, not a change of something approved.
        severity = Severity.HIGH if look.before is not None else Severity.MEDIUM
        category, how = _SENSITIVE, f"{how}. It holds {one.sensitive}, and every proxy on the way can read it"
    return RULE.finding(
        look.after,
        one.pointer,
        f"{how}.",
        severity=severity,
        before=same.name if same is not None else None,
        after=one.name,
        category=category,
    )


def _withdrawn(look: Look, one: Header) -> Finding:
    message = f"The parameter {show(one.path)} is not copied into the header {show(one.name, 40)} any more."
    return RULE.finding(look.after, one.pointer, message, severity=Severity.LOW, before=one.name, category=_WITHDRAWN)


RULE = Rule(
    id="header-mirrored",
    title="A parameter is copied into a header",
    area=Area.SCHEMA,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=(_SENSITIVE, _MOVED, _ADDED, _RENAMED, _WITHDRAWN),
)
