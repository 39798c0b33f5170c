"""A port for traces: what is told of a piece of work while it is done. Without anybody who listens it costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeAlias

Fact: TypeAlias = str | int | bool
"""What may be told of work: names of the configuration, our own words and numbers. Never what anybody sent."""


class Told(Protocol):
    """Takes what is known of a piece of work once it is under way. A fact that is None is left out."""

    def __call__(self, **facts: Fact | None) -> None:
        """Add these; `failed=True` says that it did not come to what it was for."""
        ...


class Spans(Protocol):
    """Begins a piece of work, a part of the one that is under way where it is begun."""

    def __call__(
        self, name: str, /, *, carrier: Mapping[str, str] | None = None, **facts: Fact | None
    ) -> AbstractContextManager[Told]:
        """Give what to do the work in. An error that leaves it is noted by its type alone.

        `carrier` are the headers of whoever asked for it (W3C trace context), where it is a part of their work.
        """
        ...


class Carried(Protocol):
    """Gives the headers (W3C trace context) of what is under way; none where nobody traces."""

    def __call__(self) -> Mapping[str, str]:
        """Give them, for one request."""
        ...


def no_spans(
    name: str, /, *, carrier: Mapping[str, str] | None = None, **facts: Fact | None
) -> AbstractContextManager[Told]:
    """Do work of which nobody is told."""
    del name, carrier, facts
    return nullcontext(_unheard)


def nothing_carried() -> Mapping[str, str]:
    """Give no headers."""
    return {}


def _unheard(**facts: Fact | None) -> None:
    del facts
