"""What the service manager is told (sd_notify, systemd.service(5)): ready, what is going on, reloading, alive, ending.

Each message is one datagram to the socket that `NOTIFY_SOCKET` names. Where there is none, nobody is told anything.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Self

import structlog

log = structlog.get_logger()

_PATIENCE: Final = 1.0
"""Seconds that one message may take: systemd reads at once, and a full queue must not hold up the looks for long."""

_TELLINGS: Final = 4
"""Signs of life within the time after which systemd takes the daemon for dead: one may fail, and one come late."""


def _microseconds() -> int:
    return time.monotonic_ns() // 1_000


@dataclass
class Notify:
    """Whom to tell. `Notify()` tells nobody; `Notify.of` reads the environment that systemd gave."""

    address: str = ""
    """A path, or `@` and a name: a socket in the abstract name space."""

    every: float | None = None
    """Seconds between two signs of life; None where nobody waits for any."""

    monotonic: Callable[[], int] = field(default=_microseconds, repr=False)
    """Microseconds of the machine's monotonic clock, by which systemd tells an old reload from a new one."""

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Read `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` (sd_watchdog_enabled(3)).

        What is not meant for this process, or cannot be read, counts as absent.
        """
        address = environ.get("NOTIFY_SOCKET", "")
        period = environ.get("WATCHDOG_USEC", "")
        is_ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        if not address.startswith(("/", "@")):
            return cls()
        if not is_ours or not period.isdecimal() or not int(period):
            return cls(address)
        return cls(address, int(period) / 1_000_000 / _TELLINGS)

    def ready(self, status: str) -> None:
        """Say that the daemon watches, and in a line what."""
        self._send("READY=1", _status(status))

    def say(self, status: str) -> None:
        """Say in a line what is going on: `systemctl status` shows it."""
        self._send(_status(status))

    def alive(self, status: str) -> None:
        """Give a sign of life, with a line about what is going on."""
        self._send("WATCHDOG=1", _status(status))

    def stopping(self) -> None:
        """Say that the daemon winds down."""
        self._send("STOPPING=1", _status("winding down"))

    @contextmanager
    def reloading(self, status: Callable[[], str]) -> Iterator[None]:
        """Say that a reload is under way, and after it that the daemon is ready, however the reload went.

        `status` gives the line that stands from then on: it may say why the old configuration was kept.
        """
        self._send("RELOADING=1", f"MONOTONIC_USEC={self.monotonic()}", _status("reading the configuration anew"))
        try:
            yield
        finally:
            self.ready(status())

    def _send(self, *lines: str) -> None:
        if not self.address:
            return
        place = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.settimeout(_PATIENCE)
                out.connect(place)
                out.sendall("\n".join(lines).encode())
        except OSError as error:
            log.warning("the service manager cannot be told", action="notify-failed", error=type(error).__name__)


def _status(text: str) -> str:
    """Give the line for a status: it ends at a line break, and what follows would be read as another message."""
    return "STATUS=" + " ".join(text.split())
