"""What a pull request changes of MCP servers and nobody can look at: it is told, so that it is never clean. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from driftwatch.config.words import safe
from driftwatch.model.amounts import many
from driftwatch.review.changed import Bump, Side, dropped
from driftwatch.review.lockfile import CONTENT, Locked
from driftwatch.review.stated import Stated, differences

MOST: Final = 60
"""Changes that are told one by one."""

_READ_IT: Final = "Nobody can look at that for a pull request: read it there"
_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A change that is told and not looked at; `server` is empty for one of a whole file. `said` names the place."""

    server: str
    file: str
    line: int
    said: str


def otherwise(base: Side, head: Side, bumped: Sequence[Bump]) -> list[Otherwise]:
    """Give all that changed beside what is looked at, in the order of files; past many only their number."""
    looked = {(file, one.now.server) for one in bumped for file in (one.now.file, *one.also)}
    found = [*_stated(base, head, looked), *_unpinned(base, head, looked), *_locks(base, head)]
    if len(found) > MOST:
        more = f"{many(len(found) - MOST, 'more change')} of servers, which nobody can look at, are not told one by one"
        found = [*found[:MOST], Otherwise("", found[MOST].file, found[MOST].line, more)]
    return found


def _stated(base: Side, head: Side, looked: Collection[tuple[str, str]]) -> Iterator[Otherwise]:
    """Give servers that files state otherwise, or no longer."""
    gone = {place: one for place, one in base.stated.items() if place not in head.stated}
    for place, now in head.stated.items():
        was = base.stated.get(place)
        if was is None:
            came = next((at for at, one in gone.items() if one.server == now.server), None)
            was = gone.pop(came) if came is not None else _known(base, now)
        said = list(differences(was, now, is_looked=(now.file, now.server) in looked))
        if said:
            yield _told(now, f"it {'; it '.join(said)}")
    for one in gone.values():
        yield _told(one, "it stood there before this change, and is gone or switched off", read=False)


def _known(base: Side, now: Stated) -> Stated | None:
    """Give what a server that stands at a new place was elsewhere: the same entry, else one of its name."""
    alike = [one for one in base.stated.values() if one.meant == now.meant]
    named = [one for one in base.stated.values() if one.server == now.server]
    return next(iter((*alike, *named)), None)


def _told(one: Stated, said: str, *, read: bool = True) -> Otherwise:
    return Otherwise(
        one.server, one.file, one.line, f"{_at(one.file, one.line)}: {said}{f'. {_READ_IT}' if read else ''}"
    )


def _at(file: str, line: int) -> str:
    return f"{safe(file)}, line {line}"


def _unpinned(base: Side, head: Side, looked: Collection[tuple[str, str]]) -> Iterator[Otherwise]:
    """Give packages of servers that a file no longer pins."""
    names = {server for _, server in looked}
    names |= {one.server for one in base.stated.values()} - {one.server for one in head.stated.values()}
    for pin, start in dropped(base, head):
        if start.server not in names:
            said = f"{_at(pin.file, pin.line)}: {safe(pin.name)} {safe(pin.version)} stood there before this change"
            yield Otherwise(start.server, pin.file, pin.line, f"{said}, and nothing there names a version of it now")


def _locks(base: Side, head: Side) -> Iterator[Otherwise]:
    """Give what the lock file no longer has, or says otherwise of the same list."""
    file = safe(base.lock_file)
    if not head.has_lock:
        if base.has_lock:
            names = f", and what was approved of {_listed(list(base.locked))} with it" if base.locked else ""
            yield Otherwise("", base.lock_file, 1, f"the lock file {file} is gone{names}")
        return
    if head.lock_trouble:
        return
    for name, was in base.locked.items():
        now = head.locked.get(name)
        said = f"it is no longer in the lock file {safe(head.lock_file)}" if now is None else _said_otherwise(was, now)
        if said:
            yield Otherwise(name, head.lock_file, 1, said)


def _said_otherwise(was: Locked, now: Locked) -> str:
    if was.digest != now.digest:
        return ""
    if was.content is not None and now.content is None:
        return "the lock file has its digests alone now: the file with the texts that they are of was taken out"
    keys = [key for key in {**was.facts, **now.facts} if was.facts.get(key) != now.facts.get(key) and key != CONTENT]
    return f"the lock file says otherwise in {_listed(keys)} of what is the same list: it was edited" if keys else ""


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(safe(name, limit=60) for name in names[:_NAMED]) + more
