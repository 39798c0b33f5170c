"""Previews on pages: another version is looked at, read as a review, and approved before it is rolled out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_site import form_of, signed_in

from driftwatch.config.schema import ServerConfig
from driftwatch.model import AlertKind, Listed, Unreachable
from driftwatch.review.preview import preview
from tests.fakes import ScriptedFetcher
from tests.web import town_lists as lists
from tests.web.reviewing import Previews, Reader, Stage, assert_only_our_markup, notices, read_it, stage

PAGE = "/servers/forge/preview"
NOW, NEXT = lists.forge(2), lists.forge(3, version="1.9.0")


@pytest.fixture
def previews() -> Previews:
    return Previews()


@pytest.fixture
def forge(tmp_path: Path, previews: Previews) -> Iterator[Stage]:
    """A server that is approved."""
    with stage(tmp_path, previewing=previews) as made:
        made.town.look("forge", NOW)
        made.town.approve("forge")
        yield made


@pytest.fixture
def rita(forge: Stage) -> Iterator[httpx.Client]:
    with signed_in(forge.site, "rita") as client:
        yield client


def begin(client: httpx.Client, version: str = "1.9.0", page: str = PAGE) -> httpx.Response:
    return client.post(page, data={**form_of(client.get(page).text, page), "version": version})


def end(forge: Stage, previews: Previews, *shown: Listed | Unreachable) -> None:
    """Let the preview that was asked for last come to an end, with what its two looks see."""
    candidate, future = previews.asked[-1]
    fetcher = ScriptedFetcher([*shown] if len(shown) > 1 else [*shown, *shown])
    made = preview(forge.store, forge.town.settings, fetcher, candidate, now=forge.town.clock)
    future.set_result(asyncio.run(made))


def done(forge: Stage, previews: Previews, client: httpx.Client, *shown: Listed | Unreachable) -> tuple[str, str]:
    """Begin a preview, let it end, and give its address and its page."""
    there = begin(client).headers["location"]
    end(forge, previews, *shown)
    return there, client.get(there).text


def approve(client: httpx.Client, there: str, page: str, **typed: str) -> httpx.Response:
    """Approve ahead, and tick that what is grave in it was read where that is asked."""
    answered = ask(client, there, page, **typed)
    return read_it(client, answered) if "Nothing is approved yet" in answered.text else answered


def ask(client: httpx.Client, there: str, page: str, **typed: str) -> httpx.Response:
    return client.post(f"{there}/approve", data={**form_of(page, f"{there}/approve"), **typed})


def test_a_preview_runs_and_its_page_asks_anew_until_it_is_done(
    forge: Stage, previews: Previews, rita: httpx.Client
) -> None:
    begun = begin(rita)
    running = rita.get(begun.headers["location"])
    again = begin(rita)
    end(forge, previews, NEXT)
    over = rita.get(begun.headers["location"])

    assert begun.status_code == 303
    assert again.headers["location"] == begun.headers["location"]
    assert previews.asked[0][0].server.args == ("-y", "@example/forge-mcp@1.9.0")
    assert running.headers["refresh"] == "3"
    assert "0 of 2 done" in Reader(running.text).text
    assert "refresh" not in over.headers
    assert "forge 1.9.0 differs from what was approved" in Reader(over.text).text
    assert begun.headers["location"] in rita.get(PAGE).text


def test_what_was_previewed_is_approved_ahead_and_raises_nothing_when_it_lands(
    forge: Stage, previews: Previews, rita: httpx.Client
) -> None:
    there, page = done(forge, previews, rita, NEXT)
    answered = approve(rita, there, page, note="read it", days="7")
    listed = Reader(rita.get(PAGE).text)
    (waiting,) = forge.store.waiting_aheads("forge", forge.town.clock())
    again = Reader(rita.get(there).text)
    forge.town.look("forge", NEXT)
    baseline = forge.store.baseline("forge")

    assert (answered.status_code, answered.headers["location"]) == (303, PAGE)
    assert (waiting.by, waiting.origin, waiting.note) == ("rita", "web 127.0.0.1", "read it")
    assert (waiting.until - waiting.at).days == 7
    assert "“read it”" in listed.text
    assert "Approved ahead by rita" in again.text
    assert not any(one.get("action", "").endswith("/approve") for one in again.all("form"))
    assert forge.store.open_alert("forge", AlertKind.DRIFT) is None
    assert baseline is not None
    assert (baseline.by, baseline.digest) == ("rita", waiting.digest)


def test_what_is_grave_in_a_preview_is_asked_about_once_more(
    forge: Stage, previews: Previews, rita: httpx.Client
) -> None:
    there, page = done(forge, previews, rita, NEXT)
    asked = ask(rita, there, page, note="so be it", days="7")
    unread = read_it(rita, asked, ticked=False)
    back = read_it(rita, unread, ticked=False, act="back")
    none = forge.store.waiting_aheads("forge", forge.town.clock())
    answered = approve(rita, there, back.text, note="so be it", days="7")

    assert (asked.status_code, unread.status_code, back.status_code) == (200, 400, 200)
    assert "ahead of its roll-out as version 1.9.0" in Reader(asked.text).text
    assert ">so be it</textarea>" in back.text
    assert '<option value="7" selected>' in back.text
    assert none == []
    assert answered.status_code == 303


def test_an_approval_ahead_is_ended(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    approve(rita, *done(forge, previews, rita, NEXT))
    (waiting,) = forge.store.waiting_aheads("forge", forge.town.clock())
    path = f"/servers/forge/ahead/{waiting.id}/end"
    form = form_of(rita.get(PAGE).text, path)
    ended = rita.post(path, data={**form, "why": "the release was withdrawn"})
    twice = rita.post(path, data=form)

    assert (ended.status_code, twice.status_code) == (303, 400)
    assert forge.store.waiting_aheads("forge", forge.town.clock()) == []
    assert forge.store.ahead(waiting.id).ended_by == "rita"


def test_what_was_approved_since_makes_a_preview_stale(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    there, page = done(forge, previews, rita, NEXT)
    forge.town.look("forge", lists.forge(4))
    forge.town.approve("forge")
    answered = approve(rita, there, page, note="kept")

    assert answered.status_code == 409
    assert "Preview it again" in notices(answered.text)[0]
    assert forge.store.waiting_aheads("forge", forge.town.clock()) == []
    assert not any(one.get("action", "").endswith("/approve") for one in Reader(answered.text).all("form"))


def test_two_faces_are_both_shown_and_approved_only_by_who_says_that_they_know(
    forge: Stage, previews: Previews, rita: httpx.Client
) -> None:
    there, page = done(forge, previews, rita, NEXT, lists.forge(4, version="1.9.0"))
    other = rita.get(f"{there}?list=2").text
    unsure = approve(rita, there, page)
    sure = approve(rita, there, unsure.text, sure="1")

    assert "another list from one start to the next" in Reader(page).text
    assert len({form_of(one, f"{there}/approve")["digest"] for one in (page, other)}) == 2
    assert (unsure.status_code, sure.status_code) == (400, 303)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"digest": ""}, "does not say which list"),
        ({"digest": "sha256:" + "0" * 64}, "does not say which list"),
        ({"note": "n" * 2_001}, "2,001 characters"),
        ({"form": "x"}, "not made for you"),
    ],
)
def test_a_form_that_is_not_what_was_shown_approves_nothing(
    forge: Stage, previews: Previews, rita: httpx.Client, change: dict[str, str], words: str
) -> None:
    answered = approve(rita, *done(forge, previews, rita, NEXT), **change)

    assert (answered.status_code, words in notices(answered.text)[0]) == (400, True)
    assert forge.store.waiting_aheads("forge", forge.town.clock()) == []


def test_what_cannot_be_looked_at_cannot_be_approved(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    there, page = done(forge, previews, rita, Unreachable("start-failed", "npm says \x1b[31mno"))
    form = forge.site.app.state.forms.issue(forge.store.sessions("rita")[0].csrf, f"{there}/approve")
    forged = rita.post(f"{there}/approve", data={"form": form, "digest": "sha256:0"})

    assert "start-failed: npm says \\u{001B}[31mno" in Reader(page).text
    assert "There is nothing to approve" in Reader(page).text
    assert forged.status_code == 400


def test_a_hostile_candidate_brings_no_markup_of_its_own(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    page = Reader(done(forge, previews, rita, lists.hostile())[1])

    assert_only_our_markup(page)
    assert "{{ 7*7 }}" in page.text


def test_what_fails_in_driftwatch_itself_is_said(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    there = begin(rita).headers["location"]
    previews.asked[-1][1].set_exception(RuntimeError("not for eyes"))
    page = rita.get(there).text

    assert "the log of the daemon says more" in page
    assert "not for eyes" not in page


@pytest.mark.parametrize("version", ["", "latest stable", "--evil", "<b>", "1.9.0\x00"])
def test_what_is_no_version_is_refused_and_stays_typed(rita: httpx.Client, version: str) -> None:
    answered = begin(rita, version)

    assert answered.status_code == 400
    assert "<b>" not in answered.text
    assert version in {"", "1.9.0\x00"} or Reader(answered.text).all("input")[-1]["value"] == version


def test_who_may_only_look_sees_previews_and_begins_none(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    there, _ = done(forge, previews, rita, NEXT)
    with signed_in(forge.site, "vic") as vic:
        pages = [Reader(vic.get(path).text) for path in (PAGE, there)]
        refused = [vic.post(path, data={"version": "1.9.0"}).status_code for path in (PAGE, f"{there}/approve")]

    assert all("takes the role reviewer" in page.text for page in pages)
    assert not [one for page in pages for one in page.all("form") if "/preview" in one.get("action", "")]
    assert refused == [403, 403]


def test_a_preview_of_one_server_is_none_of_another(forge: Stage, previews: Previews, rita: httpx.Client) -> None:
    there, _ = done(forge, previews, rita, NEXT)

    assert rita.get(there.replace("forge", "notes")).status_code == 404


def test_what_is_reached_at_a_url_is_left_to_the_command_line(rita: httpx.Client) -> None:
    page = rita.get("/servers/notes/preview").text

    assert "driftwatch preview notes --url …, or a list of it that you were sent: --file …" in Reader(page).text
    assert 'action="/servers/notes/preview"' not in page


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("python", ("server.py",)),
        ("node", ("dist/index.js", "--stdio")),
        ("uvx", ("--from", "git+https://git.example.com/forge", "forge-mcp")),
        ("npx", ("-y", "./forge-mcp")),
        ("/opt/forge/bin/forge-mcp", ()),
    ],
)
def test_no_form_is_offered_where_no_version_can_be_put_into_the_command(
    tmp_path: Path, previews: Previews, command: str, args: tuple[str, ...]
) -> None:
    local = ServerConfig(name="forge", transport="stdio", command=command, args=args)
    with stage(tmp_path, previewing=previews, servers=(local,)) as made, signed_in(made.site, "rita") as rita:
        made.town.look("forge", NOW)
        page = rita.get(PAGE).text

    assert "driftwatch preview forge --command …, or --file …" in Reader(page).text
    assert f'action="{PAGE}"' not in page


def test_without_a_sandbox_it_says_why_and_what_to_use_instead(tmp_path: Path, previews: Previews) -> None:
    with stage(tmp_path, previewing=previews, unsandboxed="bubblewrap is not installed") as made:
        made.town.look("forge", NOW)
        with signed_in(made.site, "rita") as rita:
            page = Reader(rita.get(PAGE).text)
            form = made.site.app.state.forms.issue(made.store.sessions("rita")[0].csrf, PAGE)
            forged = rita.post(PAGE, data={"form": form, "version": "1.9.0"})

    assert "without a sandbox: bubblewrap is not installed" in page.text
    assert "driftwatch preview forge --version" in page.text
    assert (forged.status_code, previews.asked) == (409, [])
