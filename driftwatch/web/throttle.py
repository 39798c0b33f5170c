"""Slows down those who guess passwords, and locks nobody out for ever.

Failures are counted for a name from one address, for an address, and for a name from anywhere. After some that are
free, each next one doubles the wait, up to a limit. A browser's address that signed in as somebody before does not
wait because others guess that name elsewhere. Of IPv6 the first half of an address counts: who has one has the rest.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple


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
"""Counts that are kept: beyond, those are dropped that were touched least lately."""


@dataclass(slots=True)
class _Count:
    failures: int
    last: datetime


class Throttle:
    """Counts failed sign-ins in memory. May be used from many threads."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Take the clock."""
        self._clock = clock
        self._counts: OrderedDict[Hashable, _Count] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, name: str, address: str) -> timedelta:
        """Say how long to wait before the next try counts; nothing when it may be made now."""
        now, address = self._clock(), _place(address)
        with self._lock:
            left = [self._left(key, rule, now) for key, rule in self._kept(name, address)]
        return max(left, default=timedelta())

    def failed(self, name: str, address: str) -> int:
        """Count a failure; give how many there were in a row for this name from this address."""
        now, address = self._clock(), _place(address)
        with self._lock:
            for key, _ in _keys(name, address):
                found = self._counts.pop(key, None)
                if found is None or now - found.last > _FORGET:
                    found = _Count(0, now)
                self._counts[key] = _Count(found.failures + 1, now)
            while len(self._counts) > _MOST:
                self._counts.popitem(last=False)
            return self._counts[name, address].failures

    def succeeded(self, name: str, address: str) -> None:
        """Forget the failures of this name from this address, and remember that they belong together."""
        address = _place(address)
        with self._lock:
            self._counts.pop((name, address), None)
            self._known[name, address] = None
            self._known.move_to_end((name, address))
            while len(self._known) > _MOST:
                self._known.popitem(last=False)

    def _kept(self, name: str, address: str) -> Iterator[tuple[Hashable, _Rule]]:
        for key, rule in _keys(name, address):
            if rule is not _NAME or (name, address) not in self._known:
                yield key, rule

    def _left(self, key: Hashable, rule: _Rule, now: datetime) -> timedelta:
        found = self._counts.get(key)
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


def _keys(name: str, address: str) -> tuple[tuple[Hashable, _Rule], ...]:
    return (((name, address), _PAIR), (("address", address, ""), _ADDRESS), (("name", name, ""), _NAME))
