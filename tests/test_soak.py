"""The soak: its plan can be played again, and its checks see what is wrong. The soak itself is `make soak`."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from benchmarks.soak.checks import Check, checks
from benchmarks.soak.measured import Sample
from benchmarks.soak.plan import BACK, DOWN, ERAS, ORDER, TURN, UP, Act, Pace, members
from benchmarks.soak.plots import Picture, draw
from benchmarks.soak.receiver import Told, told
from benchmarks.soak.record import Deed, Quiet, Record
from benchmarks.soak.report import text
from benchmarks.soak.shown import tools
from driftwatch import compare

PACE = Pace(10)


def message(event: str, at: float, **fields: object) -> Told:
    plain = Told(at, f"msg_{at}", event, "s0000", "drift", "alr_1", "high", (), (), ())
    return replace(plain, **fields)


def good() -> Record:
    """Give a run of one server that turned, went back, was away and came back; all of it was told."""
    deeds = [
        Deed(100, "s0000", TURN, ORDER, "q0000n1"),
        Deed(200, "s0000", BACK, "", ""),
        Deed(300, "s0000", DOWN, "status", ""),
        Deed(500, "s0000", UP, "", ""),
    ]
    return Record(
        seed=1,
        minutes=10,
        pace=PACE,
        members=members(seed=1, servers=1, seconds=0, pace=PACE),
        began=50,
        ended=600,
        deeds=deeds,
        told=[
            message("opened", 105, marks=("q0000n1",)),
            message("resolved", 210, others=("q0000n1",)),
            message("opened", 340, kind="health", severity="medium"),
            message("resolved", 510, kind="health", severity="medium"),
        ],
        samples=[Sample(60 + 10 * turn, 1, 180, turn, 30, 9, 5, 0, 1, 1, 0) for turn in range(50)],
        quiets=[Quiet("before", 60, 80, {"looks": 3}, {"looks": 3}, 9)],
        codes={"SIGTERM": 0},
    )


def broken(record: Record) -> list[str]:
    return [one.name for one in checks(record) if not one.holds]


def test_a_plan_is_the_same_for_the_same_seed_and_has_every_kind_of_server() -> None:
    one, again, other = (members(seed=seed, servers=40, seconds=600, pace=PACE) for seed in (1, 1, 2))

    assert one == again != other
    assert {member.speaks for member in one} == {name for name, _ in ERAS}
    assert {act.kind for member in one for act in member.acts} == {TURN, BACK, DOWN, UP}


def test_each_turn_is_as_bad_as_the_plan_says_and_its_mark_stands_in_what_is_found() -> None:
    turn = Act(0, TURN, ORDER, "q0003n1")

    findings = compare({"tools": tools(3, None)}, {"tools": tools(3, turn)}).findings

    assert "high" in {one.severity.value for one in findings}
    assert any("q0003n1" in str(one.after) for one in findings)


def test_a_run_in_which_all_was_told_holds() -> None:
    assert broken(good()) == []


@pytest.mark.parametrize(
    ("gone", "broke"),
    [
        (0, ["every turn that stood long enough was told"]),
        (1, ["every alert that was over was resolved"]),
        (2, ["every absence of three looks was told"]),
        (3, ["every alert that was over was resolved"]),
    ],
)
def test_a_message_that_is_missing_is_missed(gone: int, broke: list[str]) -> None:
    record = good()
    del record.told[gone]
    record.told = [replace(one, others=()) for one in record.told]

    assert broken(record) == broke


@pytest.mark.parametrize(
    ("more", "broke"),
    [
        (message("updated", 150, id="msg_other", marks=("q0000n1",)), ["no turn was told twice with different ids"]),
        (message("updated", 150, marks=("q0000n9",)), ["nothing was told that never happened"]),
        (message("opened", 60, kind="health"), ["nothing was told that never happened"]),
        (message("opened", 150, server="", kind="audit"), ["nothing was told that never happened"]),
    ],
)
def test_a_message_too_many_is_seen(more: Told, broke: list[str]) -> None:
    record = good()
    record.told.insert(1, more)

    assert broken(record) == broke


def test_a_message_that_comes_again_with_its_id_is_no_second_one() -> None:
    record = good()
    record.told.append(record.told[0])

    assert [one.name for one in checks(record) if "twice" in one.name and not one.holds] == []


def test_rows_memory_lost_looks_and_late_ones_are_seen() -> None:
    record = good()
    record.quiets = [replace(record.quiets[0], after={"looks": 4})]
    record.samples = [Sample(60 + 60 * turn, 1, 180 + turn, turn, 30, 9, 5, 0, 1, 1, 0) for turn in range(60)]
    record.listed = {"s0000": [60, 99]}
    record.troubles = [{"action": "look-lost", "event": "a look could not be recorded"}]
    record.codes["audit verify"] = 1

    found = [one.measured for one in checks(record) if not one.holds]

    assert len(found) == 5
    assert any("+60.0 MiB an hour" in said for said in found)


def test_what_a_receiver_is_told_is_read_for_the_marks_of_turns() -> None:
    finding = {"rule": "x", "new": True, "after": "Edition q0007n2.", "spans": []}
    data = {"server": "s0007", "kind": "drift", "alert": "alr_1", "severity": "low", "findings": [finding]}

    opened, over = (
        told({"type": f"driftwatch.alert.{event}", "data": data}, "msg", 1.0) for event in ("opened", "resolved")
    )

    assert (opened.marks, opened.others) == (("q0007n2",), ())
    assert (over.marks, over.others) == ((), ("q0007n2",))


def test_a_report_shows_what_did_not_hold_and_its_pictures_can_be_read() -> None:
    page = text(good(), [Check("all is well", False, "nothing", ("s0000: it is not",))], "pictures")
    root = ET.fromstring(draw(Picture("Memory <&>", "MiB", [(0, 1.0), (1, 250.0), (2, 3.0)], [(1.5, "kill -9")])))

    assert "| **no** | all is well | nothing |" in page
    assert "- s0000: it is not" in page
    assert "(pictures/soak-memory.svg)" in page
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 2
