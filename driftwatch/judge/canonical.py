r"""One spelling for equal JSON values: RFC 8785 bytes, stretched so that nothing raises.

RFC 8785 gives no spelling for what Python's parser lets through: whole numbers beyond 2**53, NaN and the
infinities, lone surrogates. They get the spelling that the same parser reads back (plain digits, `NaN`,
`Infinity`, a `\ud800` escape), so different values keep different bytes and canonical bytes read back as
themselves. One departure inside its range: whole floats from 2**53 up to 1e21 are written digit by digit, because
RFC 8785 rounds them and would make them collide with whole numbers that differ.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import rfc8785

from driftwatch.model import Json

_EXACT = 2**53
_DIGITS_UP_TO = 10**21
_LONGEST_DECIMAL_BITS = 10_000
_PLAIN = re.compile(r"[ !#-\[\]-~]*")
"""Text that is spelled as itself: most of it, and the library takes its time over every character."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_QUICK = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":"))
"""Spells most values as RFC 8785 does, and in a third of the time that it takes step by step."""
_OTHER_NUMBER = re.compile(r"[:\[,]-?(?:[0-9]+[.e]|[0-9]{3000})")
"""What may be a number that Python spells in its own way: a float, or one of very many digits."""
_HIGH = re.compile("[\ue000-\uffff]")
_HIGHEST = re.compile("[\U00010000-\U0010ffff]")
"""Characters that UTF-16 puts before those of `_HIGH`, and Python behind them."""


def canonical(value: Json) -> bytes:
    """Give the canonical bytes of a decoded JSON value, of any depth; equal values have equal bytes."""
    if not isinstance(value, dict | list | tuple):
        return _scalar(value)
    quick = _quick(value)
    return _step_by_step(value) if quick is None else quick


def _quick(value: Json) -> bytes | None:
    """Give the bytes as the library spells them, or None where it may spell, order or allow something otherwise."""
    try:
        text = _QUICK.encode(value)
        out = text.encode()
    except (RecursionError, TypeError, ValueError):  # too deep, keys of two sorts, too many digits, half a character
        return None
    if _OTHER_NUMBER.search(text) or (not text.isascii() and _HIGH.search(text) and _HIGHEST.search(text)):
        return None
    return out


def _step_by_step(value: Json) -> bytes:
    out: list[bytes] = []
    waiting: list[Iterator[bytes | tuple[Json]]] = [iter([(value,)])]
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
        elif isinstance(step, bytes):
            out.append(step)
        elif isinstance(step[0], dict):
            waiting.append(_object_steps(step[0]))
        elif isinstance(step[0], list | tuple):
            waiting.append(_array_steps(step[0]))
        else:
            out.append(_scalar(step[0]))
    return b"".join(out)


def same(before: Json, after: Json) -> bool:
    """Say whether two values are equal as the digests see it: of any depth, and blind to the order of keys."""
    return canonical(before) == canonical(after)


def _object_steps(value: dict[str, Json]) -> Iterator[bytes | tuple[Json]]:
    """Write an object: keys sorted by UTF-16 code units, as RFC 8785 orders them."""
    yield b"{"
    for number, key in enumerate(sorted(value, key=_utf16)):
        yield (b"," if number else b"") + _string(key) + b":"
        yield (value[key],)
    yield b"}"


def _array_steps(value: list[Json] | tuple[Json, ...]) -> Iterator[bytes | tuple[Json]]:
    yield b"["
    for number, item in enumerate(value):
        if number:
            yield b","
        yield (item,)
    yield b"]"


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _scalar(value: Json) -> bytes:
    if value is None or isinstance(value, bool):
        return {None: b"null", True: b"true", False: b"false"}[value]
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return _integer(value)
    return _float(value)


def _string(text: str) -> bytes:
    """Write a string; RFC 8785 never escapes a surrogate, so an escaped one can only be a lone one."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"'.encode()
    if not _SURROGATE.search(text):
        return rfc8785.dumps(text)
    parts = _SURROGATE.split(text)
    lone = [f"\\u{ord(found):04x}".encode() for found in _SURROGATE.findall(text)]
    inner = [rfc8785.dumps(part)[1:-1] for part in parts]
    return b'"' + inner[0] + b"".join(a + b for a, b in zip(lone, inner[1:], strict=True)) + b'"'


def _integer(value: int) -> bytes:
    # Python refuses to print very long whole numbers in decimal; no parser gives one, a caller might.
    if value.bit_length() > _LONGEST_DECIMAL_BITS:
        return hex(value).encode()
    return str(int(value)).encode()


def _float(value: float) -> bytes:
    if math.isnan(value):
        return b"NaN"
    if math.isinf(value):
        return b"Infinity" if value > 0 else b"-Infinity"
    if _EXACT <= abs(value) < _DIGITS_UP_TO:
        return _integer(int(value))
    return rfc8785.dumps(value)
