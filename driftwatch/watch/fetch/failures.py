"""From what went wrong to one of the three failures of the model. Pure: no connection, no clock of its own."""

from __future__ import annotations

import email.utils
import errno
import os
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx2
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

from driftwatch.model import Failure, Malformed, Refused, Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.outbound import MOST_HEAD, AddressRefusedError, HeadTooLargeError, ProxyAwayError

DEFINITIVE = frozenset(
    {"unauthorized", "forbidden", "rate-limited", "redirected", "tls-pin", "address-refused", "sign-in"}
)
"""Codes of refusals after which asking in another way would only be rude."""

_WANTS_A_NAME = "the proxy wants a name and a password, or other ones"


_USED_UP = {
    errno.EMFILE: "driftwatch may open no more files at once",
    errno.ENFILE: "this machine can open no more files at once",
    errno.ENOMEM: "this machine has no memory left for it",
    errno.ENOBUFS: "this machine has no memory left for its network",
}
"""What is used up on our side, by the number of the error."""

_NO_PROCESS = "this machine, or the user that driftwatch runs as, may start no more processes"


def own_limit(error: BaseException, *, starts: bool = False) -> Failure | None:
    """Say that something of ours is used up, and no server to blame; None where that is not so.

    `starts` says that a process was to be started: then "try again" means that there may be no more of them.
    """
    used_up = _USED_UP.get(error.errno or 0) if isinstance(error, OSError) else None
    if used_up is None and starts and isinstance(error, BlockingIOError):
        used_up = _NO_PROCESS
    if used_up is None and isinstance(error, RuntimeError) and str(error).startswith("can't start new thread"):
        used_up = _NO_PROCESS
    return None if used_up is None else Unreachable("own-limit", f"{used_up}: the server was not asked")


def of_status(status: int, *, phase: str, retry_after: float | None, challenge: str = "") -> Failure:
    """Say what an HTTP status of 400 or more means. `challenge` is what the server says about how to sign in."""
    answered = f"answered {phase} with HTTP {status}"
    if status == 401:
        return Refused("unauthorized", f"{answered}: credentials are missing or wrong{challenge}", status, retry_after)
    if status == 403:
        return Refused("forbidden", f"{answered}: these credentials may not look", status, retry_after)
    if status in {404, 410}:
        return Refused("not-found", f"{answered}: there is no MCP server at this address", status, retry_after)
    if status == 407:
        return Unreachable("proxy", _WANTS_A_NAME, status)
    if status == 429:
        return Refused("rate-limited", f"{answered}: too many requests", status, retry_after)
    return Unreachable("http-status", answered, status, retry_after)


def of_connection(error: BaseException, *, phase: str) -> Failure:
    """Say why a connection could not be made or broke."""
    chain = list(_chain(error))
    for link in chain:
        ours = _of_ours(link, phase)
        if ours is not None:
            return ours
    if any(isinstance(link, socket.gaierror) for link in chain):
        return Unreachable("dns", "the host name cannot be resolved")
    for link in chain:
        if isinstance(link, ssl.SSLError):
            is_waiting = isinstance(link, ssl.SSLWantReadError | ssl.SSLWantWriteError)
            why = "it was not agreed on in time" if is_waiting else link.reason or type(link).__name__
            return Unreachable("tls", f"no secure connection: {why}")
    name = type(error).__name__
    if any(isinstance(link, httpx2.TimeoutException) for link in chain):
        return Unreachable("timeout", f"no connection in time for {phase}")
    if any(isinstance(link, httpx2.ConnectError) for link in chain):
        number = next((link.errno for link in chain if isinstance(link, OSError) and link.errno), None)
        return Unreachable("connect", f"no connection: {os.strerror(number) if number else name}")
    return Unreachable("closed-early", f"the connection broke during {phase} ({name})")


def _of_ours(error: BaseException, phase: str) -> Failure | None:
    """Say what it means that something of ours between the library and the sockets said no; None where it did not."""
    if isinstance(error, FailedLookError):
        return error.failure
    if (used_up := own_limit(error)) is not None:
        return used_up
    if isinstance(error, AddressRefusedError):
        return Refused("address-refused", str(error))
    if isinstance(error, HeadTooLargeError):
        return Malformed("too-large", f"the head of the answer to {phase} is larger than {MOST_HEAD} bytes")
    if isinstance(error, httpx2.ProxyError | ProxyAwayError):
        return Unreachable("proxy", _of_proxy(error))
    return None


def _of_proxy(error: Exception) -> str:
    """Say what is wrong with the proxy. It puts a status before its words, which are not repeated."""
    status = str(error)[:3]
    if status == "407":
        return _WANTS_A_NAME
    if status.isascii() and status.isdigit():
        return f"the proxy answered with HTTP {status}"
    return "no connection to the proxy"


def of_exception(error: Exception, *, phase: str) -> Failure:
    """Say what an exception out of the SDK or the transports means; an unknown one becomes `internal`."""
    leaves = list(_leaves(error))
    for leaf in leaves:
        if isinstance(leaf, FailedLookError):
            return leaf.failure
    for leaf in leaves:
        if isinstance(leaf, MCPError):
            return _of_protocol(leaf, phase)
        if isinstance(leaf, httpx2.HTTPError):
            return of_connection(leaf, phase=phase)
        if isinstance(leaf, TimeoutError):
            return timed_out(phase)
        if (used_up := own_limit(leaf)) is not None:
            return used_up
    names = ", ".join(sorted({type(leaf).__name__ for leaf in leaves}))
    return Unreachable("internal", f"driftwatch stumbled during {phase}: {names}")


def timed_out(phase: str) -> Failure:
    """Say that time ran out, and during what."""
    return Unreachable("timeout", f"no answer in time: {phase}")


def retry_after(value: str | None, *, now: datetime) -> float | None:
    """Read a `Retry-After` header (RFC 9110, 10.2.3: seconds or a date) as seconds from now, never negative."""
    if not value:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        return float(value.strip()[:9])
    try:
        then = email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())


def _of_protocol(error: MCPError, phase: str) -> Failure:
    if error.code == REQUEST_TIMEOUT:
        return timed_out(phase)
    if error.code == CONNECTION_CLOSED:
        return Unreachable("closed-early", f"the connection ended during {phase}")
    return Malformed("handshake-error", f"the conversation failed at {phase} (error {error.code})")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give the error, what caused it, and so on, through groups; each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        link = waiting.pop(0)
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        waiting += [link.__cause__, link.__context__]
        if isinstance(link, BaseExceptionGroup):
            waiting += link.exceptions
