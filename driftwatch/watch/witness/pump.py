"""The pass-through: the process that a host starts becomes the server, and what passes is copied beside.

Everything fails open: whatever cannot be set up, the server is started all the same, without a witness if need be.
A session waits for what is imported here: `os`, two small modules and the C parts of `signal` and `threading`, whose
Python parts would take longer to load than all that is done with them.

The process that the host started makes two pipes and becomes the server, so process id, group, signals, exit code,
environment, working folder and standard error are the server's own. A process in the middle starts the *pump* and ends,
so that the pump is no child of the server. Out of reach of the host's signals, it carries the bytes and ends when both
directions have ended. It starts the *copyist*, which reads what the pump copies, and minds it (`minding`); nobody waits
for that one.
"""

# ruff: noqa: SIM105 - contextlib takes longer to load than all that is done here

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import errno
import fcntl
import os
import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import NoReturn

    from driftwatch.watch.witness.frames import Copy
    from driftwatch.watch.witness.minding import Minder

CHUNK = 1 << 16
"""Bytes that are carried at once: what a pipe holds."""

_IGNORED = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGPIPE)

_NOT_FOUND, _NOT_STARTED = 127, 126
"""What a shell ends with for a command that is not there, and for one that cannot be started."""


def become(command: Sequence[str], copyist: Sequence[str], whose: tuple[str, str] | None = None) -> int:
    """Become the server, with a witness beside it. Returns only when the command cannot be started: the exit code.

    `copyist` is the command line of the process that reads the copy on its standard input; it is given the session,
    when that began, and how many were started before it. `whose` is server and host (see `minding`).
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    try:
        _interpose(copyist, whose)
    except Exception:  # noqa: BLE001, S110 - a fault of ours must not keep the server from starting
        pass
    return _execute(command)


def _interpose(copyist: Sequence[str], whose: tuple[str, str] | None) -> None:
    """Put the pump between this process and the host; leaves everything as it was where that does not work."""
    if not (_is_open(0) and _is_open(1)):
        return
    made: list[int] = []
    try:
        for _ in range(3):
            made += map(_high, os.pipe())
        server_in, to_server, from_server, server_out, ready, say_ready = made
        middle = os.fork()
        if middle == 0:
            _in_the_middle((to_server, from_server), say_ready, lambda: _minder_of(copyist, whose))
        os.close(made.pop())
        try:
            os.waitpid(middle, 0)
        except ChildProcessError:
            pass  # A host that ignores the end of its children lets us ignore it too.
        if os.read(ready, 1):
            os.dup2(server_in, 0)
            os.dup2(server_out, 1)
    finally:
        _close(made)


def _in_the_middle(ends: tuple[int, int], say_ready: int, copying: Callable[[], Minder | None]) -> None:
    """Start the pump, which belongs to nobody then, and end."""
    try:
        os.setsid()
        if os.fork() == 0:
            _pump(ends, say_ready, copying)
    finally:
        os._exit(0)


def _pump(ends: tuple[int, int], say_ready: int, copying: Callable[[], Minder | None]) -> None:
    """Carry the bytes until both directions have ended."""
    for one in _IGNORED:
        _signal.signal(one, _signal.SIG_IGN)
    to_server, from_server = ends
    agent_in, agent_out = _high(0), _high(1)
    _let_go(keep={agent_in, agent_out, to_server, from_server, say_ready})
    prepared, ended = _thread.allocate_lock(), _thread.allocate_lock()
    prepared.acquire()
    ended.acquire()
    carrier = _Carrier()

    def upwards() -> None:
        try:
            with prepared:
                pass
            carrier.carry(agent_in, to_server, _FROM_AGENT)
        finally:
            ended.release()

    _thread.start_new_thread(upwards, ())
    os.write(say_ready, b"!")
    os.close(say_ready)
    # From here on the server starts, at the same time.
    minder = copying()
    if minder is not None:
        carrier.copy, carrier.lock = minder.copy, minder.lock
    prepared.release()
    carrier.carry(from_server, agent_out, _FROM_SERVER)
    ended.acquire()
    if minder is not None:
        minder.part()


_FROM_AGENT, _FROM_SERVER = b">", b"<"


def _minder_of(copyist: Sequence[str], whose: tuple[str, str] | None) -> Minder | None:
    """Start the copyist, and give who minds it. Without a copy the session goes on as well."""
    try:
        from driftwatch.watch.witness.minding import Minder  # noqa: PLC0415 - nothing waits for it here

        return Minder(copyist, whose)
    except Exception:  # noqa: BLE001
        return None


class _Carrier:
    """Carries both directions, and copies what passes.

    What the agent says is copied before it is passed on, what the server says after: so a request is always copied
    before its answer, and no answer waits for its copy.
    """

    def __init__(self) -> None:
        self.copy: Copy | None = None
        self.lock = _thread.allocate_lock()

    def carry(self, source: int, sink: int, mark: bytes) -> None:
        """Carry one direction until it ends at either side, and let both sides know."""
        room = memoryview(bytearray(CHUNK))
        from_agent = mark is _FROM_AGENT
        try:
            for size in self._arriving(source, sink, room):
                chunk = room[:size]
                if from_agent:
                    self._copied(mark, chunk)
                _write_all(sink, chunk)
                if not from_agent:
                    self._copied(mark, chunk)
        except OSError:
            pass  # The side that is written to is gone.
        finally:
            _close((source, sink))

    def _arriving(self, source: int, sink: int, room: memoryview) -> Iterator[int]:
        """Give how many bytes arrive, until they end, or nobody is there any more to whom they could be passed on."""
        poll = select.poll()
        poll.register(source, select.POLLIN)
        poll.register(sink, 0)
        copy, flushing, into = self.copy, False, (room,)
        while True:
            if copy is not None and copy.waits != flushing:
                flushing = not flushing
                poll.register(copy.pipe, select.POLLOUT) if flushing else poll.unregister(copy.pipe)
            arrived = False
            for one, how in poll.poll():
                if one == source:
                    arrived = True
                elif one != sink:
                    self._copied()
                elif not how & select.POLLNVAL:
                    return
                else:
                    poll.unregister(sink)  # A terminal cannot be asked, on some systems.
            if arrived:
                try:
                    size = os.readv(source, into)
                except BlockingIOError:
                    continue
                except OSError:
                    return
                if not size:
                    return
                yield size

    def _copied(self, mark: bytes = b"", chunk: memoryview | None = None) -> None:
        """Copy a chunk, or with none write what waits. Nothing that goes wrong here reaches the session."""
        copy = self.copy
        if copy is None or not copy.open:
            return
        with self.lock:
            try:
                if chunk is not None:
                    copy.put(mark, chunk)
                else:
                    copy.flush()
            except Exception:  # noqa: BLE001
                copy.close()


def _write_all(sink: int, left: memoryview) -> None:
    while left:
        try:
            written = os.write(sink, left)
        except BlockingIOError:
            room = select.poll()
            room.register(sink, select.POLLOUT)
            room.poll()
            continue
        if written == len(left):
            return
        left = left[written:]


def _let_go(keep: set[int]) -> None:
    """Let go of what came from the host, descriptors and folder: somebody may wait for the end of one of them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for one in range(3):
        if one not in keep:
            os.dup2(nowhere, one)
    try:
        there: Iterable[int] = [int(name) for name in os.listdir("/dev/fd")]  # noqa: PTH208 - as above
    except (OSError, ValueError):
        there = range(1024)
    _close(one for one in there if one > 2 and one not in keep)
    os.chdir("/")


