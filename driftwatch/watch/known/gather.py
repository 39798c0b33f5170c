"""Gathering what the rules may know beside two lists. Reads the store and the configuration, writes nothing."""

from __future__ import annotations

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.facts import Facts
from driftwatch.judge.policy import BALANCED, Policy
from driftwatch.model import ServerState, Snapshot
from driftwatch.store.store import Store


def facts_of(store: Store, settings: Settings, state: ServerState, live: Snapshot) -> Facts:
    """Give what is known beside the lists of a server that shows `live`; its configuration may be gone."""
    return Facts(server=state.server)


def policy_of(settings: Settings, server: ServerConfig | None) -> Policy:
    """Give what the configuration says about findings of one server (None: a server that it no longer holds)."""
    return BALANCED
