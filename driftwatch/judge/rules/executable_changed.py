"""The program behind a command is another file.

What it does
    Finds that the command leads to another file, that the file's content changed, or that the script which an
    interpreter runs did, while the command stayed the same.

Why it matters
    An update of the system replaces programs, and so does somebody who writes into a folder of the search path. The
    command does not show it.

Example
    before  {"launch": {"command": "tickets-server", "executable": {"path": "/usr/bin/tickets-server"}}}
    after   {"launch": {"command": "tickets-server", "executable": {"path": "/home/ann/bin/tickets-server"}}}

What to do
    Check whether you or your system updated it. A script of your own that you did not edit deserves a look inside.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import Move, moves, same_but_version, told_at
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Json, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give the program and the script that became another file."""
    for move in moves(context):
        if not move.by_other_means:
            for key in ("executable", "script"):
                if key in move.changes:
                    yield _judge(move, key)


def _judge(move: Move, key: str) -> Finding:
    was, now = move.tables(key)
    what = "program" if key == "executable" else "script"
    if not was or not now:
        said = f"is known now: {show(now.get('path', ''))}" if now else "can not be told any more"
        return _finding(move, key, f"The file of the {what} {said}.", Severity.LOW if was else Severity.INFO)
    moved = was.get("path") != now.get("path")
    step = f"{show(was.get('path'))} → {show(now.get('path'))}" if moved else show(now.get("path"))
    said = "is another file" if moved else "has other content"
    elsewhere = "command" in move.changes or (key == "script" and moved and "args" in move.changes)
    severity = Severity.INFO if elsewhere else _weight(was, now, key=key)
    rest = "" if elsewhere else ", and the command is the same"
    return _finding(move, key, f"The {what} {said}{rest}: {step}.", severity)


def _weight(was: dict[str, Json], now: dict[str, Json], *, key: str) -> Severity:
    """Weigh a file behind the same command: updates of the system replace programs in place, nobody's but scripts."""
    one, other = str(was.get("path")), str(now.get("path"))
    if key == "script" or (one != other and not same_but_version(one, other)):
        return Severity.MEDIUM
    return Severity.LOW


def _finding(move: Move, key: str, message: str, severity: Severity) -> Finding:
    was, now = move.tables(key)
    found = RULE.finding(
        move.item,
        f"/{key}",
        f"{move.whose}{message}",
        severity=severity,
        before=was or None,
        after=now or None,
        category=key,
    )
    return told_at(found, [change.pointer for change in move.changes[key]])


RULE = Rule(
    id="executable-changed",
    title="The program behind a command is another file",
    area=Area.LAUNCH,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("executable", "script"),
    told=True,
)
