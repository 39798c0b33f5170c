"""Words on pages: what is hidden is escaped once, one of something is no plural, who is new is welcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
from web_site import HASH, Site, signed_in

from driftwatch.config.words import safe
from driftwatch.judge.text.visible import visible
from driftwatch.model import Malformed, Role, User
from driftwatch.report import sentence
from driftwatch.report.excerpt import sentences
from driftwatch.web import accounts
from driftwatch.web.problems import TooManyTriesError
from tests.fakes import listed, tool
from tests.web.places import Place, whole_town
from tests.web.reviewing import ANN, Stage, stage

TWICE = visible("\\u{0000}").removesuffix("u{0000}")
"""What an escape begins with that was escaped again."""
ONE_OF_MANY = re.compile(
    r"(?<![\w.,:#-])1 (?:more )?(?:items|tools|findings|servers|alerts|messages|looks|lists|days|hours|minutes|seconds|"
    r"times|places|texts|characters|entries|attempts|approvals|reminders|changes|ways|rules|channels)\b"
)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[Place]]]:
    with whole_town(tmp_path_factory.mktemp("town")) as made:
        yield made


@pytest.fixture
def calm(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as made:
        yield made


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", page)))


def test_nothing_hidden_is_escaped_twice_and_one_is_no_plural_on_any_page(town: tuple[Site, list[Place]]) -> None:
    site, places = town
    wrong = []
    with signed_in(site, "ann") as ann:
        for place in places:
            text = text_of(ann.get(place.address).text)
            wrong += [f"{place.name}: {text[text.index(TWICE) - 60 :][:120]}"] if TWICE in text else []
            wrong += [f"{place.name}: {one[0]}" for one in ONE_OF_MANY.finditer(text)]

    assert wrong == []


def test_a_nul_in_what_a_failed_look_says_is_escaped_once(calm: Stage) -> None:
    calm.town.look("notes", Malformed("invalid-json", f"the answer cannot be read: {safe('a' + chr(0) + 'b')}"))

    with signed_in(calm.site, "vic") as vic:
        pages = [text_of(vic.get(path).text) for path in ("/", "/servers/notes")]

    for page in pages:
        assert r"the answer cannot be read: a\u{0}b" in page


def test_a_text_of_ours_keeps_its_escapes_and_hides_nothing() -> None:
    ours = "first\n\tof a\\u{0000}b \u202e"

    assert sentences(ours) == "first\n\tof a\\u{0000}b \\u{202E}"
    assert sentence(ours) == "first\\n\\tof a\\u{0000}b \\u{202E}"


def test_one_of_everything_reads_well(calm: Stage) -> None:
    calm.town.look("notes", listed(tool("only")))
    calm.town.approve("notes")

    with signed_in(calm.site, "vic") as vic:
        page = text_of(vic.get("/servers/notes").text)

    assert "1 tool;" in page
    assert ONE_OF_MANY.search(page) is None


@pytest.mark.parametrize(("seconds", "said"), [(1, "in 1 second."), (30, "in 30 seconds.")])
def test_how_long_to_wait_is_said_in_words(seconds: int, said: str) -> None:
    assert TooManyTriesError(seconds).message.endswith(said)


@pytest.mark.parametrize(
    ("password", "heading", "words"),
    [(None, "Welcome, tom", "Choose a password"), (HASH, "A new password for tom", "")],
    ids=["new", "known"],
)
def test_a_link_says_whether_somebody_is_new(calm: Stage, password: str | None, heading: str, words: str) -> None:
    site = calm.site
    site.store.add_user(User("tom", Role.VIEWER, site.clock(), password), by=ANN)
    key = accounts.add_link(site.store, site.desk.random, "tom", by=ANN, now=site.clock())

    page = httpx.get(f"{site.url}/welcome", params={"key": key}).text

    assert f"<h1>{heading}</h1>" in page
    assert words in page
