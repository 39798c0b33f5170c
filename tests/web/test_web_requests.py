"""By what the lines of one request are found, and what is told of it to who traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from driftwatch.model.spans import Fact, Told
from driftwatch.web.app import guarded
from tests.web.web_site import Site, program, served, site

GIVEN = "0189-ab.Cd_ef"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("site")) as opened:

        @opened.app.get("/api/v1/chatter")
        def _chatter() -> None:
            structlog.get_logger().info("in a thread", action="chatter")

        yield opened


@pytest.fixture(scope="module")
def secret(here: Site) -> str:
    return here.token()[1]


def test_an_id_that_a_request_comes_with_is_given_back_and_stands_in_its_lines(here: Site, secret: str) -> None:
    with capture_logs(processors=[merge_contextvars]) as logged, program(here, secret) as ci:
        answered = ci.get("/api/v1/chatter", headers={"x-request-id": GIVEN})
        missing = ci.get("/api/v1/nothing-here", headers={"x-request-id": GIVEN})
        ci.get("/api/v1/chatter")

    said = [line["request"] for line in logged if line.get("action") == "chatter"]
    assert (answered.headers["x-request-id"], said[0]) == (GIVEN, GIVEN)
    assert missing.json()["instance"] == f"urn:driftwatch:request:{GIVEN}"
    assert len(said) == 2
    assert len(said[1]) == 16


@pytest.mark.parametrize(
    "given",
    [
        [""],
        ["a" * 65],
        ["a b"],
        ["-a"],
        ["a\x1b"],
        ["a\u00e9"],
        ["<script>"],
        ["urn:uuid:1"],
        [GIVEN, GIVEN],
    ],
    ids=repr,
)
def test_an_id_that_is_long_or_holds_more_than_plain_letters_is_not_taken_over(
    here: Site, secret: str, given: list[str]
) -> None:
    with program(here, secret) as ci:
        answered = ci.get("/api/v1/desks", headers=[(b"x-request-id", one.encode("latin-1")) for one in given])

    assert answered.headers["x-request-id"] not in given
    assert len(answered.headers["x-request-id"]) == 16


def test_of_a_request_is_told_which_endpoint_answered_it_and_nothing_that_was_sent(here: Site, secret: str) -> None:
    told: list[tuple[Mapping[str, str] | None, dict[str, Fact | None]]] = []

    @contextmanager
    def spans(_: str, /, *, carrier: Mapping[str, str] | None = None, **facts: Fact | None) -> Iterator[Told]:
        yield lambda **more: facts.update(more)
        told.append((carrier, facts))

    before, here.app.state.desk = here.app.state.desk, replace(here.desk, spans=spans)
    with served(guarded(here.app)) as url, program(replace(here, url=url), secret) as ci:
        ci.get("/api/v1/desks?q=hush", headers={"x-request-id": GIVEN, "traceparent": "00-1-2-01", "tracestate": "a=b"})
        ci.get("/healthz")
        ci.request("BREW", "/api/v1/hush")
        ci.get("/hush", headers={"traceparent": "00-1-2-01"})
        ci.get("/api/v1/desks", headers=[("traceparent", "00-1-2-01"), ("traceparent", "00-1-3-01")])
    here.app.state.desk = before

    assert [(facts["method"], facts["route"], facts["status"], facts["failed"]) for _, facts in told] == [
        ("GET", "/api/v1/desks", 200, False),
        ("_OTHER", None, 404, False),
        ("GET", None, 404, False),
        ("GET", "/api/v1/desks", 200, False),
    ]
    assert [carrier for carrier, _ in told] == [{"traceparent": "00-1-2-01", "tracestate": "a=b"}, None, None, None]
    assert told[0][1]["request"] == GIVEN
    assert "hush" not in str(told)


def test_a_fault_of_ours_is_found_in_the_log_by_the_id_that_the_request_came_with(tmp_path: Path) -> None:
    with (
        capture_logs(processors=[merge_contextvars]) as logged,
        site(tmp_path) as at,
        program(at, at.token()[1]) as ci,
    ):
        answered = ci.get("/api/v1/faults", headers={"x-request-id": GIVEN})

    assert answered.status_code == 500
    assert [line["request"] for line in logged if line["action"] == "request-failed"] == [GIVEN]
