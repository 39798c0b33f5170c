"""The table of retention: how long what is over is kept."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field, PlainValidator
from pydantic_core import PydanticUseDefault

from driftwatch.config.secret import Unresolved, problem, shown
from driftwatch.config.table import Table, say_kind
from driftwatch.config.units import say_seconds, seconds
from driftwatch.config.values import Shape
from driftwatch.config.words import quoted

FOREVER: Final = "forever"
"""The word for what is never dropped for its age."""

_DAY: Final = 86_400.0
_LONGEST: Final = 36_500 * _DAY
_SAY_HOW_LONG: Final = 'write it as "90d", or "forever"'


def _age(least: float) -> Any:
    def read(value: object) -> float | None:
        if isinstance(value, Unresolved):
            raise PydanticUseDefault
        if value is None or value == FOREVER:
            return None
        found = seconds(value)
        if found is None:
            written = f"{quoted(shown(value), limit=40)} is" if isinstance(value, str) else f"{say_kind(value)} that is"
            raise problem(f"{written} not a duration", _SAY_HOW_LONG)
        if not least <= found <= _LONGEST:
            raise problem(f"must be at least {say_seconds(least)} and at most a hundred years", _SAY_HOW_LONG)
        return found

    return PlainValidator(read)


_WORDS: Final = Shape('duration or "forever"')
_Looks = Annotated[float | None, _age(8 * _DAY), _WORDS]
_Age = Annotated[float | None, _age(_DAY), _WORDS]


class RetentionConfig(Table):
    """How long what is over is kept, by age and by count. What reaches either is dropped, once a day.

    Whatever is written here, these stay: baselines and decisions, approvals ahead, the lists that they are about, open
    alerts with their messages and lists, what waits to be sent, what witnesses handed in, and the audit log.
    """

    looks: _Looks = Field(
        default=None,
        description="How long it is kept that a server showed a list, after it showed it last, and the list itself "
        "where nothing else needs it. At least eight days, over which looks are judged.",
    )
    looks_count: int | None = Field(
        default=None,
        strict=True,
        ge=500,
        le=1_000_000,
        description="How many of those are kept of a server at the most; at least 500, from which looks are judged.",
    )
    alerts: _Age = Field(default=None, description="How long an alert is kept after it was over, with its messages.")
    alerts_count: int | None = Field(
        default=None, strict=True, ge=1, le=1_000_000, description="How many alerts that are over are kept at the most."
    )
    deliveries: _Age = Field(
        default=90 * _DAY,
        description="How long a message is kept that was delivered, given up or taken out, once its alert is over.",
    )
    deliveries_count: int | None = Field(
        default=None, strict=True, ge=1, le=1_000_000, description="How many of those are kept at the most."
    )
