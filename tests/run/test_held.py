from __future__ import annotations

import asyncio
from dataclasses import replace

from driftwatch.model import Era, Outcome, Unreachable
from driftwatch.run.held import Held
from driftwatch.watch.seen import digest_of, see
from tests.fakes import FakeSession, listed, tool

OLD = replace(listed(tool()), era=Era.HANDSHAKE)
NEW = replace(listed(tool("other")), era=Era.HANDSHAKE)


def digest(outcome: Outcome) -> str:
    return digest_of(see(outcome))


async def held(outcome: Outcome) -> tuple[Held, FakeSession]:
    session = FakeSession(outcome)
    made = Held(session, renew=lambda: None, grace=0.01)
    await made.ask()
    return made, session


async def test_a_session_that_began_with_another_list_than_a_fresh_start_shows_is_stale() -> None:
    tested, _ = await held(OLD)

    assert tested.is_stale(digest(NEW))
    assert not tested.is_stale(digest(OLD))


async def test_a_session_that_changed_after_its_start_is_not_stale() -> None:
    tested, session = await held(OLD)
    session.outcome = NEW
    await tested.ask()

    assert not tested.is_stale(digest(OLD))


async def test_a_connection_of_the_newer_revision_is_never_stale_because_lists_do_not_vary_there() -> None:
    tested, _ = await held(replace(OLD, era=Era.MODERN))

    assert not tested.is_stale(digest(NEW))


async def test_a_session_that_was_not_seen_or_a_fresh_look_that_failed_says_nothing() -> None:
    unseen, _ = await held(Unreachable("closed-early", "gone"))
    seen, _ = await held(OLD)

    assert not unseen.is_stale(digest(NEW))
    assert not seen.is_stale("")


async def test_a_session_that_has_not_stood_since_the_last_look_knows_nothing_of_notices() -> None:
    tested, _ = await held(NEW)

    assert await tested.heard() is None


async def test_a_notice_is_heard_until_a_look_that_began_after_it_is_done() -> None:
    tested, _ = await held(NEW)
    tested.notice()
    before = await tested.heard()

    tested.account(tested.notices)

    assert before is True
    assert await tested.heard() is False


async def test_a_notice_that_came_during_a_look_still_stands_after_it() -> None:
    tested, _ = await held(NEW)
    begun = tested.notices
    tested.notice()

    tested.account(begun)

    assert await tested.heard() is True


async def test_a_notice_that_is_on_its_way_is_waited_for() -> None:
    tested = Held(FakeSession(NEW), renew=lambda: None, grace=10)
    tested.account(0)

    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        heard = group.create_task(tested.heard())
        group.create_task(asyncio.to_thread(lambda: None)).add_done_callback(lambda _: tested.notice())

    assert heard.result() is True
