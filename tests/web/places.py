"""Where one can go in a town: every page that there is, each with the parameters that the town gives it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from driftwatch.model import AlertKind, EventKind, Role
from driftwatch.review.candidate import Candidate
from driftwatch.review.preview import Preview, preview
from driftwatch.web import accounts
from driftwatch.web.links import item_href
from driftwatch.web.pages.configured import LISTED
from driftwatch.web.trials import Trials
from tests.fakes import ScriptedFetcher
from tests.web import town_lists as lists
from tests.web.town import ANN, town_site
from tests.web.web_site import Site


@dataclass(frozen=True)
class Place:
    """One page: what to call it, the path of its route, and its address."""

    name: str
    route: str
    address: str


@contextmanager
def whole_town(folder: Path) -> Iterator[tuple[Site, list[Place]]]:
    """Serve a town in which there are tokens and previews as well, with its pages."""
    with town_site(folder) as site:
        given = {"lasts": timedelta(days=90), "by": ANN, "now": site.clock()}
        accounts.add_token(site.store, site.desk.random, "ci", Role.REVIEWER, scopes=["servers"], **given)
        yield site, [*_fixed(), *_servers(site), *_told(site), *_previews(site)]


def _fixed() -> Iterator[Place]:
    for route in (
        "/", "/account", "/alerts", "/api", "/audit", "/audit/verify", "/channels", "/deliveries", "/people", "/rules",
        "/settings", "/silences", "/tokens",
    ):  # fmt: skip
        yield Place(route.strip("/").replace("/", "-") or "overview", route, route)
    for kind in LISTED:
        yield Place(f"settings-{kind}", "/settings/{kind}", f"/settings/{kind}")
    yield Place("rule", "/rules/{rule_id}", "/rules/hint-loosened")
    yield Place("silences-all", "/silences", "/silences?all=1")
    yield Place("gone", "/servers/{name}", "/servers/nobody")
    yield Place("found-nothing", "/", "/?q=nothing+like+it")


def _servers(site: Site) -> Iterator[Place]:
    for name in ("notes", "bazaar", "calendar", "newcomer"):
        yield Place(f"server-{name}", "/servers/{name}", f"/servers/{name}")
    for name in ("notes", "bazaar", "calendar", "weather", "newcomer"):
        yield Place(f"review-{name}", "/servers/{name}/review", f"/servers/{name}/review")
    yield Place("review-inline", "/servers/{name}/review", "/servers/notes/review?view=inline")
    for name in ("notes", "bazaar"):
        yield Place(f"history-{name}", "/servers/{name}/history", f"/servers/{name}/history")
        yield Place(f"tools-{name}", "/servers/{name}/items", f"/servers/{name}/items?kind=tool")
        yield Place(f"preview-{name}", "/servers/{name}/preview", f"/servers/{name}/preview")
    yield Place("tools-forge", "/servers/{name}/items", "/servers/forge/items?kind=tool")
    calendar = [one.digest for one in site.store.sightings("calendar")]
    asked = f"from={calendar[0]}&to={calendar[-1]}"
    yield Place("compare-calendar", "/servers/{name}/compare", f"/servers/calendar/compare?{asked}")
    yield Place("compare-bazaar", "/servers/{name}/compare", "/servers/bazaar/compare")
    for server in ("notes", "bazaar"):
        shown = site.store.snapshot(site.store.state(server).last_digest)
        assert shown is not None
        for number, item in enumerate(shown.items if server == "bazaar" else shown.items[:1]):
            href = item_href(server, item.place)
            yield Place(f"item-{server}-{number}", "/servers/{name}/items/{kind}", href)


def _told(site: Site) -> Iterator[Place]:
    for server, kind in (("notes", AlertKind.DRIFT), ("bazaar", AlertKind.DRIFT), ("docs", AlertKind.DRIFT),
                         ("search", AlertKind.HEALTH)):  # fmt: skip
        alert = site.store.open_alert(server, kind)
        assert alert is not None, f"nothing stands on {server}"
        yield Place(f"alert-{server}", "/alerts/{alert_id}", f"/alerts/{alert.id}")
    over = next(one for one in site.store.alerts(limit=100) if not one.state.stands)
    yield Place("alert-over", "/alerts/{alert_id}", f"/alerts/{over.id}")
    sent = site.store.deliveries(limit=1_000)
    for name, one in (
        ("hostile", next(one for one in sent if one.server == "bazaar")),
        ("office", next(one for one in sent if one.channel == "office" and one.attempts)),
    ):
        yield Place(f"message-{name}", "/deliveries/{message}", f"/deliveries/{one.id}")
    batch = next(one for one in sent if one.event is EventKind.BATCH)
    yield Place("batch", "/batches/{batch}", f"/batches/{batch.id}")


def _previews(site: Site) -> Iterator[Place]:
    """Let two versions be previewed: an honest one, and one that a thief published."""

    def ended(candidate: Candidate, _: object) -> Future[Preview]:
        shown = lists.hostile() if candidate.version == "6.6.6" else lists.forge(123, version="1.9.0")
        future: Future[Preview] = Future()
        fetcher = ScriptedFetcher([shown, shown])
        future.set_result(asyncio.run(preview(site.store, site.desk.settings, fetcher, candidate, now=site.clock)))
        return future

    trials = site.app.state.trials = Trials(replace(site.desk, previewing=ended))
    for version, name in (("1.9.0", "honest"), ("6.6.6", "hostile")):
        trial, _ = trials.begin("forge", version, by=ANN)
        yield Place(f"previewed-{name}", "/servers/{name}/preview/{trial}", f"/servers/forge/preview/{trial.id}")
