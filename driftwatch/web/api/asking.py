"""What callers may ask for: parameters of lists, moments, names and notes; and that nothing else is asked for."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from fastapi import Path, Query, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from driftwatch.errors import UnknownIdError, UsageError
from driftwatch.review.said import NOTE
from driftwatch.store.pages import Spot

MOST: Final = 200
"""Entries in one answer at the most."""

USUAL: Final = 50
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_SAFE: Final = 2**53
_DIGEST: Final = "^sha256:[0-9a-f]{64}$"
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

Limit: TypeAlias = Annotated[int, Query(ge=1, le=MOST, description="The most entries in one answer.")]
Cursor: TypeAlias = Annotated[
    str, Query(max_length=1_000, description="`next` of the answer before, as it is; leave it out for the first one.")
]
Filter: TypeAlias = Annotated[str, Query(max_length=200)]
Server: TypeAlias = Annotated[
    str, Path(max_length=200, description="The server's name in the configuration.", examples=["notes"])
]


class BadCursorError(UsageError):
    """This is not the `next` of an answer of this list."""

    hint = "Ask again without cursor, from the beginning."


class Body(BaseModel):
    """What is sent along with a request. Members that there are not are refused: a typo must not go unnoticed."""

    model_config = ConfigDict(extra="forbid")


def _moment(value: object) -> datetime:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        raise ValueError("this is no moment as RFC 3339 has it, such as 2026-03-01T12:00:00Z")
    return datetime.fromisoformat(value.upper()).astimezone(UTC)


def _words(value: object) -> str:
    """Take any text, also one that is no proper Unicode: what servers call their items may not be."""
    if not isinstance(value, str):
        raise ValueError("this is no text")  # noqa: TRY004 - that is how a validator says so
    return value


Moment: TypeAlias = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-03-01T12:00:00Z"]}),
]
"""A moment with its zone (RFC 3339)."""

Digest: TypeAlias = Annotated[
    str, Field(pattern=_DIGEST, description="A list, whole.", examples=[f"sha256:{'7c' * 32}"])
]

Note: TypeAlias = Annotated[
    str, Field(max_length=NOTE, description="Why, in your own words.", examples=["read all 12 tools"])
]

Key: TypeAlias = Annotated[
    Any,
    AfterValidator(_words),
    WithJsonSchema({"type": "string", "maxLength": 20_000, "examples": ["read_note"]}),
]
"""The name or URI of an item, as the server writes it."""


def only_known(request: Request) -> None:
    """Refuse parameters that there are not, and one that is given twice: neither may widen what is given.

    Raises:
        RequestValidationError: there is one.

    """
    route = request.scope.get("route")
    known = set(_parameters(route.dependant)) if isinstance(route, APIRoute) else set()
    given = [name for name, _ in request.query_params.multi_items()]
    wrong = [(name, "There is no such parameter.") for name in dict.fromkeys(given) if name not in known]
    wrong += [(name, "It is given more than once.") for name in known if given.count(name) > 1]
    if wrong:
        raise RequestValidationError([{"loc": ("query", name), "msg": why, "type": "query"} for name, why in wrong])


def _parameters(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _parameters(inner)


# Cursors: where the next answer begins. Whoever makes one up sees no more than they may anyway.


def cursor(of: str, *place: str | int) -> str:
    """Write a place in the list `of` as a cursor."""
    return base64.urlsafe_b64encode(json.dumps([of, *place]).encode("ascii")).decode().rstrip("=")


def place(of: str, given: str, *kinds: type) -> list[Any] | None:
    """Read a cursor; None for none.

    Raises:
        BadCursorError: it is none of this list.

    """
    if not given:
        return None
    try:
        raw = base64.b64decode(given + "=" * (-len(given) % 4), altchars=b"-_", validate=True)
        found = json.loads(raw.decode("ascii"))
    except (binascii.Error, ValueError, RecursionError):
        raise BadCursorError from None
    if not isinstance(found, list) or found[:1] != [of] or len(found) != len(kinds) + 1:
        raise BadCursorError
    for value, kind in zip(found[1:], kinds, strict=True):
        if type(value) is not kind or (isinstance(value, int) and not 0 <= value < _SAFE):
            raise BadCursorError
    return found[1:]


def number(of: str, given: str) -> int | None:
    """Read a cursor that holds one number."""
    found = place(of, given, int)
    return None if found is None else int(found[0])


def spot(of: str, given: str) -> Spot | None:
    """Read a cursor that holds a moment and an id."""
    found = place(of, given, int, str)
    if found is None:
        return None
    try:
        return _EPOCH + found[0] * _MICROSECOND, found[1]
    except OverflowError:
        raise BadCursorError from None


def spot_cursor(of: str, after: Spot | None) -> str | None:
    """Write a moment and an id as a cursor."""
    return None if after is None else cursor(of, (after[0] - _EPOCH) // _MICROSECOND, after[1])


_Row = TypeVar("_Row")


def page_of(
    of: str, rows: Iterable[_Row], given: str, limit: int, key: Callable[[_Row], str]
) -> tuple[list[_Row], str | None]:
    """Give the rows after a cursor, of a list that is all there, and the cursor of those that follow.

    They are sorted by `key`, which tells them apart.
    """
    last = place(of, given, str)
    left = sorted((row for row in rows if last is None or key(row) > last[0]), key=key)
    shown = left[:limit]
    return shown, cursor(of, key(shown[-1])) if limit < len(left) else None


def exactly(asked: str, found: str) -> str:
    """Give an id that was found where it is the one that was asked for: the command line takes beginnings as well.

    Raises:
        UnknownIdError: it only begins so.

    """
    if found != asked:
        raise UnknownIdError("There is none of that id.", hint="Give all of the id.")
    return found
