"""News for open pages: what is told, to whom, and for how long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from web_site import BY, Site, browser, served, signed_in, site

from driftwatch.model import Era, Role
from driftwatch.review.approve import approve
from driftwatch.store.store import Store
from driftwatch.web.app import create, guarded
from driftwatch.web.live import Live, live_in
from tests.desk import ANN, GOOD, LOOSENED, Desk
from tests.fakes import FrozenClock

SOON = 0.02


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as made:
        made.add("ann", Role.VIEWER)
        yield made


@asynccontextmanager
async def listening(at: Site, cookies: httpx.Cookies) -> AsyncIterator[AsyncIterator[tuple[str, str]]]:
    """Open the stream, and give its events as they come: name and data."""
    async with (
        httpx.AsyncClient(base_url=at.url, cookies=cookies) as client,
        client.stream("GET", "/events") as answered,
    ):
        assert answered.status_code == 200
        assert answered.headers["content-type"].startswith("text/event-stream")
        assert answered.headers["cache-control"] == "no-store"

        async def events() -> AsyncIterator[tuple[str, str]]:
            name = ""
            async for line in answered.aiter_lines():
                field, _, value = line.partition(": ")
                name = value if field == "event" else name
                if field == "data":
                    yield name, value

        yield events()


async def test_who_listens_hears_which_server_was_looked_at_and_nothing_that_it_showed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    with site(tmp_path) as here:
        here.add("ann", Role.VIEWER)
        with signed_in(here, "ann") as client:
            async with listening(here, client.cookies) as events, asyncio.timeout(20):
                assert await anext(events) == ("hello", "{}")
                await desk.look(LOOSENED)
                heard = set[str]()
                while not {"server:notes", "alerts", "deliveries"} <= heard:
                    name, data = await anext(events)
                    assert (name, set(json.loads(data))) == ("news", {"topics"})
                    heard |= set(json.loads(data)["topics"])
    desk.store.close()

    assert heard <= {"server:notes", "looked:notes", "alerts", "deliveries", "audit", "channels"}


async def test_nobody_hears_anything_without_being_signed_in(here: Site) -> None:
    with browser(here) as client:
        answered = client.get("/events")

    assert (answered.status_code, answered.headers["location"]) == (303, "/sign-in?next=%2Fevents")


@pytest.mark.parametrize("end", ["signed out", "disabled", "removed"])
async def test_with_the_session_the_stream_ends(here: Site, end: str) -> None:
    with signed_in(here, "ann") as client:
        async with listening(here, client.cookies) as events, asyncio.timeout(20):
            assert await anext(events) == ("hello", "{}")
            if end == "signed out":
                here.store.end_sessions("ann", by=BY, at=here.clock())
            elif end == "disabled":
                here.store.change_user("ann", by=BY, at=here.clock(), disabled=True)
            else:
                here.store.remove_user("ann", by=BY, at=here.clock())
            rest = [event async for event in events]

    assert rest == []


async def test_an_open_page_does_not_keep_a_session_in_use(here: Site) -> None:
    with signed_in(here, "ann") as client:
        before = here.store.sessions("ann")[0]
        here.clock.forward(120)
        async with listening(here, client.cookies) as events, asyncio.timeout(20):
            await anext(events)
        client.get("/account", headers={"x-driftwatch-live": "1"})
        after_news = here.store.sessions("ann")[0]
        client.get("/account")
        after_a_person = here.store.sessions("ann")[0]

    assert after_news == before
    assert after_a_person.last_seen_at > before.last_seen_at


async def test_the_stream_ends_before_the_server_does(here: Site) -> None:
    app = create(here.desk)
    with served(guarded(app)) as url, signed_in(here, "ann") as client:
        other = Site(url, here.desk, here.clock, "", app)
        async with listening(other, client.cookies) as events, asyncio.timeout(20):
            await anext(events)
            live_in(app).close()
            rest = [event async for event in events]

    assert rest == []


# One who watches, for all who listen


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path / 'driftwatch.db'}", clock=FrozenClock()) as made:
        yield made


async def test_nothing_is_watched_while_nobody_listens(store: Store) -> None:
    live = Live(store, every=SOON)
    watched = [live.watches]
    async with live.listening():
        async with live.listening():
            watched.append(live.watches)
            assert live.listeners == 2
        watched.append(live.watches)
    await live.ended()
    watched.append(live.watches)

    assert watched == [False, True, True, False]
    assert live.listeners == 0


async def test_no_more_listen_than_may_and_a_place_is_given_back_whichever_way_one_goes(store: Store) -> None:
    live = Live(store, every=SOON, most=2)
    full = []
    async with live.listening() as first:
        with suppress(RuntimeError):
            async with live.listening():
                full.append(live.is_full)
                async with live.listening() as third:
                    full += [third.over, live.listeners]
                raise RuntimeError("a stream that breaks off")
        full += [live.is_full, first.over]
        there = asyncio.Event()
        leaving = asyncio.create_task(_listen(live, there))
        await there.wait()
        leaving.cancel()
        await asyncio.wait([leaving])
        full.append(live.listeners)
    await live.ended()

    assert full == [True, True, 2, False, False, 1]
    assert (live.listeners, live.is_full) == (0, False)


async def _listen(live: Live, there: asyncio.Event) -> None:
    async with live.listening() as ear:
        there.set()
        await ear.woken.wait()


async def test_who_comes_when_as_many_listen_as_may_is_told_so(here: Site) -> None:
    app = create(here.desk)
    app.state.live = Live(here.store, most=1)
    with served(guarded(app)) as url, signed_in(here, "ann") as client:
        other = Site(url, here.desk, here.clock, "", app)
        async with listening(other, client.cookies) as events, asyncio.timeout(20):
            await anext(events)
            async with httpx.AsyncClient(base_url=url, cookies=client.cookies) as late:
                refused = await late.get("/events")

    assert refused.status_code == 503


async def test_all_who_listen_hear_the_same_and_each_of_it_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    with Store.open(desk.url, clock=desk.clock) as store:
        live = Live(store, every=SOON)
        async with live.listening() as one, live.listening() as other, asyncio.timeout(10):
            approve(desk.store, desk.settings, "notes", digest=None, by=ANN, note="", now=desk.clock())
            await one.woken.wait()
            heard = one.heard()
            same = other.heard() == heard
            left = (one.heard(), other.heard())
        await live.ended()
    desk.store.close()

    assert heard == ["audit", "server:notes"]
    assert (same, left) == (True, ([], []))


async def test_a_look_that_found_nothing_new_is_told_apart(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.look(GOOD)
    before = desk.store.marks()
    desk.store.touch("notes", at=desk.clock(), next_at=None, era=Era.MODERN)
    after = desk.store.marks()
    desk.store.close()

    assert [topic for topic in after if after[topic] != before[topic]] == ["looked:notes"]
