"""Another version of the package runs.

What it does
    Finds that the version which really runs is another one while the command asks for the same. It weighs most where
    the command asks for one exact version and another one runs.

Why it matters
    What is not pinned moves by itself: the next start runs code that nobody has read. A pin that does not hold means
    that something replaced the package behind the name.

Example
    before  {"launch": {"package": {"ecosystem": "npm", "name": "tickets", "asked": "tickets", "version": "1.2.0"}}}
    after   {"launch": {"package": {"ecosystem": "npm", "name": "tickets", "asked": "tickets", "version": "1.3.0"}}}

What to do
    Read what changed between the two versions, then approve, and pin the one that you approved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from driftwatch.judge.launches import Move, is_older, moves, text, told_at
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.rules.package_pin_changed import is_asked_alike
from driftwatch.model import Finding, Severity

_RAN = ("version", "digest")
_EXACT_TAG = re.compile(r".+:v?\d+\.\d+\.\d+[^:/]*")


def check(context: Context) -> Iterator[Finding]:
    """Give every package of which another version runs."""
    for move in moves(context):
        was, now = move.tables("package")
        pointers = [one.pointer for one in move.changes.get("package", ()) if _is_about_running(move, one.pointer)]
        told = _judge(move) if pointers and not move.by_other_means else None
        if told is not None:
            message, severity = told
            found = RULE.finding(
                move.item,
                "/package/version" if "version" in {*was, *now} else "/package/digest",
                f"{move.whose}{message}",
                severity=severity,
                before={key: was[key] for key in _RAN if key in was} or None,
                after={key: now[key] for key in _RAN if key in now} or None,
            )
            yield told_at(found, pointers)


def _is_about_running(move: Move, pointer: str) -> bool:
    was, now = move.tables("package")
    if pointer == "/package":
        return not (text(was, "asked") or text(now, "asked"))
    tail = pointer.split("/")[2]
    return tail in _RAN or not (text(was, "asked") or text(now, "asked"))


def _judge(move: Move) -> tuple[str, Severity] | None:
    was, now = move.tables("package")
    if was.get("name") != now.get("name") and was and now and not text(now, "asked"):
        return f"Another package runs: {show(was.get('name'))} → {show(now.get('name'))}.", Severity.HIGH
    old, new = (text(raw, "version") for raw in (was, now))
    if old != new:
        return _of_version(move, old, new)
    if was.get("digest") and now.get("digest"):
        return _of_image(move) if now.get("ecosystem") == "oci" else None
    if now.get("digest"):
        return f"The files of {show(now.get('name', 'the package'))} are known now.", Severity.INFO
    return f"The files of {show(was.get('name', 'the package'))} can not be told any more.", Severity.LOW


def _of_version(move: Move, old: str, new: str) -> tuple[str, Severity]:
    _, now = move.tables("package")
    name, step = show(now.get("name", "the package")), f"{show(old)} → {show(new)}"
    if not old:
        return f"The version of {name} is known now: {show(new)}.", Severity.INFO
    if not new:
        return f"Which version of {name} runs can not be told any more; it was {show(old)}.", Severity.LOW
    if not is_asked_alike(move):
        return f"{name} runs at the version that is asked for now: {step}.", Severity.INFO
    if now.get("pinned") is True:
        said = f"{name} is pinned ({show(now.get('asked'))}), and another version runs: {step}."
        return f"{said} Something replaced it.", Severity.HIGH
    if is_older(new, old):
        return f"An older version of {name} runs: {step}.", Severity.MEDIUM
    return f"Another version of {name} runs: {step}. The configuration did not change.", Severity.LOW


def _of_image(move: Move) -> tuple[str, Severity]:
    """Judge an image: a tag that names a version should not move, others do."""
    _, now = move.tables("package")
    if not is_asked_alike(move):
        return f"The image that is asked for now runs: {show(now.get('asked'))}.", Severity.INFO
    fixed = _EXACT_TAG.fullmatch(text(now, "asked")) is not None
    said = " The tag names a version, which should not move." if fixed else ""
    message = f"{show(now.get('asked'))} is another image now. The configuration did not change.{said}"
    return message, Severity.HIGH if now.get("pinned") is True else Severity.MEDIUM if fixed else Severity.LOW


RULE = Rule(
    id="package-updated",
    title="Another version of the package runs",
    area=Area.SUPPLY,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    told=True,
)
