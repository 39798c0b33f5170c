"""Servers behind `https` that cannot be trusted, or speak TLS as they should not: nothing of ours is sent to them."""

from __future__ import annotations

import ssl
import warnings
from pathlib import Path

import pytest
from bounds import bounded
from fetch_world import KIT, look, remote
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
