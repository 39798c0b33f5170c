"""What no request passes that another site's page could have made, and what every answer carries."""

from __future__ import annotations

import json
import logging
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import httpx
import pytest
from structlog.testing import capture_logs
from web_site import PASSWORD, PATIENCE, SECRET_OF_A_FAULT, Site, browser, form_of, program, signed_in, site

from driftwatch.model import Role
from driftwatch.web.guard import DISCARDED, LARGEST, SECURITY


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("web"), hosts=("watch.internal",)) as made:
        made.add("ann", Role.ADMIN)
        yield made


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def raw(at: Site, request: bytes) -> bytes:
    """Send bytes as they are, and give all that comes back."""
    host, port = at.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8642", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.1"],
)
def test_a_name_that_is_not_ours_is_answered_with_nothing_of_ours(here: Site, host: str) -> None:
    with browser(here) as client:
        answered = client.get("/sign-in", headers={"Host": host})

    assert answered.status_code == 421
    assert "does not answer to this name" in answered.text
    assert "evil" not in answered.text


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:9999", "127.0.0.1", "127.1.2.3", "[::1]:8642", "Watch.Internal.:80"],
)
def test_loopback_and_the_names_of_the_configuration_are_answered_on_any_port(here: Site, host: str) -> None:
    with browser(here) as client:
        answered = client.get("/sign-in", headers={"Host": host})

    assert answered.status_code == 200


@pytest.mark.parametrize("host", ["", "a b", "127.0.0.1@evil.example", "127.0.0.1/x", "[", "127.0.0.1:port"])
def test_a_host_that_cannot_be_read_is_refused(here: Site, host: str) -> None:
    answered = raw(here, f"GET /sign-in HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())

    assert answered.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /sign-in HTTP/1.0\r\n\r\n",
        b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\nX-Note: a\x01b\r\nConnection: close\r\n\r\n",
        b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\nCookie: a\x00b\r\nConnection: close\r\n\r\n",
    ],
    ids=["no host", "two hosts", "control character", "NUL"],
)
def test_a_request_that_no_browser_would_send_is_refused(here: Site, request_: bytes) -> None:
    assert raw(here, request_).split(b" ")[1] == b"400"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
    ids=lambda headers: " ".join(*headers.items()),
)
def test_what_another_sites_page_sends_changes_nothing(here: Site, headers: dict[str, str]) -> None:
    with signed_in(here, "ann") as client:
        form = form_of(client.get("/account").text, "/sign-out")
        refused = client.post("/sign-out", data=form, headers=headers)
        still = client.get("/account")

    assert (refused.status_code, still.status_code) == (403, 200)
    assert "does not come from a page of driftwatch" in refused.text


@pytest.mark.parametrize("kind", [None, "text/plain", "application/json"])
def test_a_form_that_is_not_said_to_be_one_is_refused_with_what_is_expected(here: Site, kind: str | None) -> None:
    with browser(here) as client:
        headers = {} if kind is None else {"Content-Type": kind}
        refused = client.post("/sign-in", content=b"name=ann", headers=headers)

    assert (refused.status_code, refused.headers["accept"]) == (
        415, "application/x-www-form-urlencoded, multipart/form-data",
    )  # fmt: skip
    assert "application/x-www-form-urlencoded" in refused.text


def test_what_does_not_say_from_where_it_comes_changes_nothing_unless_it_has_a_token(here: Site) -> None:
    _, secret = here.token(Role.REVIEWER)
    with httpx.Client(timeout=PATIENCE, base_url=here.url) as nobody, program(here, secret) as ci:
        refused = nobody.post("/sign-in", data={"name": "ann", "password": PASSWORD})
        done = ci.post("/api/v1/desks")

    assert (refused.status_code, done.status_code) == (403, 200)


def test_the_public_address_may_differ_from_the_name_that_the_proxy_asks_by(tmp_path: Path) -> None:
    with site(tmp_path, public_url="https://watch.example") as here, browser(here) as client:
        asked = client.get("/sign-in", headers={"Host": "watch.example"})
        sent = client.post(
            "/sign-in", data=form_of(asked.text, "/sign-in"), headers={"Origin": "https://watch.example"}
        )

    assert (asked.status_code, sent.status_code) == (200, 401)


def test_a_body_that_is_too_large_is_not_read(here: Site) -> None:
    with browser(here) as client:
        announced = client.post("/sign-in", content=b"a" * (LARGEST + 1))
        in_pieces = client.post("/sign-in", content=iter([b"name=", *[b"a" * 65536] * 5]), headers=FORM)

    assert (announced.status_code, in_pieces.status_code) == (413, 413)
    assert "larger than 256 KiB" in announced.text


