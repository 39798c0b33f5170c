"""A site with servers that are looked at as the story of a test goes on, and a browser's hands and eyes for reviews."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import httpx
from web_site import HASH, Site, form_of, served

from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.model import Actor, Role, User
from driftwatch.review.candidate import Candidate
from driftwatch.review.preview import Preview
from driftwatch.store.store import Store
from driftwatch.web.app import create, guarded
from driftwatch.web.desk import Desk, Previewing
from tests.blank import blank
from tests.fakes import FrozenClock
from tests.web.town import Town

ANN = Actor("ann", "web 192.0.2.10")
SERVERS = (
    ServerConfig(name="notes", transport="http", url="https://mcp.example.com/notes/mcp", rehearse=False),
    ServerConfig(
        name="forge", transport="stdio", command="npx", args=("-y", "@example/forge-mcp@1.8.0"), rehearse=False
    ),
)


@dataclass
class Stage:
    """A site, what looks at its servers, and how often somebody said that messages wait, and asked to look again."""

    site: Site
    town: Town
    woken: list[bool] = field(default_factory=list)
    again: list[str] = field(default_factory=list)

    @property
    def store(self) -> Store:
        return self.site.store


@contextmanager
def stage(
    folder: Path,
    *,
    previewing: Previewing | None = None,
    unsandboxed: str = "",
    servers: tuple[ServerConfig, ...] = SERVERS,
) -> Iterator[Stage]:
    """Serve pages of two servers at which nobody looked yet; rita may decide, vic may look."""
    url, woken, looked = blank(folder / "driftwatch.db"), list[bool](), list[str]()
    again = list[str]()
    settings = Settings(database_url=url, servers=servers, daemon=DaemonConfig(public_url=None))
    with ExitStack() as stack:
        clock = FrozenClock()
        store = stack.enter_context(Store.open(url, clock=clock))
        town = Town(store, settings, clock() + timedelta(days=30))
        for name, role in (("rita", Role.REVIEWER), ("vic", Role.VIEWER)):
            store.add_user(User(name, role, town.clock(), HASH), by=ANN)
        desk = Desk(
            store,
            settings,
            town.clock,
            secrets.token_bytes,
            wake=lambda: woken.append(True),
            look=looked.append,
            again=again.append,
            previewing=previewing,
            unsandboxed=lambda _: unsandboxed,
        )
        app = create(desk)
        made = Site(stack.enter_context(served(guarded(app))), desk, town.clock, "", app, looked)
        yield Stage(made, town, woken, again)


class Reader(HTMLParser):
    """Reads a page as a browser would: its tags with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.inside: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag in {"td", "th", "li", "p", "h3"}:
            self.texts.append(" ")
        if tag in {"mark", "ins", "del", "h1", "h2", "h3"}:
            self._open.append(tag)
            self.inside.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open[-1]:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        for tag in set(self._open):
            self.inside[tag][-1] += data

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def boxes(self) -> list[str]:
        """The ids of the items that can be ticked."""
        return [one["value"] for one in self.all("input") if one.get("type") == "checkbox" and one["name"] == "item"]

    @property
    def ticked(self) -> list[str]:
        """The ids of the items that are ticked, here or on other pages."""
        return [one["value"] for one in self.all("input") if one.get("name") == "item" and _counts(one)]


def _counts(box: dict[str, str]) -> bool:
    return box["type"] == "hidden" or "checked" in box


def article_of(page: str, name: str) -> str:
    """Give the part of a page that is about the item that a person knows by this name."""
    articles = re.findall(r"<article.*?</article>", page, re.DOTALL)
    found = [one for one in articles if name in Reader(one).inside["h3"][0].lower()]
    assert found, f"there is no {name}"
    return found[0]


def box_of(page: str, name: str) -> str:
    """Give the id of the box of an item."""
    (box,) = Reader(article_of(page, name)).boxes
    return box


def notices(page: str) -> list[str]:
    """Give what stands above a page."""
    found = re.findall(r'<div class="notice [^"]*" role="status"><p>(.*?)</p></div>', page, re.DOTALL)
    return [unescape(one) for one in found]


def send(
    client: httpx.Client, page: str, act: str, *names: str, action: str = "/servers/notes/review", **typed: object
) -> httpx.Response:
    """Send the form of a review as a browser would that ticked the boxes of these items and pressed a button."""
    ids = [*(box_of(page, name) for name in names)]
    kept = re.findall(r'<input type="hidden" name="item" value="(\w+)">', page)
    given = {**form_of(page, action), "act": act, "note": "", **typed, "item": [*kept, *ids]}
    return client.post(action, data=given)


def read_it(client: httpx.Client, asked: httpx.Response, *, ticked: bool = True, act: str = "") -> httpx.Response:
    """Send the form of the page that asks once more, as a browser would whose person ticked that they read it."""
    action = re.findall(r'<form class="card" method="post" action="([^"]+)"', asked.text)[0]
    hidden = re.findall(r'<input type="hidden" name="item" value="(\w+)">', asked.text)
    (mark,) = re.findall(r'<input type="checkbox" name="read" value="(\w+)" required>', asked.text)
    (note,) = re.findall(r'<textarea id="note"[^>]*>(.*?)</textarea>', asked.text, re.DOTALL)
    pressed = act or re.findall(r'<button class="danger" name="act" value="([^"]+)"', asked.text)[0]
    given = {**form_of(asked.text, action), "act": pressed, "note": unescape(note), "item": hidden}
    return client.post(action, data={**given, "read": ["", *[mark] * ticked]})


def assert_only_our_markup(page: Reader) -> None:
    """See that nothing of a server's became markup, an address, a script, or a character that does not show."""
    assert [one["src"].split("?")[0] for one in page.all("script")] == ["/static/app.js"]
    assert not {tag for tag, _ in page.tags} & {"img", "iframe", "object", "base", "embed", "video", "style"}
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes), tag
        for name in ("href", "src", "action", "formaction"):
            assert attributes.get(name, "/").startswith(("/", "?", "#")), attributes
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page.text)


@dataclass
class Previews:
    """Begins previews that end when the test says so."""

    asked: list[tuple[Candidate, Future[Preview]]] = field(default_factory=list)

    def __call__(self, candidate: Candidate, _: object) -> Future[Preview]:
        future: Future[Preview] = Future()
        self.asked.append((candidate, future))
        return future
