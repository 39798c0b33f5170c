"""The three addresses that programs ask: who may, and what they are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_site import Site, browser, program, signed_in, site

from driftwatch.config.schema import Settings
from driftwatch.config.web import WebConfig
from driftwatch.model import Check, Health, Part, Role

WELL = Health((Check(Part.DATABASE, ok=True, why="it can be read and written"),), "all is well")
ILL = Health(
    (Check(Part.SCHEDULER, ok=False, why="late"), Check(Part.LOOKS, ok=False, why="none", decides=False)),
    "not looked at when due: secret-server",
)
NUMBERS = b'driftwatch_server_failures{server="secret-server"} 0.0\n'
FAR = ("192.0.2.0/24",)


@contextmanager
def daemon(folder: Path, health: Health = WELL, **more: Any) -> Iterator[Site]:
    """Serve pages that a daemon stands behind, which is as well as it says."""

    async def ready() -> Health:
        return health

    async def metrics() -> bytes:
        return NUMBERS

    with site(folder, **more) as made:
        made.app.state.desk = replace(made.desk, ready=ready, metrics=metrics)
        yield made


def test_whether_it_lives_and_whether_it_works_is_for_everybody_under_any_name(tmp_path: Path) -> None:
    with daemon(tmp_path) as here, httpx.Client(base_url=here.url, headers={"Host": "10.1.2.3:8642"}) as probe:
        lives, works, numbers = (probe.get(path) for path in ("/healthz", "/readyz", "/metrics"))

    assert (lives.status_code, lives.text) == (200, "alive\n")
    assert (works.status_code, works.json()["ready"]) == (200, True)
    # Numbers name servers, and a page elsewhere could let a name of its own point here.
    assert numbers.status_code == 421


def test_a_daemon_that_does_not_work_says_which_part_and_names_nothing(tmp_path: Path) -> None:
    with daemon(tmp_path, ILL) as here:
        answered = httpx.get(f"{here.url}/readyz")

    assert answered.status_code == 503
    assert answered.headers["content-type"] == "application/json"
    assert answered.json() == {
        "ready": False,
        "checks": [
            {"check": "scheduler", "ok": False, "decides": True, "why": "late"},
            {"check": "looks", "ok": False, "decides": False, "why": "none"},
        ],
    }
    assert "secret-server" not in answered.text


def test_on_this_machine_the_numbers_are_told_to_whoever_asks(tmp_path: Path) -> None:
    with daemon(tmp_path) as here:
        answered = httpx.get(f"{here.url}/metrics")

    assert (answered.status_code, answered.content) == (200, NUMBERS)
    assert answered.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


def test_from_elsewhere_the_numbers_take_a_token_that_may(tmp_path: Path) -> None:
    with daemon(tmp_path, metrics_from=FAR) as here:
        _, good = here.token(scopes=["metrics"])
        _, other = here.token(scopes=["servers"])
        nobody = httpx.get(f"{here.url}/metrics")
        told = []
        for secret in (good, other, "dw_nonsense"):
            with program(here, secret) as collector:
                told.append(collector.get("/metrics").status_code)
        with program(here, good) as collector:
            elsewhere = collector.get("/api/v1/servers")

    assert (nobody.status_code, nobody.headers["content-type"]) == (401, "application/problem+json")
    assert nobody.headers["www-authenticate"].startswith("Bearer")
    assert told == [200, 403, 401]
    assert elsewhere.status_code == 403
    assert "secret-server" not in nobody.text


def test_a_person_who_may_look_reads_the_numbers_in_a_browser(tmp_path: Path) -> None:
    with daemon(tmp_path, metrics_from=FAR) as here:
        here.add("vic", Role.VIEWER)
        with signed_in(here, "vic") as vic, browser(here) as nobody:
            told = [one.get("/metrics").status_code for one in (vic, nobody)]

    assert told == [200, 401]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_what_comes_through_a_proxy_that_nobody_named_is_not_from_this_machine(tmp_path: Path, header: str) -> None:
    with daemon(tmp_path) as here:
        answered = httpx.get(f"{here.url}/metrics", headers={header: "127.0.0.1"})

    assert answered.status_code == 401


def test_through_a_proxy_of_ours_the_address_that_it_names_counts(tmp_path: Path) -> None:
    web = {"proxy_from": ("127.0.0.1",), "metrics_from": FAR}
    with daemon(tmp_path, **web) as here:
        told = [
            httpx.get(f"{here.url}/metrics", headers=headers).status_code
            for headers in ({"X-Forwarded-For": "192.0.2.9"}, {"X-Forwarded-For": "198.51.100.1"}, {})
        ]

    assert told == [200, 401, 401]


def test_with_a_public_address_this_machine_is_near_only_where_somebody_wrote_so(tmp_path: Path) -> None:
    public = "https://watch.example.com"
    told = []
    for number, web in enumerate(({}, {"metrics_from": ("127.0.0.1",)})):
        folder = tmp_path / str(number)
        folder.mkdir()
        with daemon(folder, public_url=public, **web) as here:
            told.append(httpx.get(f"{here.url}/metrics").status_code)

    assert told == [401, 200]


def test_pages_without_a_daemon_have_nothing_to_say_of_one(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        told = {path: httpx.get(here.url + path).status_code for path in ("/healthz", "/readyz", "/metrics")}

    assert told == {"/healthz": 200, "/readyz": 404, "/metrics": 404}


def test_near_is_this_machine_unless_written_otherwise() -> None:
    assert WebConfig().metrics_from == ("127.0.0.0/8", "::1/128")
    assert json.loads(Settings(database_url="sqlite:///x.db").web.model_dump_json())["metrics_from"] == [
        "127.0.0.0/8",
        "::1/128",
    ]
