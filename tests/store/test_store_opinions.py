"""Second opinions in the database: kept whole, owed until answered, and requests counted over all processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from store_world import MINUTE, START, Clock, dump, look, snapshot, tool

from driftwatch.model import Confidence, KeptOpinion, Opinion, Passage, Severity
from driftwatch.store import Store
from tests.blank import blank

ASKED = Passage(("Lists \ud800 notes.", "\x00"), ("hi",))
NONE = KeptOpinion("k1", Opinion("m", trouble="no answer in time"), START, START + MINUTE, ASKED, ("git",), 1)
SAID = Opinion("m", True, "secrecy", Confidence.HIGH, "quiet", "\x1b It hides.", was=Severity.LOW)
HOUR = timedelta(hours=1)


@pytest.fixture
def store(file: Path, clock: Clock) -> Store:
    return Store.open(blank(file), clock=clock)


def test_a_question_without_an_answer_comes_back_as_it_was_and_is_owed_when_it_is_due(store: Store) -> None:
    store.record_opinions([NONE])

    assert store.opinions(["k1", "k2"]) == {"k1": NONE}
    assert store.owed_opinions(START, limit=9) == []
    assert store.owed_opinions(START + MINUTE, limit=9) == [NONE]


def test_an_answer_ends_it_and_forgets_what_was_asked(store: Store, file: Path) -> None:
    store.record_opinions([NONE])
    answered = replace(NONE, opinion=SAID, again_at=START, tries=2)
    store.record_opinions([answered])

    kept = store.opinions(["k1"])["k1"]
    assert kept == replace(answered, again_at=None, passage=None, servers=())
    assert store.owed_opinions(START + HOUR, limit=9) == []
    assert len(dump(file)["opinions"]) == 1


def test_an_answer_that_is_there_stays(store: Store) -> None:
    store.record_opinions([replace(NONE, opinion=SAID)])
    store.record_opinions([NONE, replace(NONE, opinion=replace(SAID, injection=False))])

    assert store.opinions(["k1"])["k1"].opinion == SAID


def test_the_answer_makes_those_who_waited_be_judged_anew_but_not_the_one_that_is_judged_with_it(store: Store) -> None:
    shown = snapshot(tool("read"))
    for server in ("git", "mail", "files", "other"):
        store.record_look(look(server, shown))
    for server in ("git", "mail", "files"):
        store.record_opinions([replace(NONE, servers=(server,))])
    before = {name: state.judged for name, state in store.states().items()}

    store.record_opinions([replace(NONE, opinion=SAID, servers=("files",))], judging="files")

    after = {name: state.judged for name, state in store.states().items()}
    assert {name for name in after if after[name] != before[name]} == {"git", "mail"}


def test_requests_are_counted_by_the_hour_and_by_the_day(store: Store) -> None:
    def takes(at: datetime, times: int) -> int:
        return sum(store.take_opinion_request(at, per_hour=2, per_day=3) for _ in range(times))

    assert [takes(START, 3), takes(START + HOUR / 2, 1), takes(START + HOUR, 2), takes(START + 24 * HOUR, 3)] == [
        2,
        0,
        1,
        2,
    ]


def test_a_clock_that_was_set_back_does_not_block_requests(store: Store) -> None:
    store.take_opinion_request(START + 1_000 * HOUR, per_hour=1, per_day=1)

    assert store.take_opinion_request(START, per_hour=1, per_day=1)


def test_many_questions_are_found_at_once(store: Store) -> None:
    store.record_opinions(replace(NONE, key=f"k{number}") for number in range(3))

    assert store.opinions([f"k{number}" for number in range(1_200)]).keys() == {"k0", "k1", "k2"}
