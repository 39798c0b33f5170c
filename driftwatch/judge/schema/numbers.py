"""Numbers and lengths as schemas have them: exact, and None for what is no usable number."""

from __future__ import annotations

import math
from fractions import Fraction

from driftwatch.model import Json

_LONGEST = 4096
"""Bits of the longest whole number that is worked with."""


def number(value: Json) -> int | float | None:
    """Give a finite number of usable size; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value.bit_length() <= _LONGEST else None


def length(value: Json) -> int | None:
    """Give a length or a count: a whole number, not negative."""
    found = number(value)
    return int(found) if found is not None and found >= 0 and found == int(found) else None


def whole(value: Json) -> bool:
    """Say whether a number is an integer as JSON Schema means it: 1.0 is one."""
    return isinstance(value, int) or (math.isfinite(value) and value == int(value))


def exact(value: float) -> Fraction:
    """Give a number as it is written in decimal: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def divides(step: float, value: float) -> bool:
    """Say whether a number is a multiple of another, which is above zero."""
    return exact(value) % exact(step) == 0
