"""Real local servers that are not the same at every start, looked at again before anybody decides."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Actor, AlertKind, AsClient, Rehearsed, Severity, Verdict
from driftwatch.report.again import Again, again_words
from driftwatch.review.approve import approve, reject
from driftwatch.review.refused import rejected_beside
from driftwatch.review.rejected import rejected_of
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.rehearsal import rehearse
from tests.blank import blank

SCRIPT = Path(__file__).parents[1] / "servers" / "moody.py"

Over = Callable[[str], World]


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Over]:
    worlds: list[World] = []

    def made(mood: str) -> World:
        args = ("-SE", str(SCRIPT), mood, str(tmp_path / "state"))
        server = ServerConfig(
            name="notes", transport="stdio", command=sys.executable, args=args, sandbox=SandboxConfig(kind="none")
        )
        settings = Settings(database_url=blank(tmp_path / "driftwatch.db"), servers=(server,))
        worlds.append(World.open(settings, clock=utc_now))
        return worlds[-1]

    yield made
    for world in worlds:
        with world:
            pass


async def _twice(world: World) -> Rehearsed:
    """Look once, and then again as before a decision."""
    (server,) = world.settings.servers
    await world.checker.check(server)
    return (await rehearse(world.store, world.settings, world.checker, server, now=world.clock)).rehearsed


def _words(seen: Rehearsed) -> str:
    return again_words(Again(seen, local=True))


def _rules(world: World) -> set[str]:
    return {one.rule for one in world.store.findings("notes") if one.severity >= "high"}


async def test_an_honest_server_is_looked_at_three_times_and_once_of_them_under_another_name(
    over: Over, tmp_path: Path
) -> None:
    world = over("honest")

    seen = await _twice(world)

    assert (seen.looks, seen.other, seen.as_client, seen.client) == (3, "", AsClient.SAME, "claude-code")
    assert (tmp_path / "state").read_text() == "3"
    assert _words(seen) == ("Looked at 3 times, each in a new process, also as claude-code: the same list each time.")
    assert world.store.rehearsed("notes", seen.digest) == seen


async def test_a_server_that_wakes_at_its_second_start_is_seen_before_anybody_decides(over: Over) -> None:
    world = over("second")

    seen = await _twice(world)

    shown = world.store.state("notes").last_digest
    assert (seen.looks, seen.other) == (1, shown)
    assert not seen.is_same
    assert _words(seen) == (f"Looked at again in a new process: the second look showed another list, {shown[7:19]}.")
    assert "text-injection" in _rules(world)


async def test_what_a_server_showed_at_its_second_start_stands_when_it_shows_the_first_list_again(over: Over) -> None:
    world = over("only-second")
    (server,) = world.settings.servers

    seen = await _twice(world)
    opened = world.store.open_alert("notes", AlertKind.DRIFT)
    result = await world.checker.check(server)
    stands = world.store.open_alert("notes", AlertKind.DRIFT)

    assert result.snapshot_digest == seen.digest
    assert (seen.looks, seen.as_client) == (1, AsClient.NOT_TRIED)
    assert "the second look showed another list" in _words(seen)
    (found,) = (one for one in result.findings if one.rule == "other-start")
    assert found.severity is Severity.HIGH
    assert seen.other[7:19] in found.message
    assert opened is not None
    assert stands is not None
    assert stands.id == opened.id
    assert "other-start" in {one.rule for one in stands.findings}


@pytest.mark.parametrize("decision", ["approve", "approve the other", "reject the other", "reject the one"])
async def test_what_came_to_light_stands_until_somebody_approves_and_a_rejection_is_named(
    over: Over, decision: str
) -> None:
    world = over("only-second")
    (server,) = world.settings.servers
    seen = await _twice(world)
    await world.checker.check(server)
    by = {"by": Actor("ann", "cli"), "note": "", "now": utc_now()}
    if decision == "approve":
        approve(world.store, world.settings, "notes", digest=seen.digest, **by)
    elif decision == "approve the other":
        approve(world.store, world.settings, "notes", digest=seen.other, **by)
    else:
        reject(world.store, "notes", digest=seen.other if decision == "reject the other" else seen.digest, **by)

    result = await world.checker.check(server)
    state, alert = world.store.state("notes"), world.store.open_alert("notes", AlertKind.DRIFT)
    told = [one.message for one in result.findings if one.rule == "other-start"]
    named = rejected_beside(world.store, "notes")

    assert len(told) == decision.startswith("reject")
    assert [one.start for one in named] == [seen.other] * (decision == "reject the other")
    assert [("it was rejected, and stands" in one) for one in told] == [bool(named)] * len(told)
    if decision == "reject the other":
        live = world.store.snapshot(state.last_digest)
        assert live is not None
        assert rejected_of(world.store, "notes", live, ()) == ()
        assert alert is not None
        assert [one.rule for one in alert.rejected] == ["other-start"]


async def test_a_server_that_wakes_at_its_third_start_is_seen_by_the_look_under_another_name(over: Over) -> None:
    world = over("third")

    seen = await _twice(world)

    assert (seen.looks, seen.other) == (2, world.store.state("notes").last_digest)
    assert "the third look showed another list" in _words(seen)
    # It was shown to driftwatch too, so that the name is not the reason.
    assert _rules(world) >= {"text-injection"}
    assert "two-faces" not in _rules(world)


async def test_a_server_that_poisons_one_client_name_is_told_as_two_faces_until_it_stops(
    over: Over, tmp_path: Path
) -> None:
    world = over("for-claude")

    seen = await _twice(world)

    assert (seen.looks, seen.other, seen.as_client) == (2, "", AsClient.OTHER)
    assert _words(seen).endswith("the same list each time. As claude-code it is shown another list.")
    assert "two-faces" in _rules(world)
    (face,) = world.store.faces("notes")
    assert (face.identity, face.verdict) == ("second name", Verdict.DIFFERS)


async def test_a_server_that_cannot_be_started_twice_is_called_nothing_at_all(over: Over) -> None:
    world = over("once")

    seen = await _twice(world)

    assert (seen.looks, seen.other, seen.failures, seen.as_client) == (1, "", 1, AsClient.NOT_TRIED)
    assert not seen.is_same
    assert _words(seen).startswith("Not looked at again: in a new process it could not be looked at (")
    assert "no second time" in seen.detail


async def test_of_a_server_that_is_never_the_same_it_is_said_and_its_name_is_no_reason(over: Over) -> None:
    world = over("restless")

    seen = await _twice(world)

    assert (seen.looks, bool(seen.other)) == (1, True)
    assert "two-faces" not in _rules(world)
