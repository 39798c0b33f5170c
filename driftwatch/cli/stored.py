"""What the commands begin with that read the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from driftwatch.cli.app import call_of
from driftwatch.config.schema import Settings
from driftwatch.store.store import Store


@contextmanager
def opened(context: typer.Context, settings: Settings, *, read_only: bool = False) -> Iterator[Store]:
    """Open the database and close it afterwards; with `read_only` it must be there already.

    Raises:
        StoreError: the database cannot be used.

    """
    store = Store.open(settings.database_url, clock=call_of(context).clock, read_only=read_only)
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
