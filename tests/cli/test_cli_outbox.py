"""deliveries on a clock that stands still: what a message waits for, and what becomes of one that a person touches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from cli_telling import MARCH, alert, flat, message, told
from cli_world import Ended

from driftwatch.model import AlertState, EventKind
from driftwatch.store import AlertWrite, Store


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


def test_a_message_that_was_taken_out_and_tells_of_what_is_over_is_not_sent_to_be_taken_out_again(
    say: Callable[..., Ended], store: Store
) -> None:
    row = message(told(store))
    say("deliveries", "cancel", row.id, "--by", "ana")
    over = alert(state=AlertState.RESOLVED, resolved_at=MARCH, reason="approved")
    store.record_alert(AlertWrite(over, EventKind.RESOLVED, ()))

    ended = say("deliveries", "retry", row.id)

    assert (ended.code, ended.out) == (2, "")
    assert f"The message {row.id} was taken out (taken out by ana), and what it tells of is over by now." in flat(
        ended.err
    )
    assert "deliveries cancel" not in ended.err


def test_taking_out_the_only_message_of_an_alert_warns_that_nobody_hears_of_it(
    say: Callable[..., Ended], store: Store
) -> None:
    kept = alert()
    told(store, kept, message(kept, 1), message(kept, 2, channel="chat"))

    first = say("deliveries", "cancel", "msg_1", "--by", "ana")
    last = say("deliveries", "cancel", "msg_2", "--by", "ana", "--format", "json")

    assert first.err == ""
    assert last.json["unheard"] == [kept.id]
    say("deliveries", "retry", "msg_2")
    again = say("deliveries", "cancel", "msg_2", "--by", "ana")
    assert flat(again.err).startswith(f"warning: nobody was told of the alert {kept.id}, and nobody will be until")


def test_names_that_nobody_has_are_refused_with_what_was_meant(say: Callable[..., Ended], store: Store) -> None:
    told(store)

    for words, said in (
        (("--channel", "opps"), 'No channel is called "opps".\n  Did you mean ops?'),
        (("--server", "fils"), "Did you mean files?"),
        (("--state", "ded"), "did you mean dead?"),
        (("--state", "nosuch"), "is none of held, batched, pending, delivered, dead, cancelled"),
    ):
        ended = say("deliveries", *words)

        assert (ended.code, ended.out) == (2, "")
        assert flat(said) in flat(ended.err), words
    assert say("deliveries", "--state", "DEAD", "--channel", "ops").out == "No message fits.\n"


@pytest.mark.parametrize(
    "command",
    [
        ("alerts", "ack", "alr_", "--note", "x" * 2_001, "--by", "ana"),
        ("alerts", "ack", "alr_", "--by", "x" * 201),
        ("silences", "add", "--server", "files", "--for", "2h", "--reason", "x" * 2_001, "--by", "ana"),
        ("silences", "add", "--server", "files", "--for", "2h", "--reason", "x", "--by", "x" * 201),
        ("deliveries", "cancel", "msg_", "--by", "x" * 201),
    ],
    ids=lambda command: " ".join(word for word in command if len(word) < 99),
)
def test_what_is_said_along_is_bounded(say: Callable[..., Ended], store: Store, command: tuple[str, ...]) -> None:
    told(store)

    ended = say(*command)

    assert (ended.code, ended.out) == (2, "")
    assert "are the most" in ended.err
    assert store.alerts()[0].acknowledged is None
    assert store.silences() == []
