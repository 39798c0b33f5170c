"""What Alertmanager is told: what fires there, under which labels, and that all of it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from contracts.alertmanager import Alerts, build_alertmanager, read_alertmanager
from contracts.channel import PATIENCE, hang, receiver, status
from contracts.http import Receiver
from contracts.told import NOW, PUBLIC_URL, acknowledged, alert, batched, delivery, finding, over, payload, told

from driftwatch.config.channels import AlertmanagerConfig
from driftwatch.model import AlertKind, Delivery, EventKind, Json, SendVerdict, Severity
from driftwatch.tell.batch import batch
from driftwatch.tell.channels.alertmanager import Alertmanager

ALERT = "alr_5f0c2d9a7b1e4f36"
OURS = {"alertname": "DriftwatchDrift", "alert": ALERT, "server": "files", "severity": "high"}
TEAM = {"team": "web", "site": "north"}


@dataclass
class Desk:
    """A channel, the Alertmanager that it posts to, and a clock."""

    channel: Alertmanager
    there: Receiver
    now: datetime = NOW
    alerts: Alerts = field(default_factory=Alerts)

    async def tell(self, sent: Delivery) -> None:
        assert (await self.channel.send(sent)).verdict is SendVerdict.DONE
        self.take()

    async def refresh(self, *payloads: Mapping[str, Json]) -> None:
        assert (await self.channel.refresh(payloads)).verdict is SendVerdict.DONE
        self.take()

    def take(self) -> None:
        """Let Alertmanager work in what came."""
        for request in self.there.requests:
            self.alerts.take(request, self.now)
        self.there.requests.clear()

    def firing(self) -> list[dict[str, str]]:
        return self.alerts.firing(self.now)

    async def restart(self) -> None:
        """Go on with a channel that remembers nothing, as after a restart of driftwatch."""
        await self.channel.aclose()
        self.channel = build_alertmanager(self.there.url, clock=lambda: self.now)


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    async with receiver() as there, asyncio.timeout(PATIENCE):
        at = Desk(build_alertmanager(there.url), there)
        await at.restart()
        yield at
        await at.channel.aclose()


def worse(severity: Severity = Severity.CRITICAL) -> Delivery:
    return told(EventKind.UPDATED, alert(severity=severity))


async def posted(sent: Delivery) -> list[dict[str, Any]]:
    async with receiver() as there, asyncio.timeout(PATIENCE):
        channel = build_alertmanager(there.url, clock=lambda: NOW)
        assert (await channel.send(sent)).verdict is SendVerdict.DONE
        await channel.aclose()
    (request,) = there.requests
    return read_alertmanager(request)


async def test_an_alert_fires_with_its_labels_and_says_what_to_do() -> None:
    (one,) = await posted(delivery())

    assert one["labels"] == OURS | TEAM
    assert one["annotations"]["summary"] == "[HIGH] files: 3 findings, the worst text-directive"
    assert "HIGH text-directive in tool “read_file”" in one["annotations"]["description"]
    assert one["annotations"]["command"] == "driftwatch diff files"
    assert one["generatorURL"] == f"https://watch.example.com/alerts/{ALERT}"
    assert datetime.fromisoformat(one["startsAt"]) == NOW


async def test_an_alert_fires_through_a_day_without_news_and_not_for_ever() -> None:
    async with desk() as at:
        await at.tell(delivery())
        at.now += timedelta(hours=23)
        late = at.firing()
        at.now += timedelta(hours=2)

        assert late == [OURS | TEAM]
        assert at.firing() == []


async def test_an_alert_fires_under_one_severity_at_a_time_and_ends() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.tell(worse())
        worst = at.firing()
        await at.tell(told(EventKind.REMINDED, alert(severity=Severity.CRITICAL)))
        await at.tell(worse(Severity.MEDIUM))
        less = at.firing()
        await at.tell(told(EventKind.RESOLVED, over(alert(severity=Severity.MEDIUM))))

        assert [one["severity"] for one in worst] == ["critical"]
        assert [one["severity"] for one in less] == ["medium"]
        assert at.firing() == []
        assert at.alerts.ghosts == []


async def test_after_a_restart_an_alert_of_another_severity_ends_all_the_same() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.restart()
        await at.tell(worse())
        worst = at.firing()
        await at.restart()
        await at.tell(told(EventKind.RESOLVED, over(alert(severity=Severity.CRITICAL))))

        assert [one["severity"] for one in worst] == ["critical"]
        assert at.firing() == []


async def test_after_a_restart_and_a_refresh_people_hear_of_no_end_that_had_no_beginning() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.restart()
        await at.refresh(payload())
        await at.tell(told(EventKind.RESOLVED))

        assert at.firing() == []
        assert at.alerts.ghosts == []


async def test_what_comes_late_lets_nothing_fire_again() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.tell(told(EventKind.RESOLVED))
        await at.tell(told(EventKind.RESOLVED))
        await at.tell(delivery())
        await at.refresh(payload())

        assert at.firing() == []
        assert at.alerts.ghosts == []


async def test_a_clock_that_was_set_back_ends_alerts_all_the_same() -> None:
    async with desk() as at:
        await at.tell(delivery())
        at.now -= timedelta(days=2)
        await at.tell(told(EventKind.RESOLVED))

        assert at.firing() == []


async def test_after_a_restart_of_alertmanager_a_refresh_lets_everything_fire_again() -> None:
    names = [f"alr_{number}" for number in range(120)]
    async with desk() as at:
        for name in names:
            await at.tell(told(EventKind.OPENED, alert(id=name)))
        at.alerts = Alerts()
        await at.refresh(*(payload(one=alert(id=name)) for name in names))

        assert {one["alert"] for one in at.firing()} == set(names)


async def test_a_refresh_leaves_alone_what_is_over_and_what_it_knows_better() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.tell(worse())
        await at.refresh(payload(), payload(EventKind.RESOLVED, over(alert(id="alr_2"))), {"type": "strange"})

        assert [one["severity"] for one in at.firing()] == ["critical"]


async def test_a_refresh_that_is_not_taken_says_so() -> None:
    async with receiver(status(503, {"Retry-After": "9"})) as there, asyncio.timeout(PATIENCE):
        channel = build_alertmanager(there.url)
        refused = await channel.refresh([payload()])
        nothing = await channel.refresh([])
        await channel.aclose()

    assert (refused.verdict, refused.retry_after) == (SendVerdict.RETRY, 9.0)
    assert nothing.verdict is SendVerdict.DONE
    assert len(there.requests) == 1


async def test_an_end_is_never_overtaken_by_a_refresh_that_is_under_way() -> None:
    overtaken = asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(overtaken.wait(), 0.2)
        await status(200)(reader, writer)

    async def next_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        overtaken.set()
        await status(200)(reader, writer)

    async with desk() as at:
        await at.tell(delivery())
        at.there.begun.clear()
        at.there.answers.extend([slow, next_one])
        refreshing = asyncio.create_task(at.channel.refresh([payload()]))
        await at.there.arrived()
        ending = asyncio.create_task(at.channel.send(told(EventKind.RESOLVED)))
        await refreshing
        first = not overtaken.is_set()
        await ending
        at.take()
        await at.refresh(payload())

        assert first
        assert at.firing() == []


async def test_a_refresh_that_hangs_holds_up_no_other_alert_and_its_own_no_longer_than_the_time_out() -> None:
    async with receiver(status(200), hang()) as there, asyncio.timeout(PATIENCE):
        channel = build_alertmanager(there.url, timeout=0.3, clock=lambda: NOW)
        await channel.send(delivery())
        there.begun.clear()
        refreshing = asyncio.create_task(channel.refresh([payload()]))
        await there.arrived()
        other = await channel.send(told(EventKind.OPENED, alert(id="alr_other")))
        still = not refreshing.done()
        ends = [await channel.send(told(EventKind.RESOLVED)) for _ in range(2)]
        refreshed = await refreshing
        await channel.aclose()

    assert still
    assert other.verdict is SendVerdict.DONE
    assert refreshed.verdict is SendVerdict.RETRY
    assert ends[-1].verdict is SendVerdict.DONE
    ended = read_alertmanager(there.requests[-1])
    assert [datetime.fromisoformat(one["endsAt"]) for one in ended] == [NOW]


async def test_a_refresh_comes_in_pages_and_ends_nothing_that_another_page_holds() -> None:
    names = [f"alr_{number}" for number in range(6)]
    async with desk() as at:
        for name in names:
            await at.tell(told(EventKind.OPENED, alert(id=name)))
        at.alerts = Alerts()
        for page in (names[:2], names[2:5], names[5:]):
            await at.refresh(*(payload(one=alert(id=name)) for name in page))

        assert {one["alert"] for one in at.firing()} == set(names)
        assert at.alerts.ghosts == []


async def test_after_a_post_of_which_no_answer_came_both_severities_end() -> None:
    async with receiver(status(200), status(500)) as there, asyncio.timeout(PATIENCE):
        channel = build_alertmanager(there.url, clock=lambda: NOW)
        results = [await channel.send(sent) for sent in (delivery(), worse(), told(EventKind.RESOLVED))]
        await channel.aclose()

    ended = read_alertmanager(there.requests[-1])
    assert [result.verdict for result in results] == [SendVerdict.DONE, SendVerdict.RETRY, SendVerdict.DONE]
    assert {one["labels"]["severity"] for one in ended} == {"high", "critical"}
    assert all(datetime.fromisoformat(one["endsAt"]) == NOW for one in ended)


async def test_500_alerts_at_once_are_one_post_and_each_fires_or_ends_by_itself() -> None:
    async with desk() as at:
        await at.tell(told(EventKind.OPENED, alert(id="alr_0000000000000004", server="server-004")))
        await at.tell(batched(500))

        assert len(at.firing()) == 400
        assert {one["server"] for one in at.firing()}.isdisjoint({"server-004", "server-499"})


async def test_an_alert_of_a_batch_and_one_alone_are_the_same_to_alertmanager() -> None:
    (alone,) = await posted(delivery())
    member = replace(delivery(), id=f"msg_{1:032x}")
    (among,) = await posted(batch([member], now=NOW, public_url=PUBLIC_URL))

    assert among["labels"] == alone["labels"]
    assert among["annotations"]["summary"] == "[HIGH] files: opened"
    assert among["generatorURL"] == alone["generatorURL"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (AlertKind.DRIFT, "DriftwatchDrift"),
        (AlertKind.HEALTH, "DriftwatchHealth"),
        (AlertKind.CHANNEL, "DriftwatchChannel"),
        (AlertKind.DAEMON, "DriftwatchDaemon"),
    ],
)
async def test_every_kind_of_alert_has_a_name(kind: AlertKind, name: str) -> None:
    about = {"server": ""} if kind in {AlertKind.CHANNEL, AlertKind.DAEMON} else {}
    named = {"channel": "mail"} if kind is AlertKind.CHANNEL else {}

    (one,) = await posted(told(EventKind.OPENED, alert(kind=kind, **about, **named), labels={}))

    assert one["labels"]["alertname"] == name
    assert one["labels"].get("channel") == named.get("channel")
    assert ("server" in one["labels"]) == (not about)


async def test_labels_of_a_server_get_names_that_prometheus_takes_and_replace_none_of_ours() -> None:
    labels = {
        "severity": "none",
        "alert": "mine",
        "drill": "no",
        "a-b": "1",
        "a.b": "2",
        "a_b": "3",
        "9th": "4",
        "__name__": "5",
        "größe": "6",
        "": "7",
        "empty": "",
        "lines": "one\ntwo",
    }

    (one,) = await posted(told(EventKind.OPENED, labels=labels))

    assert one["labels"] == OURS | {
        "label_severity": "none",
        "label_alert": "mine",
        "label_drill": "no",
        "a_b": "1",
        "a_b_2": "2",
        "a_b_3": "3",
        "_9th": "4",
        "_name__": "5",
        "gr__e": "6",
        "_": "7",
        "lines": "one\\ntwo",
    }


async def test_a_drill_is_marked_and_ends_by_itself() -> None:
    async with desk() as at:
        await at.tell(told(EventKind.OPENED, drill=True))
        # Alertmanager tells people half a minute later, and only of what still fires.
        await at.tell(told(EventKind.RESOLVED, drill=True))
        marked = at.firing()
        at.now += timedelta(minutes=6)

        assert marked == [OURS | TEAM | {"drill": "true"}]
        assert at.firing() == []


async def test_an_acknowledgement_changes_nothing() -> None:
    async with desk() as at:
        await at.tell(delivery())
        await at.tell(told(EventKind.ACKNOWLEDGED, acknowledged()))

        assert at.firing() == [OURS | TEAM]


def test_alertmanager_hears_no_acknowledgements() -> None:
    assert AlertmanagerConfig.hears_acknowledgements is False


@pytest.mark.parametrize("path", ["", "/", "/prefix", "/prefix/", "/prefix/api/v2/alerts"])
async def test_a_path_prefix_is_kept(path: str) -> None:
    async with receiver() as there, asyncio.timeout(PATIENCE):
        address = f"http://127.0.0.1:{there.port}{path}?token=x"
        channel = build_alertmanager(address)
        await channel.send(delivery())
        await channel.aclose()

    prefix = "/prefix" if "prefix" in path else ""
    assert there.requests[0].line == f"POST {prefix}/api/v2/alerts?token=x HTTP/1.1"


@pytest.mark.parametrize("letter", ["n", "@", "\U0001f600"], ids=["plain", "at", "wide"])
async def test_what_a_server_wrote_is_cut_and_means_nothing(letter: str) -> None:
    text = "https://evil.example [x](http://evil.example) <b>x</b> {{ .Labels }} @all \x1b[31m\u202e" + letter * 100_000
    many = tuple(finding(text, item=f"{text}{number}", message=text) for number in range(50))

    (one,) = await posted(told(EventKind.OPENED, alert(many, summary=text), labels={"site": text}))

    said = one["annotations"]["description"].replace(f"See: https://watch.example.com/alerts/{ALERT}", "")
    assert len(said) <= 4_000
    assert one["annotations"]["summary"].startswith("[HIGH] files: 50 findings")
    assert not any(sign in said for sign in ("http://", "https://evil", "evil.example", "<", "@", "{{", "]("))


async def test_two_thousand_findings_are_cut_and_counted() -> None:
    many = tuple(finding(item=f"tool-{number}") for number in range(2_000))

    (one,) = await posted(told(EventKind.OPENED, alert(many)))

    assert "… and " in one["annotations"]["description"]
    assert one["annotations"]["description"].endswith("Run: driftwatch diff files")
