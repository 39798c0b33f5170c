"""What a pull request changes of the MCP servers of a repository: pins, commands, and what its lock file says.

Two commits are read as objects of git. Of the files that start servers both sides are read whole, so that a pin in a
list of packages is known to be one of a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from driftwatch.config.packages import normal
from driftwatch.config.values import is_name
from driftwatch.config.words import safe
from driftwatch.errors import UnreadableInputError
from driftwatch.model.amounts import many
from driftwatch.review.checkout import LARGEST, Blob, Checkout
from driftwatch.review.lockfile import NAME, Locked, is_beside, read_lock
from driftwatch.review.pins import Pin, may_pin, pins_of, version_of
from driftwatch.review.starts import Start, may_start, starts_of
from driftwatch.review.stated import Stated, stated_of
from driftwatch.watch.supply.repin import Refusal, with_version

_MOST_FILES: Final = 400
_MOST_BYTES: Final = 32 * 2**20
"""Files of one side that are read, and bytes of them all."""


@dataclass(frozen=True, slots=True)
class Bump:
    """A server that is started otherwise than before. `was` is None for one that is new.

    `also` names other files in which the same change stands.
    """

    now: Start
    was: Start | None
    also: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same change elsewhere."""
        return (self.now.server, self.now.words, self.was.words if self.was is not None else None)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two commits: what starts servers in it, what it pins, and its lock file.

    `lock_trouble` says why the lock file could not be read; `unread` which other files could not, and why. `stated` is
    what files say of servers to the last word, by file and place in it; `has_lock` says whether there is a lock file.
    """

    starts: Mapping[tuple[str, str], Start]
    pins: tuple[Pin, ...]
    locked: Mapping[str, Locked] = field(default_factory=dict)
    lock_file: str = NAME
    lock_trouble: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[tuple[str, str], Stated] = field(default_factory=dict)
    has_lock: bool = False


def side(checkout: Checkout, commit: str, *, most: int = _MOST_FILES) -> Side:
    """Read one commit: at most so many files of it.

    Raises:
        UsageError: git cannot read it.

    """
    tree = checkout.tree(commit)
    starts: dict[tuple[str, str], Start] = {}
    pins: list[Pin] = []
    stated: dict[tuple[str, str], Stated] = {}
    unread: dict[str, str] = {}
    read = [path for path in tree if may_start(path) or may_pin(path)]
    left = _MOST_BYTES
    for number, path in enumerate(sorted(read, key=lambda path: (path.count("/"), path))):
        left -= min(tree[path].size, LARGEST)
        if number >= most or left < 0:
            unread["…"] = f"{many(len(read) - number, 'file')} more than are read may start servers"
            break
        try:
            text = checkout.text(tree[path], path)
            pins += pins_of(path, text) if may_pin(path) else ()
            for start in starts_of(path, text) if may_start(path) else ():
                starts.setdefault((path, start.server), start)
            stated |= {(path, place): one for place, one in (stated_of(path, text) if may_start(path) else ())}
        except UnreadableInputError as error:
            unread[path] = error.message
    places = [path for path in tree if PurePosixPath(path).name == NAME]
    lock = min(places, key=lambda path: (path.count("/"), path), default=NAME)
    locked, trouble = _locked(checkout, tree, lock)
    return Side(starts, tuple(pins), locked, lock, trouble, unread, stated, bool(places))


def _locked(checkout: Checkout, tree: Mapping[str, Blob], path: str) -> tuple[Mapping[str, Locked], str]:
    folder = PurePosixPath(path).parent

    def text(name: str) -> str | None:
        place = (folder / name).as_posix()
        return checkout.text(tree[place], place) if place in tree and tree[place].size <= LARGEST else None

    below = {
        PurePosixPath(one).relative_to(folder).as_posix() for one in tree if PurePosixPath(one).is_relative_to(folder)
    }
    try:
        return read_lock(text, PurePosixPath(path).name, there=set(filter(is_beside, below))) or {}, ""
    except UnreadableInputError as error:
        # One line: it becomes part of a sentence.
        first, *rest = (line.strip() for line in error.message.splitlines())
        return {}, f"{first} {'; '.join(rest)}".strip()


def bumps(base: Side, head: Side) -> list[Bump]:
    """Give what is started otherwise, each once, in the order of files."""
    found: dict[tuple[object, ...], Bump] = {}
    for one in (*_started(base, head), *_pinned(base, head), *_relocked(base, head)):
        known = found.get(one.key)
        if known is None:
            found[one.key] = one
        elif one.now.file not in {known.now.file, *known.also}:
            found[one.key] = replace(known, also=(*known.also, one.now.file))
    return list(found.values())


def only_locked(base: Side, head: Side, bumped: Iterable[Bump]) -> list[str]:
    """Name the servers of which the lock file says something else, and that nothing in the repository starts."""
    seen = {one.now.server for one in bumped}
    return [
        name
        for name, one in head.locked.items()
        if name not in seen and (name not in base.locked or base.locked[name].digest != one.digest)
    ]


def _started(base: Side, head: Side) -> Iterator[Bump]:
    """Give the servers whose command is another one, and those that are new."""
    known = {start.words for start in base.starts.values()}
    for place, now in head.starts.items():
        was = base.starts.get(place)
        moved = was is None and now.words in known
        if not moved and (was is None or was.words != now.words):
            yield Bump(now, was or _elsewhere(base, now))


def _elsewhere(base: Side, now: Start) -> Start | None:
    """Give how the server was started from another file, where that is the same package: a file may have moved."""
    package = now.package
    for was in base.starts.values():
        if was.server == now.server and package and was.package and was.package.name == package.name:
            return was
    return None


def _relocked(base: Side, head: Side) -> Iterator[Bump]:
    """Give servers that are started as before, and of which the lock file says something else."""
    started = {start.server: start for start in head.starts.values()}
    for name, one in head.locked.items():
        was = base.locked.get(name)
        if name in started and (was is None or was.digest != one.digest):
            before = next((start for start in base.starts.values() if start.server == name), None)
            if before is not None and before.words == started[name].words:
                yield Bump(started[name], before)


def _pinned(base: Side, head: Side) -> Iterator[Bump]:
    """Give the servers whose package is pinned to another version in a file that does not start them."""
    before: dict[tuple[str, str, str], set[str]] = {}
    for pin in base.pins:
        before.setdefault((pin.file, pin.ecosystem, pin.name), set()).add(pin.version)
    for pin in head.pins:
        known = before.get((pin.file, pin.ecosystem, pin.name), set())
        if pin.version in known:
            continue
        gone = sorted(known - {one.version for one in head.pins if (one.file, one.name) == (pin.file, pin.name)})
        was = gone[0] if gone else min(known, default="")
        for start in _starts_of(pin, head):
            # Where the version cannot be put into its command, it is looked at as it is started, or told why not.
            now = _at(start, pin, pin.version) or replace(start, file=pin.file, line=pin.line)
            yield Bump(now, _at(start, pin, was) if was else None)


def dropped(base: Side, head: Side) -> Iterator[tuple[Pin, Start]]:
    """Give the pins of servers that are gone from a file and came to no other, each with how its server starts."""
    here = {(pin.file, pin.ecosystem, pin.name) for pin in head.pins}
    before = {(pin.file, pin.ecosystem, pin.name) for pin in base.pins}
    moved = {place[1:] for place in here - before}
    for place in sorted(before - here):
        pin = next(one for one in base.pins if (one.file, one.ecosystem, one.name) == place)
        start = next(_starts_of(pin, base), None)
        if start is not None and place[1:] not in moved:
            yield pin, start


def _starts_of(pin: Pin, head: Side) -> Iterator[Start]:
    """Give how the package of a pin is started as a server: as the repository says, else as the file itself does."""
    found = False
    for start in head.starts.values():
        package = start.package
        if package is not None and (package.ecosystem, package.name) == (pin.ecosystem, pin.name):
            if version_of(package) in {"", pin.version}:
                found = True
                yield start
        elif package is None and (words := _through(start.words, pin)):
            found = True
            yield start.at(words)
    if not found and pin.words:
        yield Start(_name(pin.name), pin.words, (), pin.file, pin.line)


def _through(words: tuple[str, ...], pin: Pin) -> tuple[str, ...]:
    """Give the command that fetches what a server is started from where that is installed; nothing for another one."""
    program, rest = PurePosixPath(words[0]).name, words[1:]
    bare = pin.name.rpartition("/")[2]
    if pin.ecosystem == "npm":
        inside = next((at for at, word in enumerate(words) if f"node_modules/{pin.name}/" in word), None)
        if inside is not None:
            return ("npx", "-y", f"{pin.name}@{pin.version}", *words[inside + 1 :])
        return ("npx", "-y", "-p", f"{pin.name}@{pin.version}", program, *rest) if program == bare else ()
    if pin.ecosystem == "pypi":
        source = ("uvx", "--from", f"{pin.name}=={pin.version}")
        if program.startswith("python") and len(rest) > 1 and rest[0] == "-m" and normal(rest[1]) == pin.name:
            return (*source, "python", *rest)
        return (*source, program, *rest) if normal(program) == pin.name else ()
    return ()


def _at(start: Start, pin: Pin, version: str) -> Start | None:
    """Give a server with its package at a version, None where that cannot be put into its command."""
    made = with_version(start.words[0], start.words[1:], version)
    if isinstance(made, Refusal):
        return None
    return replace(start.at((made.command, *made.args)), file=pin.file, line=pin.line)


def _name(package: str) -> str:
    """Give a name for a server that has none, after its package."""
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in package)
    name = kept.strip("._-")[:64]
    return name if is_name(name) else "server"


def unread(base: Side, head: Side) -> dict[str, str]:
    """Give the files that could not be read and are not as they were, each with the reason; safe to show."""
    return {safe(path): why for path, why in head.unread.items() if base.unread.get(path) != why}
