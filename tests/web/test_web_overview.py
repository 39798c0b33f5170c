"""The overview, the page of a server, its story and its items, as a browser gets them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from web_site import Site, form_of, signed_in, site

from driftwatch.model import Kind, Role
from driftwatch.store.holding import Reload, held
from driftwatch.web.links import item_href
from tests.web import town_lists as lists
from tests.web.town import town_site


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with town_site(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture(scope="module")
def rita(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "rita") as client:
        yield client


@pytest.fixture(scope="module")
def vic(town: Site) -> Iterator[httpx.Client]:
    with signed_in(town, "vic") as client:
        yield client


class Reader(HTMLParser):
    """Reads a page as a browser would: its tags with their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


def read(client: httpx.Client, path: str) -> Reader:
    answered = client.get(path)
    assert answered.status_code == 200, answered.text
    return Reader(answered.text)


def servers_on(page: Reader) -> list[str]:
    found = (re.fullmatch(r"/servers/([a-z]+)", link.get("href", "")) for link in page.all("a"))
    return [match[1] for match in found if match]


# The overview


def test_the_overview_shows_every_server_and_those_first_that_wait_for_a_review(rita: httpx.Client) -> None:
    page = read(rita, "/")

    found = servers_on(page)
    assert found[0] == "notes"
    assert set(found) == {
        "notes", "calendar", "weather", "search", "billing", "metrics", "docs", "tickets", "archive", "forge", "bazaar",
        "newcomer",
    }  # fmt: skip
    for words in (
        "changed: review it", "reviewed and quiet", "nothing approved yet", "cannot be looked at", "switched off",
        "not looked at yet", "goes to and fro", "silenced", "rejected, still shown", "connect: connection refused",
    ):  # fmt: skip
        assert words in page.text


def test_a_sparkline_has_its_text_beside_it(rita: httpx.Client) -> None:
    drawn = [one["aria-label"] for one in read(rita, "/").all("svg")]

    assert "2 new lists in 30 days, alerts of high or more on 1 day" in drawn
    assert "no new list in 30 days" in drawn


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("state=failing", ["search"]),
        ("state=off", ["billing"]),
        ("state=flapping", ["metrics"]),
        ("severity=critical", ["notes"]),
        ("label=team%3Dmoney", ["billing"]),
        ("q=FORGE_0042", ["forge"]),
        ("q=tier%3D1&state=review", ["notes"]),
        ("q=%25", []),
        ("state=nonsense", []),
        ("after=billing", []),
    ],
)
def test_the_overview_is_filtered_by_a_plain_form(rita: httpx.Client, asked: str, found: list[str]) -> None:
    assert servers_on(read(rita, f"/?{asked}")) == found


def test_a_filter_keeps_what_was_typed(rita: httpx.Client) -> None:
    page = read(rita, "/?q=%22%3E%3Cb%3E&state=off")

    (typed,) = [one for one in page.all("input") if one.get("name") == "q"]
    assert typed["value"] == '"><b>'
    assert [one["value"] for one in page.all("option") if "selected" in one] == ["off"]
    assert page.all("b") == []


def test_the_first_run_says_what_to_do(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        here.add("ann", Role.VIEWER)
        with signed_in(here, "ann") as client:
            page = read(client, "/")

    assert "Nothing is watched yet" in page.text
    assert "driftwatch import" in page.text


# One server


def test_a_server_says_how_it_stands_and_what_to_do(rita: httpx.Client) -> None:
    page = read(rita, "/servers/notes")

    assert "It shows another list than the one that is approved; the worst of what was found is critical." in page.text
    assert "/servers/notes/review" in [link.get("href") for link in page.all("a")]
    assert "https://mcp.example.com/notes/mcp" in page.text
    assert "approved by ann" in page.text
    assert "Began to show another list: 1 added, 3 changed" in page.text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("calendar", "It shows what was approved. There is nothing to do."),
        ("calendar", "Approved ahead, not shown yet"),
        ("weather", "Nobody approved a list yet"),
        ("search", "What it shows now is not known."),
        ("billing", "It is switched off in the configuration"),
        ("newcomer", "It was not looked at yet."),
        ("metrics", "It goes to and fro between lists."),
        ("bazaar", "Somebody rejected what it shows now"),
        ("docs", "Its alert"),
    ],
)
def test_every_state_has_its_words(rita: httpx.Client, name: str, words: str) -> None:
    assert words in read(rita, f"/servers/{name}").text


