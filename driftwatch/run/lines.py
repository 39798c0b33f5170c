"""What a log line may hold: plain values, made visible, without secrets, of bounded length, and none without end."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from driftwatch.config.secret import Filled
from driftwatch.judge.text.visible import visible

LONGEST: Final = 8192
"""Bytes of the longest line, the line feed with it: under what journald (48 KiB) and container engines (16 KiB) cut."""

_TEXT: Final = 1000
"""Characters of one text that are written, before it is made visible."""

_ROOM: Final = 6000
"""Bytes for all that a line holds, as JSON writes them; beside quotes, commas and what is always there."""

_MOST: Final = 50
"""Entries of a list or a table, and keys of a line."""

_DEEPEST: Final = 4

_FRAMES: Final = 12
_CAUSES: Final = 4
_WORDS: Final = 200
"""Characters of an exception's own words."""

_FIRST: Final = ("timestamp", "level", "event", "action", "server", "look", "request", "logger")
"""These have room before all others."""

Event = MutableMapping[str, Any]


class Bounds:
    """Makes whatever a line holds plain: no control characters, no secrets, nothing deep, nothing long."""

    def __init__(self, scrub: Callable[[str], str]) -> None:
        """Take what takes secrets out of a text."""
        self._scrub = scrub

    def __call__(self, _logger: Any, _method: str, event: Event) -> Event:
        """Give the line with everything in it plain."""
        error = _error_of(event.pop("exc_info", None))
        event.pop("stack_info", None)
        if error is not None:
            event["error_type"] = type(error).__name__
            event["traceback"] = story(error, self._scrub)
        keys = [key for key in _FIRST if key in event] + [key for key in event if key not in _FIRST]
        left = _ROOM
        plain: Event = {}
        for count, given in enumerate(keys):
            key, value = self._text(given)[:100], self._plain(event[given], _DEEPEST)
            if count == _MOST or left <= _cost(key):
                plain["left_off"] = len(keys) - count
                break
            left -= _cost(key)
            value = value if _cost(value) <= left else _cut(value, left)
            left -= _cost(value)
            plain[key] = value
        return plain

    def _plain(self, value: object, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float) and not isinstance(value, Enum):
            return value if abs(value) < 1e18 else self._text(value)
        if isinstance(value, Mapping) and depth:
            parts = list(value.items())[:_MOST]
            return {self._text(key)[:100]: self._plain(part, depth - 1) for key, part in parts}
        if isinstance(value, list | tuple | set | frozenset) and depth:
            return [self._plain(part, depth - 1) for part in list(value)[:_MOST]]
        return self._text(value)

    def _text(self, value: object) -> str:
        text = _words(value)
        # Cut after the secrets are out: half of one would not be found.
        text = self._scrub(text[: 8 * _TEXT])
        return visible(text if len(text) <= _TEXT else f"{text[:_TEXT]}…")


class Repeats:
    """Leaves out lines that say again and again what is known: a server that misbehaves for days must not fill a disk.

    Of one event about one server or channel, with one outcome, `burst` lines are written, and after them one each
    `every` seconds, which says how many were `left_out` before it. Another outcome is another line.
    """

    def __init__(self, clock: Callable[[], float], *, burst: int = 30, every: float = 60.0, most: int = 20_000) -> None:
        """Take a clock of seconds that nobody sets, and of how many different lines is remembered when they came."""
        self._clock, self._burst, self._every, self._most = clock, burst, every, most
        self._known: dict[tuple[str, ...], tuple[float, float, int]] = {}
        """For each: how many may be written, as of when, and how many were left out since."""

    def admits(self, event: Event) -> bool:
        """Say whether a line is to be written; one that is says how many like it were not."""
        key = tuple(str(event.get(name, ""))[:100] for name in _SAME)
        now = self._clock()
        room, then, left_out = self._known.pop(key, (float(self._burst), now, 0))
        room = min(self._burst, room + (now - then) / self._every)
        admitted = room >= 1
        if admitted and left_out:
            event["left_out"] = left_out
        self._known[key] = (room - 1, now, 0) if admitted else (room, now, left_out + 1)
        if len(self._known) > self._most:
            # The one that came longest ago: what is kept moves to the end.
            del self._known[next(iter(self._known))]
        return admitted


_SAME: Final = (
    *("action", "level", "logger", "server", "identity", "channel", "witness", "about"),
    *("outcome", "told", "verdict", "kind", "code", "state"),
)
"""What two lines have alike of which the second is a repetition. Nothing in these comes from a server."""


def story(error: BaseException, scrub: Callable[[str], str]) -> str:
    """Tell on one line how an exception came about: types, words cut short, and the places, the innermost last.

    `scrub` takes secrets out of its words before they are cut: half of one would not be found.
    """
    told: list[str] = []
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and len(told) < _CAUSES and id(at) not in seen:
        seen.add(id(at))
        words = scrub(_words(at)[: 8 * _TEXT])
        words = words if len(words) <= _WORDS else f"{words[:_WORDS]}…"
        told.append(f"{type(at).__name__}: {words} [{_places(at.__traceback__)}]")
        inner = at.exceptions[0] if isinstance(at, BaseExceptionGroup) else None
        at = inner or at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return " <- ".join(told)


def _places(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)[-_FRAMES:]
    return " > ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)


def _error_of(given: object) -> BaseException | None:
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return given[1] if len(given) == 3 and isinstance(given[1], BaseException) else None
    return sys.exc_info()[1] if given else None


def _words(value: object) -> str:
    """Give what a value says of itself; of what was filled in from outside, how it stands in the file."""
    if isinstance(value, Filled):
        return value.shown
    if isinstance(value, bytes | bytearray):
        return repr(bytes(value[: 8 * _TEXT]))
    try:
        return str(value)
    except Exception as error:  # noqa: BLE001 - whatever it is, a line must not fail over it
        return f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"


def _cost(value: Any) -> int:
    """Say how many bytes a value takes at the most, in either form: JSON escapes more than what terminals are shown."""
    return len(json.dumps(value)) + 4


def _cut(value: Any, room: int) -> str:
    """Shorten what has no room, also where each character takes six bytes; a list becomes the beginning of its text."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text[: max(0, room // 6 - 2)]}…"
