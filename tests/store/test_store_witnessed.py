"""What is kept of looks of witnesses: each once, and never so many that a hostile server fills the database."""

from __future__ import annotations

from base64 import b85encode
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from store_world import ACTOR, MINUTE, START, look, snapshot, testimony, tool

from driftwatch.errors import TooManyLooksError, UnknownDigestError, UnknownWitnessError, WitnessNeededError
from driftwatch.model import Face, Kind, Severity, Snapshot, TestimonyState, Verdict
from driftwatch.store import Store
from driftwatch.store.witnessed import MOST_PENDING, MOST_SESSIONS, MOST_SETTLED, MOST_WAITING
from driftwatch.store.witnesses import MOST_WITNESSES, UNHEARD

S = TestimonyState
OURS = snapshot(tool("read"))


@pytest.fixture(autouse=True)
def looked_at(store: Store) -> None:
    store.record_look(look("git", OURS))


def other(number: int) -> Snapshot:
    return snapshot(tool("read", description=f"Reads {number}."))


def waits(store: Store, number: int, *, size: int = 1, **more: object) -> None:
    document = {"tools": [{"name": "read", "description": f"{number} " * size}]}
    given = {"state": S.PENDING, "number": number, **more}
    store.take_testimony(testimony("git", other(number), **given), document=(document, ()))


def test_a_look_is_kept_once_however_often_it_is_handed_in(store: Store) -> None:
    kept, first = store.take_testimony(testimony("git", OURS), shown=OURS)
    again, second = store.take_testimony(testimony("git", OURS), shown=OURS)

    assert (first, second, kept.id) == (True, False, again.id)
    assert [one.times for one in store.testimonies("git")] == [2]


def test_it_comes_back_as_it_was_handed_in(store: Store) -> None:
    given = testimony(
        "git",
        OURS,
        tool="\ud800\x00",
        client="\u202e",
        noticed=("tools", "prompts"),
        calls=2**40,
        unseen=True,
        partial=frozenset({Kind.TOOL}),
        shown_at=START,
        heeded=3,
        gaps=4,
    )

    kept, _ = store.take_testimony(given, shown=OURS)

    assert store.testimonies("git") == [replace(given, id=kept.id)]


def test_of_a_session_that_changes_without_end_the_first_look_and_the_newest_wait(store: Store) -> None:
    for number in range(1, 60):
        waits(store, number)

    assert [one.number for one in store.testimonies("git")] == [1, 59]


def test_quiet_sessions_are_forgotten_the_oldest_first(store: Store) -> None:
    for number in range(MOST_SESSIONS * 2 + 10):
        store.take_testimony(testimony("git", OURS, session=f"{number}"), shown=OURS)

    sessions = [one.session for one in store.testimonies("git")]
    assert len(sessions) == MOST_SESSIONS * 2
    assert sessions[-1] == f"{MOST_SESSIONS * 2 + 9}"


def test_what_stands_is_never_dropped(store: Store) -> None:
    shown = other(0)
    kept, _ = store.take_testimony(testimony("git", shown, state=S.FLIPPED, number=2), shown=shown)
    for number in range(3, 60):
        waits(store, number)
    for number in range(MOST_SETTLED + 10):
        listed = other(1000 + number)
        store.take_testimony(testimony("git", listed, session=f"{number}", state=S.LEARNED), shown=listed)

    rows = store.testimonies("git")
    assert kept.id in {one.id for one in rows}
    assert sum(one.state is S.LEARNED for one in rows) == MOST_SETTLED


def test_more_bytes_than_may_wait_are_refused_and_what_waits_stays(store: Store) -> None:
    waits(store, 1)
    noise = b85encode(Random(1).randbytes(MOST_WAITING)).decode("ascii")

    with pytest.raises(TooManyLooksError):
        store.take_testimony(testimony("git", other(2), state=S.PENDING), document=({"instructions": noise}, ()))

    assert [one.number for one in store.testimonies("git")] == [1]


def test_more_looks_than_may_wait_are_refused_since_the_next_look_has_to_compare_them_all(store: Store) -> None:
    for number in range(MOST_PENDING):
        waiting = testimony("git", other(1), session=f"{number}", state=S.PENDING)
        store.take_testimony(waiting, document=({"tools": []}, ()))

    with pytest.raises(TooManyLooksError):
        store.take_testimony(testimony("git", other(2), state=S.PENDING), document=({"tools": []}, ()))
    assert store.take_testimony(testimony("git", OURS, session="b2"), shown=OURS)[1]


def test_a_name_for_each_session_is_refused(store: Store) -> None:
    for number in range(MOST_WITNESSES):
        store.take_testimony(testimony("git", OURS, witness=f"host {number}"), shown=OURS)

    with pytest.raises(TooManyLooksError, match="witnesses already"):
        store.take_testimony(testimony("git", OURS, witness="one more"), shown=OURS)
    assert store.take_testimony(testimony("git", OURS, witness="host 3", session="b2"), shown=OURS)[1]


