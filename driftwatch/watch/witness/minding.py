"""Minding who reads the copy of a session: it is started again when it ends, stops, or takes nothing any more.

The standard library only, and as little of it as will do: this runs in the process that carries the bytes, in a thread
of its own that looks once a second, so that a message costs nothing more.

A server of the same user can kill or stop the copyist, and then show the agent another list. So whoever is started
again is told first that something is missing (`frames.ANEW`), and hands that in as a gap. Where nobody can be started,
a small mark is left for the next witness or command (`marks`).
"""

# ruff: noqa: SIM105 - contextlib takes longer to load than all that is done here

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _thread
import fcntl
import os
import time

from driftwatch.watch.witness.frames import Copy
from driftwatch.watch.witness.marks import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PIPE = 1 << 18
"""Bytes that the pipe to the copyist holds, where the system grants it: what all pipes of a user hold is bounded."""

LOOKING = 1.0
"""Seconds between two looks whether the copyist still runs."""

STANDS = 30
"""So many looks in a row at which it had taken nothing of what lay there for it: it hangs."""

LIVED = 60
"""Looks after which a copyist counts as one that works."""

_SOONEST, _LATEST = 1, 60
"""Looks between two starts, at first and at most. The first one that ends is followed at once."""

_NAP = 0.05
_PATIENCE = 10.0
"""Seconds in which it has to take something at the end of the session."""

_GOODBYE = 40.0
"""Seconds that it has then to deliver: more than it gives itself."""

_AT_THE_END = (0.0, 1.0, 3.0)
"""Seconds before each try to have it told that the last one did not end well."""


class Watch:
    """Says at each look whether a reader hangs: something lies there for it, and it takes nothing."""

    def __init__(self) -> None:
        """Begin with a reader that has not taken anything yet."""
        self._taken = 0
        self._stood = 0

    def hangs(self, written: int, lies: int) -> bool:
        """Take how many bytes were written into the pipe so far, and how many of them lie in it."""
        taken = written - lies
        self._stood = self._stood + 1 if lies and taken == self._taken else 0
        self._taken = taken
        return self._stood >= STANDS


def lying(pipe: int) -> int:
    """Give how many bytes nobody has read yet; 0 where the system does not say."""
    try:
        from termios import FIONREAD  # noqa: PLC0415

        return int.from_bytes(fcntl.ioctl(pipe, FIONREAD, bytes(4)), "little")
    except (ImportError, OSError):
        return 0


