"""What pages read of many servers at once, and what says that something is new."""

from __future__ import annotations

from datetime import timedelta

import pytest
from store_world import ACTOR, MINUTE, START, alert, delivery, finding, look, review, snapshot, told, tool

from driftwatch.judge.text.visible import visible
from driftwatch.model import AlertState, Arrival, Decision, Era, Kind, Severity, Silence, Unreachable
from driftwatch.store import Store

FIRST = snapshot(tool("read"), tool("write"))
SECOND = snapshot(tool("read", description="Reads, and more."), tool("send"))
DAY = timedelta(days=1)


def test_all_that_was_found_is_given_by_server_also_what_the_policy_hides(store: Store) -> None:
    hidden = finding("other-rule", hidden="volatile")
    store.record_look(look("git", FIRST, findings=(finding(), hidden)))
    store.record_look(look("mail", FIRST))

    assert store.all_findings() == {"git": (finding(), hidden)}


def test_a_server_counts_as_refused_by_the_last_decision_on_what_it_shows_now(store: Store) -> None:
    for name in ("git", "mail", "calm"):
        store.record_look(look(name, FIRST))
        store.reject(review(FIRST.digest, server=name, decision=Decision.REJECTED))
    store.approve(review(FIRST.digest, server="mail"), expected_baseline=FIRST.digest)
    store.record_look(look("calm", SECOND, baseline=FIRST.digest, at=START + MINUTE))

    assert store.refused_last() == {"git"}


# What is searched for, and which of the servers below have it in the name of a tool.
SEARCHES = [
    ("READ", {"git", "odd"}),
    ("send", {"git"}),
    ("write", set()),
    ("%", {"odd"}),
    ("_", set()),
    ("\u202e", {"odd"}),
    ('"', {"odd"}),
    ("\\", {"path"}),
    # What is no plain ASCII is kept escaped: it is found by what it is, in small and capital letters.
    ("é", {"café"}),
    ("É", {"café"}),
    ("CAFÉ-m", {"café"}),
    ("файл", {"файл"}),
    ("ФАЙЛ", {"файл"}),
    ("🔒", {"lock"}),
    ("\ud83d", set()),
    ("\ud800", {"half"}),
    # And not by how it is kept.
    ("u00e9", set()),
    ("\\u", set()),
    ("u202e", set()),
    ("d83d", set()),
]


def of_many_tongues(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("git", SECOND, baseline=FIRST.digest, at=START + MINUTE))
    store.record_look(look("odd", snapshot(tool('re%ad \u202e"'), tool("Reader"))))
    for name, shown in (
        ("path", "c:\\x"), ("café", "Café-Menü"), ("файл", "Файлы"), ("lock", "🔒"), ("half", "\ud800")
    ):  # fmt: skip
        store.record_look(look(name, snapshot(tool(shown))))


@pytest.mark.parametrize(("text", "found"), SEARCHES)
def test_servers_are_found_by_the_names_of_what_they_show_now(store: Store, text: str, found: set[str]) -> None:
    of_many_tongues(store)

    assert store.showing(text) == found
    assert store.showing(text, kind=Kind.PROMPT) == frozenset()


@pytest.mark.parametrize(("text", "found"), SEARCHES)
def test_items_are_found_by_their_names_as_servers_are(store: Store, text: str, found: set[str]) -> None:
    of_many_tongues(store)

    for name, state in store.states().items():
        page = store.item_page(state.last_digest, Kind.TOOL, text=text, after=None, limit=1)
        assert bool(page.items) == bool(page.found) == (name in found)


@pytest.mark.parametrize("text", ["\\u{202E}", "u{202e}", "re%ad \\u{202E}"])
def test_what_hides_is_found_by_what_a_person_sees_of_it(store: Store, text: str) -> None:
    of_many_tongues(store)
    digest = store.state("odd").last_digest

    assert store.showing(text) == frozenset()
    assert store.showing(text, spelled=visible) == {"odd"}
    found = store.item_page(digest, Kind.TOOL, text=text, spelled=visible, after=None, limit=5)
    assert [item.key for item in found.items] == ['re%ad \u202e"']


def test_new_lists_are_counted_by_the_day_and_loud_days_are_marked(store: Store) -> None:
    at = START
    for number, hours in enumerate((0, 1, 30)):
        at = START + timedelta(hours=hours)
        shown = (FIRST, SECOND)[number % 2]
        store.record_look(look("git", shown, baseline=FIRST.digest if number else None, at=at))
    store.record_look(look("mail", FIRST, at=at, alert=(told(alert(server="mail", opened_at=at)),)))
    low = alert("alr_2", server="low", opened_at=at, severity=Severity.LOW)
    store.record_look(look("low", FIRST, at=at, alert=(told(low),)))
    many = [f"s{number}" for number in range(1_200)]

    counted, loud = store.news(["git", "mail", "low", *many], since=START, every=DAY)

    assert counted == {"git": {0: 2, 1: 1}, "mail": {1: 1}, "low": {1: 1}}
    assert loud == {"mail": frozenset({1})}
    assert store.news(["git"], since=START + timedelta(hours=2), every=DAY)[0] == {"git": {1: 1}}
    assert store.news([], since=START, every=DAY) == ({}, {})


