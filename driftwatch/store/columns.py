"""Column types: what the model speaks on one side, what any SQL database can hold on the other."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Generic, TypeVar

from sqlalchemy import BigInteger, Dialect, Row, Text
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)

E = TypeVar("E", bound=Enum)
_Kept = TypeVar("_Kept")


class Moment(TypeDecorator[datetime]):
    """An aware time, kept as whole microseconds since 1970 in UTC: exact, sortable, the same in every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        """Refuse a naive time: nobody could say later which zone it was in."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return (value - _EPOCH) // _TICK

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        """Give an aware time in UTC."""
        return None if value is None else _EPOCH + value * _TICK


class Wire(TypeDecorator[str]):
    """Text that a stranger may have written, kept as the inside of an ASCII JSON string.

    Lone surrogates cannot be bound by SQLite's driver, and PostgreSQL refuses NUL: escaped, both survive.
    Plain ASCII without quotes, backslashes and controls (names, digests, ids) is kept as it is.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Escape."""
        return None if value is None else json.dumps(value)[1:-1]

    def process_result_value(self, value: str | None, _dialect: Dialect) -> str | None:
        """Undo the escapes, of which nearly no text has any."""
        return value if value is None or "\\" not in value else str(json.loads(f'"{value}"'))


class Word(TypeDecorator[E], Generic[E]):
    """A member of a string enum, kept as its value."""

    impl = Text
    cache_ok = True

    def __init__(self, words: type[E]) -> None:
        """Take the enum."""
        super().__init__()
        self.words = words

    def process_bind_param(self, value: E | None, _dialect: Dialect) -> Any:
        """Give the value; a plain string must be one of the words."""
        return None if value is None else self.words(value).value

    def process_result_value(self, value: Any, _dialect: Dialect) -> E | None:
        """Give the member."""
        return None if value is None else self.words(value)


def row_of(kept: Any) -> dict[str, Any]:
    """Give the values of a dataclass whose fields are called as the columns of its table."""
    return {field.name: getattr(kept, field.name) for field in fields(kept)}


def kept_as(kind: type[_Kept], row: Row[Any]) -> _Kept:
    """Read a row as such a dataclass; columns of other names are left out."""
    return kind(**{field.name: getattr(row, field.name) for field in fields(kind)})  # type: ignore[arg-type]
