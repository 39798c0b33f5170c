"""What all formats have in common: one call, the same output for the same input, nothing that speaks to a terminal."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from contracts.hostile import HOSTILE
from formats_kit import bump, hostile, turned, unseen
from jsonschema import Draft202012Validator
from report_kit import finding

from driftwatch.judge.text.chars import UNSEEN
from driftwatch.model import Baseline, BaselineState, Report, Severity
from driftwatch.report import to_json
from driftwatch.report.formats import FORMATS, Form, at_least, render
from driftwatch.report.subject import Judged, Subject, against

SCHEMA = json.loads((files("driftwatch.report") / "report.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
EVERYTHING = (turned(), bump(12), unseen(), Judged(Subject("quiet"), Report(())))


def document(*judged: Judged) -> dict[str, object]:
    found = json.loads(render(Form.JSON, judged))
    assert [error.message for error in VALID.iter_errors(found)] == []
    return found


def test_every_format_has_a_writer() -> None:
    assert set(FORMATS) == set(Form)


@pytest.mark.parametrize("form", Form)
def test_the_same_reports_give_the_same_document_ending_in_one_line_feed(form: Form) -> None:
    one, again = render(form, EVERYTHING), render(form, [turned(), bump(12), unseen(), EVERYTHING[-1]])

    assert one == again
    assert one.endswith("\n")
    assert not one.endswith("\n\n")


@pytest.mark.parametrize("form", Form)
def test_no_reports_are_a_document_too(form: Form) -> None:
    assert render(form, []).endswith("\n")


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_nothing_in_any_format_speaks_to_a_terminal(form: Form, text: str) -> None:
    said = render(form, [hostile(text), Judged(Subject(text), Report(()), trouble=text)])

    assert not UNSEEN.search(said.replace("\ufe0f", ""))
    assert "\r" not in said
    said.encode("utf-8")


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_reports_of_several_servers_are_one_json_document() -> None:
    found = document(*EVERYTHING)

    assert (found["worst"], found["fails"]) == ("critical", True)
    assert [one["subject"]["server"] for one in found["reports"]] == ["notes", "bumped", "mail", "quiet"]  # type: ignore[union-attr, call-overload, index]
    assert found["reports"][2]["trouble"] == "timeout: no answer within 30 s."  # type: ignore[index]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_reports_fit_the_schema(text: str) -> None:
    judged = hostile(text)

    document(judged)
    assert [error.message for error in VALID.iter_errors(to_json(judged.report))] == []


def test_a_shape_that_lost_a_key_does_not_fit_the_schema() -> None:
    shape = to_json(turned().report)
    del shape["findings"][0]["fingerprint"]

    assert not VALID.is_valid(shape)


def test_whether_it_fails_is_what_the_caller_asks_for() -> None:
    judged = Judged(Subject("x"), Report((finding(severity=Severity.MEDIUM),)))

    asked = [json.loads(render(Form.JSON, [judged], fails=at_least(bar)))["fails"] for bar in Severity]

    assert asked == [True, True, True, False, False]


def test_text_names_every_server_the_worst_first() -> None:
    text = render(Form.TEXT, EVERYTHING)

    places = [text.index(words) for words in ("notes 1.2.4 differs", "mail could not", "bumped 2.0.0", "in quiet")]
    assert sorted(places)[:2] == places[:2]
    assert "  compared with: what was approved" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_baseline_begins_a_subject() -> None:
    since = turned().subject.approved_at
    assert since is not None
    approved = Baseline("x", "d", BaselineState.APPROVED, since, by="mara")

    assert against(approved) == Subject("x", before="what was approved", approved_by="mara", approved_at=since)
    assert against(Baseline("x", "d", BaselineState.PROVISIONAL, since)).before.startswith("the first list seen")
    assert against(None) == Subject()


def test_what_a_secret_could_stand_in_is_not_among_the_words_of_a_document() -> None:
    keys = set(re.findall(r'"([a-z_]+)":', json.dumps(document(turned())["reports"][0]["subject"])))  # type: ignore[index]

    assert keys == set(SCHEMA["$defs"]["subject"]["properties"])
