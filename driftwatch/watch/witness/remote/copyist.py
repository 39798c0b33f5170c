"""The process that reads what a forwarder copies: as the copyist of a local session, for the sessions of all agents."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from driftwatch.watch.witness.copyist import copied
from driftwatch.watch.witness.remote.conversations import Conversations

_GOODBYE = 5.0
"""Seconds that delivery has after the end: what does not get through waits for the next run."""


def main(arguments: Sequence[str]) -> None:
    """Read the copy on standard input to its end.

    The arguments are server, host, and the path of the settings (empty: the usual place).
    """
    server, host, config = arguments
    copied(Conversations(server, host, name=lambda: secrets.token_hex(16)), config, _GOODBYE)
