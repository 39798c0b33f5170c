"""The whole table of hosts, by id."""

from __future__ import annotations

from driftwatch.judge.hosts.assistants import ASSISTANTS
from driftwatch.judge.hosts.base import Host
from driftwatch.judge.hosts.coding import CODING
from driftwatch.judge.hosts.gateways import GATEWAYS

HOSTS: tuple[Host, ...] = tuple(sorted((*CODING, *ASSISTANTS, *GATEWAYS), key=lambda host: host.rank))
"""Every row, those first that concern most people. Rows of one rank keep the order of their files."""


def find(words: str) -> tuple[Host, ...]:
    """Give the rows that a person means: one id, or all rows of a host by its name. Case and blanks are free."""
    wanted = _loose(words)
    return tuple(host for host in HOSTS if wanted in (_loose(host.id), _loose(host.name)))


def _loose(words: str) -> str:
    return "".join(char for char in words.casefold() if char.isalnum())
