"""A list that nobody looked at again is asked about once more, and can be looked at again from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from web_site import program, signed_in

from driftwatch.model import Actor, AsClient, Rehearsed, Role
from driftwatch.review.approve import reject
from tests.fakes import listed, tool
from tests.web.reviewing import SERVERS, Reader, Stage, notices, read_it, send, stage

REVIEW = "/servers/notes/review"
CALM = listed(tool("list_notes"))
OTHER = listed(tool("list_notes"), tool("get_note"))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Stage]:
    """A server of which one list was seen once."""
    notes = SERVERS[0].model_copy(update={"rehearse": True})
    with stage(tmp_path, servers=(notes, *SERVERS[1:])) as made:
        made.town.look("notes", CALM)
        yield made


@pytest.fixture
def rita(site: Stage) -> Iterator[httpx.Client]:
    with signed_in(site.site, "rita") as client:
        yield client


def _rehearsed(site: Stage, **how: object) -> Rehearsed:
    digest = site.store.state("notes").last_digest
    seen = Rehearsed("notes", digest, site.town.clock(), looks=3, client="claude-code", as_client=AsClient.SAME)
    seen = replace(seen, **how)  # type: ignore[arg-type]
    site.store.record_rehearsal(seen)
    return seen


def page(client: httpx.Client) -> str:
    return client.get(REVIEW).text


def test_a_list_that_was_seen_once_is_asked_about_and_approved_with_a_tick(site: Stage, rita: httpx.Client) -> None:
    shown = page(rita)
    asked = send(rita, shown, "approve-all", note="as announced")
    before = len(site.store.reviews("notes"))
    approved = read_it(rita, asked)

    assert "Not looked at again yet." in Reader(shown).text
    assert Reader(asked.text).inside["h1"] == ["Approve it all the same?"]
    assert "Not looked at again yet." in Reader(asked.text).text
    assert (before, approved.status_code, site.store.reviews("notes")[-1].note) == (0, 303, "as announced")


def test_it_is_looked_at_again_from_the_question_and_from_the_review_and_the_note_is_kept(
    site: Stage, rita: httpx.Client
) -> None:
    asked = send(rita, page(rita), "approve-all", note="as announced")
    begun = send(rita, asked.text, "again", note="as announced")
    also = send(rita, page(rita), "again")

    assert (begun.status_code, also.status_code, site.again) == (200, 200, ["notes", "notes"])
    assert any("being looked at again" in one for one in notices(begun.text))
    assert ">as announced</textarea>" in begun.text
    assert not site.store.reviews("notes")


def test_a_list_that_was_looked_at_again_is_not_asked_about_and_its_head_says_how_often(
    site: Stage, rita: httpx.Client
) -> None:
    _rehearsed(site)
    read = Reader(page(rita)).text
    approved = send(rita, page(rita), "approve-all")

    assert "Looked at 3 times, each in a new session, also as claude-code: the same list each time." in read
    assert approved.status_code == 303


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"looks": 1, "failures": 1, "detail": "connect: <b>nobody</b>"}, "could not be looked at (connect: <b>nobody"),
        ({"looks": 1, "other": f"sha256:{'ab' * 32}"}, "the second look showed another list, abababababab."),
    ],
)
def test_looks_that_failed_or_differed_are_asked_about(
    site: Stage, rita: httpx.Client, how: dict[str, object], words: str
) -> None:
    _rehearsed(site, **{"as_client": AsClient.NOT_TRIED, **how})
    asked = send(rita, page(rita), "approve-all")

    assert asked.status_code == 200
    assert words in Reader(asked.text).text
    assert "<b>nobody" not in asked.text


def test_who_approves_the_first_of_two_lists_is_told_that_looking_again_brought_the_other_to_light(
    site: Stage, rita: httpx.Client
) -> None:
    form = page(rita)
    seen = _rehearsed(site, looks=1)
    site.town.look("notes", OTHER)
    site.store.record_rehearsal(replace(seen, other=site.store.state("notes").last_digest))
    refused = send(rita, form, "approve-all")

    assert refused.status_code == 409
    assert any(
        one.startswith("The second look, made before a decision, showed another list") for one in notices(refused.text)
    )
    assert not site.store.reviews("notes")


def test_programs_ask_for_it_and_read_how_it_went_in_the_difference(site: Stage) -> None:
    _, secret = site.site.token(Role.REVIEWER)
    with program(site.site, secret) as client:
        before = client.get("/api/v1/servers/notes/difference").json()["looked_again"]
        asked = client.post("/api/v1/servers/notes/look", params={"again": "true"})
        unseen = client.post("/api/v1/servers/forge/look", params={"again": "true"})
        _rehearsed(site)
        after = client.get("/api/v1/servers/notes/difference").json()["looked_again"]

    assert (before["looks"], before["same"], before["at"]) == (1, False, None)
    assert (asked.status_code, unseen.status_code) == (202, 202)
    # Of what was never seen there is nothing to look at again.
    assert (site.again, site.site.looked) == (["notes"], ["forge"])
    assert (after["looks"], after["same"], after["as_client"]) == (3, True, "same")


def test_programs_that_approve_the_first_of_two_lists_are_refused_with_the_same_words(site: Stage) -> None:
    _, secret = site.site.token(Role.REVIEWER)
    seen = _rehearsed(site, looks=1)
    site.town.look("notes", OTHER)
    site.store.record_rehearsal(replace(seen, other=site.store.state("notes").last_digest))
    with program(site.site, secret) as client:
        refused = client.post("/api/v1/servers/notes/approvals", json={"digest": seen.digest})

    assert refused.status_code == 409
    assert "the second look, made before a decision, showed it" in refused.text


def test_who_rejected_the_list_of_another_start_is_named_on_the_page_and_for_programs(
    site: Stage, rita: httpx.Client
) -> None:
    first = _rehearsed(site, looks=1)
    site.town.look("notes", OTHER)
    other = site.store.state("notes").last_digest
    site.town.look("notes", CALM)
    site.store.record_rehearsal(replace(first, other=other))
    by = Actor("ann", "cli")
    reject(site.store, "notes", digest=other, by=by, note="reads keys", now=site.town.clock())

    shown = Reader(page(rita)).text
    _, secret = site.site.token(Role.REVIEWER)
    with program(site.site, secret) as client:
        (told,) = client.get("/api/v1/servers/notes/difference").json()["rejections"]

    assert "Another start showed the list" in shown
    assert "“reads keys”; it stands all the same, until a list is approved." in shown
    assert (told["start_digest"], told["by"], told["stands"]) == (other, "ann", True)