def _close(descriptors: Iterable[int]) -> None:
    for one in descriptors:
        try:
            os.close(one)
        except OSError:
            pass  # It is closed already.


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _high(descriptor: int) -> int:
    """Move a descriptor away from where the standard ones belong, also when one of those is closed."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def _as_started() -> None:
    """Put back what Python changes of the environment for itself (PEP 538), where the system still knows what it was.

    Without it a server whose host sets no language would be given one.
    """
    try:
        descriptor = os.open("/proc/self/environ", os.O_RDONLY | os.O_CLOEXEC)
        try:
            given = b"".join(iter(lambda: os.read(descriptor, CHUNK), b"")).split(b"\0")
        finally:
            os.close(descriptor)
        was = next((one.partition(b"=")[2] for one in given if one.startswith(b"LC_CTYPE=")), None)
        if was is not None:
            os.environb[b"LC_CTYPE"] = was
        elif given != [b""]:
            os.environb.pop(b"LC_CTYPE", None)
    except OSError:
        pass


def _execute(command: Sequence[str]) -> int:
    _as_started()
    # Python ignores these for itself; a server must not inherit that.
    for one in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(one, _signal.SIG_DFL)
    try:
        _replaced_by(command)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "this cannot be the name of a program"
        said = f"driftwatch witness: {command[0]} cannot be started: {why}\n"
        _say(said.encode(errors="backslashreplace"))
        return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_STARTED


def _replaced_by(command: Sequence[str]) -> NoReturn:
    try:
        os.execvp(command[0], list(command))  # noqa: S606 - this is what the host wants
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        # As execvp(3) does with a script that does not say what runs it.
        os.execv("/bin/sh", ["/bin/sh", _place_of(command[0]), *command[1:]])  # noqa: S606


def _place_of(program: str) -> str:
    """Give where a program was found."""
    if "/" in program:
        return program
    places = (f"{folder}/{program}" for folder in os.get_exec_path())
    return next((place for place in places if os.access(place, os.X_OK)), program)


def _say(line: bytes) -> None:
    try:
        os.write(2, line)
    except OSError:
        pass  # Standard error is closed: the exit code has to do.
