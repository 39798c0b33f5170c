"""deliveries on a clock that stands still: what a message waits for, and what becomes of one that a person touches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from cli_telling import MARCH, alert, flat, message, told
from cli_world import Ended

from driftwatch.model import EventKind
from driftwatch.store import Store


def test_a_message_that_waits_behind_another_says_so_and_not_that_it_is_sent_now(
    say: Callable[..., Ended], store: Store
) -> None:
    kept = alert()
    told(store, kept, message(kept, 1), message(kept, 2, event=EventKind.UPDATED))

    listed = say("deliveries").out

    assert (flat(listed).count("to be sent now"), flat(listed).count("waits for msg_12222333")) == (1, 1)
    assert "; pending; waits for msg_12222333" in flat(say("deliveries", "show", "msg_2").out)
    assert "waits for msg_12222333" in flat(say("alerts", "show", kept.id).out)
    rows = {one["id"][:5]: one["waits_for"] for one in say("deliveries", "--format", "json").json["deliveries"]}
    assert rows == {"msg_1": None, "msg_2": message(kept, 1).id}


def test_a_message_that_another_process_has_says_until_when(say: Callable[..., Ended], store: Store) -> None:
    row = message(told(store))
    store.claim_deliveries(now=MARCH, lease=timedelta(seconds=31), limit=9)

    (one,) = say("deliveries", "--format", "json").json["deliveries"]

    assert "being sent by another process until 12:00:31Z" in flat(say("deliveries").out)
    assert (one["id"], one["leased_until"], one["waits_for"]) == (row.id, "2026-03-01T12:00:31Z", None)