def opened() -> tuple[int, int]:
    """Make the pipe to a copyist: its end, and ours, which does not block."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        try:
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE)
        except OSError:
            pass  # It holds less then.
    return reading, writing


class Minder:
    """The copyists of one session, one after the other. `copy` writes to the one that runs; hold `lock` for that."""

    def __init__(self, line: Sequence[str], whose: tuple[str, str] | None) -> None:
        """Start the first one, and the thread that minds it. `whose` is server and host, None to leave no mark.

        Raises:
            OSError: there can be no pipe.

        """
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        self.lock = _thread.allocate_lock()
        self._line, self._whose = list(line), whose
        self._session, self._began = os.urandom(16).hex(), time.time()
        self._life = 0
        self._pid = 0
        self._watch = Watch()
        self._ending, self._minded = _thread.allocate_lock(), _thread.allocate_lock()
        self._ending.acquire()
        self._minded.acquire()
        reading, writing = opened()
        self.copy = Copy(writing)
        self._start(reading)
        _thread.start_new_thread(self._mind, ())

    def part(self) -> None:
        """At the end of the session: see that the copy is taken to its end, or that somebody tells that it was not."""
        self._ending.release()
        self._minded.acquire()
        if self._ends_well():
            return
        for pause in _AT_THE_END:
            time.sleep(pause)
            if self._begin_anew() and self._ends_well():
                return
        if self._whose is not None:
            leave(os.environ, self._whose, self._session, self._began, self._life + 1)

    # ---------------------------------------------------------------- the thread that minds

    def _mind(self) -> None:
        try:
            self._minding()
        except Exception:  # noqa: BLE001, S110 - it is seen at the end that the copy was not taken
            pass
        finally:
            self._minded.release()

    def _minding(self) -> None:
        lived = wait = 0
        pause = _SOONEST
        while not self._ending.acquire(True, LOOKING):  # noqa: FBT003 - it takes no keyword in the C part
            if self._works():
                lived += 1
                continue
            if lived >= LIVED:
                pause = _SOONEST
            if wait:
                wait -= 1
                continue
            self._begin_anew()
            lived, wait = 0, pause
            pause = min(2 * pause, _LATEST)

    def _works(self) -> bool:
        """Say whether there is a copyist that does its work; one that does not is ended."""
        if not self._runs():
            return False
        with self.lock:
            lies = lying(self.copy.pipe) if self.copy.open else 0
            hangs = self._watch.hangs(self.copy.written, lies)
        if hangs:
            self._kill()
        return not hangs

    def _runs(self) -> bool:
        """Say whether it runs; one that was stopped is ended, since somebody stopped it."""
        return self._asked() is None

    def _asked(self) -> int | None:
        """Give how it ended, None while it runs. It is not there any more then."""
        if not self._pid:
            return 1
        try:
            changed, status = os.waitpid(self._pid, os.WNOHANG | os.WUNTRACED)
        except ChildProcessError:
            changed, status = self._pid, 1
        if not changed:
            return None
        if os.WIFSTOPPED(status):
            self._kill()
            return 1
        self._pid = 0
        return status

    def _kill(self) -> None:
        try:
            os.kill(self._pid, _signal.SIGKILL)
            os.waitpid(self._pid, 0)
        except OSError:
            pass
        self._pid = 0

    # ------------------------------------------------------------------------ starting

    def _begin_anew(self) -> bool:
        """Start another one, which is told that something is missing; say whether it was started."""
        try:
            reading, writing = opened()
        except OSError:
            return False
        self._life += 1
        with self.lock:
            # In the place of the old one: others may be waiting for room in it.
            os.dup2(writing, self.copy.pipe, inheritable=False)
            os.close(writing)
            self.copy.anew()
            self._watch = Watch()
        return self._start(reading)

    def _start(self, reading: int) -> bool:
        line = [*self._line, self._session, repr(self._began), str(self._life)]
        try:
            # It inherits that signals are ignored: like the one that carries the bytes it ends by the end of its input.
            self._pid = os.posix_spawn(line[0], line, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, reading, 0)])
        except (OSError, ValueError):
            self._pid = 0
        finally:
            os.close(reading)
        return self._pid != 0

    # ---------------------------------------------------------------------- at the end

    def _ends_well(self) -> bool:
        """Have the copy taken to its end; say whether it was, by somebody who ended as who has done the work."""
        copy = self.copy
        copy.end()
        patience, taken = _PATIENCE, -1
        while copy.waits or (copy.open and lying(copy.pipe)):
            now_taken = copy.written - lying(copy.pipe)
            patience = _PATIENCE if now_taken != taken else patience - _NAP
            if patience <= 0 or not self._runs():
                break
            taken = now_taken
            time.sleep(_NAP)
            copy.flush()
        whole = copy.open and not copy.waits and not lying(copy.pipe)
        nobody = os.open(os.devnull, os.O_WRONLY)
        # The number stays taken, for the next one.
        os.dup2(nobody, copy.pipe, inheritable=False)
        os.close(nobody)
        copy.close()
        return self._gone(_GOODBYE if whole else 0.0) == 0 and whole

    def _gone(self, patience: float) -> int:
        """Wait until it has ended, or end it; give how it ended."""
        while (code := self._asked()) is None:
            if patience <= 0:
                self._kill()
                return 1
            patience -= _NAP
            time.sleep(_NAP)
        return code
