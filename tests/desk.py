"""One server, one store, one channel: what the tests of checks over time sit at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.model import Actor, AlertKind, EventKind, Outcome
from driftwatch.review.approve import approve
from driftwatch.store.store import Store
from driftwatch.watch.check import Checker, CheckResult
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.judging import Judging
from tests.blank import blank
from tests.fakes import FrozenClock, ScriptedFetcher, listed, tool

ANN = Actor("ann", "cli ann@desk")
SERVER = ServerConfig(name="notes", transport="http", url="https://mcp.example.com/mcp")
HOOK = WebhookConfig(
    name="hook",
    kind="webhook",
    url="https://alerts.example.com/",
    secret=Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
)
GOOD = listed(tool(), tool("get_note"))
LOOSENED = listed(tool(annotations={"readOnlyHint": False, "destructiveHint": True}), tool("get_note"))
REWORDED = listed(tool(description="Lists things in the order of their names."), tool("get_note"))


class Desk:
    """One server, one store, one channel; looks at what the script says."""

    def __init__(self, path: Path) -> None:
        self.clock = FrozenClock()
        self.url = blank(path / "driftwatch.db")
        self.settings = Settings(database_url=self.url, servers=(SERVER,), channels=(HOOK,), daemon=DaemonConfig())
        self.store = Store.open(self.url, clock=self.clock)

    def restart(self) -> None:
        """Close the database and open it again, as a new process would."""
        self.store.close()
        self.store = Store.open(self.url, clock=self.clock)

    async def look(
        self,
        outcome: Outcome,
        *,
        ruleset: str = "rules-1",
        judging: Judging | None = None,
        after: float = 60,
        held: Callable[[], Awaitable[Outcome]] | None = None,
        heard: Callable[[], Awaitable[bool | None]] | None = None,
    ) -> CheckResult:
        self.clock.forward(after)
        checker = self.checker(ScriptedFetcher([outcome]), ruleset=ruleset, judging=judging)
        return await checker.check(self.settings.server(SERVER.name), held=held, heard=heard)

    def checker(self, fetcher: Fetcher, *, ruleset: str = "rules-1", judging: Judging | None = None) -> Checker:
        return Checker(
            store=self.store,
            fetcher=fetcher,
            settings=self.settings,
            clock=self.clock,
            jitter=lambda: 0.0,
            ruleset=ruleset,
            judging=judging,
        )

    def approve(self, digest: str | None = None) -> None:
        self.clock.forward(1)
        approve(self.store, self.settings, "notes", digest=digest, by=ANN, note="read it", now=self.clock())

    def told(self) -> list[EventKind]:
        return [one.event for one in reversed(self.store.deliveries())]

    def is_open(self) -> bool:
        return self.store.open_alert("notes", AlertKind.DRIFT) is not None
