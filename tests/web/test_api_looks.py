"""Looks of witnesses, handed in through the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_site import program, signed_in

from driftwatch.config.secret import Secret
from driftwatch.config.witnessing import WitnessConfig
from driftwatch.model import Role, TestimonyState, Witnessed
from driftwatch.store.witnesses import MOST_WITNESSES
from driftwatch.watch.witness.delivering import deliver, spool_of
from driftwatch.watch.witness.packing import packed
from driftwatch.web.guard import LARGEST_LOOK
from tests.web import town_lists as lists
from tests.web.reviewing import Stage, stage

ROOT = Path(__file__).resolve().parents[2]
API = "/api/v1"
TOOL = {"name": "draft_note", "description": "Drafts a note.", "inputSchema": {"type": "object"}}
LOOK = {"server": "notes", "witness": "claude-desktop", "shown": {"tools": [TOOL]}}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as made:
        made.town.look("notes", lists.NOTES)
        yield made


@pytest.fixture
def witness(here: Stage) -> Iterator[httpx.Client]:
    """A program with a token that was made as the documentation says."""
    _, secret = here.site.token(scopes=["looks"])
    with program(here.site, secret) as client:
        yield client


def hand_in(to: httpx.Client, **more: Any) -> httpx.Response:
    return to.post(f"{API}/looks", json={**LOOK, **more})


def test_a_look_that_driftwatch_has_not_made_itself_waits_and_asks_for_one(here: Stage, witness: httpx.Client) -> None:
    answered = hand_in(witness, session="a1", number=2, calls=3, tool="search", client="claude-ai 0.1")

    (entry,) = answered.json()["entries"]
    assert (answered.status_code, entry["state"], answered.json()["waits"]) == (202, "pending", True)
    assert here.site.looked == ["notes"]
    (kept,) = here.site.store.testimonies("notes")
    assert (kept.calls, kept.tool, kept.client, kept.number) == (3, "search", "claude-ai 0.1", 2)


def test_what_driftwatch_is_shown_too_is_taken_and_asks_for_nothing(here: Stage, witness: httpx.Client) -> None:
    kept = here.site.store.snapshot(here.site.store.state("notes").last_digest)
    assert kept is not None
    tools = [item.raw for item in kept.items if item.kind == "tool"]

    answered = hand_in(witness, shown={"tools": tools})

    assert (answered.status_code, answered.json()["entries"][0]["state"]) == (201, "same")
    assert here.site.looked == []


def test_the_same_again_is_known(witness: httpx.Client) -> None:
    first, again = hand_in(witness), hand_in(witness)

    assert (first.status_code, again.status_code) == (202, 200)
    assert again.json()["entries"][0]["id"] == first.json()["entries"][0]["id"]


def test_what_a_witness_packs_is_what_is_read(here: Stage, witness: httpx.Client) -> None:
    now = here.site.clock()
    document = {"tools": [TOOL], "instructions": "half a \ud800 pair", "promptBodies": [{"name": "p", "messages": []}]}
    more = {"calls": 7, "tool": "x\ud800", "noticed": ("tools",), "gaps": 1}
    seen = Witnessed("notes", "cursor", "9f", 3, now, now, document, **more)

    answered = witness.post(f"{API}/looks", content=packed(seen), headers={"content-type": "application/json"})

    assert answered.status_code == 202
    lists, body = here.site.store.testimonies("notes")
    assert (lists.session, lists.number, lists.calls, lists.noticed, lists.gaps) == ("9f", 3, 7, ("tools",), 1)
    assert (body.prompt, body.state) == ("p", TestimonyState.PENDING)


def test_what_is_odd_in_what_a_server_sent_is_kept_and_around_it_refused(here: Stage, witness: httpx.Client) -> None:
    inside = json.dumps({**LOOK, "shown": {"tools": "@"}}).replace('"@"', '[{"name": "a", "name": "b"}]')
    around = json.dumps(LOOK)[:-1] + ', "server": "other"}'

    def send(text: str) -> httpx.Response:
        return witness.post(f"{API}/looks", content=text, headers={"content-type": "application/json"})

    assert send(inside).status_code == 202
    held = here.site.store.held_testimony(here.site.store.testimonies("notes")[0])
    assert held is not None
    assert [one.code for one in held[1]] == ["duplicate-key"]
    assert send(around).status_code == 422


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"shown": {}}, "body/shown"),
        ({"shown": {"tools": {}}}, "body/shown/tools"),
        ({"shown": {"tools": [], "nextCursor": "2"}}, "body/shown/nextCursor"),
        ({"witness": "a\u202eb"}, "body/witness"),
        ({"witness": " a"}, "body/witness"),
        ({"witness": "$(touch X)"}, "body/witness"),
        ({"witness": "a`touch X`"}, "body/witness"),
        ({"witness": 'a" --yes "'}, "body/witness"),
        ({"witness": "--yes"}, "body/witness"),
        ({"calls": -1}, "body/calls"),
        ({"seen_at": "yesterday"}, "body/seen_at"),
        ({"sesion": "a1"}, "body/sesion"),
    ],
    ids=str,
)
def test_what_is_not_as_the_document_says_is_refused_with_the_place(
    here: Stage, witness: httpx.Client, more: dict[str, Any], where: str
) -> None:
    answered = hand_in(witness, **more)

    assert answered.status_code == 422
    assert [one["where"] for one in answered.json()["errors"]] == [where]
    assert here.site.store.testimonies("notes") == []


def test_what_cannot_be_read_is_too_large_or_of_another_kind_is_refused(witness: httpx.Client) -> None:
    kind = {"content-type": "application/json"}
    nothing = witness.post(f"{API}/looks", content=b"{", headers=kind)
    large = witness.post(f"{API}/looks", content=b" " * (LARGEST_LOOK + 1), headers=kind)
    other = witness.post(f"{API}/looks", content=json.dumps(LOOK), headers={"content-type": "text/plain"})
    there_is_none = hand_in(witness, server="nots")

    codes = [one.status_code for one in (nothing, large, other, there_is_none)]
    assert codes == [422, 413, 415, 404]
    assert all(
        one.headers["content-type"] == "application/problem+json" for one in (nothing, large, other, there_is_none)
    )


def test_a_look_as_large_as_a_server_may_send_is_taken(witness: httpx.Client) -> None:
    tools = [{**TOOL, "name": f"tool_{number}", "description": "Drafts. " * 500} for number in range(500)]

    assert hand_in(witness, shown={"tools": tools}).status_code == 202


def test_a_token_of_a_witness_hands_in_looks_and_does_nothing_else(here: Stage, witness: httpx.Client) -> None:
    paths = ("servers", "servers/notes/witnessed", "alerts", "audit", "me", "tokens", "settings")

    assert {witness.get(f"{API}/{path}").status_code for path in paths} == {403}
    assert witness.post(f"{API}/servers/notes/look").status_code == 403
    assert hand_in(witness).status_code == 202


def test_without_that_scope_it_takes_a_reviewer(here: Stage) -> None:
    with ExitStack() as stack:
        viewer = stack.enter_context(program(here.site, here.site.token(Role.VIEWER)[1]))
        reviewer = stack.enter_context(program(here.site, here.site.token(Role.REVIEWER)[1]))
        nobody = stack.enter_context(program(here.site, "dw_nothing"))
        codes = [hand_in(one).status_code for one in (viewer, reviewer, nobody)]

    assert codes == [403, 202, 401]


def test_what_agents_were_shown_is_listed_in_pages(here: Stage, witness: httpx.Client) -> None:
    for session in ("a1", "b2", "c3"):
        hand_in(witness, session=session)

    with signed_in(here.site, "vic") as vic:
        first = vic.get(f"{API}/servers/notes/witnessed", params={"limit": 2}).json()
        rest = vic.get(f"{API}/servers/notes/witnessed", params={"limit": 2, "cursor": first["next"]}).json()

    assert [one["session"] for one in (*first["entries"], *rest["entries"])] == ["a1", "b2", "c3"]
    assert rest["next"] is None


def test_a_list_of_which_the_agent_saw_the_beginning_is_taken_as_that(here: Stage, witness: httpx.Client) -> None:
    more = {"tools": lists.NOTES.document["tools"][:1]}

    answered = hand_in(witness, shown=more, partial=["tools", "prompts", "instructions"])

    (entry,) = answered.json()["entries"]
    assert (answered.status_code, entry["state"], entry["partial"]) == (201, "same", ["tool"])


def test_a_reviewer_forgets_a_witness_for_which_nothing_stands(here: Stage, witness: httpx.Client) -> None:
    hand_in(witness, shown={"tools": lists.NOTES.document["tools"]}, witness="a host/1")
    hand_in(witness)
    path = f"{API}/servers/notes/witnessed"

    with ExitStack() as stack:
        viewer = stack.enter_context(program(here.site, here.site.token(Role.VIEWER)[1]))
        reviewer = stack.enter_context(program(here.site, here.site.token(Role.REVIEWER)[1]))
        asked = [(viewer, "a host/1"), (reviewer, "a host/1"), (reviewer, "a host/1"), (reviewer, "claude-desktop")]
        codes = [one.delete(path, params={"witness": name}).status_code for one, name in asked]

    assert codes == [403, 204, 404, 409]
    assert [one.witness for one in here.site.store.testimonies("notes")] == ["claude-desktop"]


def test_a_server_that_has_no_room_for_a_witness_keeps_no_other_server_s_look_from_coming(
    here: Stage, witness: httpx.Client, tmp_path: Path
) -> None:
    for number in range(MOST_WITNESSES):
        hand_in(witness, witness=f"host {number}")
    settings = WitnessConfig(
        url=here.site.url, token=Secret(witness.headers["authorization"].split()[1]), spool=str(tmp_path / "spool")
    )
    spool, at = spool_of(settings), here.site.clock()
    for session, server in (("a1", "notes"), ("b2", "forge")):
        spool.keep(Witnessed(server, "new-host", session, 1, at, at, {"tools": [TOOL]}))

    came = deliver(spool, settings, here.site.clock)

    assert (came.taken, came.held, came.wait) == (1, 1, 60.0)
    (held,) = spool.status().held
    assert (held.server, len(here.site.store.testimonies("forge"))) == ("notes", 1)
    assert "50 witnesses" in held.why
    assert "driftwatch witness forget notes" in held.hint


def test_the_lines_of_python_in_the_documentation_hand_in_a_look(here: Stage) -> None:
    page = (ROOT / "docs" / "witness.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    _, secret = here.site.token(scopes=["looks"])
    code = lines.replace("http://127.0.0.1:8642", here.site.url).replace("dw_…", secret)

    given: dict[str, Any] = {}
    exec(code, given)

    assert len(lines.strip().splitlines()) <= 10
    assert given["answer"].status == 202
    assert [one.witness for one in here.site.store.testimonies("notes")] == ["my-gateway"]


def test_what_could_not_be_read_asks_for_a_look_that_tells_it_and_no_more_once_it_is_known(
    here: Stage, witness: httpx.Client
) -> None:
    kept = here.site.store.snapshot(here.site.store.state("notes").last_digest)
    assert kept is not None
    tools = [item.raw for item in kept.items if item.kind == "tool"]

    answers = [hand_in(witness, shown={"tools": tools}, session="a1", gaps=gaps).status_code for gaps in (1, 1, 2)]

    assert answers == [201, 200, 200]
    assert here.site.looked == ["notes", "notes"]
