"""What HTTP answers and failures mean to any channel that posts. Pure."""

from __future__ import annotations

import math
import re
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

import httpx

from driftwatch.model import SendResult, SendVerdict

_FINAL: Final = frozenset({301, 308, 410, 413})
"""Answers that no later attempt can change: moved for good, gone for good, and too large to be taken."""

_UNDER_WAY: Final = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""What a handshake raises inside while it waits for the other side: no failure by itself."""

_SECONDS: Final = re.compile(r"[0-9]{1,9}")


def verdict_of(status: int) -> SendVerdict:
    """Say what a status means for the delivery.

    - 2xx: done.
    - 410 (gone; Standard Webhooks says to stop then) and 413 (too large): stop.
    - A redirect is never followed: it could carry the message and its signature to another host. 301 and 308 stop;
      others are tried again, because a receiver under maintenance often answers with one.
    - Everything else: try again, also 401, 403 and 404. A receiver that is being deployed, or whose secret is being
      changed, answers with them for a while, and an alert must outlive that.
    """
    if 200 <= status < 300:
        return SendVerdict.DONE
    if status in _FINAL:
        return SendVerdict.STOP
    return SendVerdict.RETRY


def result_of(status: int, retry_after: str | None, now: datetime) -> SendResult:
    """Give the result for an answer. The words come from our own table, never from the answer."""
    try:
        phrase = f" {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = ""
    verdict = verdict_of(status)
    moved = " (redirects are not followed)" if 300 <= status < 400 else ""
    wait = wait_of(retry_after, now) if verdict is SendVerdict.RETRY else None
    return SendResult(verdict, f"HTTP {status}{phrase}{moved}", wait)


def wait_of(header: str | None, now: datetime) -> float | None:
    """Read a `Retry-After` (RFC 9110, 10.2.3) as seconds from `now`; None where there is none to be understood."""
    text = (header or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
        seconds = (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def failure_of(error: Exception) -> SendResult:
    """Give the result for an attempt that got no answer.

    httpx puts URLs and header values into its messages, so none of its words are used: only types and the operating
    system's own description of an error number.
    """
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol | httpx.LocalProtocolError | UnicodeError):
        return SendResult(SendVerdict.STOP, "the configured URL or headers cannot be sent")
    return SendResult(SendVerdict.RETRY, _what_broke(error))


def _what_broke(error: Exception) -> str:
    chain = list(causes(error))
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return "no answer in time"
    if any(isinstance(cause, ssl.SSLError) and not isinstance(cause, _UNDER_WAY) for cause in chain):
        return "the secure connection failed: certificate or TLS version"
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return "the host name cannot be resolved"
    if isinstance(error, httpx.ConnectError):
        return "no connection: refused or unreachable"
    return "the connection broke before a whole answer came"


def causes(error: BaseException) -> Iterator[BaseException]:
    """Give the error and what led to it."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop()
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting.extend((cause.__cause__, cause.__context__))
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cause.exceptions)
