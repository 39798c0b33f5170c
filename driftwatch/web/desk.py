"""What pages and API work with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Health
from driftwatch.model.spans import Spans, no_spans
from driftwatch.review.candidate import Candidate
from driftwatch.review.preview import Preview
from driftwatch.store.store import Store

Previewing: TypeAlias = Callable[[Candidate, Callable[[int], None]], Future[Preview]]
"""Begins a preview and returns at once; what it is given besides is told of each look when it is over."""


@dataclass(frozen=True, slots=True)
class ChannelTest:
    """What came of a test message to a channel: whether it works, that in a sentence, and what to do now.

    `trouble` says what went wrong with the channel's own templates; empty when nothing did.
    """

    channel: str
    works: bool
    words: str
    next: str
    trouble: str = ""


@dataclass(slots=True)
class Desk:
    """All that comes from outside of this room. Another configuration takes the place of `settings` while it runs.

    `random(n)` gives n bytes that nobody can guess. `wake()` says that messages wait to be sent, and `look(server)`
    asks for a look now; `again(server)` asks for what is shown to be looked at again, as before an approval, None: it
    cannot be done here. All return at once and may be called from any thread. `previewing` begins previews and
    `test_channel(name)` sends a channel a test message and waits for what comes of it; None: it cannot be done here.
    `unsandboxed(server)` says why a server would start without a sandbox here, empty where it would not, and
    `sandbox()` what the local servers run in, empty where there are none; both may take some seconds the first time.
    `ready()` says how the daemon does and `metrics()` gives its numbers, both within some seconds whatever happens;
    None: there is no daemon.
    `spans` is told of each request.
    """

    store: Store
    settings: Settings
    clock: Callable[[], datetime]
    random: Callable[[int], bytes]
    wake: Callable[[], None]
    look: Callable[[str], None]
    again: Callable[[str], None] | None = None
    previewing: Previewing | None = None
    test_channel: Callable[[str], ChannelTest] | None = None
    unsandboxed: Callable[[ServerConfig], str] = lambda _: ""
    sandbox: Callable[[], str] = str
    ready: Callable[[], Awaitable[Health]] | None = None
    metrics: Callable[[], Awaitable[bytes]] | None = None
    spans: Spans = no_spans


def desk_of(request: Request) -> Desk:
    """Give the desk of the application that a request came to."""
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(desk_of)]
"""How an endpoint asks for the desk."""
