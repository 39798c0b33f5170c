"""Which request an id belongs to, as agents read it: one rule for our own looks and for what witnesses copy. Pure."""

from __future__ import annotations

from typing import Final, TypeAlias

from driftwatch.model import Json

Id: TypeAlias = "int | str"

_LONGEST_NUMBER: Final = 40
"""Characters that a number may have: longer texts are names."""


def coerced(number: Json) -> Id | None:
    """Let 7, 7.0, "7" and " 7.0" be one id, as agents do that make numbers of ids; None for what is no id.

    Python's SDK reads a text as `int` does, TypeScript's as `Number` does. An answer that either of them takes must not
    pass by us: what comes after it under the plain id is then shown to nobody.
    """
    if isinstance(number, str):
        return _numeric(number)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _numeric(text: str) -> Id:
    plain = text.strip().removeprefix("\ufeff")
    if len(plain) > _LONGEST_NUMBER:
        return text
    if not plain:
        return 0
    for reads in (int, lambda word: int(word, 0), _whole):
        try:
            return reads(plain)
        except ValueError:
            continue
    return text


def _whole(word: str) -> int:
    number = float(word)
    if not number.is_integer():
        raise ValueError
    return int(number)
