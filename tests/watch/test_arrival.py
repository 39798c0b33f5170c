"""How a list came to be seen: facts that a check keeps with it, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from driftwatch.model import Arrival, EventKind, Kind, Listed, Outcome, Page
from tests.desk import Desk
from tests.fakes import listed, tool

TELLING = {"capabilities": {"tools": {"listChanged": True}}}
NEW = tool("get_note")


def fresh(seen: Listed, ttl_ms: int | None, method: str = "tools/list") -> Listed:
    return replace(seen, pages=(*seen.pages, Page(method, 1, 1, ttl_ms)))


async def arrival(desk: Desk, before: Listed, then: Listed, **look: object) -> Arrival | None:
    await desk.look(before)
    desk.approve()
    await desk.look(then, **look)  # type: ignore[arg-type]
    return desk.store.sightings("notes")[-1].arrival


async def rules(desk: Desk, before: Listed, then: Listed, **look: object) -> list[str]:
    await arrival(desk, before, then, **look)
    return [one.rule for one in desk.store.findings("notes")]


def saying(answer: bool | None, shows: Outcome) -> dict[str, Callable[[], Awaitable[object]]]:
    async def heard() -> bool | None:
        return answer

    async def held() -> Outcome:
        return shows

    return {"heard": heard, "held": held}


async def test_what_the_look_before_had_shown_and_promised_is_kept(desk: Desk) -> None:
    before = fresh(listed(tool()), 7_200_000)
    after = listed(tool(), NEW, serverInfo={"name": "notes", "version": "1.1.0"})

    kept = await arrival(desk, before, after, after=600)

    first, second = desk.store.sightings("notes")
    assert first.arrival is None
    assert second.arrival == kept
    assert kept is not None
    assert (kept.previous, kept.quiet, kept.fresh) == (first.digest, 601.0, ((Kind.TOOL, 7_200_000),))
    assert (kept.versions, kept.eras) == (("1.0.0", "1.1.0"), ("modern", "modern"))


async def test_a_list_that_changed_while_it_was_fresh_is_told(desk: Desk) -> None:
    found = await rules(desk, fresh(listed(tool()), 7_200_000), listed(tool(), NEW), after=600)

    assert "changed-inside-ttl" in found


@pytest.mark.parametrize(("ttl_ms", "after"), [(None, 60), (0, 60), (60_000, 60)])
async def test_a_list_that_was_not_fresh_any_more_may_change(desk: Desk, ttl_ms: int | None, after: float) -> None:
    found = await rules(desk, fresh(listed(tool()), ttl_ms), listed(tool(), NEW), after=after)

    assert "changed-inside-ttl" not in found


async def test_each_list_is_as_fresh_as_it_says_itself(desk: Desk) -> None:
    before = fresh(fresh(listed(tool()), 0), 7_200_000, "prompts/list")

    kept = await arrival(desk, before, listed(tool(), NEW))

    assert kept is not None
    assert kept.fresh == ()


async def test_a_list_is_as_fresh_as_its_page_that_lasts_least(desk: Desk) -> None:
    kept = await arrival(desk, fresh(fresh(listed(tool()), 7_200_000), None), listed(tool(), NEW))

    assert kept is not None
    assert kept.fresh == ()


async def test_a_notice_ends_freshness(desk: Desk) -> None:
    before, after = fresh(listed(tool(), **TELLING), 7_200_000), listed(tool(), NEW, **TELLING)

    found = await rules(desk, before, after, **saying(True, after))

    assert {"changed-inside-ttl", "changed-without-notice"}.isdisjoint(found)


async def test_a_notice_that_nobody_could_hear_may_have_ended_freshness(desk: Desk) -> None:
    found = await rules(desk, fresh(listed(tool(), **TELLING), 7_200_000), listed(tool(), NEW, **TELLING))

    assert {"changed-inside-ttl", "changed-without-notice"}.isdisjoint(found)


async def test_a_change_without_the_notice_that_was_promised_is_told(desk: Desk) -> None:
    before, after = fresh(listed(tool(), **TELLING), 7_200_000), listed(tool(), NEW, **TELLING)

    found = await rules(desk, before, after, **saying(False, after))

    assert {"changed-inside-ttl", "changed-without-notice"} <= set(found)


async def test_a_session_that_still_shows_the_old_list_has_nothing_to_give_notice_of(desk: Desk) -> None:
    before, after = listed(tool(), **TELLING), listed(tool(), NEW, **TELLING)

    found = await rules(desk, before, after, **saying(False, before))

    assert "changed-without-notice" not in found


async def test_no_notice_is_owed_of_a_list_that_never_promised_any(desk: Desk) -> None:
    found = await rules(desk, listed(tool()), listed(tool(), NEW), **saying(False, listed(tool(), NEW)))

    assert "changed-without-notice" not in found


async def test_an_unchanged_list_is_asked_for_no_notice(desk: Desk) -> None:
    async def never() -> bool | None:
        raise AssertionError("nothing changed")

    async def held() -> Outcome:
        return listed(tool())

    await desk.look(listed(tool()))

    await desk.look(listed(tool()), heard=never, held=held)


async def test_facts_of_a_list_hold_until_it_goes_however_often_it_is_judged(desk: Desk) -> None:
    await rules(desk, fresh(listed(tool()), 7_200_000), listed(tool(), NEW), after=600)
    before = desk.store.findings("notes")

    again = await desk.look(listed(tool(), NEW), ruleset="rules-2")

    assert [one.fingerprint for one in again.findings] == [one.fingerprint for one in before]
    assert [one.message for one in again.findings] == [one.message for one in before]


async def test_an_absurd_freshness_is_a_finding_on_a_first_list_and_no_change_of_the_list(desk: Desk) -> None:
    first = await desk.look(fresh(listed(tool()), 30 * 86_400_000))

    assert "ttl-too-long" in [one.rule for one in desk.store.findings("notes")]
    assert first.snapshot_digest == (await desk.look(fresh(listed(tool()), 1000))).snapshot_digest
    assert "ttl-too-long" not in [one.rule for one in desk.store.findings("notes")]


async def test_a_freshness_that_becomes_absurd_is_seen_on_a_list_that_did_not_change(desk: Desk) -> None:
    await desk.look(listed(tool()))
    quiet = [one.rule for one in desk.store.findings("notes")]

    result = await desk.look(fresh(listed(tool()), 30 * 86_400_000))

    assert "ttl-too-long" not in quiet
    assert "ttl-too-long" in [one.rule for one in result.findings]


async def test_an_absurd_freshness_that_differs_at_every_look_is_judged_once(desk: Desk) -> None:
    await desk.look(fresh(listed(tool()), 30 * 86_400_000))

    events = [(await desk.look(fresh(listed(tool()), (30 + day) * 86_400_000))).event for day in range(3)]

    assert events == [None, None, None]


async def test_a_list_that_is_opened_to_shared_caches_is_told_to_people(desk: Desk) -> None:
    before = listed(tool(), cacheScopes={"tools/list": "private"})

    await arrival(desk, before, listed(tool(), cacheScopes={"tools/list": "public"}))

    assert desk.told() == [EventKind.OPENED]
