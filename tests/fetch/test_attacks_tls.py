"""Servers behind `https` that cannot be trusted, or speak TLS as they should not: nothing of ours is sent to them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import ssl
import warnings
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest
from bounds import bounded
from fetch_world import KIT, look, remote
from servers.http_parts import Reply, Request
from servers.keys import Authority
from servers.over_http import HttpServer
from servers.tls_attacks import DEEDS, behaving

from driftwatch.config.secret import Secret
from driftwatch.model import Unreachable
from driftwatch.watch.fetch.pins import trust, trust_elsewhere

TOKEN = Secret("a-token-of-ours")


@pytest.mark.parametrize("trouble", ["expired", "of another host", "of an unknown authority"])
async def test_a_certificate_that_does_not_hold_ends_the_look_before_anything_is_sent(
    trouble: str, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    key = authority.key(
        address="127.0.0.9" if trouble == "of another host" else "127.0.0.1",
        ends_in_days=-1 if trouble == "expired" else 1,
    )
    trusted = {} if trouble == "of an unknown authority" else {"ca_file": str(authority.file)}
    async with bounded(), HttpServer(tls=key.context) as server:
        outcome = await look(remote(server.url, bearer=TOKEN, **trusted))

        assert server.requests == []
    assert isinstance(outcome, Unreachable)
    assert (outcome.code, outcome.detail) == ("tls", "no secure connection: CERTIFICATE_VERIFY_FAILED")


async def test_an_old_version_of_tls_is_not_spoken(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key = authority.key()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        key.context.set_ciphers("ALL:@SECLEVEL=0")
        key.context.minimum_version = ssl.TLSVersion.TLSv1
        key.context.maximum_version = ssl.TLSVersion.TLSv1_1
    async with bounded(), HttpServer(tls=key.context) as server:
        outcome = await look(remote(server.url, bearer=TOKEN, ca_file=str(authority.file)))

        assert server.requests == []
    assert isinstance(outcome, Unreachable)
    assert outcome.code == "tls"


async def test_a_connection_that_breaks_after_the_handshake_is_a_failed_look(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key = authority.key()
    async with bounded(), HttpServer(fault=speaks_in_clear_text, tls=key.context) as server:
        outcome = await look(remote(server.url, ca_file=str(authority.file)))

    assert isinstance(outcome, Unreachable)
    assert outcome == Unreachable("tls", "no secure connection: WRONG_VERSION_NUMBER")


async def speaks_in_clear_text(_: HttpServer, __: Request, reply: Reply) -> bool:
    """Answer below the TLS that was agreed on."""
    os.write(reply._writer.get_extra_info("socket").fileno(), b"HTTP/1.1 200 OK\r\n\r\n")
    await asyncio.Event().wait()
    return True


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl to be the server")
async def test_a_server_that_wants_to_negotiate_anew_is_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    key = authority.key()
    async with bounded(), negotiating(key.file) as (port, act):
        outcome, said = await asyncio.gather(
            look(remote(f"https://127.0.0.1:{port}/mcp", bearer=TOKEN, ca_file=str(authority.file))), act
        )

    assert isinstance(outcome, Unreachable)
    assert outcome.code in {"tls", "closed-early"}
    assert b"no renegotiation" in said


@contextlib.asynccontextmanager
async def negotiating(key: Path) -> AsyncIterator[tuple[int, Awaitable[bytes]]]:
    """Run a server that asks for another handshake once it has a request; give its port, and all that it says."""
    words = ("s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-tls1_2", "-cert", key, "-key", key)
    process = await asyncio.create_subprocess_exec("openssl", *map(str, words), stdin=-1, stdout=-1, stderr=-1)
    assert process.stdin is not None
    assert process.stdout is not None
    line = b""
    while not line.startswith(b"ACCEPT"):
        line = await process.stdout.readline()

    async def act() -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdout.readuntil(b"POST /mcp")
        process.stdin.write(b"R\n")
        return b"".join(await process.communicate())

    acting = asyncio.ensure_future(act())
    try:
        yield int(line.rpartition(b":")[2]), acting
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.gather(acting, return_exceptions=True)
        await process.wait()


def test_nobody_negotiates_anew_on_a_connection_that_stands(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    plain, own = remote("https://127.0.0.1:9/mcp"), remote("https://127.0.0.1:9/mcp", ca_file=str(authority.file))

    for context in (trust(plain, KIT), trust(own, KIT), trust_elsewhere(own, KIT)):
        assert context.options & ssl.OP_NO_RENEGOTIATION
        assert (context.minimum_version, context.check_hostname) == (ssl.TLSVersion.TLSv1_2, True)
        assert context.verify_mode is ssl.CERT_REQUIRED


@pytest.mark.parametrize("deed", DEEDS)
async def test_what_is_no_tls_is_a_failed_look_within_the_time_for_connecting(deed: str) -> None:
    is_slow = deed in {"never answers", "drips its hello"}
    async with bounded(), behaving(deed) as url:
        outcome = await look(remote(url, bearer=TOKEN, times={"connect": 0.4} if is_slow else {}))

    assert isinstance(outcome, Unreachable)
    assert outcome.code in ({"tls"} if is_slow else {"tls", "connect", "closed-early"})
    assert ("in time" in outcome.detail) is is_slow
