"""Before something grave is approved a page of its own asks once more: what it is, and a tick that it was read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_site import form_of, signed_in

from driftwatch.judge.snapshot import take
from driftwatch.model import Decision, Kind, Severity
from driftwatch.web.pages.changes import Entry
from driftwatch.web.pages.once_more import MOVED, UNREAD, grave, refusal
from tests.fakes import listed, tool
from tests.report.report_kit import finding
from tests.web import town_lists as lists
from tests.web.reviewing import Reader, Stage, assert_only_our_markup, box_of, notices, read_it, send, stage

REVIEW = "/servers/notes/review"
WIDER = {"readOnlyHint": False, "destructiveHint": True}
CALM = listed(tool("list_notes"), tool("get_note"))
MILD = listed(tool("list_notes", description="Lists all notes."), tool("get_note"))
MIXED = listed(tool("list_notes", annotations=WIDER), tool("get_note", description="Gets one note by its name."))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Stage]:
    """A server of which somebody approved a list."""
    with stage(tmp_path) as made:
        made.town.look("notes", CALM)
        made.town.approve("notes")
        made.town.clock.forward(600)
        yield made


@pytest.fixture
def rita(site: Stage) -> Iterator[httpx.Client]:
    with signed_in(site.site, "rita") as client:
        yield client


def page(client: httpx.Client) -> str:
    return client.get(REVIEW).text


def decided(site: Stage) -> int:
    return len(site.store.reviews("notes"))


def test_a_grave_finding_is_asked_about_with_the_worst_first_and_the_digest(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", lists.NOTES)
    site.town.approve("notes")
    site.town.look("notes", lists.NOTES_TURNED)
    asked = send(rita, page(rita), "approve-all", note="as <announced>")
    read = Reader(asked.text)
    state = site.store.state("notes")

    assert (asked.status_code, decided(site), len(site.woken)) == (200, 2, 0)
    assert read.inside["h1"] == ["Approve it all the same?"]
    assert "Nothing is approved yet. In what you would approve stands" in read.text
    assert re.findall(r'<li class="card (\w+)">', asked.text) == ["critical", "critical", "high"]
    assert f"all of {state.last_digest[7:19]}" in read.text
    assert ">as &lt;announced&gt;</textarea>" in asked.text
    assert any("read ~/.ssh/id_rsa" in one for one in read.inside["mark"])
    assert [one["name"] for one in read.all("input") if "required" in one] == ["read"]


@pytest.mark.parametrize("names", [(), ("list_notes",)])
def test_once_it_is_ticked_it_is_approved_with_the_note(
    site: Stage, rita: httpx.Client, names: tuple[str, ...]
) -> None:
    site.town.look("notes", MIXED)
    act = "approve" if names else "approve-all"
    answered = read_it(rita, send(rita, page(rita), act, *names, note="I know"))
    review = site.store.reviews("notes")[-1]

    assert (answered.status_code, len(site.woken)) == (303, 1)
    assert (review.decision, review.by, review.note) == (Decision.APPROVED, "rita", "I know")
    assert tuple(key for _, key, _ in review.items) == names


def test_without_the_tick_nothing_is_approved_and_it_says_what_is_missing(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", MIXED)
    asked = send(rita, page(rita), "approve-all")
    refused = read_it(rita, asked, ticked=False)
    bare = rita.post(REVIEW, data={**form_of(page(rita), REVIEW), "act": "approve-all", "read": "1"})

    assert (refused.status_code, notices(refused.text)) == (400, [UNREAD])
    assert (bare.status_code, notices(bare.text)) == (409, [MOVED])
    assert decided(site) == 1
    assert read_it(rita, refused).status_code == 303


def test_what_is_mild_is_approved_at_once_and_so_are_mild_items_beside_a_grave_one(
    site: Stage, rita: httpx.Client
) -> None:
    site.town.look("notes", MIXED)
    items = send(rita, page(rita), "approve", "get_note")
    site.town.clock.forward(60)
    site.town.look("notes", MILD)
    whole = send(rita, page(rita), "approve-all")

    assert (items.status_code, whole.status_code, decided(site)) == (303, 303, 3)


def test_a_server_that_changes_while_somebody_reads_it_again_is_not_approved(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", MIXED)
    asked = send(rita, page(rita), "approve-all", note="fine")
    site.town.clock.forward(60)
    site.town.look("notes", lists.NOTES_TURNED)
    answered = read_it(rita, asked)

    assert (answered.status_code, decided(site)) == (409, 1)
    assert "It changed while you read" in notices(answered.text)[0]
    assert ">fine</textarea>" in answered.text


def test_one_can_say_no_from_there_and_go_back_with_ticks_and_note(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", MIXED)
    shown = page(rita)
    back = read_it(rita, send(rita, shown, "approve", "list_notes", note="hm"), ticked=False, act="page:1")
    refused = read_it(rita, send(rita, back.text, "approve", "list_notes", note="hm"), ticked=False, act="reject")
    review = site.store.reviews("notes")[-1]

    assert back.status_code == 200
    assert Reader(back.text).ticked == [box_of(shown, "list_notes")]
    assert ">hm</textarea>" in back.text
    assert refused.status_code == 303
    assert (review.decision, [key for _, key, _ in review.items]) == (Decision.REJECTED, ["list_notes"])


def test_what_somebody_rejected_is_asked_about_however_mild_with_who_when_and_why(
    site: Stage, rita: httpx.Client
) -> None:
    site.town.look("notes", MIXED)
    send(rita, page(rita), "reject", "get_note", note="not <this>")
    asked = send(rita, page(rita), "approve", "get_note")
    told = " ".join(Reader(asked.text).text.split())

    assert (asked.status_code, decided(site)) == (200, 2)
    assert "rejected by rita on " in told
    assert "“not <this>”. It was about tool get_note, shown just so all the same." in told
    assert read_it(rita, asked).status_code == 303
    assert decided(site) == 3


def test_a_rejected_list_is_asked_about_as_a_whole(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", MILD)
    send(rita, page(rita), "reject-all", note="no")
    asked = send(rita, page(rita), "approve-all")

    assert (asked.status_code, decided(site)) == (200, 2)
    assert "It was about the list as a whole." in Reader(asked.text).text


def test_a_page_that_asks_is_answered_once(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", MIXED)
    asked = send(rita, page(rita), "approve", "list_notes")
    first, second = read_it(rita, asked), read_it(rita, asked)

    assert (first.status_code, second.status_code, decided(site)) == (303, 409, 2)


def test_nothing_of_a_server_becomes_markup_there(site: Stage, rita: httpx.Client) -> None:
    site.town.look("notes", lists.hostile())
    asked = send(rita, page(rita), "approve-all", note=lists.SCRIPT + lists.QUOTES)

    assert asked.status_code == 200
    assert_only_our_markup(Reader(asked.text))


def test_the_worst_come_first_each_once_and_the_rest_is_counted() -> None:
    bad, worse = finding(severity=Severity.HIGH, item="a"), finding(severity=Severity.CRITICAL, item="b")
    many = [finding(severity=Severity.HIGH, item=f"tool_{number:03}") for number in range(120)]
    mild = finding(severity=Severity.MEDIUM, item="c")
    some = grave([mild, bad, worse, bad])
    lots = grave(many)

    assert some.findings == (worse, bad)
    assert (some.lesser, some.counted, some.many) == (1, "1 critical, 1 high", "these 2 findings")
    assert not grave([mild])
    assert (len(lots.whole), len(lots.brief), lots.untold) == (10, 90, 20)


def test_of_items_only_what_is_found_of_them_counts() -> None:
    bad = finding(severity=Severity.HIGH)
    (item,) = take({"tools": [tool("list_notes")]}).of(Kind.TOOL)

    assert grave([bad], [Entry(None, item)]).findings == ()
    assert grave([], [Entry(None, item, (bad,))]).findings == (bad,)
    assert grave([], [Entry(None, item, (bad,))]).names == ("list_notes",)


def test_a_tick_counts_for_the_very_findings_that_were_shown() -> None:
    bad, other = finding(severity=Severity.HIGH, item="a"), finding(severity=Severity.HIGH, item="b")
    asked, since = grave([bad]), grave([bad, other])

    assert refusal(asked, ()) == ""
    assert refusal(asked, ("",)) == UNREAD
    assert refusal(asked, ("", asked.mark)) is None
    assert refusal(since, ("", asked.mark)) == MOVED
    assert refusal(grave([]), ()) is None
