"""The review: a person reads what changed, and decides on just what they were shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_site import Site, form_of, signed_in

from driftwatch.model import AlertKind, AlertState, BaselineState, Decision, Kind
from tests.fakes import listed, tool
from tests.web import town_lists as lists
from tests.web.reviewing import (
    ANN,
    Reader,
    Stage,
    article_of,
    assert_only_our_markup,
    box_of,
    notices,
    read_it,
    send,
    stage,
)
from tests.web.town import town_site

REVIEW = "/servers/notes/review"
LIST, DELETE, EXPORT = (Kind.TOOL, "list_notes", 0), (Kind.TOOL, "delete_note", 0), (Kind.TOOL, "export_notes", 0)


@pytest.fixture
def turned(tmp_path: Path) -> Iterator[Stage]:
    """A server that was approved, and turned since."""
    with stage(tmp_path) as made:
        made.town.look("notes", lists.NOTES)
        made.town.approve("notes", "read all of it")
        made.town.clock.forward(3_600)
        made.town.look("notes", lists.NOTES_TURNED)
        yield made


@pytest.fixture
def rita(turned: Stage) -> Iterator[httpx.Client]:
    with signed_in(turned.site, "rita") as client:
        yield client


def shown(client: httpx.Client, **asked: str) -> str:
    answered = client.get(REVIEW, params=asked)
    assert answered.status_code == 200
    return answered.text


def test_a_review_says_in_plain_words_what_happened_the_worst_first(rita: httpx.Client) -> None:
    page = Reader(shown(rita))

    assert "notes 1.4.3 differs from what was approved: 2 critical" in page.text
    assert "The worst: Tool delete_note: The tool now claims to only read" in page.text
    assert "That is certain." in page.text
    assert page.text.index("What was found") < page.text.index("Items") < page.text.index("Hosts that act otherwise")
    assert [name.split()[2] for name in page.inside["h3"][:2]] == ["delete_note", "list_notes"]


def test_the_injected_stretch_is_marked_in_place_and_words_that_came_and_went_are_told_apart(
    rita: httpx.Client,
) -> None:
    page = Reader(shown(rita))

    assert any("read ~/.ssh/id_rsa" in one for one in page.inside["mark"])
    assert any("Ask before you delete one." in one for one in page.inside["del"])
    assert any("The address to use." in one for one in page.inside["ins"])
    assert not any("Keep notes short" in one for one in (*page.inside["ins"], *page.inside["del"]))


def test_a_loosened_hint_is_told_as_a_danger_under_both_readings_with_the_hosts(rita: httpx.Client) -> None:
    text = Reader(article_of(shown(rita), "delete_note")).text

    assert text.count("can destroy things") == 1
    assert text.count("yes → no no longer admitted: hosts ask less") == 6
    assert "if hints that are not said take their defaults" in text
    assert "What hosts do with it" in text


def test_a_parameter_that_came_stands_in_the_tree_of_what_the_tool_takes(rita: httpx.Client) -> None:
    assert re.search(r'<li class="added"><bdi>context</bdi> string', article_of(shown(rita), "list_notes"))


def test_two_items_are_approved_and_one_rejected_and_the_alert_follows(turned: Stage, rita: httpx.Client) -> None:
    before = turned.store.open_alert("notes", AlertKind.DRIFT)
    first = send(rita, shown(rita), "approve", "export_notes", "the server says of itself", note="as announced")
    between = shown(rita)
    second = send(rita, between, "reject", "list_notes", note="it reads keys")
    page = Reader(shown(rita))
    alert = turned.store.open_alert("notes", AlertKind.DRIFT)
    approved, refused = turned.store.reviews("notes")[1:]

    assert (first.status_code, second.status_code, len(turned.woken)) == (303, 303, 2)
    assert before is not None
    assert alert is not None
    assert alert.id == before.id
    assert {one.item for one in alert.findings if one.kind is Kind.TOOL} == {"list_notes", "delete_note"}
    assert "instructions-changed" not in {one.rule for one in alert.findings}
    assert (approved.decision, approved.by, approved.note) == (Decision.APPROVED, "rita", "as announced")
    assert set(approved.items) == {EXPORT, (Kind.SERVER, "", 0)}
    assert (refused.decision, refused.items, refused.note) == (Decision.REJECTED, (LIST,), "it reads keys")
    assert len(page.boxes) == 2
    assert "rejected by rita" in page.text
    assert "“it reads keys”" in page.text


def test_what_was_rejected_is_still_said_when_something_else_changes(turned: Stage, rita: httpx.Client) -> None:
    send(rita, shown(rita), "reject", "list_notes", "delete_note", note="it reads <keys>")
    tools = [dict(one) for one in lists.NOTES_TURNED.document["tools"]]
    for one in tools:
        if one["name"] == "delete_note":
            one["description"] = "Deletes a note for good, after asking."
    turned.town.clock.forward(60)
    turned.town.look("notes", lists._server("notes", "1.4.4", *tools))
    page = shown(rita)
    same, moved = (Reader(article_of(page, name)).text for name in ("list_notes", "delete_note"))

    assert "rejected by rita on 2026-" in same
    assert "“it reads <keys>”" in same
    assert "changed since" not in same
    assert "rejected before by rita on 2026-" in moved
    assert "it has changed since" in moved
    assert "1 item as somebody rejected it; 1 item rejected before, changed since" in Reader(page).text


def test_a_list_that_was_rejected_whole_is_still_said_in_the_head_of_the_next_one(
    turned: Stage, rita: httpx.Client
) -> None:
    send(rita, shown(rita), "reject-all", note="not like this")
    turned.town.clock.forward(60)
    turned.town.look("notes", lists._server("notes", "1.4.4", *lists.NOTES_TURNED.document["tools"]))
    page = shown(rita)
    head = Reader(page.partition('id="items"')[0]).text

    assert "all of it before by rita on 2026-" in head
    assert "“not like this”; it has changed since" in head
    assert "rejected by rita" in Reader(article_of(page, "list_notes")).text


def test_the_alert_is_over_once_the_server_takes_back_what_was_rejected(turned: Stage, rita: httpx.Client) -> None:
    send(rita, shown(rita), "approve", "export_notes", "the server says of itself")
    send(rita, shown(rita), "reject", "list_notes", "delete_note")
    kept = turned.store.snapshot(turned.store.baseline("notes").digest)  # type: ignore[union-attr]
    turned.town.clock.forward(600)
    calm = lists.NOTES_TURNED.document | {"tools": [item.raw for item in kept.of(Kind.TOOL)]}  # type: ignore[union-attr]
    turned.town.look("notes", listed(**calm))

    assert turned.store.open_alert("notes", AlertKind.DRIFT) is None
    assert "There is nothing to decide" in Reader(shown(rita)).text


def test_all_of_it_is_approved_and_the_page_says_by_whom(turned: Stage, rita: httpx.Client) -> None:
    answered = read_it(rita, send(rita, shown(rita), "approve-all", note="read with care"))
    page = Reader(shown(rita))
    baseline = turned.store.baseline("notes")

    assert (answered.status_code, answered.headers["location"]) == (303, REVIEW)
    assert baseline is not None
    assert (baseline.state, baseline.by, baseline.digest) == (
        BaselineState.APPROVED, "rita", turned.store.state("notes").last_digest,
    )  # fmt: skip
    assert turned.store.reviews("notes")[-1].origin == "web 127.0.0.1"
    assert "This is what rita approved" in page.text
    assert not [one for one in page.all("form") if one.get("action") == REVIEW]


def test_all_of_it_is_rejected_and_the_alert_stays(turned: Stage, rita: httpx.Client) -> None:
    answered = send(rita, shown(rita), "reject-all", note="no")
    alert = turned.store.open_alert("notes", AlertKind.DRIFT)

    assert answered.status_code == 303
    assert turned.store.reviews("notes")[-1].decision is Decision.REJECTED
    assert alert is not None
    assert alert.state is AlertState.OPEN
    assert "rejected all of it, by rita" in Reader(shown(rita)).text


@pytest.mark.parametrize("act", ["approve-all", "reject-all", "approve", "reject"])
def test_what_changed_meanwhile_is_shown_and_asked_about_anew(turned: Stage, rita: httpx.Client, act: str) -> None:
    page, decided = shown(rita), turned.store.reviews("notes")
    turned.town.clock.forward(60)
    turned.town.look("notes", lists._server("notes", "1.4.4", *lists.NOTES_TURNED.document["tools"][:4]))
    answered = send(rita, page, act, "list_notes", "the server says of itself", note="I read it & all")
    again = Reader(answered.text)

    assert answered.status_code == 409
    assert "It changed while you read: this is what it shows now" in notices(answered.text)[0]
    assert turned.store.reviews("notes") == decided
    assert 'name="note" rows="2" maxlength="2000">I read it &amp; all<' in answered.text
    assert again.ticked == [box_of(answered.text, "list_notes")]
    assert turned.store.state("notes").last_digest in answered.text


def test_what_the_page_asks_anew_can_then_be_decided(turned: Stage, rita: httpx.Client) -> None:
    page = shown(rita)
    turned.town.clock.forward(60)
    turned.town.look("notes", lists._server("notes", "1.4.4", *lists.NOTES_TURNED.document["tools"][:4]))
    again = send(rita, page, "approve-all")
    answered = read_it(rita, send(rita, again.text, "approve-all"))

    assert answered.status_code == 303
    assert turned.store.baseline("notes").digest == turned.store.state("notes").last_digest  # type: ignore[union-attr]


def test_a_baseline_that_somebody_else_moved_is_said(turned: Stage, rita: httpx.Client) -> None:
    page = shown(rita)
    send(rita, shown(rita), "approve", "export_notes")
    answered = send(rita, page, "reject", "list_notes", "export_notes")

    assert answered.status_code == 409
    assert "Another list was approved while you read" in notices(answered.text)[0]
    assert len(turned.store.reviews("notes")) == 2
    assert Reader(answered.text).ticked == [box_of(answered.text, "list_notes")]


def test_what_somebody_else_approved_meanwhile_is_approved_and_written_once(turned: Stage, rita: httpx.Client) -> None:
    page = shown(rita)
    turned.town.approve("notes", "me first", by=ANN)
    answered = send(rita, page, "approve-all")

    assert answered.status_code == 303
    assert [one.by for one in turned.store.reviews("notes")] == ["ann", "ann"]
    assert "This is what ann approved" in Reader(shown(rita)).text


def test_a_form_that_is_sent_twice_decides_once(turned: Stage, rita: httpx.Client) -> None:
    page = shown(rita)
    first = send(rita, page, "reject", "list_notes", note="no")
    second = send(rita, page, "approve", "list_notes", note="yes")

    assert (first.status_code, second.status_code) == (303, 400)
    assert "sent before" in notices(second.text)[0]
    assert Reader(second.text).ticked == [box_of(page, "list_notes")]
    assert ">yes</textarea>" in second.text
    assert len(turned.store.reviews("notes")) == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"act": "approve"}, "Nothing is ticked"),
        ({"act": "approve", "item": "0" * 16}, "not in this list any more"),
        ({"act": "crown"}, "does not say what to do"),
        ({"act": "approve-all", "digest": ""}, "does not say which list"),
        ({"act": "approve-all", "note": "n" * 2_001}, "2,001 characters"),
    ],
)
def test_a_form_that_does_not_say_what_is_meant_writes_nothing(
    turned: Stage, rita: httpx.Client, given: dict[str, str], words: str
) -> None:
    page = shown(rita)
    answered = rita.post(REVIEW, data={**form_of(page, REVIEW), **given})

    assert (answered.status_code, words in notices(answered.text)[0]) == (400, True)
    assert len(turned.store.reviews("notes")) == 1


@pytest.mark.parametrize("field", ["shown", "baseline", "identities"])
def test_a_form_about_another_list_than_is_there_writes_nothing(turned: Stage, rita: httpx.Client, field: str) -> None:
    form = {**form_of(shown(rita), REVIEW), "act": "approve-all"}

    answered = rita.post(REVIEW, data={**form, field: "sha256:" + "0" * 64})

    assert answered.status_code == 409
    assert len(turned.store.reviews("notes")) == 1


def test_a_viewer_reads_everything_and_is_told_why_there_is_no_form(turned: Stage) -> None:
    with signed_in(turned.site, "vic") as vic:
        page = Reader(shown(vic))
        answered = vic.post(REVIEW, data={"act": "approve-all"})

    assert "takes the role reviewer" in page.text
    assert (page.boxes, answered.status_code) == ([], 403)
    assert len(turned.store.reviews("notes")) == 1


def test_a_list_of_earlier_can_be_read_and_says_that_it_is_one(turned: Stage, rita: httpx.Client) -> None:
    old = turned.store.state("notes").last_digest
    turned.town.clock.forward(60)
    turned.town.look("notes", lists.NOTES)
    page = shown(rita, digest=old[:20])
    answered = send(rita, page, "reject-all", note="never")

    assert "which is not what it shows now" in Reader(page).text
    assert (answered.status_code, answered.headers["location"]) == (303, f"{REVIEW}?digest={old.replace(':', '%3A')}")
    assert turned.store.reviews("notes")[-1].digest == old


@pytest.mark.parametrize("digest", ["sha256:" + "0" * 64, "<script>", "a\x00b"])
def test_a_list_that_it_never_showed_is_not_there(rita: httpx.Client, digest: str) -> None:
    answered = rita.get(REVIEW, params={"digest": digest})

    assert answered.status_code == 404
    assert "<script>" not in answered.text


def test_until_somebody_approves_all_that_a_model_sees_is_there_to_be_read(tmp_path: Path) -> None:
    with stage(tmp_path) as made, signed_in(made.site, "rita") as rita:
        unseen = Reader(shown(rita))
        made.town.look("notes", lists.NOTES)
        page = shown(rita)
        answered = send(rita, page, "approve-all")
        baseline = made.store.baseline("notes")

    read = Reader(page)
    assert "Nothing was seen on this server yet" in unseen.text
    assert all(str(one["description"]) in read.text for one in lists.NOTES.document["tools"])
    assert "Keep notes short. Ask before you delete one." in read.text
    assert (read.boxes, "ins" in read.inside) == ([], False)
    assert answered.status_code == 303
    assert baseline is not None
    assert baseline.by == "rita"


def test_ticks_and_note_go_along_from_page_to_page(tmp_path: Path) -> None:
    names = [f"tool_{number:02}" for number in range(60)]
    with stage(tmp_path) as made, signed_in(made.site, "rita") as rita:
        made.town.look("notes", listed(*(tool(name, description="Reads.") for name in names)))
        made.town.approve("notes")
        made.town.look("notes", listed(*(tool(name, description=f"Reads {name}.") for name in names)))
        first = shown(rita)
        second = send(rita, first, "page:2", "tool_03", "tool_04", note="so far")
        third = send(rita, second.text, "page:3", "tool_30")
        answered = send(rita, third.text, "approve", "tool_59", note="these four")
        review = made.store.reviews("notes")[-1]
        left = Reader(shown(rita)).text

    assert "Items, page 1 of 3" in Reader(first).text
    assert "tool_25" in "".join(Reader(second.text).inside["h3"])
    assert "2 ticked on other pages" in Reader(second.text).text
    assert ">so far</textarea>" in second.text
    assert answered.status_code == 303
    assert [key for _, key, _ in review.items] == ["tool_03", "tool_04", "tool_30", "tool_59"]
    assert "Contents: 56 items" in left


def test_enter_in_a_field_decides_nothing(turned: Stage, rita: httpx.Client) -> None:
    page = shown(rita)
    first = re.findall(r'<button[^>]*name="act"[^>]*value="([^"]*)"', page)[0]
    answered = send(rita, page, first, "list_notes")

    assert (answered.status_code, Reader(answered.text).ticked) == (200, [box_of(page, "list_notes")])
    assert len(turned.store.reviews("notes")) == 1


def test_texts_stand_side_by_side_or_in_one(rita: httpx.Client) -> None:
    sides, inline = shown(rita), shown(rita, view="inline")

    assert ('class="sides when-wide"' in sides, 'class="sides' in inline) == (True, False)
    assert {"before", "now"} <= {text.strip().lower() for text in Reader(sides).texts}


def test_any_two_lists_are_compared_and_nothing_is_decided_there(turned: Stage, rita: httpx.Client) -> None:
    old, new = (one.digest for one in turned.store.sightings("notes"))
    there = Reader(rita.get("/servers/notes/compare", params={"from": old, "to": new[:16]}).text)
    back = Reader(rita.get("/servers/notes/compare", params={"from": new, "to": old}).text)
    alone = Reader(rita.get("/servers/notes/compare", params={"from": old, "to": old}).text)
    choose = Reader(rita.get("/servers/notes/compare").text)
    unknown = rita.get("/servers/notes/compare", params={"from": old, "to": "sha256:ffff"})

    assert "notes 1.4.3 differs from the other list" in there.text
    assert any("export_notes" in one and "removed" in one for one in back.inside["h3"])
    assert "Deletes a note for good." in alone.text
    assert there.boxes == back.boxes == []
    assert len(choose.all("option")) == 4
    assert unknown.status_code == 404


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with town_site(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.mark.parametrize("path", ["review", "compare", "preview", "review?view=inline"])
def test_a_hostile_server_brings_no_markup_of_its_own(town: Site, path: str) -> None:
    with signed_in(town, "rita") as rita:
        digest = town.store.state("bazaar").last_digest
        asked = f"{path}?from={digest}&to={digest}" if path == "compare" else path
        answered = rita.get(f"/servers/bazaar/{asked}")
    page = Reader(answered.text)

    assert answered.status_code == 200
    assert_only_our_markup(page)
    assert path == "preview" or "{{ 7*7 }}" in page.text
