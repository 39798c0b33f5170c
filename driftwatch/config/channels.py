"""The places that are told about alerts: one table for each kind, with what its destination needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from driftwatch.config.secret import MASK, shown
from driftwatch.config.table import Conflict, Table, same_header_twice
from driftwatch.config.values import (
    HOW_TO_MAKE_A_SIGNING_KEY,
    Count,
    Headers,
    Line,
    Name,
    Seconds,
    Shape,
    Url,
    WebhookSecret,
)
from driftwatch.model import Axis, Severity


class ChannelConfig(Table):
    """What every place has in common."""

    name: Name = Field(description="The table's own name.")
    kind: str = Field(default="webhook", description="What sort of place it is.")
    min_severity: Severity = Field(
        default=Severity.MEDIUM, description="The least severity that this place is told about."
    )
    axes: Annotated[tuple[Axis, ...], Shape('array of "security" or "contract"')] = Field(
        default=(), description="The axes that this place is told about; none named: both."
    )
    areas: tuple[Line, ...] = Field(
        default=(), description="The areas of rules that this place is told about; none named: all."
    )
    timeout: Seconds = Field(default=10.0, description="Until one delivery is answered.")
    max_attempts: Count = Field(
        default=150,
        description="How often a delivery is tried before it is given up; three days are the most.",
    )

    @property
    def shown_url(self) -> str:
        """Where it leads, as it may be shown."""
        return MASK


class WebhookConfig(ChannelConfig):
    """A receiver of your own: a signed POST of the whole message, after Standard Webhooks."""

    kind: Literal["webhook"] = Field(default="webhook", description="What sort of place it is.")
    url: Url = Field(description="Where alerts are sent by POST.")
    secret: WebhookSecret = Field(
        description="What signs the alerts (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64; "
        f"{HOW_TO_MAKE_A_SIGNING_KEY}."
    )
    old_secret: WebhookSecret | None = Field(
        default=None,
        description="Signs as well while receivers change from one secret to the next; take it out afterwards.",
    )
    headers: Headers = Field(default={}, description="Headers to send along, each a secret.")

    @property
    def shown_url(self) -> str:
        """The URL as it may be shown."""
        return shown(self.url)

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold one value for each header."""
        yield from same_header_twice(given)
