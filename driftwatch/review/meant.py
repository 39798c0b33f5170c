"""Which alerts a person means: by name, by the message that told of them, or all that wait for an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from driftwatch.errors import NothingToDoError
from driftwatch.model import AlertState, Delivery, EventKind
from driftwatch.store.records import Wanted
from driftwatch.store.store import Store

_MESSAGE = "msg_"

_ALL = 100_000
"""More alerts than stand at once, and more than a message tells of."""


def alerts_meant(store: Store, ids: Iterable[str]) -> tuple[str, ...]:
    """Give the alerts whose ids begin so, and of messages those that they tell of and that still stand.

    Raises:
        UnknownIdError: no alert or message, or more than one, has an id that begins so.
        NothingToDoError: all that a message tells of is over.
        StoreError: the database could not be read.

    """
    found: list[str] = []
    for one in ids:
        found += _told_of(store, store.delivery(one)) if one.startswith(_MESSAGE) else [store.alert(one).id]
    return tuple(dict.fromkeys(found))


def unanswered(store: Store, server: str | None = None) -> tuple[str, ...]:
    """Give the alerts that nobody has acknowledged, of one server or of all, newest first.

    Raises:
        StoreError: the database could not be read.

    """
    standing = store.alerts(server=server, stands=True, limit=_ALL)
    return tuple(one.id for one in standing if one.state is AlertState.OPEN)


def _told_of(store: Store, message: Delivery) -> list[str]:
    standing = [name for name in dict.fromkeys(alerts_of(store, message)) if store.alert(name).state.stands]
    if not standing:
        raise NothingToDoError(
            f"All that the message {message.id} tells of is over.", hint="There is nothing left to acknowledge."
        )
    return standing


def alerts_of(store: Store, message: Delivery) -> Iterator[str]:
    """Give the alerts that a message tells of, the first told first.

    Raises:
        StoreError: the database could not be read.

    """
    if message.event is not EventKind.BATCH:
        yield message.alert_id
        return
    members = store.deliveries(wanted=Wanted(batch=message.id), limit=_ALL)
    yield from (one.alert_id for one in reversed(members))
