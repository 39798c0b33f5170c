"""What a person sees of a message, worked out from what arrived by the destination's own rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """A message as its destination shows it. `exact` is the whole body where the destination gets it unchanged."""

    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()
    """Every address that can be followed."""
    mentions: tuple[str, ...] = ()
    """Everybody who is rung by it."""
    exact: Mapping[str, Any] | None = None
