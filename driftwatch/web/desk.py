"""What pages and API work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request

from driftwatch.config.schema import Settings
from driftwatch.store.store import Store


@dataclass(frozen=True, slots=True)
class Desk:
    """All that comes from outside of this room.

    `random(n)` gives n bytes that nobody can guess. `wake()` says that messages wait to be sent, and `look(server)`
    asks for a look now; both return at once and may be called from any thread.
    """

    store: Store
    settings: Settings
    clock: Callable[[], datetime]
    random: Callable[[int], bytes]
    wake: Callable[[], None]
    look: Callable[[str], None]


def desk_of(request: Request) -> Desk:
    """Give the desk of the application that a request came to."""
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(desk_of)]
"""How an endpoint asks for the desk."""
