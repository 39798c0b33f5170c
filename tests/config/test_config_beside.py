"""What the local servers that driftwatch starts can do to its pages, and what is hidden from them for its own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse

LOCAL = '[servers.notes]\ncommand = "sh"\n'


def said(text: str, key: str, base: Path = Path("/nowhere")) -> list[str]:
    found = parse(text, {"PATH": "/bin:/usr/bin"}, base=base).warnings
    return [line for line in found if line.startswith(f"{key}: ")]


def proxied(*networks: str, header: str = 'proxy_header = "Remote-User"\n') -> str:
    return f"[web]\nproxy_from = {list(networks)}\n{header}{LOCAL}"


@pytest.mark.parametrize("network", ["127.0.0.1", "127.0.0.0/8", "126.0.0.0/7", "::1", "::/8"])
def test_a_local_server_that_could_name_itself_a_person_is_warned_of(network: str) -> None:
    (line,) = said(proxied("192.0.2.7", network), "web.proxy_header")

    assert "1 local server (notes) can connect" in line
    assert network in line
    assert "approve what it shows itself" in line
    assert all(word in line for word in ("another address", 'network = "off"', "by password"))


@pytest.mark.parametrize(
    "sandbox", ['sandbox = "none"', 'sandbox = {network = "fetch-only"}', "sandbox = {kind = 'none', network = 'off'}"]
)
def test_what_runs_without_walls_or_fetches_can_too(sandbox: str) -> None:
    assert said(proxied("127.0.0.1") + sandbox, "web.proxy_header")


@pytest.mark.parametrize(
    "text",
    [
        proxied("192.0.2.7", "2001:db8::7"),
        proxied("127.0.0.1") + 'sandbox = {network = "off"}',
        proxied("127.0.0.1") + "enabled = false",
        proxied("127.0.0.1").replace('command = "sh"', 'url = "https://notes.example/mcp"'),
        proxied("127.0.0.1").replace("[web]", "[web]\nenabled = false"),
    ],
)
def test_nobody_is_warned_where_no_server_can_speak_as_the_proxy(text: str) -> None:
    assert not said(text, "web.proxy_header")
    assert not said(text, "web.proxy_from")


def test_without_a_header_only_forged_addresses_are_warned_of() -> None:
    text = proxied("127.0.0.1", header="")

    (line,) = said(text, "web.proxy_from")

    assert "forge X-Forwarded-For" in line
    assert not said(text, "web.proxy_header")
