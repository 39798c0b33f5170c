"""Which headers go on, which requests are ours, and which addresses can be passed on to."""

from __future__ import annotations

import pytest

from driftwatch.watch.witness.remote.heads import back, is_ours, is_path, onward, readable
from driftwatch.watch.witness.remote.leading import led_away, led_here
from driftwatch.watch.witness.remote.upstream import Origin, OriginError


def test_what_belongs_to_one_connection_stays_there_and_the_rest_goes_on_in_its_spelling_and_order() -> None:
    given = [
        (b"X-B", b"2"),
        (b"host", b"localhost:8700"),
        (b"connection", b"X-Hop ,keep-alive, content-length"),
        (b"x-hop", b"mine"),
        (b"Authorization", b"Bearer abc"),
        (b"PROXY-authorization", b"Basic x"),
        (b"Upgrade", b"websocket"),
        (b"x-b", b"1"),
        (b"content-length", b"2"),
    ]

    assert onward(given, b"mcp.example.com") == [
        (b"X-B", b"2"),
        (b"host", b"mcp.example.com"),
        (b"Authorization", b"Bearer abc"),
        (b"x-b", b"1"),
        (b"content-length", b"2"),
    ]
    assert back([(b"Set-Cookie", b"a"), (b"TE", b"x"), (b"set-cookie", b"b")]) == [
        (b"Set-Cookie", b"a"),
        (b"set-cookie", b"b"),
    ]


def test_a_length_beside_chunks_does_not_go_on_so_that_nobody_can_read_two_requests_out_of_one() -> None:
    chunked = (b"Transfer-Encoding", b"chunked")

    going = onward([(b"Host", b"here"), (b"Content-Length", b"5"), chunked], b"there")

    assert going == [(b"Host", b"there"), chunked]


@pytest.mark.parametrize(
    ("location", "leads", "away"),
    [
        (b"https://mcp.example.com/mcp/?a", b"http://localhost:8700/mcp/?a", ""),
        (b"HTTPS://MCP.example.com", b"http://localhost:8700", ""),
        (b"https://mcp.example.com:443/x", b"http://localhost:8700/x", ""),
        (b"//mcp.example.com/x", b"http://localhost:8700/x", ""),
        (b" https:\\\\mcp.example.com/x", b"http://localhost:8700/x", ""),
        (b"/mcp/", None, ""),
        (b"elsewhere", None, ""),
        (b"?a=https://other.example/", None, ""),
        (b"", None, ""),
        (b"https://mcp.example.com.evil.example/", None, "https://mcp.example.com.evil.example"),
        (b"https://mcp.example.com:444/", None, "https://mcp.example.com:444"),
        (b"http://mcp.example.com/", None, "http://mcp.example.com"),
        (b"https://mcp.example.com@evil.example/a?b", None, "https://evil.example"),
        (b"https://user:secret@mcp.example.com/", None, "https://mcp.example.com"),
        (b"//evil.example/mcp", None, "//evil.example"),
        (b"/\\evil.example/mcp", None, "//evil.example"),
        (b"\\/evil.example", None, "//evil.example"),
        (b"\t/\t/evil.example", None, "//evil.example"),
        (b"ht\ttps://evil.example", None, "https://evil.example"),
        (b"https:evil.example", None, "https://evil.example"),
        (b"https:/evil.example", None, "https://?"),
        (b"https://evil.example" + b"x" * 5000, None, "https://evil.example" + "x" * 180),
    ],
)
def test_an_agent_that_is_led_to_the_servers_own_address_is_led_to_ours_and_elsewhere_is_told(
    location: bytes, leads: bytes | None, away: str
) -> None:
    given = [(b"LOCATION", location), (b"Link", location)]
    origin = b"https://mcp.example.com"

    going = [(b"LOCATION", location if leads is None else leads), (b"Link", location)]
    assert led_here(given, origin, b"localhost:8700") == going
    assert led_away(given, origin) == away


def test_a_request_without_a_host_gets_one() -> None:
    assert onward([], b"mcp.example.com") == [(b"Host", b"mcp.example.com")]


@pytest.mark.parametrize(
    ("given", "goes_on"),
    [
        (b"gzip, deflate", b"gzip, deflate"),
        (b" GZIP;q=0.3 ,identity;q=0", b" GZIP;q=0.3 ,identity;q=0"),
        (b"br, gzip", b"gzip"),
        (b"gzip;q=1.0, *;q=0", b"gzip;q=1.0"),
        (b"br, zstd", b""),
        (b"*", b""),
    ],
)
def test_codings_that_the_copy_cannot_read_are_left_out_of_an_offer(given: bytes, goes_on: bytes) -> None:
    assert readable(given) == goes_on


def test_an_offer_of_which_nothing_is_left_asks_for_no_coding() -> None:
    assert onward([(b"Accept-Encoding", b"br")], b"a")[1:] == [(b"Accept-Encoding", b"identity")]


@pytest.mark.parametrize(
    ("host", "anywhere", "ours"),
    [
        (b"127.0.0.1:8700", False, True),
        (b"LOCALHOST", False, True),
        (b"[::1]:8700", False, True),
        (b"127.9.9.9", False, True),
        (b"192.0.2.7", False, False),
        (b"192.0.2.7:1", True, True),
        (b"evil.example", True, False),
        (b"desk.example:8700", False, True),
        (b"localhost.evil.example", False, False),
        (b"localhost:80@evil.example", False, False),
        (b"localhost, evil.example", False, False),
        (b"[::1].evil.example", False, False),
        (b"", True, False),
        (b"\xff\xfe", True, False),
    ],
)
def test_only_names_of_this_machine_are_answered(host: bytes, anywhere: bool, ours: bool) -> None:
    assert is_ours(host, anywhere=anywhere, names=["Desk.example"]) is ours


@pytest.mark.parametrize(("target", "path"), [(b"/", True), (b"*", True), (b"http://a/", False), (b"a:443", False)])
def test_only_paths_are_passed_on(target: bytes, path: bool) -> None:
    assert is_path(target) is path


@pytest.mark.parametrize(
    ("url", "shown", "port", "path"),
    [
        ("https://mcp.example.com/mcp", "https://mcp.example.com", 443, "/mcp"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", 8000, "/"),
        ("HTTPS://Bücher.example:443/a/", "https://xn--bcher-kva.example", 443, "/a/"),
        ("http://[::1]:9/x", "http://[::1]:9", 9, "/x"),
    ],
)
def test_an_address_is_read(url: str, shown: str, port: int, path: str) -> None:
    origin = Origin.read(url)

    assert (str(origin), origin.port, origin.path) == (shown, port, path)


@pytest.mark.parametrize(
    "url",
    ["", "mcp.example.com", "ftp://a/", "https:///x", "https://u:p@a/", "https://a/?key=1", "https://a/#x", "https://a:x/",
     "https://a\r\nX: y/", "https://a:99999/", "http://[::1/", "https://" + "a" * 70 + ".example/"],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(OriginError):
        Origin.read(url)
