"""What the lists of pages are asked for: filters, places in a list, and how a refusal reads."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, TypeAlias, TypeVar

from fastapi import Query
from pydantic import BeforeValidator

from driftwatch.config.schema import Settings
from driftwatch.errors import BaselineMovedError, DriftwatchError, UsageError
from driftwatch.model import AlertKind, AlertState, DeliveryState, Severity
from driftwatch.web.links import query_of
from driftwatch.web.problems import problem_of

REFUSALS: Final = (UsageError, BaselineMovedError)
"""What a verb refuses for a reason that the page says, with what was typed kept."""


_Value = TypeVar("_Value", bound=StrEnum)


def _blank(value: object) -> object:
    return None if value == "" else value


_Any = BeforeValidator(_blank)

Words: TypeAlias = Annotated[str, Query(max_length=200)]
"""A filter, or where a list goes on."""

InState: TypeAlias = Annotated[AlertState | None, _Any, Query()]
OfKind: TypeAlias = Annotated[AlertKind | None, _Any, Query()]
HowBad: TypeAlias = Annotated[Severity | None, _Any, Query()]
OfState: TypeAlias = Annotated[DeliveryState | None, _Any, Query()]


def refusal(error: DriftwatchError) -> tuple[int, str]:
    """Give the status and the words of a refusal."""
    problem = problem_of(error)
    return problem.status, " ".join(filter(None, (problem.title, problem.hint)))


def onward(asked: Mapping[str, object], after: object) -> str:
    """Write the query of what follows in a list; empty where nothing does."""
    return query_of({**asked, "after": after}) if after is not None else ""


def options(words: Mapping[_Value, str]) -> list[tuple[str, str]]:
    """Give what a field offers: the value of each and its words."""
    return [(value.value, said) for value, said in words.items()]


def names(settings: Settings, chosen: str) -> list[tuple[str, str]]:
    """Give the servers that a field offers, and the one that is chosen also where it is there no more."""
    known = {*(one.name for one in settings.watched), *([chosen] if chosen else [])}
    return [(name, name) for name in sorted(known)]
