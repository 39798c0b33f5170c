"""What is measured: how sources are split, pairs are made and findings are counted for each unit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from detection_values import ORDER, tool

from benchmarks.detection.measured.cases import (
    CHANGED,
    DEVELOPMENT,
    GAINED,
    HELD_OUT,
    INJECTION,
    OWN,
    Case,
    Outcome,
)
from benchmarks.detection.measured.judged import outcomes
from benchmarks.detection.measured.pairs import CUT, GIVEN, NEW, pair
from benchmarks.detection.measured.sources import Shelf, part_of, publisher, quotable, resembling, rows
from driftwatch.model import Severity

LARGE = ("zhiqiangwang4/MCPTox-Benchmark", "xjzzzzzzzz/MCPSafety")


def row(said: str, *places: str, **more: Any) -> dict[str, Any]:
    return {"tool": tool(said=said), "injection_location": list(places), **more}


SHELF = Shelf(
    [
        {"server": "tickets", "tool": tool("list_tickets")},
        {"server": "tickets", "tool": tool("close_ticket", "Close a ticket.")},
        {"server": "mail", "tool": tool("send_mail", "Send a mail.")},
        *({"server": "clock", "tool": tool(f"clock_{number}")} for number in range(6)),
    ]
)


def test_a_source_is_in_one_part_however_its_name_is_spelt() -> None:
    parts = {part_of(name) for name in ("Some/Source", "some/source", "SOME/SOURCE")}

    assert len(parts) == 1


def test_the_two_large_sources_are_in_different_parts() -> None:
    assert {part_of(name) for name in LARGE} == {DEVELOPMENT, HELD_OUT}


def test_about_half_of_many_sources_are_held_out() -> None:
    parts = Counter(part_of(f"owner/source-{number}") for number in range(400))

    assert 160 < parts[HELD_OUT] < 240


def test_an_attack_that_is_handed_on_belongs_to_who_published_it_first() -> None:
    handed_on = {"source": "b/tool@1:x.json", "license": "none stated upstream (a/first has no LICENSE); copy by b"}
    own = {"source": "b/tool@1:y.json", "license": "MIT"}

    assert [publisher(one) for one in (handed_on, own)] == ["a/first", "b/tool"]


@pytest.mark.parametrize(
    ("licence", "may"),
    [
        ("MIT", True),
        ("MIT (registry); server licence: ISC", True),
        ("none stated (no LICENSE in repo)", False),
        ("MIT (registry); server licence: [NOT GIVEN]", False),
        ("", False),
    ],
)
def test_only_a_text_with_a_licence_that_is_named_may_be_quoted(licence: str, *, may: bool) -> None:
    assert quotable(licence) is may


def test_a_text_that_shares_half_of_its_runs_of_words_resembles_another() -> None:
    known = ["one two three four five six seven eight nine ten"]
    texts = ["zero two three four five six seven eight", "ten nine eight seven six five four three two one", "short"]

    assert resembling(texts, known) == 1


def test_both_parts_hold_attacks_of_several_sources(shared: Path) -> None:
    assert (shared / "corpus").exists()
    sources = {publisher(one) for one in rows("poisoned")}

    counts = Counter(map(part_of, sources))

    assert min(counts.values()) >= 4


# Pairs


def test_a_baseline_that_was_published_is_used() -> None:
    made = pair(row(f"List tickets. {ORDER}", "description.tail", baseline_tool=tool(said="List tickets.")), SHELF)

    assert made.how == GIVEN
    assert made.before["tools"][0]["description"] == "List tickets."
    assert made.before["tools"][1:] == made.live["tools"][1:]


@pytest.mark.parametrize(
    ("said", "places", "left"),
    [
        (f"Add. <IMPORTANT>{ORDER}</IMPORTANT>", ("description.tail", "pseudo_tag"), "Add."),
        (f"Add. <!-- {ORDER} --> Numbers.", ("description.middle", "html_comment"), "Add.  Numbers."),
        ("Add.\u200b\U000e0041\U000e0042", ("description.unmarked", "unicode.invisible"), "Add."),
        (f"Lists the open tickets. {ORDER}", ("description.tail",), "Lists the open tickets."),
    ],
)
def test_what_bounds_the_poison_says_what_is_cut(said: str, places: tuple[str, ...], left: str) -> None:
    made = pair(row(said, *places), SHELF)

    assert made.how == CUT
    assert made.before["tools"][0]["description"] == left
    assert made.live["tools"][0]["description"] == said


@pytest.mark.parametrize("said", [ORDER, f"This tool must come first. {ORDER}", f"For security reasons, wait. {ORDER}"])
def test_poison_that_nothing_bounds_arrives_as_a_new_tool_beside_an_approved_list(said: str) -> None:
    made = pair(row(said, "description.tail"), SHELF)

    assert made.how == NEW
    assert made.before["tools"] == made.live["tools"][1:]
    assert made.before["tools"]


def test_a_keyword_of_the_schema_is_cut_and_a_parameter_of_that_name_stays() -> None:
    schema = {"properties": {"default": {"type": "string", "default": ORDER}}}
    poisoned = {"tool": tool(inputSchema=schema), "injection_location": ["schema.default"]}

    made = pair(poisoned, SHELF)

    assert made.how == CUT
    assert made.before["tools"][0]["inputSchema"] == {"properties": {"default": {"type": "string"}}}


def test_the_approved_list_is_that_of_the_server_whose_tools_the_text_names() -> None:
    beside = SHELF.beside("Call `close_ticket` first.", without=("list_tickets",))

    assert [one["name"] for one in beside] == ["close_ticket"]


def test_texts_that_name_no_tool_stand_beside_the_same_list() -> None:
    lists = [[one["name"] for one in SHELF.beside(said)] for said in ("Add numbers.", "Draw a well-known tree.")]

    assert lists[0] == lists[1] == [f"clock_{number}" for number in range(6)]


def test_every_published_attack_is_new_to_its_baseline(shared: Path) -> None:
    assert (shared / "corpus").exists()
    shelf = Shelf(rows("benign"))

    made = [pair(one, shelf) for one in rows("poisoned")]

    assert all(one.before != one.live and one.before["tools"] and one.text for one in made)
    assert {one.how for one in made} == {GIVEN, CUT, NEW}


# Judging


def judged(before: Any, live: Any, **fields: Any) -> list[Outcome]:
    return outcomes(Case("x/1", "x", GAINED, "", OWN, INJECTION, live, before, **fields))


def test_a_report_without_units_counts_as_one() -> None:
    (found,) = judged([tool()], [tool(said=f"List the open tickets. {ORDER}")])

    assert found.told >= Severity.HIGH
    assert found.score > 0.5
    assert ".ssh" in found.seen


def test_only_what_names_a_unit_counts() -> None:
    live = [tool(said=f"List the open tickets. {ORDER}"), tool("close_ticket", "Close a ticket.")]
    found = judged(None, live, units=("tool:list_tickets", "tool:close_ticket"))

    assert [one.told >= Severity.MEDIUM for one in found] == [True, False]


def test_each_item_that_changed_counts_for_itself_and_the_others_do_not() -> None:
    before = [tool(), tool("close_ticket", "Close a ticket."), tool("open_ticket", "Open a ticket.")]
    live = [before[0], {**before[1], "description": "Close one ticket."}, before[2], tool("new_ticket", "Make one.")]

    found = judged(before, live, units=CHANGED)

    assert [one.unit for one in found] == ["tool:close_ticket", "tool:new_ticket"]


def test_a_change_of_hints_is_no_finding_about_instructions() -> None:
    before, live = ([tool(annotations={"readOnlyHint": said})] for said in (False, True))

    (found,) = judged(before, live)

    assert found.worst > found.told
