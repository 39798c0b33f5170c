"""An approval ahead that a bump has passed by is said wherever a person or a program would look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

import httpx
import pytest
from jsonschema import Draft202012Validator
from web_site import signed_in

from driftwatch.judge.snapshot import take
from driftwatch.report.formats import Form, render
from driftwatch.report.subject import Judged
from driftwatch.review.ahead import approve_ahead
from driftwatch.review.approve import difference
from driftwatch.review.judged import judged_of
from driftwatch.review.passed import passed_everywhere
from tests.web import town_lists as lists
from tests.web.reviewing import ANN, Reader, Stage, stage

WORDS = "It goes on to wait for version 1.9.0, while 2.0.0 runs: it says nothing of that."


@pytest.fixture(scope="module")
def bumped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A server that was approved ahead for one version, and shows another one."""
    with stage(tmp_path_factory.mktemp("bumped")) as made:
        town = made.town
        town.look("notes", lists.NOTES)
        town.look("forge", lists.forge(2))
        town.approve("forge")
        awaited = take(lists.forge(3, version="1.9.0").document)
        approve_ahead(made.store, town.settings, "forge", awaited, version="1.9.0", by=ANN, note="", now=town.clock())
        town.clock.forward(600)
        town.look("forge", lists.forge(4, version="2.0.0"))
        yield made


@pytest.fixture
def vic(bumped: Stage) -> Iterator[httpx.Client]:
    with signed_in(bumped.site, "vic") as client:
        yield client


@pytest.fixture(scope="module")
def judged(bumped: Stage) -> Judged:
    store, settings, now = bumped.store, bumped.town.settings, bumped.town.clock()
    live = store.snapshot(store.state("forge").last_digest)
    report = difference(store, settings, "forge", None, now)
    return judged_of(store, settings, "forge", report, live=live, at=now)


@pytest.mark.parametrize("path", ["/servers/forge", "/servers/forge/review", "/servers/forge/preview"])
def test_the_pages_of_the_server_say_so(vic: httpx.Client, path: str) -> None:
    assert WORDS in Reader(vic.get(path).text).text


def test_the_overview_says_so_at_that_server_alone(vic: httpx.Client) -> None:
    text = Reader(vic.get("/").text).text

    assert text.count("An approval ahead waits for version 1.9.0, and 2.0.0 runs.") == 1


def test_the_api_says_so_of_a_server_of_all_and_of_the_difference(bumped: Stage, vic: httpx.Client) -> None:
    one = vic.get("/api/v1/servers/forge").json()["ahead_waits"]
    rows = {row["name"]: row["ahead_waits"] for row in vic.get("/api/v1/servers").json()["entries"]}
    difference = vic.get("/api/v1/servers/forge/difference").json()
    (waiting,) = bumped.store.waiting_aheads("forge", bumped.town.clock())

    assert [(row["id"], row["by"], row["package_version"], row["runs"]) for row in one] == [
        (waiting.id, "ann", "1.9.0", "2.0.0")
    ]
    assert rows == {"forge": one, "notes": []}
    assert (difference["ahead_waits"], difference["rejections"]) == (one, [])


@pytest.mark.parametrize("form", [Form.TEXT, Form.MARKDOWN, Form.HTML])
def test_every_format_for_people_says_so(judged: Judged, form: Form) -> None:
    written = " ".join(render(form, [judged]).replace("`", "").split())

    assert "waits for version 1.9.0, and 2.0.0 runs" in written


def test_the_document_for_programs_says_so_and_holds_to_its_schema(judged: Judged) -> None:
    document = json.loads(render(Form.JSON, [judged]))

    schema = (files("driftwatch.report") / "report.schema.json").read_text(encoding="utf-8")
    Draft202012Validator(json.loads(schema)).validate(document)
    assert [one["runs"] for one in document["reports"][0]["subject"]["ahead_waits"]] == ["2.0.0"]


def test_once_it_is_over_nothing_is_said(bumped: Stage) -> None:
    now = bumped.town.clock()
    (waiting,) = bumped.store.waiting_aheads("forge", now)

    assert set(passed_everywhere(bumped.store, now)) == {"forge"}
    assert passed_everywhere(bumped.store, now, ["notes"]) == {}
    assert passed_everywhere(bumped.store, waiting.until) == {}
