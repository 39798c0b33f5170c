"""Messages and channels on pages: what became of each message and why, sending again, taking out, testing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from reviewing import Reader, notices
from web_site import Site, form_of, signed_in

from driftwatch.config.routes import RouteConfig
from driftwatch.errors import ConfigError
from driftwatch.model import (
    Action,
    Actor,
    ChannelHealth,
    Delivery,
    DeliveryState,
    EventKind,
    SendResult,
    SendVerdict,
)
from driftwatch.review import attend
from driftwatch.store.records import Wait
from driftwatch.web.desk import ChannelTest
from driftwatch.web.pages.channels import rows_of
from driftwatch.web.pages.messages import fate, may_be_taken_out, may_go_again
from tests.web.town import CHANNELS, town_site

RITA = Actor("rita", "web 127.0.0.1")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Site]:
    with town_site(tmp_path) as made:
        yield made


@pytest.fixture
def rita(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "rita") as client:
        yield client


@pytest.fixture
def vic(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "vic") as client:
        yield client


def one_that_is(town: Site, state: DeliveryState, channel: str = "") -> Delivery:
    return next(one for one in town.store.deliveries() if one.state is state and channel in (one.channel, ""))


def post(client: httpx.Client, path: str, action: str, **typed: str) -> httpx.Response:
    return client.post(action, data={**form_of(client.get(path).text, action), **typed})


def ids_on(client: httpx.Client, path: str) -> set[str]:
    return set(re.findall(r'<a href="/deliveries/(msg_\w+)"><code>', client.get(path).text))


# What became of a message, as a value


def message(state: DeliveryState, **more: object) -> Delivery:
    made = Delivery("msg_1", "mail", "files", "alr_1", EventKind.OPENED, {}, state, created_at=NOW, route="fleet")
    return replace(made, **more)


@pytest.mark.parametrize(
    ("one", "wait", "words"),
    [
        (message(DeliveryState.PENDING), None, "to be sent now"),
        (message(DeliveryState.PENDING, next_attempt_at=NOW + MINUTE), None, "to be sent"),
        (message(DeliveryState.PENDING, attempts=2, next_attempt_at=NOW + MINUTE), None, "tried again"),
        (message(DeliveryState.PENDING, attempts=2, next_attempt_at=NOW - MINUTE), None, "tried again now"),
        (message(DeliveryState.PENDING), Wait(behind="msg_0"), "waits for an older message about the same"),
        (message(DeliveryState.PENDING), Wait(leased_until=NOW), "is being sent; if nothing comes of that, again"),
        (message(DeliveryState.HELD, next_attempt_at=NOW), None, "by the route fleet, with others; goes out now"),
        (message(DeliveryState.DELIVERED, last_result="HTTP 200"), None, ""),
    ],
)
def test_a_message_says_what_it_waits_for(one: Delivery, wait: Wait | None, words: str) -> None:
    found = fate(one, wait, NOW)

    assert found.waits == words
    assert (found.due is not None) == ((one.next_attempt_at or NOW) > NOW or (wait or Wait()).leased_until is not None)


def test_how_often_it_was_tried_and_what_it_went_with_are_said() -> None:
    found = fate(message(DeliveryState.DEAD, attempts=9, last_result="HTTP 503", batch="msg_all"), now=NOW)

    assert (found.said, found.batch, found.due) == ("HTTP 503 (9 tries)", "msg_all", None)


def test_what_was_delivered_or_went_with_others_is_neither_sent_again_nor_taken_out() -> None:
    over = [message(DeliveryState.DELIVERED), message(DeliveryState.BATCHED), message(DeliveryState.DEAD, batch="m")]

    assert not any(may_go_again(one) or may_be_taken_out(one) for one in over)
    assert may_go_again(message(DeliveryState.CANCELLED))
    assert not may_be_taken_out(message(DeliveryState.CANCELLED))


# The pages


def test_messages_are_picked_by_state_channel_and_server(town: Site, vic: httpx.Client) -> None:
    every = town.store.deliveries()

    assert ids_on(vic, "/deliveries?state=dead") == {one.id for one in every if one.state is DeliveryState.DEAD}
    assert ids_on(vic, "/deliveries?channel=weekly&server=docs") == {
        one.id for one in every if (one.channel, one.server) == ("weekly", "docs")
    }
    assert "No message fits" in vic.get("/deliveries?channel=pager").text
    assert vic.get("/deliveries?state=lost").status_code == 422


def test_a_message_says_in_plain_words_what_was_sent(town: Site, vic: httpx.Client) -> None:
    sent = next(one for one in town.store.deliveries() if one.server == "notes")

    page = Reader(vic.get(f"/deliveries/{sent.id}").text)

    assert "[CRITICAL] notes: a hint claims less danger than before (hint-loosened), and 10 more" in page.text
    assert "Acknowledge: driftwatch alerts ack" in page.text
    assert f"/alerts/{sent.alert_id}" in {link.get("href") for link in page.all("a")}


def test_whoever_may_only_look_gets_no_buttons(town: Site, vic: httpx.Client) -> None:
    dead = one_that_is(town, DeliveryState.DEAD)

    pages = [vic.get(path).text for path in ("/deliveries", f"/deliveries/{dead.id}", "/channels")]

    assert all('method="post" action="/deliveries' not in page and "/test" not in page for page in pages)


def test_what_was_given_up_is_sent_again_at_once(town: Site, rita: httpx.Client) -> None:
    path = f"/deliveries/{one_that_is(town, DeliveryState.PENDING, 'office').id}"

    done = post(rita, path, f"{path}/retry")

    now = town.store.delivery(path.rpartition("/")[2])
    entry = town.store.audit(limit=1)[0]
    assert (done.status_code, now.state, now.attempts) == (303, DeliveryState.PENDING, 0)
    assert notices(rita.get(done.headers["location"]).text) == [
        "It is sent again at once, with all its attempts before it."
    ]
    assert (entry.action, entry.who, entry.origin) == (Action.RETRIED, "rita", "web 127.0.0.1")
    assert town.woken


def test_what_tells_of_something_that_is_over_is_not_sent_again(town: Site, rita: httpx.Client) -> None:
    path = f"/deliveries/{one_that_is(town, DeliveryState.DEAD).id}"

    refused = post(rita, path, f"{path}/retry")
    all_of_them = post(rita, "/deliveries", "/deliveries/retry", channel="office")

    assert (refused.status_code, "tells of what is over" in notices(refused.text)[0]) == (409, True)
    assert "driftwatch deliveries" not in notices(refused.text)[0]
    assert notices(rita.get(all_of_them.headers["location"]).text) == [
        "0 messages are sent again. 1 is left: what it tells of is over."
    ]


def test_a_message_that_is_taken_out_is_kept_and_whom_nobody_tells_now_is_said(town: Site, rita: httpx.Client) -> None:
    alert = town.store.delivery(one_that_is(town, DeliveryState.PENDING, "on-call").id).alert_id
    path = f"/deliveries/{one_that_is(town, DeliveryState.PENDING, 'on-call').id}"

    done = post(rita, path, f"{path}/cancel")

    page = rita.get(done.headers["location"]).text
    assert town.store.delivery(path.rpartition("/")[2]).last_result == "taken out by rita"
    assert "Nobody was told of" in page
    assert f'href="/alerts/{alert}"' in page
    assert town.store.audit(limit=1)[0].action == Action.CANCELLED


def test_a_form_for_one_message_does_nothing_to_another(town: Site, rita: httpx.Client) -> None:
    first, second = (one_that_is(town, state) for state in (DeliveryState.DEAD, DeliveryState.PENDING))
    form = form_of(rita.get(f"/deliveries/{first.id}").text, f"/deliveries/{first.id}/cancel")

    refused = rita.post(f"/deliveries/{second.id}/cancel", data=form)

    assert (refused.status_code, town.store.delivery(second.id)) == (400, second)


def test_what_was_delivered_meanwhile_is_not_taken_out(town: Site, rita: httpx.Client) -> None:
    one = one_that_is(town, DeliveryState.PENDING)
    form = form_of(rita.get(f"/deliveries/{one.id}").text, f"/deliveries/{one.id}/cancel")
    done = SendResult(SendVerdict.DONE, "HTTP 200")
    town.store.finish_delivery(
        one.id, result=done, state=DeliveryState.DELIVERED, next_attempt_at=None, now=town.clock()
    )

    late = rita.post(f"/deliveries/{one.id}/cancel", data=form)

    assert (late.status_code, "was delivered" in notices(late.text)[0]) == (409, True)


# Channels


def test_channels_say_how_they_do_what_to_do_and_which_routes_lead_there() -> None:
    ways = [
        RouteConfig(name="default", channels=("on-call",)),
        RouteConfig(name="late", channels=("on-call",), escalate_after=60.0, escalate_to=("office",)),
    ]
    known = {
        "on-call": ChannelHealth("on-call", last_ok_at=NOW),
        "office": ChannelHealth("office", 3, NOW, None, "HTTP 404 Not Found", 2),
        "pager": ChannelHealth("pager", last_ok_at=NOW),
    }

    rows = {row.name: row for row in rows_of(CHANNELS, ways, known)}

    assert list(rows) == ["on-call", "office", "weekly", "pager"]
    assert [row.chip.words for row in rows.values()] == [
        "works", "fails", "nothing sent yet", "not in the configuration",
    ]  # fmt: skip
    assert (rows["on-call"].routes, rows["office"].passed_on) == (("default", "late"), ("late",))
    assert "nothing takes messages at that address" in rows["office"].to_do


def test_a_channel_is_tested_and_the_page_says_what_came_of_it(town: Site, rita: httpx.Client) -> None:
    works = post(rita, "/channels", "/channels/on-call/test").text
    fails = post(rita, "/channels", "/channels/office/test").text

    assert "ok, it took the test alert" in works
    assert "it did not take the test alert: HTTP 503" in fails
    assert "Look at its logs" in fails
    assert "hooks.example.com" not in fails


@pytest.mark.parametrize("without", [True, False])
def test_a_channel_that_cannot_be_tested_here_is_said(town: Site, rita: httpx.Client, without: bool) -> None:
    form = form_of(rita.get("/channels").text, "/channels/office/test")

    def cannot(_: str) -> ChannelTest:
        raise ConfigError("channels.office: there is no such program.", hint="Install it.")

    town.app.state.desk = replace(town.desk, test_channel=None if without else cannot)
    refused = rita.post("/channels/office/test", data=form)

    words = "driftwatch channels test office" if without else "there is no such program. Install it."
    assert (refused.status_code, words in notices(refused.text)[0]) == (409, True)


def test_there_is_no_test_of_a_channel_that_there_is_not(town: Site, rita: httpx.Client) -> None:
    (session,) = town.store.sessions("rita")
    token = town.app.state.forms.issue(session.csrf, "/channels/pager/test")

    assert rita.post("/channels/pager/test", data={"form": token}).status_code == 404


def test_messages_of_channels_that_are_gone_say_so(town: Site, rita: httpx.Client) -> None:
    settings = town.desk.settings.model_copy(update={"channels": CHANNELS[:1]})
    town.app.state.desk = replace(town.desk, settings=settings)
    one = one_that_is(town, DeliveryState.PENDING, "office")

    page = rita.get(f"/deliveries/{one.id}").text
    attend.cancel(town.store, [one.id], by=RITA, now=town.clock())

    assert "No channel is called office any more" in page
    assert "not in the configuration" in rita.get("/channels").text