def test_a_secret_in_a_command_is_not_shown(rita: httpx.Client) -> None:
    page = read(rita, "/servers/forge")

    assert "npx -y @example/forge-mcp@1.8.0" in page.text


def test_a_server_that_nobody_knows_is_not_there(rita: httpx.Client) -> None:
    answered = rita.get("/servers/nots")

    assert answered.status_code == 404
    assert "notes" in answered.text


def test_a_reviewer_asks_for_a_look_and_a_viewer_is_not_offered_it(
    town: Site, rita: httpx.Client, vic: httpx.Client
) -> None:
    form = form_of(rita.get("/servers/notes").text, "/servers/notes/look")
    done = rita.post("/servers/notes/look", data=form)
    again = rita.post("/servers/notes/look", data=form)

    assert (done.status_code, done.headers["location"]) == (303, "/servers/notes?asked=1")
    assert (again.status_code, town.looked) == (400, ["notes"])
    assert "/servers/notes/look" not in vic.get("/servers/notes").text
    assert vic.post("/servers/notes/look", data=form).status_code == 403


def test_nobody_can_ask_for_a_look_at_what_is_switched_off(town: Site, rita: httpx.Client) -> None:
    path = "/servers/billing/look"
    assert path not in rita.get("/servers/billing").text
    session = next(one for one in town.store.sessions("rita"))
    refused = rita.post(path, data={"form": town.app.state.forms.issue(session.csrf, path)})

    assert refused.status_code == 400
    assert "billing is not looked at" in refused.text
    assert "billing" not in town.looked


def test_what_a_server_shows_is_given_as_a_file(rita: httpx.Client) -> None:
    answered = rita.get("/servers/notes/export")

    names = [tool["name"] for tool in json.loads(answered.text)["tools"]]
    assert answered.headers["content-type"] == "application/json"
    assert re.fullmatch(r'attachment; filename="notes-[0-9a-f]{12}\.json"', answered.headers["content-disposition"])
    assert sorted(names) == ["add_note", "delete_note", "export_notes", "get_note", "list_notes"]
    assert rita.get("/servers/notes/export?digest=ffff").status_code == 404


# The story


def test_a_long_story_goes_on_further_back_and_tells_all_once(rita: httpx.Client) -> None:
    first = read(rita, "/servers/calendar/history")
    titles = re.findall(r"(First seen|Began to show another list|Approved by \w+)", first.text)

    assert titles == [
        "Approved by bob", "Began to show another list", "Approved by ann", "Began to show another list",
        "Approved by bob", "First seen",
    ]  # fmt: skip


def test_a_story_in_stretches_leaves_nothing_out(town: Site, rita: httpx.Client) -> None:
    whole = [one.digest for one in town.store.sightings("metrics")]
    newest, older = town.store.sightings_before("metrics", None, limit=5)
    further, _ = town.store.sightings_before("metrics", older, limit=100)
    page = read(rita, f"/servers/metrics/history?before={older}")

    assert [one.digest for one in (*newest, *further)] == whole[::-1]
    assert page.text.count("Began to show another list") == len(further) - 1
    assert page.text.count("First seen, with") == 1


# Items


def test_a_thousand_items_come_in_pages(rita: httpx.Client) -> None:
    first = read(rita, "/servers/forge/items?kind=tool")
    (following,) = [link["href"] for link in first.all("a") if link.get("rel") == "next"]
    second = read(rita, f"/servers/forge/items{following}")

    names = [set(re.findall(r"forge_\d{4}", page.text)) for page in (first, second)]
    assert [len(one) for one in names] == [100, 20]
    assert not names[0] & names[1]


def test_items_are_found_by_their_names(rita: httpx.Client) -> None:
    page = read(rita, "/servers/forge/items?kind=tool&q=_004")

    assert set(re.findall(r"forge_\d{4}", page.text)) == {f"forge_004{digit}" for digit in range(10)}


