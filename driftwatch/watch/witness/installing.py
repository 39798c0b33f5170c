"""Putting the witness into a host's file, and taking it out again.

What is planned is shown to a person before it is done. What is done is remembered first, so that nothing is lost when
the machine stops in between: a memory of a file that was not written yet says that it is as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from driftwatch.config import shapes
from driftwatch.config.contents import Entry, NoTableError, entries_of
from driftwatch.config.hostedit import LARGEST, Change, Launch, launches, unwrap, wrap
from driftwatch.config.schema import Settings
from driftwatch.config.wrapped import Wrapped, read_back, spelled
from driftwatch.errors import UnreadableInputError
from driftwatch.judge.snapshot import take
from driftwatch.watch.inventory import document_of
from driftwatch.watch.known import watching_of
from driftwatch.watch.witness.filing import Held, check_writable, digest_of, hold, put
from driftwatch.watch.witness.remembering import Memories, Memory

UNWATCHED = "driftwatch does not watch it"
"""Why a server is not witnessed that stands in no configuration."""


@dataclass(frozen=True, slots=True)
class Starts:
    """How driftwatch is started: its program, and the way that no variable of a server's own Python can disturb."""

    program: tuple[str, ...]
    isolated: tuple[str, ...]

    def of(self, launch: Launch) -> tuple[str, ...]:
        """Give the way for one server."""
        return self.isolated if any(name.upper().startswith("PYTHON") for name in launch.variables) else self.program


@dataclass(frozen=True, slots=True)
class Choice:
    """What becomes of one server of the file: as which server it is watched, and why it is not witnessed if so.

    `same` says that driftwatch reaches the server in the same way.
    """

    launch: Launch
    server: str = ""
    same: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What install would do to one file: nothing where there are no `changes`."""

    held: Held
    host: str
    choices: tuple[Choice, ...]
    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """What uninstall did to one file: which servers were unwrapped, and which wrapped ones are not of its making.

    `exact` says that the file is to the byte what it was before install, `gone` that it is not there any more.
    """

    file: Path
    done: tuple[Launch, ...] = ()
    left: tuple[Launch, ...] = ()
    exact: bool = False
    gone: bool = False


def plan(path: Path, host: str, settings: Settings, starts: Starts, *, only: Sequence[str], config: str) -> Plan:
    """Say what install would do to a file: `only` to these servers, where any are named.

    `config` is the path of the witness's settings where its commands must name one.

    Raises:
        UsageError: the file cannot be read or must not be written.
        UnreadableInputError: it is no host's file, or cannot be edited safely.

    """
    held = hold(path)
    text = held.text
    choices = tuple(_choices(text, held.path.name, settings, only))
    wanted = {}
    for one in choices:
        if one.server and not one.why:
            wrapped = Wrapped(one.server, one.launch.line, host, config)
            line = spelled(wrapped, starts.of(one.launch))
            if read_back(line) != wrapped:
                raise UnreadableInputError(f"{one.launch.name} cannot be wrapped.", hint="Wrap it by hand.")
            wanted[one.launch.place] = line[: -len(wrapped.command)]
    if not wanted:
        return Plan(held, host, choices, text, ())
    check_writable(held)
    new, changes = wrap(text, wanted, name=held.path.name)
    return Plan(held, host, choices, new, changes)


def install(planned: Plan, memories: Memories, at: str) -> None:
    """Do what was planned. `at` is the time, ISO 8601.

    Raises:
        UsageError: the file was changed meanwhile, or something cannot be written. The file is as it was then.

    """
    held, data = planned.held, planned.text.encode()
    with memories.alone():
        known = memories.of(held.path)
        before, ours = _before(held, known, memories)
        memory = Memory(held.path, planned.host, at, digest_of(before), digest_of(data), (*ours, *planned.changes))
        backup = memories.backup(known) if known is not None else None
        memories.keep(memory, before)
        try:
            put(held, data)
        except BaseException:
            if known is not None and backup is not None:
                memories.keep(known, backup)
            else:
                memories.forget(held.path)
            raise


def uninstall(path: Path, memories: Memories) -> Undone:
    """Put a file back as it was before install; where it was written anew since, take out the wrapping alone.

    Needs nothing but the file: without a memory of the install, every wrapped command is unwrapped.

    Raises:
        UsageError: the file cannot be read or written, or was changed meanwhile.
        UnreadableInputError: it cannot be read as a host's file, or not be edited safely.

    """
    if not path.exists() and memories.of(path.resolve()) is not None:
        memories.forget(path.resolve())
        return Undone(path.resolve(), gone=True)
    held = hold(path)
    with memories.alone() if memories.folder.is_dir() else nullcontext():
        known = memories.of(held.path)
        if known is not None and held.digest == known.before:
            memories.forget(held.path)
            return Undone(held.path, exact=True)
        text, done, left = unwrap(held.text, known.changes if known is not None else None, name=held.path.name)
        backup = memories.backup(known) if known is not None and held.digest == known.after else None
        data = backup if backup is not None else text.encode()
        if data != held.data:
            put(held, data)
        memories.forget(held.path)
    return Undone(held.path, done, left, exact=known is not None and digest_of(data) == known.before)


def _before(held: Held, known: Memory | None, memories: Memories) -> tuple[bytes, tuple[Change, ...]]:
    """Give the file without anything of ours, and which changes of ours are in it as it is now."""
    if known is None or held.digest == known.before:
        return held.data, ()
    text, done, _ = unwrap(held.text, known.changes, name=held.path.name)
    backup = memories.backup(known) if held.digest == known.after else None
    there = {one.line for one in done} | {one.place for one in done}
    ours = tuple(one for one in known.changes if one.new_line in there or one.place in there)
    return backup if backup is not None else text.encode(), ours


def _choices(text: str, name: str, settings: Settings, only: Sequence[str]) -> Iterator[Choice]:
    """Say for every server of a file what becomes of it."""
    try:
        entries = tuple(entries_of(shapes.read(text, name=name, largest=LARGEST)))
    except NoTableError as error:
        raise UnreadableInputError(f"{error} holds no table of servers.", hint="Correct the file.") from None
    found = launches(text, name=name)
    for entry, launch in zip(entries, found, strict=True):
        choice = _choice(entry, launch, settings)
        if only and choice.server not in only:
            continue
        yield choice


def _choice(entry: Entry, launch: Launch, settings: Settings) -> Choice:
    watching = watching_of(settings, take(document_of((entry,))))
    known = watching.of(entry.name) if watching is not None else None
    server, same = (known.server, known.same) if known is not None else ("", False)
    if not server and any(one.name == launch.name and one.enabled for one in settings.servers):
        server = launch.name  # An entry of a project has its folder in its name.
    return Choice(launch, server, same, launch.why or ("" if server else UNWATCHED))
