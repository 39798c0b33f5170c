"""How the witnesses of this user do: what waits, what went wrong, and what to do, for people and for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from driftwatch.cli.moments import ago, read_moment
from driftwatch.cli.terminal import Terminal
from driftwatch.config.files import load_witness
from driftwatch.config.secret import shown
from driftwatch.config.witnessing import WitnessConfig, settings_path, state_path
from driftwatch.config.words import safe
from driftwatch.errors import ConfigError, UsageError
from driftwatch.model import Json
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.watch.witness.courier import NOWHERE
from driftwatch.watch.witness.delivering import left_unread, spool_of, take_marks
from driftwatch.watch.witness.handing import SETTINGS
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import Status

_Told = TypeVar("_Told")


@dataclass(frozen=True, slots=True)
class State:
    """How the witnesses of this user do; `error` and `hint` say what is wrong, empty for nothing.

    `given` is the file of the settings where it was named. `is_before` says that the settings were changed since what
    is wrong was seen.
    """

    settings: Path
    given: Path | None
    url: str
    folder: Path
    waiting: int
    status: Status
    error: str = ""
    hint: str = ""
    is_before: bool = False

    @property
    def dropped(self) -> int:
        """How many looks are gone because too many waited."""
        return sum(self.status.dropped.values())

    @property
    def is_wrong(self) -> bool:
        """Whether there is anything that a person should look into."""
        return bool(self.error or self.dropped or self.status.aside or self.status.away or self.status.held)

    def advice(self) -> Iterator[str]:
        """Give what to do about what went wrong, apart from `error` and what the daemon said of single looks."""
        status = self.status
        again = advised("deliver", settings=self.given)
        if self.error and self.is_before:
            yield f"The settings were changed since. See whether it works now: {again}"
        if self.dropped:
            yield "Dropped: see that looks are delivered, or let more wait: spool_looks, spool_bytes in the settings."
        if status.held:
            yield f"Refused for now: it is tried again by itself while a witness runs, or by hand: {again}"
        if any(one.file for one in status.aside):
            back = advised("deliver", "--aside", settings=self.given)
            yield f"Set aside: kept in {self.folder / 'aside'}. Once it is corrected: {back}"
        if status.away:
            yield "Led away: if the server has moved, give --upstream its new address; else ask who runs it."
        if self.dropped or status.aside or status.away:
            yield f"When you have looked into it: {advised('clear', settings=self.given)}"


def advised(verb: str, *words: str, settings: Path | None) -> str:
    """Give a command of the witness as it may be copied, for the same settings."""
    return command("witness", verb, *words, *(("--settings", str(settings)) if settings else ()))


def what_to_do(hint: str, settings: Path | None) -> str:
    """Give what to do about what the daemon refused, with the path of the settings that are meant."""
    return hint.replace(SETTINGS, str(settings or settings_path(os.environ, Path.home())))


def what_to_write(path: Path | None) -> str:
    """Say where it is to be said where the daemon is."""
    return f"Write url and token into {path or settings_path(os.environ, Path.home())}."


def unusable(spool: Spool, error: OSError) -> UsageError:
    """Give the error of a folder in which looks cannot be kept, with what is lost by that."""
    where = "" if error.filename is None or spool.folder in _folders(error) else f" ({error.filename})"
    message = f"The folder {spool.folder} cannot be used: {error.strerror}{where}."
    hint = (
        "Looks cannot wait in it: what cannot be delivered at once is lost when its session ends. Check its owner and "
        "the disk, or name another one: spool in the witness's settings."
    )
    if lost := left_unread(state_path(os.environ, Path.home())):
        whose = sorted({f"{safe(one.server)} in {safe(one.witness)}" for one in lost})
        said = f"{', '.join(whose[:10])}{', …' if len(whose) > 10 else ''}"
        hint += f"\n  Lost already, of {many(len(lost), 'session')}: {said}. The next look that gets through says so."
    return UsageError(message, hint=hint)


def _folders(error: OSError) -> tuple[Path, Path]:
    path = Path(os.fsdecode(error.filename))
    return path, path.parent


def state_of(path: Path | None) -> State:
    """See how the witnesses with these settings do (None: the usual ones).

    Raises:
        UsageError: looks cannot be kept.

    """
    where = path or settings_path(os.environ, Path.home())
    error = hint = ""
    try:
        config = load_witness(path, os.environ, Path.home())
        if not config.url:
            error, hint = NOWHERE, what_to_write(path)
    except ConfigError as wrong:
        # As a witness does that cannot use its settings: it keeps what it sees where it would without them.
        config = WitnessConfig(spool=str(state_path(os.environ, Path.home())))
        error, hint = wrong.message, wrong.hint
    spool = spool_of(config)
    try:
        spool.check()
        take_marks(spool.keep, state_path(os.environ, Path.home()))
        waiting, status = len(spool.waiting()), spool.status()
    except OSError as wrong_folder:
        raise unusable(spool, wrong_folder) from wrong_folder
    is_before = False
    if not error and not status.of_settings:
        # What was wrong with the settings is refuted by these.
        error, hint = status.error, what_to_do(status.hint, path)
        is_before = bool(error) and _is_newer(where, status.tried_at)
    return State(where, path, shown(config.url), spool.folder, waiting, status, error, hint, is_before)


def _is_newer(settings: Path, moment: str) -> bool:
    try:
        return datetime.fromtimestamp(settings.stat().st_mtime, UTC) > datetime.fromisoformat(moment)
    except (OSError, ValueError, TypeError):
        return False


def say(terminal: Terminal, state: State, at: datetime) -> None:
    """Say it to a person: what is alike is said once, with how often it was so."""
    status = state.status
    last = _ago(status.delivered_at, at) if status.delivered_at else "never"
    terminal.say(f"Settings: {state.settings}")
    terminal.say(f"Daemon: {state.url or 'not known'}")
    terminal.say(f"Delivered: {status.delivered}, the last one {last}.")
    terminal.say(f"Waiting: {state.waiting}, in {state.folder}")
    if state.dropped:
        terminal.say(f"Dropped, because too many waited: {state.dropped}.")
    for group in _alike(status.held, lambda one: (one.server, one.witness, one.why, one.hint)):
        held = group[-1]
        times = f"{many(sum(one.times for one in group), 'time')}, the last time {_ago(max(o.at for o in group), at)}"
        times = f"{many(len(group), 'session')}, {times}" if len(group) > 1 else times
        what = f"Refused for now, {safe(held.server)} in {safe(held.witness)}: {times}: {held.why}"
        _told(terminal, what, what_to_do(held.hint, state.given))
    for looks in _alike(status.aside, lambda one: (one.server, one.witness, one.why, one.hint)):
        aside = looks[-1]
        count = f"{many(len(looks), 'look')}: " if len(looks) > 1 else ""
        what = f"Set aside, {safe(aside.server)} in {safe(aside.witness)}: {count}{aside.why}"
        _told(terminal, what, what_to_do(aside.hint, state.given))
    for led in status.away:
        times = f"{led.times} times, the last time " if led.times > 1 else ""
        terminal.say(
            f"Led away, {safe(led.server)} in {safe(led.witness)}: {times}{_ago(led.at, at)}, to {safe(led.to)}. "
            "What the agent was shown there was not seen: look into it."
        )
    if state.error:
        word = "Wrong when it was tried last" if state.is_before else "Wrong"
        _told(terminal, f"{word}: {state.error}", state.hint)
    for line in state.advice():
        terminal.say(line)


def _ago(moment: str, at: datetime) -> str:
    return ago(read_moment(moment, hint=""), at)


def _alike(told: Sequence[_Told], key: Callable[[_Told], object]) -> list[list[_Told]]:
    """Put together what reads the same, in the order of the first of each."""
    groups: dict[object, list[_Told]] = {}
    for one in told:
        groups.setdefault(key(one), []).append(one)
    return [*groups.values()]


def _told(terminal: Terminal, what: str, hint: str) -> None:
    """Say what went wrong, which ends in one full stop and may have several lines, and below it what to do."""
    first, *more = what.split("\n")
    terminal.say(first if more or first.endswith((".", "!", "?")) else f"{first}.")
    for line in [*more, *([f"  {hint}"] if hint else [])]:
        terminal.say(line)


def as_json(state: State) -> Json:
    """Give it for a program."""
    status = asdict(state.status)
    for one in (*status["held"], *status["aside"]):
        one["hint"] = what_to_do(one["hint"], state.given)
    return {
        "version": 1,
        "settings": str(state.settings),
        "daemon": state.url,
        "spool": str(state.folder),
        "waiting": state.waiting,
        "delivered": status["delivered"],
        "delivered_at": status["delivered_at"] or None,
        "tried_at": status["tried_at"] or None,
        "dropped": state.dropped,
        "held": list(status["held"]),
        "aside": list(status["aside"]),
        "led_away": list(status["away"]),
        "error": state.error,
        "hint": state.hint,
        "advice": list(state.advice()),
    }