def test_the_story_is_read_from_its_end_in_stretches_that_leave_nothing_out(store: Store) -> None:
    for number in range(5):
        shown = (FIRST, SECOND)[number % 2]
        arrival = Arrival(previous=(FIRST, SECOND)[(number + 1) % 2].digest, quiet=60.0) if number else None
        baseline = FIRST.digest if number else None
        store.record_look(look("git", shown, baseline=baseline, at=START + number * MINUTE, arrival=arrival))

    newest, older = store.sightings_before("git", None, limit=2)
    middle, oldest = store.sightings_before("git", older, limit=2)
    last, end = store.sightings_before("git", oldest, limit=2)

    assert [*newest, *middle, *last] == store.sightings("git")[::-1]
    assert ([len(newest), len(middle), len(last)], end) == ([2, 2, 1], None)
    assert store.sightings_before("nobody", None, limit=2) == ([], None)


def test_items_come_a_page_at_a_time_in_their_order(store: Store) -> None:
    many = snapshot(*(tool(f"t{number:03}") for number in range(25)))
    store.record_look(look("git", many))
    found, after = [], None
    while True:
        part = store.item_page(many.digest, Kind.TOOL, after=after, limit=10)
        found += part.items
        after = part.after
        if after is None:
            break

    assert tuple(found) == many.items
    assert [item.key for item in store.item_page(many.digest, Kind.TOOL, text="T02", after=None, limit=3).items] == [
        "t020", "t021", "t022",
    ]  # fmt: skip
    assert store.item_page(many.digest, Kind.TOOL, text="t02", after=None, limit=3).found == 5
    assert store.item_page("", Kind.TOOL, after=None, limit=3).items == ()


def test_one_item_and_the_places_of_a_list_are_read_without_the_rest(store: Store) -> None:
    store.record_look(look("git", FIRST))
    read, write = FIRST.items

    assert store.item(FIRST.digest, read.place) == read
    assert store.item(FIRST.digest, (Kind.TOOL, "read", 1)) is None
    assert store.places([FIRST.digest, "none"]) == {
        FIRST.digest: {read.place: read.digest, write.place: write.digest},
        "none": {},
    }
    assert store.kinds(FIRST.digest) == {Kind.TOOL: 2}


def test_the_story_of_an_item_has_an_entry_where_it_changed_came_or_went(store: Store) -> None:
    same = snapshot(tool("read"), tool("more"))
    for number, shown in enumerate((FIRST, same, SECOND, snapshot(tool("other")), FIRST)):
        store.record_look(look("git", shown, baseline=FIRST.digest if number else None, at=START + number * MINUTE))
    place = FIRST.items[0].place

    story = store.item_sightings("git", place, limit=100)

    assert [(one.since - START) // MINUTE for one in story] == [0, 2, 3, 4]
    assert [one.item for one in story] == [FIRST.items[0].digest, SECOND.items[0].digest, "", FIRST.items[0].digest]
    assert len(store.item_sightings("git", place, limit=1)) == 1


# What is new


def moved(store: Store, act: object) -> set[str]:
    before = store.marks()
    assert callable(act)
    act()
    after = store.marks()
    return {topic for topic in after if after[topic] != before.get(topic)}


def test_a_mark_moves_with_what_it_stands_for_and_with_nothing_else(store: Store) -> None:
    store.record_look(look("git", FIRST))
    store.record_look(look("mail", FIRST))
    later = START + MINUTE
    quiet = Silence("sil_1", "git", "", "", Severity.LOW, "why", "ana", START, START + DAY)

    def touch() -> None:
        store.touch("git", at=later, next_at=None, era=Era.MODERN)

    def fail() -> None:
        store.record_failure("git", outcome=Unreachable("dns", ""), at=later, next_at=None, era=None)

    def change() -> None:
        rows = (told(alert(updated_at=later), delivery()),)
        store.record_look(look("git", SECOND, baseline=FIRST.digest, at=later, alert=rows))

    def resolve() -> None:
        over = alert(state=AlertState.RESOLVED, updated_at=later + MINUTE, resolved_at=later + MINUTE)
        store.record_alert(told(over, event=None))

    assert moved(store, lambda: None) == set()
    assert moved(store, touch) == {"looked:git"}
    assert moved(store, fail) == {"looked:git", "server:git"}
    assert moved(store, change) == {"looked:git", "server:git", "alerts", "deliveries"}
    assert moved(store, resolve) == {"alerts"}
    assert moved(store, lambda: store.add_silence(quiet, origin="cli")) == {"silences", "audit"}
    assert moved(store, lambda: store.end_silence("sil_1", at=later, by=ACTOR)) == {"silences", "audit"}
    assert moved(store, lambda: store.cancel_delivery("msg_1", by=ACTOR, now=later)) == {"deliveries", "audit"}
