"""A local server's whole family: its process group, and the descendants that left the group; or all of a sandbox.

Descendants are found through `/proc` by their parents. One that left the group and whose parent ended before anybody
looked cannot be told from any other process; without `/proc` only the group is known.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_MOST_ROUNDS = 5
_MOST_ASKED = 1000
_STAT = 4096
"""Bytes: more than `/proc/PID/stat` has, a name of 64 bytes and some fifty numbers."""


class _Process(NamedTuple):
    """What /proc says of a process. `born` tells it from a later one with the same number."""

    pid: int
    state: str
    parent: int
    group: int
    born: str


class Family:
    """The processes that go back to one leader of a process group. The leader must not have been reaped."""

    def __init__(self, leader: int) -> None:
        """Take the leader's number and look for its descendants."""
        self._leader = leader
        self._strays: dict[int, str] = {}
        self._look()

    def end(self) -> None:
        """Kill everyone at once."""
        self._freeze()
        self._signal(signal.SIGKILL)

    def ask_to_end(self) -> None:
        """Give everyone the chance to end in order."""
        self._freeze()
        self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)

    def is_alive(self) -> bool:
        """Say whether anyone still runs."""
        return any(process.state not in "ZX" and self._has(process) for process in _processes())

    def reap(self) -> None:
        """Let go of the dead that fell to us: whoever is process 1 of a container inherits every orphan in it."""
        for process in _processes():
            if self._has(process) and process.pid != self._leader and process.parent == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process.pid, os.WNOHANG)

    def _has(self, process: _Process) -> bool:
        return process.group == self._leader or self._strays.get(process.pid) == process.born

    def _freeze(self) -> None:
        """Stop everyone before looking, so that nobody has a child meanwhile."""
        for _ in range(_MOST_ROUNDS):
            self._signal(signal.SIGSTOP)
            if not self._look():
                return

    def _look(self) -> bool:
        """Note descendants; say whether any is new."""
        children: dict[int, list[_Process]] = {}
        for process in _processes():
            children.setdefault(process.parent, []).append(process)
        known = len(self._strays)
        waiting = [self._leader, *self._strays]
        seen: set[int] = set()
        while waiting:
            parent = waiting.pop()
            if parent not in seen:
                seen.add(parent)
                self._strays.update((child.pid, child.born) for child in children.get(parent, ()))
                waiting += [child.pid for child in children.get(parent, ())]
        return len(self._strays) > known

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._leader, number)
        for pid, born in self._strays.items():
            process = _process(pid)
            if process is not None and process.born == born:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)


class Enclosed:
    """The processes of a sandbox: the first of its own numbers takes everyone along when it goes.

    `leader` is bubblewrap, its one child that first process. However many there are, nobody has to look for them.
    """

    def __init__(self, leader: int) -> None:
        """Take the leader's number; it must not have been reaped."""
        self._leader = leader
        self._first = [one for one in map(_process, children(leader)) if one is not None]

    def end(self) -> None:
        """Kill everyone at once."""
        for pid in (*(one.pid for one in self._first if self._is(one)), self._leader):
            _kill(pid, signal.SIGKILL)

    def ask_to_end(self) -> None:
        """Give the server the chance to end in order. Not who holds the sandbox: that would kill it."""
        holding = {self._leader, *(one.pid for one in self._first)}
        for pid in itertools.islice(descendants(self._leader), _MOST_ASKED):
            if pid not in holding:
                _kill(pid, signal.SIGTERM)

    def is_alive(self) -> bool:
        """Say whether anyone still runs."""
        leader = _process(self._leader)
        return (leader is not None and leader.state not in "ZX") or any(self._is(one) for one in self._first)

    def reap(self) -> None:
        """Let go of the first process, should it have fallen to us."""
        for one in self._first:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(one.pid, os.WNOHANG)

    @staticmethod
    def _is(known: _Process) -> bool:
        """Say whether a process that was seen still runs: no other one has its number."""
        now = _process(known.pid)
        return now is not None and now.born == known.born and now.state not in "ZX"


def _kill(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def descendants(leader: int) -> Iterator[int]:
    """Give a process and all that go back to it, as they are found: there may be more at any time."""
    waiting, seen = [leader], {leader}
    while waiting:
        pid = waiting.pop()
        yield pid
        found = [child for child in children(pid) if child not in seen]
        seen.update(found)
        waiting += found


def children(pid: int) -> list[int]:
    """Give the processes that a process started, and those that fell to it."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def kin(leader: int) -> list[tuple[int, int]]:
    """Give the processes that go back to a leader now, each with how far it is from it; strays of its group last."""
    processes = _processes()
    children: dict[int, list[int]] = {}
    for process in processes:
        children.setdefault(process.parent, []).append(process.pid)
    depths, waiting = {leader: 0}, [leader]
    for parent in waiting:
        for child in children.get(parent, ()):
            if child not in depths:
                depths[child] = depths[parent] + 1
                waiting.append(child)
    far = max(depths.values()) + 1
    depths.update((one.pid, far) for one in processes if one.group == leader and one.pid not in depths)
    return list(depths.items())


def _processes() -> list[_Process]:
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listdir("/proc")  # noqa: PTH208 - as below
    numbers = (int(name) for name in names if name.isdecimal())
    return [process for process in map(_process, numbers) if process is not None]


def _process(pid: int) -> _Process | None:
    try:
        # A look at a local server asks this of every process there is, some times over: `pathlib` takes twice as long.
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
        try:
            said = os.read(descriptor, _STAT)
        finally:
            os.close(descriptor)
        # After the name, which may hold anything and ends with the last bracket: state, parent, group, … (proc(5)).
        fields = said.rpartition(b")")[2].decode("ascii").split()
        return _Process(pid, fields[0], int(fields[1]), int(fields[2]), fields[19])
    except (OSError, ValueError, IndexError):
        return None
