"""What the commands begin with that read the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from driftwatch.cli.ground import now
from driftwatch.config.schema import Settings
from driftwatch.store.store import Store


@contextmanager
def opened(settings: Settings, *, read_only: bool = False) -> Iterator[Store]:
    """Open the database and close it afterwards; with `read_only` it must be there already.

    Raises:
        StoreError: the database cannot be used.

    """
    store = Store.open(settings.database_url, clock=now, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


def known(settings: Settings, store: Store, server: str) -> str:
    """Accept a server that is configured, or that the database remembers from earlier.

    Raises:
        UnknownServerError: it is neither.

    """
    return server if server in store.states() else settings.server(server).name
