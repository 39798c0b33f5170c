"""Previews that were asked for: how many run, how long they are remembered, and what is said of those that fail."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import StoreError, UnknownIdError
from driftwatch.model import Actor
from driftwatch.review.preview import Preview
from driftwatch.store.store import Store
from driftwatch.web.desk import Desk
from driftwatch.web.trials import KEPT, NoTrialsError, TooManyTrialsError, Trials, TrialState
from tests.fakes import FrozenClock
from tests.web.reviewing import Previews

ANN = Actor("ann", "web 192.0.2.10")
FORGE = ServerConfig(name="forge", transport="stdio", command="npx", args=("-y", "@example/forge-mcp@1.8.0"))


@pytest.fixture
def previews() -> Previews:
    return Previews()


@pytest.fixture
def desk(tmp_path: Path, previews: Previews) -> Iterator[Desk]:
    url, clock = f"sqlite:///{tmp_path / 'driftwatch.db'}", FrozenClock()
    with Store.open(url, clock=clock) as store:
        settings = Settings(database_url=url, servers=(FORGE,))
        nothing = {"wake": lambda: None, "look": lambda _: None}
        yield Desk(store, settings, clock, secrets.token_bytes, previewing=previews, **nothing)


def done(previews: Previews, desk: Desk) -> None:
    """Let the preview that was begun last come to its end."""
    candidate, future = previews.asked[-1]
    future.set_result(Preview("forge", candidate, None, desk.clock()))


def test_only_so_many_previews_run_at_once_and_the_same_one_is_not_begun_twice(desk: Desk, previews: Previews) -> None:
    trials = Trials(desk)
    first, is_new = trials.begin("forge", "1.9.0", by=ANN)
    same, again = trials.begin("forge", "1.9.0", by=ANN)
    trials.begin("forge", "1.9.1", by=ANN)

    assert (is_new, again, same.id) == (True, False, first.id)
    with pytest.raises(TooManyTrialsError):
        trials.begin("forge", "1.9.2", by=ANN)

    done(previews, desk)

    assert trials.begin("forge", "1.9.2", by=ANN)[1]


def test_previews_that_are_over_are_remembered_until_newer_ones_took_their_place(
    desk: Desk, previews: Previews
) -> None:
    trials, ids = Trials(desk), list[str]()
    for number in range(KEPT + 3):
        ids.append(trials.begin("forge", f"2.0.{number}", by=ANN)[0].id)
        done(previews, desk)

    assert [one.id for one in trials.of("forge")] == ids[:2:-1]
    assert trials.of("other") == []
    with pytest.raises(UnknownIdError):
        trials.find(ids[0])


def test_a_preview_that_ended_before_it_was_asked_after_is_done(desk: Desk) -> None:
    def at_once(candidate: object, looked: object) -> Future[Preview]:
        looked(1)  # type: ignore[operator]
        future: Future[Preview] = Future()
        future.set_result(Preview("forge", candidate, None, desk.clock()))  # type: ignore[arg-type]
        return future

    made = Desk(desk.store, desk.settings, desk.clock, desk.random, wake=desk.wake, look=desk.look, previewing=at_once)
    trial, _ = Trials(made).begin("forge", "1.9.0", by=ANN)

    assert (trial.state, trial.looks, trial.ended_at) == (TrialState.DONE, 1, desk.clock())


def test_what_failed_says_why_and_no_more_than_that(desk: Desk, previews: Previews) -> None:
    trials = Trials(desk)
    known, _ = trials.begin("forge", "1.9.0", by=ANN)
    previews.asked[-1][1].set_exception(StoreError("The disk is full."))
    stopped, _ = trials.begin("forge", "1.9.1", by=ANN)
    previews.asked[-1][1].cancel()
    previews.asked[-1][1].set_running_or_notify_cancel()
    fault, _ = trials.begin("forge", "1.9.2", by=ANN)
    with capture_logs() as logged:
        previews.asked[-1][1].set_exception(ValueError("not for eyes"))

    told = [trials.find(one.id) for one in (known, stopped, fault)]
    assert {one.state for one in told} == {TrialState.FAILED}
    assert told[0].trouble == "The disk is full."
    assert "stopped" in told[1].trouble
    assert "not for eyes" not in told[2].trouble
    assert [line["action"] for line in logged] == ["preview-failed"]


def test_where_nobody_can_make_previews_that_is_said(desk: Desk) -> None:
    made = Desk(desk.store, desk.settings, desk.clock, desk.random, wake=desk.wake, look=desk.look)

    with pytest.raises(NoTrialsError):
        Trials(made).begin("forge", "1.9.0", by=ANN)
