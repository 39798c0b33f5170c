"""A server is started in another way.

What it does
    Finds that a command, its arguments, the names of its variables or its folder differ from what was approved, of a
    watched server and of an entry in a host's file. Another program weighs most; so do another script or other code
    for an interpreter, and variables that make a program load foreign code. That driftwatch's witness came before the
    command of an entry, or went, is told too.

Why it matters
    Trust is given to a server by its name. Whoever swaps the command behind the name inherits the trust, and the list
    that the new program shows can be the very same.

Example
    before  {"launch": {"command": "tickets-server", "args": ["--readonly"]}}
    after   {"launch": {"command": "sh", "args": ["-c", "tickets-server & beacon"]}}

What to do
    Find out who changed the configuration. Approve only if it was you.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from driftwatch.judge.launches import Move, apart_from_package, learnt, moves, table, text, texts, told_at
from driftwatch.judge.pointer import ABSENT, join
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Finding, Json, Severity

_SHELLS = {"sh", "bash", "dash", "zsh", "fish", "cmd", "powershell", "pwsh", "osascript", "cscript", "wscript"}
_LANGUAGES = {"python", "node", "nodejs", "bun", "deno", "ruby", "perl", "php", "java", "rundll32"}
_INTERPRETERS = _SHELLS | _LANGUAGES | {"env", "sudo", "xargs", "wsl"}
"""Programs that run what they are told to: their first words are the program."""

_LOADERS = re.compile(
    r"LD_.*|DYLD_.*|PATH|PYTHON(?:PATH|HOME|STARTUP|INSPECT)|NODE_(?:OPTIONS|PATH)|BASH_ENV|ENV|PERL5?(?:OPT|LIB)"
    r"|RUBYOPT|JAVA_TOOL_OPTIONS|npm_config_registry|(?:UV|PIP)_.*INDEX.*",
    re.IGNORECASE,
)
"""Variables that make a program load other code, or fetch it from elsewhere."""


def check(context: Context) -> Iterator[Finding]:
    """Give every part of a command that changed; a launch that the baseline does not know is only recorded."""
    for look in learnt(context):
        known = RULE.finding(look.after, "", _first(look.after.raw), severity=Severity.INFO, category="learnt")
        yield told_at(known, [change.pointer for change in look.changes])
    for move in moves(context):
        yield from _switched(move) if move.by_other_means else _parts(move)


def _first(raw: Json) -> str:
    how = show(text(raw, "command") or text(raw, "url"))
    return f"How the server is reached is part of the list from now on: {how}. The baseline does not have it yet."


def _switched(move: Move) -> Iterator[Finding]:
    """Tell once that a command became an address, or an address a command."""
    was, now = (text(raw, "command") or text(raw, "url") for raw in (move.before, move.after))
    message = f"{move.whose}It is reached by other means: {show(was)} → {show(now)}. Nobody has approved that."
    found = RULE.finding(move.item, "", message, before=was, after=now, category="means")
    yield told_at(found, [change.pointer for changes in move.changes.values() for change in changes])


def _parts(move: Move) -> Iterator[Finding]:
    if "transport" in move.changes:
        yield _finding(move, "transport", "It is spoken to in another way", Severity.MEDIUM)
    if "command" in move.changes:
        yield _command(move)
    if "args" in move.changes:
        yield _arguments(move)
    if "env" in move.changes:
        yield _variables(move)
    if "cwd" in move.changes:
        yield _finding(move, "cwd", "It starts in another folder", Severity.MEDIUM)
    if "witness" in move.changes:
        yield _witness(move)


def _finding(move: Move, key: str, what: str, severity: Severity, why: str = "") -> Finding:
    was, now = move.both(key)
    message = f"{move.whose}{what}: {show(was)} → {show(now)}.{f' {why}' if why else ''}"
    before, after = (None if value is ABSENT else value for value in (was, now))
    return RULE.finding(move.item, join("", key), message, severity=severity, before=before, after=after, category=key)


def _command(move: Move) -> Finding:
    was, now = move.tables("executable")
    if was.get("digest") and was == now:
        return _finding(move, "command", "The command is written otherwise", Severity.LOW, "It is the same file.")
    return _finding(move, "command", "Another program is started", Severity.HIGH, "Nobody has approved it.")


def _arguments(move: Move) -> Finding:
    was, now = (texts(raw.get("args")) for raw in (move.before, move.after))
    if apart_from_package(move.before, was) == apart_from_package(move.after, now):
        return _finding(move, "args", "Only the package among the arguments changed", Severity.INFO)
    if _interprets(move) and _program(was) != _program(now):
        return _finding(move, "args", "The program is given something else to run", Severity.HIGH)
    return _finding(move, "args", "It is started with other arguments", Severity.MEDIUM)


def _interprets(move: Move) -> bool:
    for raw in (move.before, move.after):
        name = re.split(r"[/\\]", text(raw, "command"))[-1].lower()
        if re.sub(r"(?:[0-9.]+|\.(?:exe|cmd|bat))$", "", name) in _INTERPRETERS:
            return True
    return False


def _program(args: Sequence[str]) -> list[str]:
    """Give what an interpreter is to run: everything up to the first plain word, and code given to an option."""
    for number, word in enumerate(args):
        if not word.startswith(("-", "/c", "/k", "/C", "/K")):
            return list(args[: number + 1])
    return list(args)


def _variables(move: Move) -> Finding:
    was, now = (texts(raw.get("env")) for raw in (move.before, move.after))
    new, gone = sorted(set(now) - set(was)), sorted(set(was) - set(now))
    loading = [name for name in new if _LOADERS.fullmatch(name)]
    said = [f"new: {names(new)}"] if new else []
    said += [f"gone: {names(gone)}"] if gone else []
    why = f" {names(loading)} can make it load other code." if loading else ""
    severity = Severity.HIGH if loading else Severity.MEDIUM if new else Severity.LOW
    message = f"{move.whose}It is given other variables ({'; '.join(said) or 'written otherwise'}).{why}"
    return RULE.finding(move.item, "/env", message, severity=severity, before=was, after=now, category="env")


def _witness(move: Move) -> Finding:
    """Tell that driftwatch's witness came before the command, went, or is started by another program."""
    was, now = (table(raw, "witness") for raw in (move.before, move.after))
    if not now:
        what, why = "It is no longer started through a witness", "What the agent is shown is not seen any more."
    elif not was:
        what, why = "It is started through a witness now", "Approve if that is your driftwatch, and you installed it."
    elif was.get("program") != now.get("program"):
        what, why = "Another program is its witness", "Approve if that is your driftwatch."
    else:
        what, why = "Its witness is started otherwise", ""
    message = f"{move.whose}{what}: {_program_of(was)} → {_program_of(now)}.{f' {why}' if why else ''}"
    severity = Severity.MEDIUM if was.get("program") != now.get("program") else Severity.LOW
    return RULE.finding(
        move.item, "/witness", message, severity=severity, before=was or None, after=now or None, category="witness"
    )


def _program_of(witness: dict[str, Json]) -> str:
    return show(text(witness, "program")) if witness else "none"


RULE = Rule(
    id="launch-changed",
    title="A server is started in another way",
    area=Area.LAUNCH,
    action=Action.CHANGED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    categories=("learnt", "means", "transport", "command", "args", "env", "cwd", "witness"),
)
