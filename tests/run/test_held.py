from __future__ import annotations

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
    made = Held(session, renew=lambda: None)
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
