"""What the shapes of answers have in common: how a moment, a digest or an item is written, and who did something."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from driftwatch.model import Json, Kind, Place

_Type = TypeVar("_Type")

shape: Final[Callable[[type[_Type]], type[_Type]]] = with_config(ConfigDict(use_attribute_docstrings=True))
"""Marks a shape of answers: the words under a member describe it in the OpenAPI document too."""

DRAWN: Final = "x-driftwatch-schema"
"""Stands in a schema for a definition of the one schema of reports (`report/report.schema.json`)."""

Moment: TypeAlias = Annotated[str, Field(json_schema_extra={"format": "date-time"}, examples=["2026-03-01T12:00:00Z"])]
Digest: TypeAlias = Annotated[str, Field(pattern="^(sha256:[0-9a-f]{64})?$", examples=[f"sha256:{'7c' * 32}"])]
Next: TypeAlias = Annotated[
    str | None, Field(description="What to send as `cursor` for the entries that follow; null: there are none.")
]
Raw: TypeAlias = Annotated[Json, Field(description="As the server sent it, so hostile: show it escaped.")]
Finding: TypeAlias = Annotated[dict[str, Any], Field(json_schema_extra={DRAWN: "finding"})]
Rejections: TypeAlias = Annotated[list[Json], Field(json_schema_extra={DRAWN: "rejections"})]
AheadWaits: TypeAlias = Annotated[list[Json], Field(json_schema_extra={DRAWN: "ahead_waits"})]
LookedAgain: TypeAlias = Annotated[Json, Field(json_schema_extra={DRAWN: "looked_again"})]
Report: TypeAlias = Annotated[dict[str, Any], Field(json_schema_extra={DRAWN: "report"})]


@shape
class PlaceShape(TypedDict):
    """What makes an item the same item in two lists."""

    kind: Kind
    key: Annotated[str, Field(examples=["read_note"])]
    """The name or URI; empty for the server itself, and for an item that has none."""
    occurrence: int
    """From 0, tells items of one name apart."""


def moment(at: datetime) -> str:
    """Write a moment to the second."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def moment_if(at: datetime | None) -> str | None:
    """Write a moment, None for none."""
    return None if at is None else moment(at)


def place_json(place: Place) -> PlaceShape:
    """Write a place."""
    kind, key, occurrence = place
    return {"kind": kind, "key": key, "occurrence": occurrence}
