"""What the overview and the page of a server are made of, as pure values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import (
    Ahead,
    AlertKind,
    AlertState,
    Arrival,
    Baseline,
    BaselineState,
    Decision,
    Item,
    Kind,
    Review,
    ServerState,
    Severity,
    Sighting,
)
from driftwatch.review.standing import Stand, Standing
from driftwatch.store.records import AlertOutline
from driftwatch.web.links import item_href, read_key
from driftwatch.web.live import news
from driftwatch.web.pages.rows import Picked, labels_of, next_words, page_of, picked, server_rows
from driftwatch.web.pages.spark import DAYS, HEIGHT, WIDTH, spark
from driftwatch.web.pages.timeline import NAMED, Turn, moved, timeline, within
from driftwatch.web.pages.tools import tool_row

NOW = datetime(2026, 3, 1, 3, 0, tzinfo=UTC)


def at(hours: float) -> datetime:
    return NOW + timedelta(hours=hours)


def server(name: str, **labels: str) -> ServerConfig:
    return ServerConfig(name=name, transport="http", url=f"https://mcp.example.com/{name}", labels=labels)


def drift_on(name: str, *, muted: bool = False, state: AlertState = AlertState.OPEN) -> AlertOutline:
    return AlertOutline("alr_1", name, AlertKind.DRIFT, state, Severity.HIGH, NOW, NOW, muted, frozenset())


def stand(standing: Standing, worst: Severity | None = None, *, rejected: bool = False) -> Stand:
    return Stand(standing, standing.value, worst, rejected)


SETTINGS = Settings(servers=(server("b", team="web"), server("a"), server("c", team="office"), server("d")))
STANDS = {
    "a": stand(Standing.CLEAN),
    "b": stand(Standing.DRIFT, Severity.LOW),
    "c": stand(Standing.DRIFT, Severity.CRITICAL),
    "d": stand(Standing.FAILED),
    "e": stand(Standing.UNKNOWN),
    "f": stand(Standing.DRIFT, Severity.CRITICAL, rejected=True),
}
STATES = {
    "c": ServerState("c", calm_at=at(1)),
    "d": ServerState("d", failures=2, last_ok_at=at(-5), last_outcome="unreachable:dns", last_detail="no such name"),
}
ROWS = server_rows(SETTINGS, STANDS, STATES, [drift_on("b", muted=True), drift_on("c", state=AlertState.ACKNOWLEDGED)])


def names(wanted: Picked) -> list[str]:
    return [row.name for row in picked(ROWS, wanted)]


# Rows


def test_what_waits_for_a_review_comes_first_the_worst_first_and_what_was_rejected_does_not_wait() -> None:
    assert [row.name for row in ROWS] == ["c", "b", "f", "d", "a", "e"]
    assert [row.pending for row in ROWS] == [True, True, False, False, False, False]


def test_chips_say_in_words_how_a_server_stands() -> None:
    chips = {row.name: [chip.words for chip in row.chips] for row in ROWS}

    assert chips == {
        "a": ["reviewed and quiet"],
        "b": ["changed: review it", "low", "silenced"],
        "c": ["changed: review it", "critical", "goes to and fro", "acknowledged"],
        "d": ["cannot be looked at"],
        "e": ["not in the configuration"],
        "f": ["rejected, still shown", "critical"],
    }


def test_a_server_that_cannot_be_looked_at_says_since_when_and_why() -> None:
    (note,) = [row.note for row in ROWS if row.name == "d"]

    assert note == "since 2026-02-28 22:00 UTC: dns: no such name"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Picked(), ["c", "b", "f", "d", "a", "e"]),
        (Picked(state="review"), ["c", "b"]),
        (Picked(state="flapping"), ["c"]),
        (Picked(state="silenced"), ["b"]),
        (Picked(state="no such state"), []),
        (Picked(severity="high"), ["c", "f"]),
        (Picked(severity="no such severity"), []),
        (Picked(label="team=web"), ["b"]),
        (Picked(text="OFFICE"), ["c"]),
        (Picked(text="nothing", named={"a"}), ["a"]),
        (Picked(state="review", label="team=web", severity="critical"), []),
    ],
)
def test_servers_are_picked_by_state_severity_label_and_text(wanted: Picked, found: list[str]) -> None:
    assert names(wanted) == found
    assert bool(wanted) == (wanted != Picked())


def test_a_page_goes_on_after_a_name_and_begins_anew_where_that_one_is_gone() -> None:
    first, following = page_of(ROWS, "", 4)
    last, end = page_of(ROWS, following, 4)

    assert ([row.name for row in first], following) == (["c", "b", "f", "d"], "d")
    assert ([row.name for row in last], end) == (["a", "e"], "")
    assert page_of(ROWS, "gone", 2)[0] == ROWS[:2]


def test_labels_are_offered_once_and_in_order() -> None:
    assert labels_of(SETTINGS) == ["team=office", "team=web"]


@pytest.mark.parametrize(
    ("detail", "failures", "late", "words"),
    [
        ("ttl", 0, None, "then its list is no longer fresh"),
        ("default", 0, None, "the configured interval"),
        ("floor", 0, None, "the shortest interval: its list is fresh for less"),
        ("ceiling", 0, None, "the longest interval: its list is fresh for more"),
        ("refused", 1, None, "later each time: 1 look failed in a row"),
        ("refused", 3, None, "later each time: 3 looks failed in a row"),
        ("ttl", 0, timedelta(hours=2), "overdue: is the daemon running?"),
        ("a detail of another version", 0, None, ""),
    ],
)
def test_it_is_said_why_the_next_look_comes_when_it_comes(
    detail: str, failures: int, late: timedelta | None, words: str
) -> None:
    state = ServerState("a", next_look_at=at(1), last_detail=detail, failures=failures)

    assert next_words(state, Stand(Standing.CLEAN, "", late=late)) == words
    assert next_words(state, Stand(Standing.OFF, "")) == ""


# Sparklines


def test_a_sparkline_has_a_bar_for_each_day_with_news_and_says_the_same_in_words() -> None:
    drawn = spark({0: 1, 29: 3}, {29})

    assert [(bar.x, bar.loud) for bar in drawn.bars] == [(0, False), (87, True)]
    assert drawn.words == "4 new lists in 30 days, alerts of high or more on 1 day"
    assert spark({}, ()).words == "no new list in 30 days"


@pytest.mark.parametrize("day", [-1, 0, DAYS - 1, DAYS, 400])
@pytest.mark.parametrize("count", [0, 1, 4, 10_000])
def test_no_bar_leaves_the_picture(day: int, count: int) -> None:
    (bar,) = spark({day: count}, {day}).bars

    assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
    assert 0 < bar.y <= bar.y + bar.height <= HEIGHT


# The story


def seen(digest: str, hours: float, previous: str = "", looks: int = 1) -> Sighting:
    arrival = Arrival(previous, 60.0, versions=("1.0", "1.1")) if previous else None
    return Sighting("a", digest, at(hours), at(hours + 0.5), looks, arrival)


LISTS = {
    "one": {(Kind.SERVER, "", 0): "s", (Kind.TOOL, "x", 0): "1", (Kind.TOOL, "y", 0): "2"},
    "two": {(Kind.SERVER, "", 0): "s", (Kind.TOOL, "x", 0): "3", (Kind.TOOL, "z", 1): "2"},
}


def test_items_are_added_removed_or_changed_and_named_with_what_they_are() -> None:
    found = moved(LISTS["one"], LISTS["two"])

    assert [(one.turn, one.words) for one in found] == [
        (Turn.CHANGED, "tool x"),
        (Turn.REMOVED, "tool y"),
        (Turn.ADDED, "tool z (number 2 of that name)"),
    ]
    assert moved(LISTS["one"], LISTS["one"]) == []


def test_the_story_tells_of_lists_decisions_and_approvals_ahead_newest_first() -> None:
    rejected = Review("a", "two", Decision.REJECTED, "bob", "cli bob@desk", at(3), "no", items=((Kind.TOOL, "x", 0),))
    ahead = Ahead("ahd_1", "a", "three", "", "1.2", "ann", "web", at(4), at(40), ended_at=at(5), ended_by="bob")
    entries = timeline(
        [seen("two", 2, "one", looks=3), seen("one", 0)],
        LISTS,
        reviews=[Review("a", "one", Decision.APPROVED, "ann", "", at(1)), rejected],
        baselines=[Baseline("a", "one", BaselineState.PROVISIONAL, at(0.1))],
        aheads=[ahead],
    )

    assert [one.title for one in entries] == [
        "The approval ahead was ended by bob",
        "Approved ahead by ann for version 1.2",
        "Rejected by bob: 1 item of it",
        "Began to show another list: 1 added, 1 removed, 1 changed",
        "Approved by ann",
        "Stands in as the baseline until somebody approves a list",
        "First seen, with 2 tools",
    ]
    assert entries[3].details == ("seen in 3 looks", "version 1.0 → 1.1")
    assert (entries[3].previous, entries[3].until) == ("one", at(2.5))
    assert [one.title for one in within(entries, since=at(1), before=at(3))] == [entries[3].title, entries[4].title]


def test_the_story_says_that_a_server_came_back_to_what_was_approved() -> None:
    approved = Review("a", "one", Decision.APPROVED, "ann", "", at(1))
    seen_again = [seen("one", 3, "two"), seen("two", 2, "one"), seen("one", 0)]
    entries = timeline(seen_again, LISTS, reviews=[approved], baselines=(), aheads=())

    assert ["back to a list that was approved" in one.details for one in entries] == [True, False, False, False]


def test_a_list_with_a_thousand_changes_names_a_few_and_counts_all() -> None:
    many = {(Kind.TOOL, f"t{number}", 0): "1" for number in range(1_000)}
    (entry, _) = timeline(
        [seen("many", 1, "none"), seen("none", 0)], {"many": many, "none": {}}, reviews=(), baselines=(), aheads=()
    )

    assert (len(entry.moved), entry.total) == (NAMED, 1_000)


# Tools


def test_a_tool_is_read_both_ways_where_the_two_readings_differ() -> None:
    bare = tool_row(Item(Kind.TOOL, "x", {"name": "x"}, "sha256:0"))
    said = tool_row(
        Item(Kind.TOOL, "x", {"name": "x", "annotations": {"readOnlyHint": True, "openWorldHint": False}}, "")
    )

    assert [len(one.dangers) for one in bare.admitted] == [4, 0]
    assert bare.declared == ()
    assert [(one.reading, one.dangers) for one in said.admitted] == [("", ())]
    assert said.declared == (("readOnlyHint", "said true"), ("openWorldHint", "said false"))
    assert said.hosts


@pytest.mark.parametrize(
    "raw", [None, [], "text", {"annotations": 7, "description": ["a"]}, {"annotations": {"readOnlyHint": "yes"}}]
)
def test_a_tool_may_be_anything(raw: object) -> None:
    assert tool_row(Item(Kind.TOOL, "", raw, "")).description == ""


# Addresses and news


@pytest.mark.parametrize("key", ["plain", "a b&c=d#e?f/../g", "\x00\x1b", "ünï", "\udc80\ud800", '"\\', ""])
def test_every_name_of_an_item_survives_its_address(key: str) -> None:
    from urllib.parse import parse_qs, urlsplit

    address = urlsplit(item_href("a", (Kind.TOOL, key, 2), "sha256:12"))
    asked = {name: value for name, (value,) in parse_qs(address.query, keep_blank_values=True).items()}

    assert address.path == "/servers/a/items/tool"
    assert read_key(asked.get("key", ""), asked.get("wire", "")) == key
    assert (asked["occurrence"], asked["digest"]) == ("2", "sha256:12")


def test_what_is_no_name_is_none() -> None:
    assert read_key("", 'a"b') is None


def test_news_are_the_topics_whose_mark_moved() -> None:
    assert news({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "d": 4}) == {"b", "c", "d"}
