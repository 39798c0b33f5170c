"""What a witness saw a server show to an agent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from driftwatch.model.looked import Era
from driftwatch.model.shown import Document, Oddity


@dataclass(frozen=True, slots=True)
class Witnessed:
    """What a server had shown in one session of an agent up to a moment.

    `server` is the configured name, `witness` the name of the host or gateway. `session` is random hex of the
    witness's own, never the server's session id; `number` says which look of the session this is, from 1. Times are
    those of the witness's clock.

    `document` holds the complete lists that were seen so far in the session; a list that the agent did not ask for is
    absent. Under `promptBodies` it has a list of `{"name", "messages"}`, with the agent's argument values replaced by
    `{argument}`. The oddities' pointers lead into the document.

    `calls` and `tool` (the name of the last one called, empty for none) are as they were when the list that changed
    last was asked for: calls that came later had no part in it. `client` is the agent's own `name version`. `noticed`
    names the lists (keys of the document) of which the server gave a change notice since the look before. `gaps` is
    how often bytes or looks were lost to the witness in this session. `partial` names the lists of which the document
    has the beginning only, because the agent asked for no more: what is absent of them was not seen.
    """

    server: str
    witness: str
    session: str
    number: int
    at: datetime
    started_at: datetime
    document: Document
    oddities: tuple[Oddity, ...] = ()
    calls: int = 0
    tool: str = ""
    client: str = ""
    era: Era | None = None
    protocol_version: str = ""
    noticed: tuple[str, ...] = ()
    gaps: int = 0
    partial: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """The identity as which the server was looked at. It has spaces, so no configured identity has this name."""
        return f"witness of {self.witness}"
