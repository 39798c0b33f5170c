"""The supply verb: ask registries and advisories about the packages in use, and keep what they say.

What leaves the machine: names and versions of npm and Python packages, to the addresses of `[supply]`, and nothing
else. Nothing here touches looks: what was learned lies in the store, and a look that follows judges with it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from driftwatch.config.schema import Settings
from driftwatch.config.supply import SupplyConfig
from driftwatch.model import Package, PackageNews
from driftwatch.store.store import Store
from driftwatch.watch.supply.advisories import Advisories, OsvDatabase
from driftwatch.watch.supply.asking import Asker, Trouble
from driftwatch.watch.supply.registry import NpmRegistry, PythonIndex, Registry, Released
from driftwatch.watch.supply.used import packages_in

log = structlog.get_logger()

_AGAIN = timedelta(hours=1)
"""How soon a package is asked about again of which something could not be learned."""

_AT_ONCE = 4
"""Packages that are asked about at the same time."""


@dataclass(frozen=True)
class Sources:
    """Whom to ask: a registry for each ecosystem, and a database of advisories. What is missing is not asked."""

    registries: dict[str, Registry]
    advisories: Advisories | None = None


@asynccontextmanager
async def sources_of(config: SupplyConfig) -> AsyncIterator[Sources]:
    """Give whom the configuration says to ask; closes the connections on the way out."""
    async with AsyncExitStack() as stack:

        async def asker(address: str) -> Asker:
            return await stack.enter_async_context(Asker(address, timeout=config.timeout))

        registries: dict[str, Registry] = {}
        if config.npm:
            registries["npm"] = NpmRegistry(await asker(config.npm))
        if config.pypi:
            is_simple = not config.pypi.rstrip("/").endswith("/pypi")
            registries["pypi"] = PythonIndex(await asker(config.pypi), simple=is_simple)
        yield Sources(registries, OsvDatabase(await asker(config.osv)) if config.osv else None)


class SupplyWatch:
    """Asks about the packages that the watched servers and files showed last."""

    def __init__(self, store: Store, settings: Settings, sources: Sources, *, clock: Callable[[], datetime]) -> None:
        """Take the store, the configuration, whom to ask, and the clock."""
        self._store = store
        self._settings = settings
        self._sources = sources
        self._clock = clock

    async def ask(self, *, everything: bool = False) -> list[PackageNews]:
        """Ask about each package that is due, or about everything in use; give what is known of what was asked.

        Raises:
            StoreError: the database could not be read or written.

        """
        used = await asyncio.to_thread(self._used)
        known = await asyncio.to_thread(self._store.package_news)
        now = self._clock()
        due = [one for one in used if everything or self._is_due(known.get(one), now)]
        gate = asyncio.Semaphore(_AT_ONCE)

        async def learned(package: Package) -> PackageNews:
            async with gate:
                return await self._asked(package, known.get(package) or PackageNews(package, now))

        told = list(await asyncio.gather(*map(learned, due)))
        await asyncio.to_thread(self._keep, told, used)
        return told

    def _keep(self, told: Sequence[PackageNews], used: Mapping[Package, Sequence[str]]) -> None:
        """Write down what was learned, and forget what nothing uses any more."""
        for news in told:
            new = self._store.record_package_news(news, used_by=used[news.package])
            level = logging.WARNING if news.trouble else logging.INFO if new else logging.DEBUG
            log.log(
                level,
                "asked about a package",
                action="supply",
                package=str(news.package),
                latest=news.latest,
                advisories=[advisory.id for advisory in news.advisories],
                trouble=list(news.trouble),
            )
        self._store.forget_packages_but(list(used))

    def _used(self) -> dict[Package, list[str]]:
        """Give each package in use with the servers and files that showed it last."""
        states = self._store.states()
        used: dict[Package, list[str]] = {}
        for server in self._settings.watched:
            state = states.get(server.name)
            snapshot = (
                self._store.snapshot(state.last_digest) if server.enabled and state and state.last_digest else None
            )
            for package in {one for _, _, one in packages_in(snapshot)} if snapshot is not None else ():
                if package.ecosystem in self._sources.registries or self._sources.advisories is not None:
                    used.setdefault(package, []).append(server.name)
        return used

    def _is_due(self, news: PackageNews | None, now: datetime) -> bool:
        if news is None or news.asked_at > now:  # The clock was set back.
            return True
        every = timedelta(seconds=self._settings.supply.interval)
        return now - news.asked_at >= (min(every, _AGAIN) if news.trouble else every)

    async def _asked(self, package: Package, before: PackageNews) -> PackageNews:
        """Ask about one package; an error of our own over an answer is trouble like any other, and is logged."""
        try:
            return await self._learn(package, before)
        except Exception as error:
            log.exception("an answer could not be read", action="supply-failed", package=str(package))
            return replace(before, asked_at=self._clock(), trouble=(f"driftwatch failed ({type(error).__name__})",))

    async def _learn(self, package: Package, before: PackageNews) -> PackageNews:
        """Ask about one package. What cannot be learned now stays as it was known."""
        trouble: list[str] = []
        news = replace(before, asked_at=self._clock())
        registry = self._sources.registries.get(package.ecosystem)
        released = await registry.released(package) if registry is not None else Released()
        if isinstance(released, Trouble):
            trouble.append(f"{package.ecosystem}: {released.why}")
        else:
            news = replace(
                news,
                latest=released.latest,
                latest_at=released.latest_at,
                newer=released.newer,
                withdrawn=released.withdrawn,
                reason=released.reason,
            )
        if self._sources.advisories is not None:
            # What is not pinned is most likely the newest release.
            about = replace(package, version=package.version or news.latest)
            advisories = await self._sources.advisories.about(about)
            if isinstance(advisories, Trouble):
                trouble.append(f"advisories: {advisories.why}")
            else:
                news = replace(news, advisories=advisories)
        else:
            news = replace(news, advisories=())
        return replace(news, trouble=tuple(trouble))
