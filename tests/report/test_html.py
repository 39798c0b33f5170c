"""The HTML report: one file that runs nothing, loads nothing and holds no tag that is not ours."""

from __future__ import annotations

import base64
import hashlib

import pytest
from contracts.hostile import HOSTILE, HUGE
from formats_kit import bump, hostile, turned, unseen
from html_kit import Page, checked
from hypothesis import given
from hypothesis import strategies as st
from report_kit import finding

from driftwatch.judge.snapshot import take
from driftwatch.judge.text.chars import UNSEEN
from driftwatch.model import Effect, Report, Severity
from driftwatch.report.formats import Form, render
from driftwatch.report.html.build import Markup, escaped, joined, tag
from driftwatch.report.html.document import ITEMS
from driftwatch.report.html.style import STYLE
from driftwatch.report.subject import Judged, Subject


def page_of(*judged: Judged) -> Page:
    return checked(render(Form.HTML, judged))


@pytest.mark.parametrize("text", [*HOSTILE, *HUGE], ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_text_in_every_field_makes_no_tag_and_no_attribute(text: str) -> None:
    page_of(hostile(text), Judged(Subject(text), Report(()), trouble=text))


@given(st.text(), st.text())
def test_any_text_is_read_back_as_it_was_written_with_what_hides_made_visible(one: str, other: str) -> None:
    page = Page()

    page.feed(tag("p", one, tag("code", other)))

    for name, text in (("p", one), ("code", other)):
        expected = UNSEEN.sub(lambda m: m[0] if m[0] == "\ufe0f" else f"\\u{{{ord(m[0]):04X}}}", text)
        assert page.text.get(name, "") == expected.replace("\r", "\\u{000D}")


def test_what_is_built_once_is_not_escaped_again() -> None:
    assert joined([tag("p", "a<b"), None, "c"], ", ") == "<p>a&lt;b</p>, c"
    assert isinstance(escaped("x"), Markup)


def test_an_attribute_takes_no_words_but_ours() -> None:
    with pytest.raises(ValueError, match="not a word of ours"):
        tag("p", class_='x" onclick="y')


def test_nothing_may_load_or_run_but_the_style_that_is_there() -> None:
    policy = page_of(turned()).meta["Content-Security-Policy"]

    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    assert policy == f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'"
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_a_turned_server_shows_the_marked_words_the_dangers_and_who_asks_less() -> None:
    page = page_of(turned())

    assert page.text["mark"].startswith("Before you answer")
    assert "\\u{200B}" in page.text["span"]
    assert "less is asked" in page.text["strong"]
    assert "readOnlyHint" in page.text["code"]
    assert page.text["h1"].startswith("notes 1.2.4 differs from what was approved: ")


def test_what_is_bad_stands_open_and_what_is_not_is_closed() -> None:
    found = (finding(severity=Severity.HIGH), finding(item="two"), finding(item="three", severity=Severity.INFO))

    assert page_of(Judged(Subject("x"), Report(found))).open == 1


def test_what_weighs_little_can_be_opened_below_what_weighs_more() -> None:
    found = (finding(severity=Severity.HIGH), finding(pointer="/title"), finding(pointer="/x", severity=Severity.INFO))

    assert "2 findings of less weight" in page_of(Judged(Subject("x"), Report(found))).text["summary"]
    assert "of less weight" not in page_of(Judged(Subject("x"), Report(found[1:]))).text.get("summary", "")


def test_what_hosts_do_is_told_once_for_an_item() -> None:
    act = Effect("A host", "asks", "runs it", "its manual")
    found = (finding(severity=Severity.HIGH, hosts=(act,)), finding(severity=Severity.MEDIUM, rule="x", hosts=(act,)))

    page = page_of(Judged(Subject("x"), Report(found)))

    assert page.text["li"].count(": asks → runs it") == 1
    assert "Hosts that act otherwise: as above." in page.text["p"]


def test_every_finding_is_there_without_the_lists_as_well() -> None:
    judged = turned()

    with_lists = page_of(judged)
    without = page_of(Judged(judged.subject, judged.report))

    for one in judged.report.findings:
        assert one.fingerprint in with_lists.text["p"]
        assert one.fingerprint in without.text["p"]


def test_several_servers_come_worst_first_below_a_table_that_leads_to_them() -> None:
    page = page_of(unseen(), bump(), turned())

    assert page.text["h1"].startswith(
        "2 of 3 servers have findings, 1 server could not be looked at; the worst is notes"
    )
    assert page.text["h2"] == "notesmailbumped" or page.text["h2"] == "notesbumpedmail"
    assert page.text["a"] in page.text["h2"]


def test_a_list_of_very_many_changes_is_cut_and_counted() -> None:
    old, new = ([{"name": f"t{number}", "x": side} for number in range(ITEMS + 100)] for side in (1, 2))

    page = page_of(Judged(Subject("x"), Report(()), take({"tools": old}), take({"tools": new})))

    assert "100 more items that changed" in page.text["p"]


def test_an_empty_report_reads_as_no_guarantee() -> None:
    page = page_of(Judged(Subject("x"), Report(())))

    assert "That is no guarantee" in page.text["p"]
