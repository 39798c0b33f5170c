"""Keeps the looks of one witness and takes them to the daemon, in a thread of its own: nobody ever waits for it.

What only delivery needs is loaded when there is something to deliver: a witness beside every session should be small.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from driftwatch.errors import ConfigError
from driftwatch.model import Witnessed
from driftwatch.watch.witness.delivering import IN_A_ROW, Delivered, deliver, spool_of, take_marks
from driftwatch.watch.witness.gathering import LIFE
from driftwatch.watch.witness.handing import Hand, Handed, Taken
from driftwatch.watch.witness.marks import leave
from driftwatch.watch.witness.packing import packed
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import LONGEST, Away

if TYPE_CHECKING:
    from driftwatch.config.witnessing import WitnessConfig

NOWHERE = "Nobody said where the daemon is."

_REPORT = "This is an error in driftwatch; the session went on without it. Report it."

_IN_HAND = 16
"""Looks that are held in memory while they cannot be written: the first one, and the newest."""

_SOONEST, _LATEST = 1.0, 300.0
"""Seconds until the next try after a failed one, at first and at most."""

_BUSY = 1.0
"""Seconds until it is seen whether another witness is done with delivering."""


class Courier:
    """Takes looks with `keep`, which never waits and never raises; `close` gives what waits a last chance.

    What goes wrong stands in the status of the spool, for `driftwatch witness status`.
    """

    def __init__(
        self, path: Path | None, environ: Mapping[str, str], home: Path, *, clock: Callable[[], datetime]
    ) -> None:
        """Take where the settings are (None: the usual place), the environment, the home folder and the clock."""
        self._path, self._environ, self._home = path, environ, home
        self._clock = clock
        self._news = threading.Condition()
        self._in_hand: list[Witnessed] = []
        self._away: list[Away] = []
        self._lost = 0
        self._fresh = False
        self._closing = False
        self._fault = ""
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def keep(self, seen: Witnessed) -> None:
        """Take a look."""
        with self._news:
            if len(self._in_hand) >= _IN_HAND:
                del self._in_hand[1]
                self._lost += 1
            self._in_hand.append(seen)
            self._fresh = True
            self._news.notify()

    def led_away(self, one: Away) -> None:
        """Take that an agent was led past the witness, for the status."""
        with self._news:
            if len(self._away) < _IN_HAND:
                self._away.append(one)
            self._fresh = True
            self._news.notify()

    def failed(self, error: Exception) -> None:
        """Take that a fault of ours ended the witness of this session, for the status; what was kept is delivered."""
        self._fault = f"the witness itself failed: {type(error).__name__}: {error}"

    def close(self, patience: float) -> None:
        """Take no more, and wait at most so many seconds until everything is delivered or cannot be now."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join(patience)
        self._leave_marks()

    def _leave_marks(self) -> None:
        """Of what could be neither kept nor delivered leave word, so that the next witness tells that it is lost."""
        with self._news:
            left, lost = list(self._in_hand), self._lost
        sessions = Counter((one.server, one.witness, one.session, one.started_at) for one in left)
        for (server, witness, session, began), count in sessions.items():
            known = max(one.gaps for one in left if one.session == session)
            environ = {"HOME": str(self._home), **self._environ}
            leave(environ, (server, witness), session, began.timestamp(), min(count + known + lost, LIFE - 1))

    def _kept_in(self, spool: Spool, seen: Witnessed) -> None:
        """Keep a look of somebody else's in the folder, else in hand."""
        try:
            spool.keep(seen)
        except OSError:
            self.keep(seen)

    # --------------------------------------------------------------- its own thread

    def _run(self) -> None:
        with self._news:
            self._news.wait_for(lambda: self._fresh or self._closing)
        from driftwatch.config.files import load_witness  # noqa: PLC0415 - see above
        from driftwatch.config.witnessing import WitnessConfig, settings_path, state_path  # noqa: PLC0415

        spool = spool_of(WitnessConfig(spool=str(state_path(self._environ, self._home))))
        try:
            config = load_witness(self._path, self._environ, self._home)
            spool = spool_of(config)
            with contextlib.suppress(OSError):
                take_marks(partial(self._kept_in, spool), state_path(self._environ, self._home))
            if config.url:
                self._serve(spool, config)
            else:
                where = self._path or settings_path(self._environ, self._home)
                why = Handed(Taken.LATER, NOWHERE, f"Write url and token into {where}.")
                self._hold(spool, why, of_settings=True)
        except ConfigError as error:
            self._hold(spool, Handed(Taken.LATER, error.message, error.hint), of_settings=True)
        except Exception as error:  # noqa: BLE001 - a fault of ours is told in the status, and ends here
            self.failed(error)
            self._hold(spool, Handed(Taken.LATER, self._fault, _REPORT))
        if self._fault:
            spool.tried(self._fault, _REPORT)

    def _serve(self, spool: Spool, config: WitnessConfig) -> None:
        pause = _SOONEST
        due: float | None = time.monotonic() if _waiting(spool) else None
        while True:
            closing = self._await(due)
            written = self._write_down(spool)
            came = self._deliver(spool, config, by_hand=not written)
            if closing and not came.busy:
                return
            if not came.again:
                due, pause = None, _SOONEST
            elif came.busy:
                due = time.monotonic() + _BUSY
            elif came.failed is None:
                due, pause = time.monotonic() + max(came.wait, _SOONEST), _SOONEST
            else:
                spread = pause * random.uniform(0.8, 1.2)  # noqa: S311 - so that not all come at once
                due, pause = time.monotonic() + max(spread, min(came.wait, LONGEST)), min(2 * pause, _LATEST)

    def _hold(self, spool: Spool, why: Handed, *, of_settings: bool = False) -> None:
        """Do without delivery: keep what comes, and say why it stays."""
        while True:
            spool.tried(why.why, why.hint, of_settings=of_settings)
            closing = self._await(None)
            self._write_down(spool)
            if closing:
                return

    def _await(self, due: float | None) -> bool:
        """Wait for a look, for the end, or until it is time to try again; say whether it is the end."""
        with self._news:
            while not self._closing and not self._fresh:
                left = None if due is None else due - time.monotonic()
                if left is not None and left <= 0:
                    break
                self._news.wait(left)
            if self._closing and due is not None:
                self._news.wait_for(lambda: False, min(_BUSY, max(0.0, due - time.monotonic())))
            self._fresh = False
            return self._closing

    def _write_down(self, spool: Spool) -> bool:
        """Write what is in hand; say whether that worked for the looks. Those that cannot be written stay there."""
        with self._news:
            away, self._away = self._away, []
        for one in away:
            spool.led_away(one)
        while self._in_hand:
            with self._news:
                seen, lost = self._in_hand[0], self._lost
            try:
                spool.keep(replace(seen, gaps=seen.gaps + lost))
            except OSError:
                return False
            self._gone(seen, lost)
        return True

    def _deliver(self, spool: Spool, config: WitnessConfig, *, by_hand: bool) -> Delivered:
        """Deliver what was written, then what is in hand because it could not be."""
        try:
            came = deliver(spool, config, self._clock)
        except OSError:
            came = Delivered()
        if came.again or not by_hand:
            return came
        refused: dict[str, Handed] = {}
        with self._news:
            in_hand = list(self._in_hand)
        with Hand(config.url, config.token, timeout=config.timeout) as hand:
            for seen in in_hand:
                lost = self._lost
                if seen.server in refused:
                    continue
                handed = hand.over(packed(replace(seen, gaps=seen.gaps + lost)))
                if handed.taken is Taken.HELD:
                    refused[seen.server] = handed
                elif handed.taken is not Taken.LATER:
                    self._gone(seen, lost)
                if handed.taken is Taken.LATER or len(refused) >= IN_A_ROW:
                    return Delivered(failed=handed)
        return Delivered(failed=next(iter(refused.values()))) if refused else came

    def _gone(self, seen: Witnessed, lost: int) -> None:
        with self._news:
            self._in_hand[:] = [one for one in self._in_hand if one is not seen]
            self._lost -= lost


def _waiting(spool: Spool) -> bool:
    try:
        return bool(spool.waiting())
    except OSError:
        return False
