"""The table of the second opinion: which model is asked about which texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from driftwatch.config.secret import shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Seconds, Switch, Text, Token, UrlIfAny
from driftwatch.model import Severity


class OpinionConfig(Table):
    """Asking a model behind an OpenAI-compatible endpoint what it makes of suspect texts.

    Texts of servers leave the machine, nothing else. There is no address that is asked by default.
    """

    enabled: Switch = Field(
        default=False, description="Whether to ask. Texts of servers are then sent to this address, and nothing else."
    )
    url: UrlIfAny = Field(
        default="",
        description="The endpoint's base, e.g. `http://127.0.0.1:11434/v1`; `/chat/completions` is put behind it.",
    )
    model: Text = Field(default="", description="The model to ask, as the endpoint calls it.")
    api_key: Token | None = Field(
        default=None, exclude=True, repr=False, description="A key, sent as `Authorization: Bearer …`."
    )
    timeout: Seconds = Field(
        default=20.0, description="How long an alert waits for the answers about one look, all of them together."
    )
    characters: int = Field(
        default=8_000, strict=True, ge=200, le=100_000, description="The most characters of a text that are sent."
    )
    per_hour: int = Field(default=60, strict=True, ge=1, le=100_000, description="The most requests within an hour.")
    per_day: int = Field(default=500, strict=True, ge=1, le=1_000_000, description="The most requests within a day.")
    min_severity: Severity = Field(
        default=Severity.LOW, description="The least severity of a finding in a text that it is asked about."
    )
    gained: Switch = Field(
        default=False, description="Whether it is asked about new text in which nothing was found as well."
    )

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold somebody to ask, where it is switched on."""
        if given.get("enabled") is not True:
            return
        for key, hint in (("url", 'write url = "https://…/v1"'), ("model", 'write model = "…"')):
            if not given.get(key):
                yield Conflict("enabled", f"it is switched on and there is no {key}", hint)

    @property
    def words(self) -> str:
        """Say in a few words whether and whom it asks."""
        return f"on (model {shown(self.model)} at {shown(self.url)})" if self.enabled else "off"