@pytest.mark.parametrize(
    ("path", "size", "good", "status"),
    [
        ("/api/v1/looks", 9_000_000, True, 413),
        ("/api/v1/desks", 9_000_000, True, 413),
        ("/api/v1/looks", 8_000_000, False, 401),
        ("/api/v1/nothing", 200_000, True, 404),
    ],
)
def test_a_program_that_sends_everything_before_it_listens_reads_why_it_was_refused(
    here: Site, path: str, size: int, good: bool, status: int
) -> None:
    secret = here.token(Role.REVIEWER)[1] if good else "dw_of-nobody"
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    with pytest.raises(HTTPError) as refused:
        urlopen(Request(here.url + path, b"x" * size, headers), timeout=PATIENCE)

    assert refused.value.code == status
    assert json.load(refused.value)["status"] == status


def test_of_what_is_refused_no_more_than_a_bound_is_read(here: Site) -> None:
    host, port = here.url.removeprefix("http://").split(":")
    head = f"POST /sign-in HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {10**12}\r\n\r\n"
    sent, part = 0, b"x" * 2**20
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection, suppress(ConnectionError):
        connection.sendall(head.encode())
        while sent < 4 * DISCARDED:
            connection.sendall(part)
            sent += len(part)

    # What lies in the buffers of the two ends was sent, and not read.
    assert sent < 2 * DISCARDED


_PIECES = {
    "a part": b"Content-Length: 1000\r\n\r\nname=a",
    "a part of unknown length": b"Transfer-Encoding: chunked\r\n\r\n6\r\nname=a\r\n",
    "what is no HTTP": b"Transfer-Encoding: chunked\r\n\r\nno number\r\n",
}
_ASKED = {
    "a form": b"POST /sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
    "a look": b"POST /api/v1/looks HTTP/1.1\r\nContent-Type: application/json\r\n",
    "a body of the framework": b"POST /api/v1/silences HTTP/1.1\r\nContent-Type: application/json\r\n",
    "what is answered unread": b"POST /nothing HTTP/1.1\r\n",
}


def test_who_goes_away_in_the_middle_leaves_no_error_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with capture_logs() as logged, site(tmp_path) as here:
        _, secret = here.token(Role.REVIEWER)
        host, port = here.url.removeprefix("http://").split(":")
        who = f"Host: {host}:{port}\r\nOrigin: {here.url}\r\nAuthorization: Bearer {secret}\r\n".encode()
        sent = [asked + who + piece for asked in _ASKED.values() for piece in _PIECES.values()]
        for request in [*sent, b"GET /static/app.css HTTP/1.1\r\n" + who + b"\r\n"]:
            for rudely in (False, True):
                with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
                    connection.sendall(request)
                    if rudely:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # They were heard in their order, and the site ends only when all of them are done with.

    assert [one for one in logged if one["log_level"] not in {"debug", "info"}] == []
    assert {"request-gone"} <= {one.get("action") for one in logged}
    assert [one.message for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info] == []


@pytest.mark.parametrize("path", ["/sign-in", "/nothing", "/account", "/api/v1/servers", "/static/app.css"])
def test_every_answer_carries_the_strict_headers(here: Site, path: str) -> None:
    with browser(here) as client:
        answered = client.get(path)

    assert {name: answered.headers[name] for name in SECURITY} == SECURITY
    assert "unsafe" not in answered.headers["content-security-policy"]
    assert answered.headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")
    assert len(answered.headers["x-request-id"]) == 16
    assert "server" not in answered.headers


def test_a_fault_of_ours_shows_a_number_and_nothing_else(here: Site) -> None:
    _, secret = here.token()
    with capture_logs() as logged, program(here, secret) as ci:
        answered = ci.get("/api/v1/faults")
        # The framework answers before the guard hears of the fault.
        end = time.monotonic() + 30
        while not (said := [one for one in logged if one.get("action") == "request-failed"]) and time.monotonic() < end:
            time.sleep(0.005)

    (line,) = said
    assert answered.status_code == 500
    assert SECRET_OF_A_FAULT not in answered.text
    assert "Traceback" not in answered.text
    assert answered.json()["instance"] == f"urn:driftwatch:request:{line['request']}"
    assert answered.headers["content-type"] == "application/problem+json"
    assert {name: answered.headers[name] for name in SECURITY} == SECURITY


def test_a_web_socket_is_not_opened(here: Site) -> None:
    upgrade = b"Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    answered = raw(here, b"GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\n" + upgrade + b"\r\n")

    assert not answered.startswith(b"HTTP/1.1 101")
