"""Tolerant reading: from the bytes of one message to Python JSON, with what was odd about them. Pure.

Nothing here gives up on a message that a lenient host could still use. What cannot be represented is replaced by
something that can, and an oddity says where: invalid UTF-8 by U+FFFD, nesting that is too deep and numbers that are
too long by a marker that carries the digest of what it stands for, so that a change in there still shows.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from driftwatch.model import Json, Oddity

CUT = "io.driftwatch/cut"
"""The only key of a marker. Its value is the reason and the SHA-256 of the text that the marker stands for."""

LONGEST_POINTER = 4000
"""How long (code points) the pointer of an oddity may be: a longer one leads to what holds the place."""

MOST_ODDITIES = 200
"""How many oddities of one message are kept. A message with more is odd enough."""

MOST_VALUES = 500_000
"""How many values a message may hold: eight mebibytes of `{}` would take a gigabyte once decoded."""

_MOST_DIGITS = 4300
"""What Python converts between text and integer without a limit being lifted (`sys.int_info`)."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


_Way: TypeAlias = "tuple[_Way, str | int] | None"
"""The way to a value, written as a pointer only where there is something to say: names can be very long."""


class UnreadableError(ValueError):
    """The bytes are not JSON, however leniently read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A decoded message. The oddities' pointers lead into `value`."""

    value: Json
    oddities: tuple[Oddity, ...] = ()


class _Doubled(dict[str, Json]):
    """An object in which a key occurred twice: the last value counts, the earlier ones are in `shadowed`."""

    __slots__ = ("shadowed",)
    shadowed: list[tuple[str, Json]]


class _TooDeepError(Exception):
    """There is nesting beyond the limit."""


def read(data: bytes, *, depth: int) -> Reading:
    """Read one message; containers nested deeper than `depth` levels are cut out.

    Raises:
        UnreadableError: this is not JSON.

    """
    text, invalid = _decode(data)
    if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
        message = f"more than {MOST_VALUES} values"
        raise UnreadableError(message)
    try:
        return _walk(_parse(text), deepest=depth, invalid=invalid)
    except (_TooDeepError, RecursionError):
        pass
    try:
        return _walk(_parse(_cut_deep(text, depth)), deepest=depth + 1, invalid=invalid)
    except RecursionError as error:
        message = "nested without end"
        raise UnreadableError(message) from error


def escape(step: str | int) -> str:
    """Give one step of a JSON Pointer (RFC 6901), without its slash."""
    return str(step).replace("~", "~0").replace("/", "~1")


def _decode(data: bytes) -> tuple[str, bool]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), True


def _parse(text: str) -> Json:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    doubled = _Doubled(plain)
    last = {key: number for number, (key, _) in enumerate(pairs)}
    doubled.shadowed = [pair for number, pair in enumerate(pairs) if last[pair[0]] != number]
    return doubled


def _integer(digits: str) -> Json:
    return int(digits) if len(digits) <= _MOST_DIGITS else _marker("huge-number", digits)


def _marker(reason: str, text: str) -> dict[str, Json]:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {CUT: f"{reason} sha256:{digest}"}


def _cut_deep(text: str, depth: int) -> str:
    """Replace every container below `depth` levels by a marker, without building it first."""
    kept: list[str] = []
    level = start = copied = 0
    for token in _TOKEN.finditer(text):
        mark = text[token.start()]
        if mark in "[{":
            level += 1
            if level == depth + 1:
                start = token.start()
        elif mark in "]}":
            if level == depth + 1:
                kept += (text[copied:start], json.dumps(_marker("too-deep", text[start : token.end()])))
                copied = token.end()
            level -= 1
    return "".join([*kept, text[copied:]])


def _walk(value: Json, *, deepest: int, invalid: bool) -> Reading:
    walker = _Walker(deepest=deepest, invalid=invalid)
    plain = walker.plain(value, None, 0)
    if walker.more:
        walker.found.append(Oddity("duplicate-key", "", f"{len(walker.more)} more earlier values", walker.more))
    return Reading(plain, tuple(walker.found))


@dataclass
class _Walker:
    """Goes through a decoded value once: notes what is odd, and leaves only plain containers behind."""

    deepest: int
    invalid: bool
    found: list[Oddity] = field(default_factory=list)
    more: list[Json] = field(default_factory=list)
    """Values that lost to later ones of the same key and for which there is no room among the oddities."""

    def plain(self, value: Json, place: _Way, depth: int) -> Json:
        if isinstance(value, str):
            self._text(value, place)
        elif isinstance(value, dict):
            return self._dict(value, place, self._deeper(depth))
        elif isinstance(value, list):
            inner = self._deeper(depth)
            value[:] = [self.plain(item, (place, number), inner) for number, item in enumerate(value)]
        elif isinstance(value, float) and not math.isfinite(value):
            self.note("not-finite", place, str(value))
        return value

    def note(self, code: str, place: _Way, detail: str = "") -> None:
        if len(self.found) < MOST_ODDITIES:
            self.found.append(Oddity(code, _pointer(place), detail))

    def _lost(self, place: _Way, key: str, earlier: Json) -> None:
        """Keep a value that lost to a later one of its key: some readers take the first."""
        if len(self.found) < MOST_ODDITIES:
            detail = f"an earlier value is {_digest(earlier)}"
            self.found.append(Oddity("duplicate-key", _pointer((place, key)), detail, {key: earlier}))
        else:
            self.more.append({key: earlier})

    def _deeper(self, depth: int) -> int:
        if depth >= self.deepest:
            raise _TooDeepError
        return depth + 1

    def _dict(self, value: dict[str, Json], place: _Way, inner: int) -> dict[str, Json]:
        if isinstance(value, _Doubled):
            for key, shadowed in value.shadowed:
                self._lost(place, key, self.plain(shadowed, (place, key), inner))
        cut = value.get(CUT) if len(value) == 1 else None
        if isinstance(cut, str):
            self.note(cut.partition(" ")[0], place, "cut out and replaced by its digest")
        for key in value:
            self._text(key, place)
        return {key: self.plain(item, (place, key), inner) for key, item in value.items()}

    def _text(self, text: str, place: _Way) -> None:
        if text.isascii():
            return
        if _SURROGATE.search(text):
            self.note("lone-surrogate", place, "half of a character")
        if self.invalid and "\ufffd" in text:
            self.note("invalid-utf8", place, "bytes that are not UTF-8")


def _pointer(place: _Way) -> str:
    """Write a way as a pointer; one that would be too long ends early."""
    steps: list[str] = []
    while place is not None:
        steps.append("/" + escape(place[1]))
        place = place[0]
    ends = accumulate(map(len, reversed(steps)))
    return "".join(step for step, end in zip(reversed(steps), ends, strict=True) if end <= LONGEST_POINTER)


def _digest(value: Json) -> str:
    try:
        text = json.dumps(value, sort_keys=True)
    except RecursionError:
        text = "too deep"
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:16]
