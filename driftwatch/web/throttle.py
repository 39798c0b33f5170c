"""Slows down those who guess passwords, and locks nobody out for ever.

Failures are counted for a name from one address, for an address, and for a name from anywhere. After some that are
free, each next one doubles the wait, up to a limit. Of IPv6 the first half of an address counts: who has one has the
rest. A browser that is known (`known.py`) has a count of its own and no other: what strangers do at its address, or to
the name of who sits at it, does not make it wait.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

_Key: TypeAlias = tuple[str, ...]


class _Rule(NamedTuple):
    """How many failures are free, and the longest wait after those that are not."""

    free: int
    longest: timedelta


_PAIR: Final = _Rule(5, timedelta(minutes=15))
_ADDRESS: Final = _Rule(20, timedelta(minutes=15))
_NAME: Final = _Rule(20, timedelta(seconds=30))

_FORGET: Final = timedelta(hours=1)
"""After so long without a failure, a count starts anew."""

_MOST: Final = 50_000
"""Counts that are kept of strangers, and as many of known browsers: beyond, those go that were touched least lately."""


@dataclass(slots=True)
class _Count:
    failures: int
    last: datetime


class Throttle:
    """Counts failed sign-ins in memory. May be used from many threads."""

    def __init__(self, clock: Callable[[], datetime], *, most: int = _MOST) -> None:
        """Take the clock, and how many counts to keep."""
        self._clock, self._most = clock, most
        self._strangers: OrderedDict[_Key, _Count] = OrderedDict()
        self._known: OrderedDict[_Key, _Count] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, name: str, address: str, browser: str = "") -> timedelta:
        """Say how long to wait before the next try counts; nothing when it may be made now.

        `browser` tells a known browser apart; empty for a stranger.
        """
        now = self._clock()
        counts, keys = self._where(name, address, browser)
        with self._lock:
            left = [_left(counts.get(key), rule, now) for key, rule in keys]
        return max(left)

    def failed(self, name: str, address: str, browser: str = "") -> int:
        """Count a failure; give how many there were in a row for this browser, or for this name from this address."""
        now = self._clock()
        counts, keys = self._where(name, address, browser)
        with self._lock:
            for key, _ in keys:
                found = counts.pop(key, None)
                if found is None or now - found.last > _FORGET:
                    found = _Count(0, now)
                counts[key] = _Count(found.failures + 1, now)
            while len(counts) > self._most:
                counts.popitem(last=False)
            return counts[keys[0][0]].failures

    def succeeded(self, name: str, address: str, browser: str = "") -> None:
        """Forget the failures of this browser, or of this name from this address."""
        counts, keys = self._where(name, address, browser)
        with self._lock:
            counts.pop(keys[0][0], None)

    def _where(
        self, name: str, address: str, browser: str
    ) -> tuple[OrderedDict[_Key, _Count], list[tuple[_Key, _Rule]]]:
        """Give where a try is counted: the counts, and which of them with which rule. The first is its very own."""
        if browser:
            return self._known, [((name, browser), _PAIR)]
        place = _place(address)
        pair, whole, anywhere = (name, place), ("address", place, ""), ("name", name, "")
        return self._strangers, [(pair, _PAIR), (whole, _ADDRESS), (anywhere, _NAME)]


def _left(found: _Count | None, rule: _Rule, now: datetime) -> timedelta:
    if found is None or found.failures < rule.free or now - found.last > _FORGET:
        return timedelta()
    whole = min(timedelta(seconds=2 ** min(found.failures - rule.free, 20)), rule.longest)
    # A clock that was set back must not make the wait longer than it is.
    return min(max(timedelta(), found.last + whole - now), whole)


def _place(address: str) -> str:
    """Give what counts of an address: of IPv6 the network, since one host may take any of its 2^64 addresses."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))
