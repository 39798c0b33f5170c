"""Another package, or another version of it, is asked for.

What it does
    Finds that the package which a command starts is asked for otherwise: by another name, from another kind of
    registry, at another pinned version, or without the pin that it had.

Why it matters
    A pin is what was approved. Without one any start may run something newer, and a name that is nearly the same can
    be somebody else's package.

Example
    before  {"launch": {"package": {"ecosystem": "npm", "name": "tickets", "asked": "tickets@1.2.0", "pinned": true}}}
    after   {"launch": {"package": {"ecosystem": "npm", "name": "tickets", "asked": "tickets", "pinned": false}}}

What to do
    Read what changed between the two versions, then approve. Put a lost pin back.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import Move, is_older, moves, table, text, told_at
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Json, Severity

ASKED = ("ecosystem", "name", "asked", "pinned")
"""The keys of a package that say what is asked for; the others say what runs."""


def check(context: Context) -> Iterator[Finding]:
    """Give every package that is asked for otherwise."""
    for move in moves(context):
        was, now = move.tables("package")
        pointers = [one.pointer for one in move.changes.get("package", ()) if _is_about_asking(one.pointer)]
        if pointers and not move.by_other_means and (text(was, "asked") or text(now, "asked")):
            message, severity = _judge(move)
            found = RULE.finding(
                move.item,
                "/package",
                f"{move.whose}{message}",
                severity=severity,
                before=_asked(was) or None,
                after=_asked(now) or None,
            )
            yield told_at(found, pointers)


def _is_about_asking(pointer: str) -> bool:
    return pointer == "/package" or pointer.split("/")[2] in ASKED


def _asked(package: dict[str, Json]) -> dict[str, Json]:
    return {key: package[key] for key in ASKED if key in package}


def _judge(move: Move) -> tuple[str, Severity]:
    was, now = move.tables("package")
    if not text(was, "asked"):
        return f"A package is fetched at the start now: {show(now.get('asked'))}.", Severity.MEDIUM
    if not text(now, "asked"):
        return f"No package is fetched any more; it was {show(was.get('asked'))}.", Severity.LOW
    step = f"{show(was.get('asked'))} → {show(now.get('asked'))}"
    if was.get("asked") == now.get("asked") and was.get("ecosystem") == now.get("ecosystem"):
        names = f"{show(was.get('name', ABSENT))} → {show(now.get('name', ABSENT))}"
        return f"{show(now.get('asked'))} gives another package now: {names}.", Severity.HIGH
    if any(was.get(key) != now.get(key) for key in ("ecosystem", "name")):
        return f"Another package is asked for: {step}. Nobody has approved it.", Severity.HIGH
    return _of_pin(step, was, now)


def _of_pin(step: str, was: dict[str, Json], now: dict[str, Json]) -> tuple[str, Severity]:
    """Judge the spec of one and the same package."""
    had, has = was.get("pinned") is True, now.get("pinned") is True
    if had and not has:
        return f"The package is not pinned any more: {step}. Any start may run something newer.", Severity.MEDIUM
    if not has:
        return f"The package is asked for otherwise, and is not pinned: {step}.", Severity.MEDIUM
    if not had:
        return f"The package is pinned now: {step}.", Severity.INFO
    if is_older(str(now.get("asked")), str(was.get("asked"))):
        return f"An older version is asked for: {step}.", Severity.MEDIUM
    return f"Another version is asked for: {step}.", Severity.LOW


def is_asked_alike(move: Move) -> bool:
    """Say whether the package of a launch is asked for as it was."""
    was, now = (table(raw, "package") for raw in (move.before, move.after))
    return all(was.get(key) == now.get(key) for key in ("ecosystem", "asked", "pinned"))


RULE = Rule(
    id="package-pin-changed",
    title="Another package, or another version of it, is asked for",
    area=Area.SUPPLY,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    told=True,
)
