"""What programs and pages decide through the API: once, on what was shown, by whoever may, and by nobody's trick."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_site import BY, program, signed_in

from driftwatch.model import AlertState, Face, Role, Verdict
from driftwatch.review.preview import preview
from tests.fakes import ScriptedFetcher
from tests.web import town_lists as lists
from tests.web.reviewing import Previews, Stage, stage

API = "/api/v1"
NOTES = f"{API}/servers/notes"
FORGE = f"{API}/servers/forge/previews"


@pytest.fixture
def previews() -> Previews:
    return Previews()


@pytest.fixture
def here(tmp_path: Path, previews: Previews) -> Iterator[Stage]:
    """Notes are approved, and then turn on their users."""
    with stage(tmp_path, previewing=previews) as made:
        made.town.look("notes", lists.NOTES)
        made.town.approve("notes")
        made.town.look("notes", lists.NOTES_TURNED)
        made.town.look("forge", lists.forge(2))
        made.town.approve("forge")
        made.woken.clear()
        yield made


def of(here: Stage, role: Role) -> httpx.Client:
    _, secret = here.site.token(role)
    return program(here.site, secret)


@pytest.fixture
def ci(here: Stage) -> Iterator[httpx.Client]:
    """A program that may decide."""
    with of(here, Role.REVIEWER) as client:
        yield client


def shown(client: httpx.Client) -> dict[str, Any]:
    """Give what a decision on the difference of now says."""
    found = client.get(f"{NOTES}/difference").json()
    return {"digest": found["digest"], "expected_baseline": found["baseline"]["digest"]}


# Approvals and rejections


def test_what_other_identities_are_shown_is_approved_only_by_who_was_told_of_it(here: Stage, ci: httpx.Client) -> None:
    store = here.site.store
    store.record_face(
        Face("notes", "cursor", Verdict.DRIFTED, shown="sha256:ours", ordinary="sha256:x", learned="sha256:y")
    )
    told = {**shown(ci), "identities": ci.get(f"{NOTES}/difference").json()["identities"]}
    store.record_face(
        Face("notes", "cursor", Verdict.DRIFTED, shown="sha256:evil", ordinary="sha256:x", learned="sha256:y")
    )

    refused = ci.post(f"{NOTES}/approvals", json=told)
    alone = ci.post(f"{NOTES}/approvals", json=shown(ci))

    assert (refused.status_code, alone.status_code) == (409, 201)
    assert [face.learned for face in store.faces("notes")] == ["sha256:y"]


def test_an_approval_moves_the_baseline_once_and_is_answered_alike_ever_after(here: Stage, ci: httpx.Client) -> None:
    body = {**shown(ci), "note": "the new parameter is ours"}
    first = ci.post(f"{NOTES}/approvals", json=body)
    here.town.clock.forward(60)
    again = ci.post(f"{NOTES}/approvals", json=body)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert first.json()["baseline"]["digest"] == body["digest"]
    assert first.json()["baseline"]["by"] == "ci (token of root)"
    assert len([one for one in here.store.reviews("notes") if one.digest == body["digest"]]) == 1
    assert here.woken
    assert [one.state for one in here.store.alerts(server="notes")] == [AlertState.RESOLVED]


def test_items_are_approved_and_the_baseline_takes_just_those(here: Stage, ci: httpx.Client) -> None:
    body = {**shown(ci), "items": [{"kind": "tool", "key": "list_notes"}], "note": ""}
    first = ci.post(f"{NOTES}/approvals", json=body)
    again = ci.post(f"{NOTES}/approvals", json=body)
    left = ci.get(f"{NOTES}/difference").json()["places"]

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert first.json()["baseline"]["digest"] not in {body["digest"], body["expected_baseline"]}
    assert {"kind": "tool", "key": "list_notes", "occurrence": 0} not in left
    assert left


def test_a_decision_on_what_is_no_longer_shown_says_what_is_shown_now(here: Stage, ci: httpx.Client) -> None:
    body = shown(ci)
    here.town.look("notes", lists.NOTES)
    answers = [ci.post(f"{NOTES}/{what}", json=body) for what in ("approvals", "rejections")]

    now = here.store.state("notes")
    assert now.baseline is not None
    for refused in answers:
        assert refused.status_code == 409
        assert refused.headers["content-type"] == "application/problem+json"
        told = refused.json()
        assert told["type"] == "urn:driftwatch:problem:too-late"
        assert (told["shown"], told["baseline"]) == (now.last_digest, now.baseline.digest)
    assert len(here.store.reviews("notes")) == 1


def test_a_decision_over_another_baseline_than_was_shown_is_refused(here: Stage, ci: httpx.Client) -> None:
    body = {**shown(ci), "expected_baseline": f"sha256:{'0' * 64}"}

    assert ci.post(f"{NOTES}/approvals", json=body).status_code == 409
    assert ci.post(f"{NOTES}/rejections", json=body).status_code == 409


def test_an_older_list_is_approved_by_who_says_that_they_know(here: Stage, ci: httpx.Client) -> None:
    body = shown(ci)
    here.town.look("notes", lists.NOTES)
    done = ci.post(f"{NOTES}/approvals", json={"digest": body["digest"], "if_changed": "decide"})

    assert done.status_code == 201
    assert done.json()["baseline"]["digest"] == body["digest"]


def test_a_rejection_is_kept_once_in_a_row_and_moves_nothing(here: Stage, ci: httpx.Client) -> None:
    body = {**shown(ci), "note": "no"}
    first = ci.post(f"{NOTES}/rejections", json=body)
    here.town.clock.forward(60)
    again = ci.post(f"{NOTES}/rejections", json=body)

    state = here.store.state("notes")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert state.baseline is not None
    assert state.baseline.digest == body["expected_baseline"]
    assert [one["decision"] for one in ci.get(f"{NOTES}/reviews").json()["entries"]] == ["rejected", "approved"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"digest": "latest"},
        {"digest": "sha256:12"},
        {},
        {"digest": f"sha256:{'1' * 64}", "notes": "a typo"},
        {"digest": f"sha256:{'1' * 64}", "note": "x" * 2_001},
        {"digest": f"sha256:{'1' * 64}", "items": []},
        {"digest": f"sha256:{'1' * 64}", "items": [{"kind": "tol", "key": "a"}]},
        {"digest": f"sha256:{'1' * 64}", "items": [{"kind": "tool", "key": 7}]},
        ["digest"],
    ],
)
def test_a_decision_that_is_not_as_it_must_be_changes_nothing(here: Stage, ci: httpx.Client, wrong: Any) -> None:
    refused = ci.post(f"{NOTES}/approvals", json=wrong)

    assert refused.status_code == 422
    assert len(here.store.reviews("notes")) == 1


def test_a_list_that_was_never_shown_and_an_item_that_there_is_not_are_refused(here: Stage, ci: httpx.Client) -> None:
    never = ci.post(f"{NOTES}/approvals", json={"digest": f"sha256:{'1' * 64}"})
    odd = json.dumps({**shown(ci), "items": [{"kind": "tool", "key": "\ud800"}]})
    nothing = ci.post(f"{NOTES}/approvals", content=odd, headers={"Content-Type": "application/json"})
    nobody = ci.post(f"{API}/servers/nobody/approvals", json=shown(ci))

    assert (never.status_code, nothing.status_code, nobody.status_code) == (404, 400, 404)


def test_who_may_only_look_decides_nothing(here: Stage) -> None:
    with of(here, Role.VIEWER) as client:
        refused = client.post(f"{NOTES}/approvals", json=shown(client))

    assert (refused.status_code, refused.json()["detail"]) == (403, "This needs the role reviewer.")
    assert len(here.store.reviews("notes")) == 1


# Forgeries


def test_a_cookie_alone_changes_nothing_and_a_form_token_is_good_once(here: Stage) -> None:
    with signed_in(here.site, "rita") as rita:
        body = shown(rita)
        bare = rita.post(f"{NOTES}/rejections", json=body)
        token = {"X-Form-Token": rita.get(f"{API}/me/form-token").json()["token"]}
        done = rita.post(f"{NOTES}/rejections", json=body, headers=token)
        replayed = rita.post(f"{NOTES}/rejections", json={**body, "note": "again"}, headers=token)

    assert [bare.status_code, done.status_code, replayed.status_code] == [403, 201, 403]
    assert bare.json()["type"] == "urn:driftwatch:problem:no-form-token"
    assert done.json()["by"] == "rita"
    assert len(here.store.reviews("notes")) == 2


def test_the_form_token_of_another_session_or_of_a_page_is_none(here: Stage) -> None:
    with signed_in(here.site, "rita") as rita, signed_in(here.site, "vic") as vic:
        body = shown(rita)
        others = vic.get(f"{API}/me/form-token").json()["token"]
        forms = here.site.app.state.forms
        of_a_page = forms.issue("nobody", "/servers/notes/review")
        answers = [
            rita.post(f"{NOTES}/rejections", json=body, headers={"X-Form-Token": token})
            for token in (others, of_a_page, "", "nonsense")
        ]

    assert {one.status_code for one in answers} == {403}
    assert len(here.store.reviews("notes")) == 1


def test_a_page_of_another_site_is_refused_as_a_program_is_told(here: Stage) -> None:
    with signed_in(here.site, "rita") as rita:
        token = {"X-Form-Token": rita.get(f"{API}/me/form-token").json()["token"]}
        foreign = {**token, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        refused = rita.post(f"{NOTES}/rejections", json=shown(rita), headers=foreign)

    assert refused.status_code == 403
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"] == "urn:driftwatch:problem:refused"


def test_the_token_of_a_program_opens_nothing_once_it_is_over(here: Stage, ci: httpx.Client) -> None:
    body = shown(ci)
    for token in here.store.tokens():
        here.store.revoke_token(token.id, by=BY, at=here.town.clock())
    refused = ci.post(f"{NOTES}/approvals", json=body)

    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]


# Looks, alerts, silences


def test_a_look_is_asked_for(here: Stage, ci: httpx.Client) -> None:
    asked = ci.post(f"{NOTES}/look")
    unknown = ci.post(f"{API}/servers/nobody/look")

    assert (asked.status_code, asked.json()["server"]) == (202, "notes")
    assert unknown.status_code == 404


def test_an_alert_is_acknowledged_with_a_note(here: Stage, ci: httpx.Client) -> None:
    (alert,) = ci.get(f"{API}/alerts?state=standing").json()["entries"]
    known = ci.post(f"{API}/alerts/{alert['id']}/acknowledge", json={"note": "asked its authors"})
    again = ci.post(f"{API}/alerts/{alert['id']}/acknowledge", json={})

    assert (known.status_code, again.status_code) == (200, 200)
    assert known.json()["acknowledged"]["note"] == "asked its authors"
    assert again.json()["acknowledged"] == known.json()["acknowledged"]
    assert here.woken


def test_a_silence_is_made_listed_and_ended_once(here: Stage, ci: httpx.Client) -> None:
    body = {"server": "notes", "until": "2099-01-01T00:00:00Z", "reason": "its roll-out"}
    too_long = ci.post(f"{API}/silences", json=body)
    until = here.town.clock().replace(microsecond=0)
    made = ci.post(f"{API}/silences", json={**body, "until": until.replace(year=until.year + 1, month=1).isoformat()})
    listed = ci.get(f"{API}/silences").json()["entries"]
    ended = ci.post(f"{made.headers['location']}/end")
    again = ci.post(f"{made.headers['location']}/end")

    assert (too_long.status_code, made.status_code) == (400, 201)
    assert listed == [made.json()]
    assert (ended.status_code, ended.json()["in_force"]) == (200, False)
    assert (again.status_code, again.json()["type"]) == (409, "urn:driftwatch:problem:nothing-to-do")


def test_what_was_given_up_is_sent_again_or_left_where_it_is_over(here: Stage, ci: httpx.Client) -> None:
    done = ci.post(f"{API}/deliveries/retry", json={"channel": None})
    wrong = ci.post(f"{API}/deliveries/retry", json={"chanel": "mail"})

    assert (done.status_code, done.json()) == (200, {"sent": [], "left": []})
    assert wrong.status_code == 422


def test_a_channel_that_there_is_not_and_one_that_cannot_be_tested_here(here: Stage, ci: httpx.Client) -> None:
    assert ci.post(f"{API}/channels/nobody/test").status_code == 404


def test_news_come_as_they_happen_and_end_with_the_token(here: Stage) -> None:
    token, secret = here.site.token(Role.VIEWER)
    with program(here.site, secret) as client, client.stream("GET", f"{API}/events", timeout=30) as answered:
        lines = answered.iter_lines()
        hello = next(line for line in lines if line.startswith("event"))
        here.store.revoke_token(token.id, by=BY, at=here.town.clock())
        rest = list(lines)

    assert (answered.status_code, answered.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
    assert hello == "event: hello"
    assert not any("news" in line for line in rest)


# Previews


def end(here: Stage, previews: Previews, *shows: Any) -> None:
    """Let the preview that was asked for last come to an end."""
    candidate, future = previews.asked[-1]
    made = preview(here.store, here.town.settings, ScriptedFetcher(shows), candidate, now=here.town.clock)
    future.set_result(asyncio.run(made))


def test_a_preview_is_begun_asked_after_and_approved_ahead(here: Stage, previews: Previews, ci: httpx.Client) -> None:
    begun = ci.post(FORGE, json={"version": "1.9.0"})
    there = begun.headers["location"]
    running = ci.get(there).json()
    early = ci.post(f"{there}/approval", json={"digest": f"sha256:{'1' * 64}"})
    end(here, previews, lists.forge(3, version="1.9.0"))
    done = ci.get(there).json()
    body = {"digest": done["seen"]["lists"][0]["digest"], "note": "reads like 1.8"}
    approved, again = (ci.post(f"{there}/approval", json=body) for _ in range(2))
    other = ci.post(f"{there}/approval", json={"digest": f"sha256:{'1' * 64}"})

    assert (begun.status_code, running["state"], running["seen"]) == (202, "running", None)
    assert (early.status_code, other.status_code) == (409, 404)
    assert (done["state"], done["seen"]["steady"], done["seen"]["failure"]) == ("done", True, None)
    assert done["seen"]["lists"][0]["report"]["findings"]
    assert (approved.status_code, again.status_code) == (201, 200)
    assert approved.json() == again.json()
    listed = ci.get(f"{API}/ahead?state=waiting").json()["entries"]
    assert [{**one, "replaced": None} for one in listed] == [approved.json()]

    ended = ci.post(f"{API}/ahead/{approved.json()['id']}/end", json={"note": "not yet"})

    assert (ended.status_code, ended.json()["state"]) == (200, "ended")
    assert ci.get(f"{API}/ahead?state=waiting").json()["entries"] == []


def test_a_preview_that_was_judged_beside_another_baseline_is_not_approved(
    here: Stage, previews: Previews, ci: httpx.Client
) -> None:
    there = ci.post(FORGE, json={"version": "1.9.0"}).headers["location"]
    end(here, previews, lists.forge(3, version="1.9.0"))
    digest = ci.get(there).json()["seen"]["lists"][0]["digest"]
    here.town.look("forge", lists.forge(1))
    here.town.approve("forge")
    refused = ci.post(f"{there}/approval", json={"digest": digest})

    assert (refused.status_code, refused.json()["type"]) == (409, "urn:driftwatch:problem:too-late")


def test_so_many_previews_run_at_once_and_no_more(here: Stage, ci: httpx.Client) -> None:
    answers = [ci.post(FORGE, json={"version": version}) for version in ("1.9.0", "1.9.0", "1.9.1", "1.9.2")]
    url = ci.post(f"{NOTES}/previews", json={"version": "2"})

    assert [one.status_code for one in answers] == [202, 202, 202, 429]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert len(ci.get(FORGE).json()["entries"]) == 2
    assert url.status_code == 400


def test_without_a_sandbox_nothing_is_started(tmp_path: Path, previews: Previews) -> None:
    with stage(tmp_path, previewing=previews, unsandboxed="bubblewrap is not installed") as made:
        with of(made, Role.REVIEWER) as client:
            refused = client.post(FORGE, json={"version": "1.9.0"})

        assert refused.status_code == 409
        assert "bubblewrap is not installed" in refused.json()["detail"]
        assert previews.asked == []