def test_one_item_is_shown_whole_with_what_was_found_and_when_it_changed(rita: httpx.Client) -> None:
    page = read(rita, "/servers/notes/items/tool?key=delete_note")

    assert "hint-loosened" in page.text
    assert '"readOnlyHint": true' in page.text
    assert "admits no danger" in page.text
    assert page.text.count("read it") == 2
    assert "/servers/notes/compare?from=" in str(page.all("a"))


def test_an_item_is_shown_as_it_was(town: Site, rita: httpx.Client) -> None:
    first = town.store.sightings("notes")[0].digest
    page = read(rita, f"/servers/notes/items/tool?key=delete_note&digest={first}")

    assert '"readOnlyHint": false' in page.text
    assert "as it was in the list" in page.text


@pytest.mark.parametrize(
    "asked", ["tool?key=never_shown", "tool?key=delete_note&occurrence=7", "prompt?key=delete_note"]
)
def test_an_item_that_was_never_shown_is_not_there(rita: httpx.Client, asked: str) -> None:
    assert rita.get(f"/servers/notes/items/{asked}").status_code == 404


@pytest.mark.parametrize(
    "asked", ["nonsense?key=x", "tool?key=x&occurrence=-1", "tool?wire=%22", "tool?key=" + "x" * 30_000]
)
def test_what_is_no_item_is_refused(rita: httpx.Client, asked: str) -> None:
    assert rita.get(f"/servers/notes/items/{asked}").status_code in {400, 422, 431}


# A server that means harm


def harmless(page: Reader) -> None:
    """See that nothing of a server became markup, and nothing leads or calls anywhere but here."""
    sources = [one.get("src", "") for one in page.all("script")]
    assert all(source.startswith("/static/app.js") for source in sources)
    assert len(sources) <= 1
    assert not page.all("img")
    assert not page.all("iframe")
    assert all("onload" not in one and one.get("role") == "img" for one in page.all("svg"))
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], (tag, attributes)
        for name in ("href", "src", "action"):
            assert attributes.get(name, "/").startswith(("/", "?", "#")), (tag, attributes)
            assert not attributes.get(name, "/").startswith("//")
    assert "\x1b" not in page.text
    assert "\u202e" not in page.text
    assert "\u200b" not in page.text


@pytest.mark.parametrize(
    "path",
    ["/", "/?q=script", "/servers/bazaar", "/servers/bazaar/history", "/servers/archive", "/servers/archive/history"]
    + [f"/servers/bazaar/items?kind={kind.value}" for kind in Kind],
)
def test_hostile_text_is_text_on_every_page(rita: httpx.Client, path: str) -> None:
    harmless(read(rita, path))


def test_every_hostile_item_has_a_page_that_can_be_reached(town: Site, rita: httpx.Client) -> None:
    digest = town.store.state("bazaar").last_digest
    places = list(town.store.places([digest])[digest])

    assert len(places) == 9
    for place in places:
        answered = rita.get(item_href("bazaar", place))
        assert answered.status_code == 200, place
        harmless(Reader(answered.text))


def test_templates_of_a_server_are_not_run(rita: httpx.Client) -> None:
    answered = rita.get(item_href("bazaar", (Kind.TOOL, lists.QUOTES, 0)))

    assert "{{ 7*7 }}{% for a in range(9) %}boom" in unescape(answered.text)
    assert "boomboom" not in answered.text


def test_the_overview_says_that_the_last_reload_failed_and_why_while_the_older_configuration_is_in_force(
    town: Site, rita: httpx.Client
) -> None:
    url = town.desk.settings.database_url
    with held(url, doing="run", now=town.clock()) as hold:
        hold.note(Reload(1, 1, "2026-03-01T12:00:00+00:00", 3, "channels.ops: <b>no</b> file\n  write one"))
        failed = rita.get("/").text
        hold.note(Reload(2, 2, "2026-03-01T13:00:00+00:00", 0, "The new configuration is in force."))
        works = rita.get("/").text

    assert "<strong>The last reload failed</strong>, <time" in failed
    assert "<p>channels.ops: &lt;b&gt;no&lt;/b&gt; file</p>\n<p>  write one</p>" in failed
    assert "reload" not in works
    assert "reload" not in rita.get("/").text