def test_a_prompt_s_body_is_known_whoever_saw_it(store: Store) -> None:
    body = Snapshot(OURS.items, OURS.digest, frozenset({Kind.PROMPT_BODY}))
    given = testimony("git", body, prompt="review", state=S.LEARNED)

    store.take_testimony(given, shown=body)
    _, is_news = store.take_testimony(replace(given, witness="cursor", session="z9"), shown=body)

    assert not is_news


def test_one_who_settles_what_somebody_else_settled_meanwhile_changes_nothing(store: Store) -> None:
    waits(store, 1)
    (before,) = store.testimonies("git")
    settled = replace(before, state=S.FLIPPED, severity=Severity.CRITICAL, settled_at=START)

    first = store.settle_testimony(before, settled, face=None, kept=[other(1)])
    second = store.settle_testimony(before, replace(settled, state=S.SAME), face=None)

    assert (first, second) == (True, False)
    assert [one.state for one in store.testimonies("git")] == [S.FLIPPED]
    assert store.held_testimony(before) is None


def test_identities_that_are_gone_are_forgotten_and_witnesses_stay(store: Store) -> None:
    for name in ("cursor", "witness of desktop"):
        store.record_face(Face("git", name, Verdict.SAME))

    store.forget_faces("git", keep=())

    assert [one.identity for one in store.faces("git")] == ["witness of desktop"]


def test_a_list_of_an_agent_is_found_by_its_digest_and_is_none_that_could_be_approved(store: Store) -> None:
    shown = other(1)
    store.take_testimony(testimony("git", shown, state=S.FLIPPED, before=OURS.digest), shown=shown)

    assert store.resolve_seen("git", shown.digest) == shown.digest
    with pytest.raises(UnknownDigestError):
        store.resolve_seen("git", other(2).digest)
    with pytest.raises(UnknownDigestError):
        store.resolve_digest("git", shown.digest)


# Names


def heard_of(store: Store, name: str, **more: Any) -> None:
    at = more.pop("received_at", START)
    kept = replace(testimony("git", OURS, witness=name, **more), received_at=at)
    store.take_testimony(kept, shown=OURS, face=Face("git", kept.identity, looked_at=kept.received_at))


def test_the_refusal_of_a_name_says_how_to_make_room(store: Store) -> None:
    for number in range(MOST_WITNESSES):
        heard_of(store, f"host {number}")

    with pytest.raises(TooManyLooksError) as raised:
        heard_of(store, "one more")

    assert "driftwatch witness forget git WITNESS" in raised.value.hint


def test_a_name_that_was_not_heard_of_for_long_makes_room_and_the_longest_of_them_does(store: Store) -> None:
    for number in range(MOST_WITNESSES):
        heard_of(store, f"host {number}", received_at=START + number * MINUTE)
    late = START + UNHEARD + 2 * MINUTE + timedelta(seconds=1)

    heard_of(store, "new", received_at=late)
    heard_of(store, "newer", received_at=late)
    heard_of(store, "newest", received_at=late)
    with pytest.raises(TooManyLooksError):
        heard_of(store, "one more", received_at=late)

    names = {one.witness for one in store.testimonies("git")}
    assert not names & {"host 0", "host 1", "host 2"}
    assert len(names) == MOST_WITNESSES


@pytest.mark.parametrize("state", [S.FLIPPED, S.HELD, S.APART, S.PENDING])
def test_a_name_for_which_something_stands_or_waits_makes_no_room_and_is_not_forgotten(store: Store, state: S) -> None:
    heard_of(store, "needed", state=state)
    for number in range(MOST_WITNESSES - 1):
        heard_of(store, f"host {number}", received_at=START + UNHEARD)

    with pytest.raises(TooManyLooksError):
        heard_of(store, "new", received_at=START + UNHEARD + MINUTE)
    with pytest.raises(WitnessNeededError):
        store.forget_witness("git", "needed", by=ACTOR)
    assert "needed" in {one.witness for one in store.testimonies("git")}


def test_a_name_of_which_something_could_not_be_read_is_not_forgotten_before_a_decision(store: Store) -> None:
    heard_of(store, "lossy", gaps=1)

    with pytest.raises(WitnessNeededError):
        store.forget_witness("git", "lossy", by=ACTOR)


def test_who_is_forgotten_leaves_nothing_but_a_line_in_the_log(store: Store) -> None:
    heard_of(store, "cursor")
    heard_of(store, "desktop")

    store.forget_witness("git", "cursor", by=ACTOR)

    (entry,) = store.audit(limit=1)
    assert (entry.action, entry.server, entry.details["witness"]) == ("witness-forgotten", "git", "cursor")
    assert [one.witness for one in store.testimonies("git")] == ["desktop"]
    assert [one.identity for one in store.faces("git")] == ["witness of desktop"]
    with pytest.raises(UnknownWitnessError):
        store.forget_witness("git", "cursor", by=ACTOR)
