"""What the supply watch learned of the packages that a snapshot's items are started from. Reads the store."""

from __future__ import annotations

from driftwatch.config.schema import Settings
from driftwatch.judge.beside import Supplied
from driftwatch.model import Snapshot
from driftwatch.store.store import Store
from driftwatch.watch.supply.used import packages_in


def supplied_of(store: Store, settings: Settings, live: Snapshot) -> tuple[Supplied, ...]:
    """Give what is known of each package in use; nothing while the supply watch is off."""
    used = list(packages_in(live)) if settings.supply.enabled else []
    if not used:
        return ()
    news = store.package_news({package for _, _, package in used})
    return tuple(Supplied(kind, key, news[package]) for kind, key, package in used if package in news)


def supplied_key(settings: Settings) -> str:
    """Name what of this the configuration decides, in a word; empty while the supply watch is off."""
    return "supply" if settings.supply.enabled else ""
