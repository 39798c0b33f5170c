"""What is written about it: shares, the curve, the lists with what is kept back from them, and the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from detection_values import ORDER, outcome, tool

from benchmarks.detection import run, speed
from benchmarks.detection.measured import gained, worst
from benchmarks.detection.measured.cases import (
    DEVELOPMENT,
    FIRST_SIGHT,
    GAINED,
    HELD_OUT,
    HONEST,
    INJECTION,
    OWN,
    UNSEEN,
)
from benchmarks.detection.measured.curve import draw, points
from benchmarks.detection.measured.judged import outcomes
from benchmarks.detection.measured.page import page
from benchmarks.detection.measured.sources import Shelf, rows
from benchmarks.detection.measured.tables import Share, apart, by_kind, per_server, pick
from driftwatch.model import Severity


def test_an_average_over_servers_gives_each_the_same_weight() -> None:
    found = [outcome(server="small", told=Severity.HIGH), *(outcome(server="large") for _ in range(9))]

    assert per_server(found, Severity.MEDIUM) == (0.5, 2)


def test_an_interval_holds_the_share_and_narrows_with_the_number() -> None:
    assert Share(5, 10).between() == "24%–76%"
    assert Share(500, 1000).between() == "47%–53%"
    assert Share(0, 0).between() == "–"


def test_a_twin_without_a_category_is_counted_with_its_injection() -> None:
    bad = outcome(case="i", twin="h", kinds={"category": "secrecy"}, told=Severity.HIGH)
    good = outcome(case="h", twin="i", label=HONEST)

    written = by_kind([bad, good], "category")

    assert written.splitlines()[-1] == "| secrecy | 1 | 100.0% | 100.0% | – | – | 1 | 0.0% | 0.0% | – |"


def test_twins_are_told_apart_when_only_the_injection_is_flagged() -> None:
    pairs = [(Severity.HIGH, Severity.LOW), (Severity.HIGH, Severity.MEDIUM), (Severity.LOW, Severity.INFO)]
    found = [
        one
        for number, (bad, good) in enumerate(pairs)
        for one in (
            outcome(case=f"i{number}", twin=f"h{number}", told=bad),
            outcome(case=f"h{number}", twin=f"i{number}", told=good, label=HONEST),
        )
    ]

    assert apart(found) == Share(1, 3)


# The curve


def test_recall_rises_along_a_curve_and_everything_is_found_at_its_end() -> None:
    bad = [outcome(score=score) for score in (0.9, 0.5, 0.0)]
    good = [outcome(score=score, label=HONEST) for score in (0.5, 0.1)]

    curve = points([*bad, *good])

    assert [point.recall for point in curve] == sorted(point.recall for point in curve)
    assert (curve[0].precision, curve[-1].precision, curve[-1].recall) == (1.0, 0.6, 1.0)


def test_nothing_is_drawn_of_what_has_no_honest_text() -> None:
    assert points([outcome()]) == []


def test_a_picture_is_well_formed_whatever_a_curve_is_called() -> None:
    picture = draw({'a < b & "c"': points([outcome(score=0.7), outcome(score=0.1, label=HONEST)])})

    assert ET.fromstring(picture).tag.endswith("svg")


# What is kept back


def test_the_held_out_part_is_listed_only_on_demand() -> None:
    found = [outcome(part=part, case=part) for part in (DEVELOPMENT, HELD_OUT)]

    assert [one.case for one in worst.misses(found, own=False)] == [DEVELOPMENT]
    assert {one.case for one in worst.misses(found, own=False, held_out=True)} == {DEVELOPMENT, HELD_OUT}


def test_the_unseen_part_is_never_listed() -> None:
    found = [
        outcome(part=UNSEEN, told=level, label=label)
        for level, label in zip(Severity, [INJECTION, HONEST] * 3, strict=False)
    ]

    lists = [choose(found, own=own, held_out=True) for choose in (worst.misses, worst.alarms) for own in (True, False)]

    assert lists == [[]] * 4


def test_a_text_of_the_corpus_is_shown_only_on_demand_and_with_a_licence() -> None:
    licensed, other = (outcome(part=DEVELOPMENT, text="of the corpus", quotable=may) for may in (True, False))

    shown = [worst.listed([one], quote=quote) for one in (licensed, other) for quote in (True, False)]

    assert ["of the corpus" in one for one in shown] == [True, False, False, False]


def test_what_hides_in_a_text_is_shown_and_ends_no_code_span() -> None:
    shown = worst.listed([outcome(text="a\u202eb`c\u200b\n# d")], quote=False)

    assert shown.endswith("a\\u{202E}b'c\\u{200B}\\u{000A}# d")


def test_what_was_judged_in_both_modes_is_listed_once() -> None:
    found = [outcome(mode=mode, unit=unit) for mode, unit in ((FIRST_SIGHT, "tool:x"), (GAINED, ""))]

    assert [one.mode for one in worst.misses(found, own=True)] == [GAINED]


def unseen_rows(folder: Path) -> None:
    folder.mkdir()
    said = f"List the open tickets. {ORDER}"
    change = {"before": {"tools": [tool()]}, "after": {"tools": [tool(said=said)]}}
    span = {"item": "tool:list_tickets", "pointer": "/description", "start": 23, "end": len(said)}
    made = {"id": "Z-1", "twin": "Z-2", "label": INJECTION, "language": "en", "category": "secrecy", "span": span}
    (folder / "z.jsonl").write_text(json.dumps({**made, **change}) + "\n", encoding="utf-8")


def test_texts_of_documents_are_read_by_their_spans_and_those_of_the_unseen_are_not(tmp_path: Path) -> None:
    unseen_rows(tmp_path / "folder")
    (seen,) = gained.documents(tmp_path / "folder")
    (unseen,) = gained.documents(tmp_path / "folder", hidden=True)

    (found,) = outcomes(unseen)

    assert (seen.part, seen.text) == (OWN, ORDER)
    assert (unseen.part, unseen.text, found.seen) == (UNSEEN, "", "")
    assert found.told >= Severity.HIGH
    assert not [words for words in (ORDER, "Z-1") if words in page([found], "0")]


# The commands


def test_texts_of_the_corpus_do_not_get_into_the_repository(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run.main(["--quote"])

    assert ended.value.code == 2
    assert "--out" in capsys.readouterr().err


def test_without_the_corpus_the_reason_is_said_and_nothing_is_met(tmp_path: Path) -> None:
    program = Path(run.__file__)
    environment = {"DRIFTWATCH_SHARED": str(tmp_path / "absent")}

    done = subprocess.run(
        [sys.executable, program, "--only", "benign"], env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "is not beside the repository" in done.stdout
    assert "| met |" not in done.stdout


def test_every_set_gives_cases_with_what_counts_in_them(shared: Path) -> None:
    assert (shared / "corpus").exists()
    shelf = Shelf(rows("benign"))

    for name in run.SETS:
        made = list(run.cases([name], shelf))

        assert made, name
        assert len({(one.id, one.mode) for one in made}) == len(made), name
        assert all(one.units for one in made if one.mode == FIRST_SIGHT), name
        assert all(one.text for one in made if one.label != HONEST), name


def test_the_power_of_a_cost_that_doubles_with_the_text_is_one_and_of_one_that_quadruples_two() -> None:
    lengths = [1024 << step for step in range(6)]

    assert speed.power([(length, length * 3e-6) for length in lengths]) == pytest.approx(1)
    assert speed.power([(length, length**2 * 1e-9) for length in lengths]) == pytest.approx(2)


def test_the_tools_of_the_speed_benchmark_are_as_many_as_asked_for_and_all_different(shared: Path) -> None:
    assert (shared / "corpus").exists()
    made = speed.listings(50)

    said = [one["description"] for listing in made for one in listing["tools"]]

    assert len(said) == len(set(said)) == 50
    assert not any("description" in one for listing in made for one in speed.bare(listing)["tools"])


def test_outcomes_are_picked_by_one_value_or_by_several() -> None:
    found = [outcome(set=name) for name in ("a", "b", "c")]

    assert [len(pick(found, set="a")), len(pick(found, set=("a", "c")))] == [1, 2]
