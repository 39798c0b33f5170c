"""Previews that people and programs asked for: begun, looked after, and kept for a while. In memory only.

A preview takes as long as a server takes to start, twice; who asked comes back for what it came to.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Final

import structlog
from fastapi import Depends, Request

from driftwatch.errors import ConfigError, DriftwatchError, NothingToDoError, UnknownIdError
from driftwatch.model import Actor
from driftwatch.review.candidate import Candidate, at_version
from driftwatch.review.preview import LOOKS, Preview
from driftwatch.web.desk import Desk

log = structlog.get_logger()

AT_ONCE: Final = 2
"""Previews that run at the same time: each starts programs."""

KEPT: Final = 50
"""Previews that are remembered, the newest ones."""


class TooManyTrialsError(DriftwatchError):
    """As many previews run as may run at the same time."""

    hint = "Wait until one of them is over; each takes about a minute."


class NoTrialsError(DriftwatchError):
    """Previews cannot be made here."""

    hint = "Use the command line: driftwatch preview SERVER --version VERSION"


class TrialState(StrEnum):
    """Where a preview is. The value is public."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """driftwatch itself failed at it; that the candidate cannot be looked at is something that a preview shows."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One preview that was asked for.

    `looks` of `looks_wanted` are over. `seen` is what it came to, None until it is done; `trouble` says why it failed.
    """

    id: str
    server: str
    candidate: Candidate
    by: str
    at: datetime
    looks_wanted: int
    state: TrialState = TrialState.RUNNING
    looks: int = 0
    seen: Preview | None = None
    trouble: str = ""
    ended_at: datetime | None = None


class Trials:
    """The previews of one application. May be used from many threads."""

    def __init__(self, desk: Desk) -> None:
        """Take what begins them."""
        self._desk = desk
        self._kept: dict[str, Trial] = {}
        self._lock = threading.Lock()

    def begin(self, server: str, version: str, *, by: Actor) -> tuple[Trial, bool]:
        """Begin to preview another version of a server; the same that runs already is given back, and False with it.

        Raises:
            UnknownServerError: there is no such server.
            UsageError: no version can be put into how it is reached, or this is none.
            NothingToDoError: it is switched off, so its secrets were not read.
            NoTrialsError: previews cannot be made here, or its program would run without a sandbox.
            TooManyTrialsError: so many run already.

        """
        desk = self._desk
        if desk.previewing is None:
            raise NoTrialsError
        try:
            candidate = at_version(desk.settings.ready(server), version)
        except ConfigError as error:
            raise NothingToDoError(error.message, hint=error.hint) from error
        open_because = desk.unsandboxed(candidate.server)
        if open_because:
            raise NoTrialsError(f"{server} would be started without a sandbox: {open_because}.")
        with self._lock:
            running = [one for one in self._kept.values() if one.state is TrialState.RUNNING]
            same = next((one for one in running if one.candidate == candidate), None)
            if same is not None:
                return same, False
            if len(running) >= AT_ONCE:
                raise TooManyTrialsError
            trial = Trial(f"prv_{desk.random(16).hex()}", server, candidate, by.name, desk.clock(), LOOKS)
            self._keep(trial)
        # Not under the lock: what is called back takes it too, and may be called at once.
        future = desk.previewing(candidate, partial(self._looked, trial.id))
        future.add_done_callback(partial(self._ended, trial.id))
        return self.find(trial.id), True

    def find(self, trial_id: str) -> Trial:
        """Give one preview as it is now.

        Raises:
            UnknownIdError: there is none of that id, or none any more.

        """
        found = self._kept.get(trial_id)
        if found is None:
            raise UnknownIdError("There is no preview of that id, or none any more.", hint="Ask for a new one.")
        return found

    def of(self, server: str) -> list[Trial]:
        """Give the previews of a server that are remembered, newest first."""
        with self._lock:
            return [one for one in reversed(self._kept.values()) if one.server == server]

    def _keep(self, trial: Trial) -> None:
        self._kept[trial.id] = trial
        over = [one.id for one in self._kept.values() if one.state is not TrialState.RUNNING]
        for gone in over[: max(0, len(self._kept) - KEPT)]:
            del self._kept[gone]

    def _change(self, trial_id: str, change: Callable[[Trial], Trial]) -> None:
        with self._lock:
            self._kept[trial_id] = change(self._kept[trial_id])

    def _looked(self, trial_id: str, number: int) -> None:
        self._change(trial_id, lambda trial: replace(trial, looks=number))

    def _ended(self, trial_id: str, future: Future[Preview]) -> None:
        seen, trouble = None, ""
        try:
            seen = future.result()
        except CancelledError:
            trouble = "driftwatch was stopped meanwhile."
        except DriftwatchError as error:
            trouble = error.message
        except Exception:
            log.exception("a preview failed", action="preview-failed", preview=trial_id)
            trouble = "driftwatch itself failed at this; the log of the daemon says more."
        state = TrialState.DONE if seen is not None else TrialState.FAILED
        at = self._desk.clock()
        self._change(trial_id, lambda trial: replace(trial, state=state, seen=seen, trouble=trouble, ended_at=at))


def trials_of(request: Request) -> Trials:
    """Give the previews of the application that a request came to."""
    trials: Trials = request.app.state.trials
    return trials


TheTrials = Annotated[Trials, Depends(trials_of)]
"""How an endpoint asks for the previews."""
