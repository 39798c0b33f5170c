"""A believable town: servers in all the states that there are, and a month of what people did about them.

Everything goes the real way: looks are judged, decisions are made by the review verbs, messages are claimed and
finished. As a program it serves the pages of a town, to be looked at with one's own eyes:

    python -m tests.web.town [PORT]
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn

from driftwatch.config.channels import EmailConfig, SlackConfig, WebhookConfig
from driftwatch.config.routes import RouteConfig
from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.config.web import WebConfig
from driftwatch.judge.snapshot import take
from driftwatch.model import (
    Actor,
    AlertKind,
    AsClient,
    DeliveryState,
    Outcome,
    Rehearsed,
    Role,
    SendResult,
    SendVerdict,
    Severity,
    Unreachable,
    User,
)
from driftwatch.review import attend
from driftwatch.review.ahead import approve_ahead
from driftwatch.review.approve import approve, reject
from driftwatch.store.store import Store
from driftwatch.tell.upkeep import Upkeep
from driftwatch.watch.check import Checker
from driftwatch.web.app import create, guarded
from driftwatch.web.desk import ChannelTest, Desk
from tests.fakes import FrozenClock, ScriptedFetcher
from tests.web import town_lists as lists
from tests.web.web_site import HASH, PASSWORD, Site, served

ANN = Actor("ann", "web 192.0.2.10")
BOB = Actor("bob", "cli bob@desk")
EVE = Actor(f"eve {lists.IMAGE}", "cli eve@desk")
"""Somebody whose name is a trick, as a shell of theirs could give it."""

PEOPLE = {"ann": Role.ADMIN, "rita": Role.REVIEWER, "vic": Role.VIEWER}
"""Who may sign in, all with the password of `web_site`."""

DAYS = 30.0
"""How long ago it begins."""

_SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
_LIST = "https://mcp.example.com/"
_DOWN = Unreachable("connect", "connection refused")


def _remote(name: str, **more: object) -> ServerConfig:
    return ServerConfig(name=name, transport="http", url=f"{_LIST}{name}/mcp", **more)  # type: ignore[arg-type]


SERVERS = (
    _remote("notes", labels={"team": "office", "tier": "1"}),
    _remote("calendar", labels={"team": "office"}),
    _remote("weather", labels={"team": "web"}),
    _remote("search", labels={"team": "web", "tier": "1"}, alert_after=3),
    _remote("billing", enabled=False, labels={"team": "money", "tier": "1"}),
    _remote("metrics", labels={"team": "web"}),
    _remote("docs", labels={"team": "office"}),
    _remote("tickets"),
    _remote("archive", labels={"note": f"a label {lists.SCRIPT}"}),
    ServerConfig(
        name="forge",
        transport="stdio",
        command="npx",
        args=("-y", "@example/forge-mcp@1.8.0", "--token", "${FORGE}"),
    ),
    _remote("bazaar"),
    _remote("newcomer"),
)
CHANNELS = (
    WebhookConfig(name="on-call", url="https://alerts.example.com/hooks/driftwatch", secret=_SECRET),
    SlackConfig(name="office", kind="slack", url=Secret("https://hooks.example.com/services/T0/B0/x")),
    EmailConfig(
        name="weekly",
        kind="email",
        host="mail.example.com",
        sender="driftwatch@example.com",
        to=("team@example.com",),
        min_severity=Severity.LOW,
    ),
)
ROUTES = (
    RouteConfig(name="default", channels=("on-call", "office")),
    RouteConfig(name="gathered", servers=("docs", "tickets", "billing"), channels=("weekly",), window=1800.0),
)


def settings_of(folder: Path, **web: object) -> Settings:
    """Give the configuration of a town whose database is in this folder."""
    return Settings(
        database_url=f"sqlite:///{folder / 'driftwatch.db'}",
        servers=SERVERS,
        channels=CHANNELS,
        routes=ROUTES,
        daemon=DaemonConfig(public_url=None),
        web=WebConfig(**web),  # type: ignore[arg-type]
    )


@dataclass
class Town:
    """What is built, with the clock at the moment that the story has come to."""

    store: Store
    settings: Settings
    end: datetime
    clock: FrozenClock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = FrozenClock(self.end - timedelta(days=DAYS))

    def ago(self, days: float) -> None:
        """Let the story come to so many days before its end; it never goes back."""
        at = self.end - timedelta(days=days)
        assert at >= self.clock.at, "the story goes back in time"
        self.clock.at = at

    def look(self, server: str, outcome: Outcome, *, times: int = 1, every: float = 300) -> None:
        """Look at a server, which shows this."""
        # A town has a past: it looks at a server also while that was not switched off yet.
        config = self.settings.server(server)
        for number in range(times):
            if number:
                self.clock.forward(every)
            checker = Checker(
                store=self.store,
                fetcher=ScriptedFetcher([outcome]),
                settings=self.settings,
                clock=self.clock,
                jitter=lambda: 0.0,
            )
            asyncio.run(checker.check(config))

    def approve(self, server: str, note: str = "", *, by: Actor = ANN) -> None:
        """Approve what a server showed last."""
        self.clock.forward(60)
        approve(self.store, self.settings, server, digest=None, by=by, note=note, now=self.clock())

    def reject(self, server: str, note: str = "", *, by: Actor = BOB) -> None:
        """Refuse what a server showed last."""
        self.clock.forward(60)
        reject(self.store, server, digest=None, by=by, note=note, now=self.clock())

    def send(self, *, failing: frozenset[str] = frozenset(), dead: bool = False) -> None:
        """Send what is due; channels that fail try again later, or give up."""
        self.clock.forward(5)
        now = self.clock()
        for one in self.store.claim_deliveries(now=now, lease=timedelta(seconds=1), limit=100):
            worked = one.channel not in failing
            state = DeliveryState.DELIVERED if worked else DeliveryState.DEAD if dead else DeliveryState.PENDING
            verdict = SendVerdict.DONE if worked else SendVerdict.STOP if dead else SendVerdict.RETRY
            result = SendResult(verdict, "200 OK" if worked else "503 Service Unavailable")
            again = now + timedelta(minutes=20) if state is DeliveryState.PENDING else None
            self.store.finish_delivery(one.id, result=result, state=state, next_attempt_at=again, now=now)

    def alert_of(self, server: str, kind: AlertKind = AlertKind.DRIFT) -> str:
        """Give the id of the alert that stands on a server."""
        alert = self.store.open_alert(server, kind)
        assert alert is not None, f"nothing stands on {server}"
        return alert.id


def build(store: Store, settings: Settings, end: datetime) -> Town:
    """Write the whole story into an empty database."""
    town = Town(store, settings, end)
    _first_weeks(town)
    _last_week(town)
    _today(town)
    _looked_again(town)
    town.clock.at = end
    return town


def _first_weeks(town: Town) -> None:
    """Let the servers come, and be approved; one of them leaves again."""
    for name, role in PEOPLE.items():
        town.store.add_user(User(name, role, town.clock(), HASH), by=BOB)
    town.look("calendar", lists.CALENDAR[0], times=2)
    town.approve("calendar", "read the one tool", by=BOB)
    for name, first in (
        ("notes", lists.NOTES), ("search", lists.SEARCH), ("billing", lists.BILLING), ("metrics", lists.METRICS[0]),
        ("docs", lists.DOCS), ("tickets", lists.TICKETS), ("archive", lists.ARCHIVE), ("forge", lists.forge()),
    ):  # fmt: skip
        town.look(name, first)
        town.approve(name, f"read all of {name}")
    town.ago(21)
    town.look("calendar", lists.CALENDAR[1])
    town.send()
    town.approve("calendar", "2.1 as announced")
    town.send()
    town.ago(16)
    town.look("archive", lists.ARCHIVE_CHANGED)
    town.send(failing=frozenset({"office"}), dead=True)
    town.reject("archive", "not without a word of what it does", by=EVE)
    town.clock.forward(7_200)
    town.look("archive", lists.ARCHIVE)
    town.send()
    town.ago(12)
    town.look("calendar", lists.CALENDAR[2])
    town.approve("calendar", "adds events: the office asked for it", by=BOB)
    town.send()


def _last_week(town: Town) -> None:
    """Let some change, some fail, and people say that they know."""
    settings, store = town.settings, town.store
    town.ago(6)
    town.look("billing", lists.BILLING_CHANGED)
    town.look("docs", lists.DOCS_CHANGED)
    town.clock.forward(3_600)
    _upkeep(town).seal(town.clock())
    town.send()
    town.approve("billing", "the new field is ours")
    attend.acknowledge(store, settings, town.alert_of("docs"), by=ANN, note="asked its authors", now=town.clock())
    town.ago(5)
    until = town.clock() + timedelta(days=14)
    attend.silence(
        store, server="tickets", severity=Severity.HIGH, reason="its roll-out takes two weeks", by=ANN,
        now=town.clock(), until=until,
    )  # fmt: skip
    town.look("tickets", lists.TICKETS_CHANGED)
    over = attend.silence(
        store, rule="hint-*", severity=Severity.LOW, reason="a test of the silence", by=BOB, now=town.clock(),
        until=until,
    )  # fmt: skip
    attend.unsilence(store, over.id, by=BOB, now=town.clock())
    town.send()
    town.ago(1.5)
    town.look("search", lists.SEARCH)
    for _ in range(5):
        town.look("search", _DOWN)
        town.clock.forward(1_800)
    town.send(failing=frozenset({"office"}))


def _today(town: Town) -> None:
    """Let one turn on its users, a hostile one come, one go to and fro, and messages wait."""
    settings, store = town.settings, town.store
    town.ago(0.3)
    town.look("bazaar", lists.hostile())
    town.reject("bazaar", f"no. {lists.EVERYTHING}", by=EVE)
    town.look("calendar", lists.CALENDAR[2], times=3)
    town.look("forge", lists.forge())
    approve_ahead(
        store, settings, "calendar", take(lists.CALENDAR_NEXT.document), version="2.3.0", by=ANN,
        note="removes events, and says so", now=town.clock(),
    )  # fmt: skip
    town.send(failing=frozenset({"office"}))
    town.ago(0.13)
    for number in range(12):
        town.look("metrics", lists.METRICS[(number + 1) % 2])
        town.clock.forward(300)
    town.send(failing=frozenset({"office"}))
    town.ago(0.08)
    town.look("notes", lists.NOTES_TURNED, times=2)
    town.look("search", _DOWN)
    town.send(failing=frozenset({"office"}))
    town.look("weather", lists.WEATHER)
    town.look("archive", lists.ARCHIVE)
    town.look("docs", lists.DOCS_CHANGED_AGAIN)
    taken = [one for one in store.deliveries(state=DeliveryState.PENDING) if one.channel == "office"]
    attend.cancel(store, [one.id for one in taken[:1]], by=ANN, now=town.clock())
    _upkeep(town).mind_channels(town.clock())
    town.ago(0.002)
    for name, now in (
        ("notes", lists.NOTES_TURNED), ("calendar", lists.CALENDAR[2]), ("forge", lists.forge()),
        ("weather", lists.WEATHER), ("docs", lists.DOCS_CHANGED_AGAIN), ("tickets", lists.TICKETS_CHANGED),
        ("archive", lists.ARCHIVE), ("search", _DOWN), ("bazaar", lists.hostile()), ("metrics", lists.METRICS[1]),
    ):  # fmt: skip
        town.look(name, now)


def _looked_again(town: Town) -> None:
    """Let what is shown have been looked at again as a daemon does: one is another one each time, of one nobody did."""
    for name, state in town.store.states().items():
        if not state.last_digest or name == "weather":
            continue
        seen = Rehearsed(name, state.last_digest, town.clock(), 3, client="claude-code", as_client=AsClient.SAME)
        if name == "bazaar":
            seen = replace(seen, looks=1, other=f"sha256:{'ab' * 32}", as_client=AsClient.OTHER)
        if name == "tickets":
            seen = replace(seen, looks=2, as_client=AsClient.FAILED, failures=1, detail=f"forbidden: {lists.SCRIPT}")
        town.store.record_rehearsal(seen)


def _upkeep(town: Town) -> Upkeep:
    return Upkeep(town.store, town.settings, started=town.end - timedelta(days=DAYS))


@cache
def _built() -> bytes:
    """Build the database of a town once in a process; it takes some seconds."""
    clock = FrozenClock()
    with tempfile.TemporaryDirectory(prefix="town-") as folder:
        settings = settings_of(Path(folder))
        with Store.open(settings.database_url, clock=clock) as store:
            build(store, settings, clock())
        return (Path(folder) / "driftwatch.db").read_bytes()


def _tested(channel: str) -> ChannelTest:
    """Answer as a test of a channel does; one of them does not work."""
    if channel == "office":
        said = "FAILED, it did not take the test alert: HTTP 503; an alert would be tried again"
        return ChannelTest(channel, False, said, "It answers, and has trouble of its own. Look at its logs.")
    return ChannelTest(channel, True, "ok, it took the test alert (200 OK) and its end (200 OK)", "Look there.")


PORTS: Any = {"test_channel": _tested, "sandbox": lambda: "bubblewrap", "again": lambda _: None}
"""What a daemon would do for a town."""


@contextmanager
def town_site(folder: Path, **web: object) -> Iterator[Site]:
    """Put a town into this folder and serve its pages; the clock stands at the end of the story."""
    clock, looked, woken = FrozenClock(), list[str](), list[str]()
    settings = settings_of(folder, **web)
    (folder / "driftwatch.db").write_bytes(_built())
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(settings.database_url, clock=clock))
        wake = lambda: woken.append("")  # noqa: E731 - a port
        desk = replace(Desk(store, settings, clock, secrets.token_bytes, wake, looked.append), **PORTS)
        app = create(desk)
        yield Site(stack.enter_context(served(guarded(app))), desk, clock, "", app, looked, woken)


def main() -> None:
    """Serve a town until Ctrl-C."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8642
    with tempfile.TemporaryDirectory(prefix="town-") as folder:
        settings = settings_of(Path(folder), listen=f"127.0.0.1:{port}")
        now = lambda: datetime.now(UTC)  # noqa: E731 - a clock
        with Store.open(settings.database_url, clock=now) as store:
            began = time.monotonic()
            build(store, settings, now())
            print(f"built in {time.monotonic() - began:.1f} s")
            print(f"http://127.0.0.1:{port}/ as {', '.join(PEOPLE)} with the password: {PASSWORD}")
            asked: list[str] = []
            desk = replace(Desk(store, settings, now, secrets.token_bytes, lambda: None, asked.append), **PORTS)
            uvicorn.run(guarded(create(desk)), host="127.0.0.1", port=port, log_level="warning", http="h11")


if __name__ == "__main__":
    main()
