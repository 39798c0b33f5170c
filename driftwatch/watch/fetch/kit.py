"""What a connection is made with, besides a server's configuration."""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

import httpx2

from driftwatch.watch.fetch.metadata import Metadata
from driftwatch.watch.fetch.outbound import Book
from driftwatch.watch.fetch.process import GRACE
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.fetch.signin import Tokens
from driftwatch.watch.supply.resolve import Resolver

_CHATTY = ("mcp", "client", "httpx2", "httpcore2")
"""Loggers of the SDK and its HTTP client. They log what servers say, and tracebacks for what is ordinary to us."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Kit:
    """The environment that local servers may inherit from, the clock, how long to wait for an end, and TLS trust.

    `book` looks addresses up; `tokens` remembers those that servers want of us.
    `sandboxes` says what local servers run in; without it each runs as it is configured, in nothing. `resolver` and
    `metadata` remember what was read of launches between looks. In a trial (`is_trial`) a server is started as nothing
    configures it: no other command looks at the same again. `came` is told of the bytes of answers as they come,
    `dated` of the server and the `Date` of each answer: somebody else's words.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    grace: float = GRACE
    clock: Callable[[], datetime] = _now
    resolver: Resolver = field(default_factory=Resolver)
    metadata: Metadata = field(default_factory=Metadata)
    book: Book = field(default_factory=Book)
    tokens: Tokens = field(default_factory=Tokens)
    sandboxes: Sandboxes | None = None
    is_trial: bool = False
    came: Callable[[int], None] = lambda _: None
    dated: Callable[[str, str], None] = lambda *_: None

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """The certificates to trust; loading them takes a while, so it is done once."""
        return hardened(system())


def system() -> ssl.SSLContext:
    """Make the trust that this system has, with `SSL_CERT_FILE` and `SSL_CERT_DIR` before it."""
    return httpx2.create_ssl_context()


def hardened(context: ssl.SSLContext) -> ssl.SSLContext:
    """Take nothing older than TLS 1.2, and let nobody negotiate anew on a connection that stands."""
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    return context


def quiet_the_sdk() -> None:
    """Keep the SDK's loggers from printing what servers say; whoever wants them can add a handler to them."""
    for name in _CHATTY:
        logger = logging.getLogger(name)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
