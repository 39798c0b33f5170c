"""An entry resembles one that is known.

What it does
    Holds the package, the host and the name of a new or changed entry against those of the approved file and of the
    servers that driftwatch watches. Told is what looks the same, what is one letter apart (of names under five letters:
    two letters that changed places), and a package of the same name in another scope. Names that differ
    only in their numbers are not told, nor is a name that was known before.

Why it matters
    A package or a host that is nearly the one you know is a usual way to have a foreign program run. One letter apart
    can be chance: this is a reason to look, not a proof.

Example
    before  {"entries": [{"name": "notes", "package": {"ecosystem": "npm", "name": "@acme/notes-server"}}]}
    after   {"entries": [{"name": "notes2", "package": {"ecosystem": "npm", "name": "@acrne/notes-server"}}]}

What to do
    Compare the two letter by letter, and look up who publishes the new one.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.beside import Watching
from driftwatch.judge.entries import Known, Resembled, host_of, package_of
from driftwatch.judge.rules.base import Action, Area, Context, Look, Rule, show
from driftwatch.model import Confidence, Finding, Item, Kind, Severity

_HOW = {
    "looks": "looks the same as",
    "letter": "is one letter away from",
    "swapped": "has the letters, in another order, of",
    "scope": "has the name, but not the scope, of",
}


def check(context: Context) -> Iterator[Finding]:
    """Give what resembles something known, of each new or changed entry at most one thing."""
    looks = [look for look in context.looks(Kind.ENTRY) if context.baseline is not None]
    if not looks:
        return
    approved = context.baseline.of(Kind.ENTRY) if context.baseline is not None else ()
    packages, hosts, called = _known(approved, context.facts.watching)
    for look in looks:
        raw = look.after.raw
        yield from _first(
            (look, "package", "/package/name", package_of(raw), packages),
            (look, "host", "/url", host_of(raw), hosts),
            (look, "name", "/name", "" if _is_watched(look, context) else look.after.key, called),
        )


def _is_watched(look: Look, context: Context) -> bool:
    """Say whether an entry is a server that is watched, under whatever name."""
    known = context.facts.watching.of(look.after.key) if context.facts.watching is not None else None
    return known is not None and known.same


def _known(approved: tuple[Item, ...], watching: Watching | None) -> tuple[Known, Known, Known]:
    """Index what is known: packages, hosts, names."""
    servers = watching.servers if watching is not None else ()
    return (
        Known([*(package_of(item.raw) for item in approved), *(one.package for one in servers)]),
        Known([*(host_of(item.raw) for item in approved), *(one.host for one in servers)]),
        Known([*(item.key for item in approved), *(one.server for one in servers)]),
    )


def _first(*asked: tuple[Look, str, str, str, Known]) -> Iterator[Finding]:
    for look, what, pointer, name, known in asked:
        alike = known.like(name)
        if alike is not None:
            yield _finding(look, what, pointer, name, alike)
            return


def _finding(look: Look, what: str, pointer: str, name: str, alike: Resembled) -> Finding:
    mine, other = (one.partition(":")[2] if what == "package" else one for one in (name, alike.name))
    message = (
        f"The {what} {show(mine)} of the entry {show(look.after.key)} {_HOW[alike.how]} {show(other)}, which is known."
    )
    return RULE.finding(
        look.after,
        pointer,
        f"{message} One may pass for the other.",
        severity=Severity.LOW if what == "name" else None,
        confidence=Confidence.MEDIUM if alike.how == "looks" else None,
        before=other,
        after=mine,
        category=alike.how,
    )


RULE = Rule(
    id="entry-lookalike",
    title="An entry resembles one that is known",
    area=Area.NAMES,
    action=Action.CHANGED,
    severity=Severity.MEDIUM,
    confidence=Confidence.LOW,
    check=check,
    doc=__doc__,
    categories=tuple(_HOW),
)
