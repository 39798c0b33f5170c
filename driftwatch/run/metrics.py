"""What `/metrics` tells: the catalogue's metrics with their numbers, in the text format of Prometheus.

What the database knows is read when it is asked for, in one transaction; what happens is counted by the `Tally`.
Nothing is kept in a registry of the whole process.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from driftwatch import __version__
from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.judge.judge import RULESET
from driftwatch.model import AlertKind, AlertState, DeliveryState, Health, ServerState, Severity, TestimonyState
from driftwatch.review.standing import Standing, standing_of
from driftwatch.run import metrics_catalogue as these
from driftwatch.run.health import channels_of, health_of, lost
from driftwatch.run.metrics_catalogue import NOT_CONFIGURED, Metric, Type
from driftwatch.run.tally import ATTEMPTS, Spread, Tally
from driftwatch.store.figures import Figures, Known, Waiting
from driftwatch.store.store import Store

Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily
Numbers = Iterable[tuple[tuple[str, ...], float]]
"""Values with those of their labels, in the order of the catalogue."""

UNREADABLE: Final = "it cannot be read"


class Metrics:
    """Tells the numbers of one daemon. `text` blocks, `in_process` does not."""

    def __init__(
        self, tally: Tally, store: Store, *, settings: Callable[[], Settings], clock: Callable[[], datetime]
    ) -> None:
        """Take what is counted, and where the rest is read; `settings` gives the configuration in force."""
        self._tally, self._store, self._settings, self._clock = tally, store, settings, clock
        self._known: Known = {}

    def text(self) -> bytes:
        """Give all metrics; without those of the database when that cannot be read."""
        now, settings = self._clock(), self._settings()
        try:
            figures = self._store.figures(channels=channels_of(settings), known=self._known)
        except DriftwatchError as error:
            return self.in_process(lost(UNREADABLE, error.message))
        health = health_of(self._store, settings, now=now, pulse=figures.pulse)
        counted = _of_process(self._tally, settings, health, readable=True)
        return _spelled([*counted, *_stored(figures, settings, now)])

    def in_process(self, health: Health) -> bytes:
        """Give the metrics that need no database."""
        return _spelled(_of_process(self._tally, self._settings(), health, readable=False))


def _of_process(tally: Tally, settings: Settings, health: Health, *, readable: bool) -> Iterator[Family]:
    yield _family(these.BUILD, [((__version__, platform.python_version(), RULESET), 1)])
    yield _one(these.READY, health.well)
    yield _family(these.CHECK, (((check.part.value,), check.ok) for check in health.checks))
    yield _one(these.READABLE, readable)
    yield _family(these.LOOKS, _of_each(these.LOOKS, tally.looks))
    yield _spread(these.TOOK, tally.took)
    yield _spread(these.LATE, tally.late)
    yield _one(these.FETCHED, tally.fetched)
    yield _one(these.NOTICES, tally.notices)
    yield _one(these.STREAMS, tally.streams)
    yield _family(these.RECONNECTS, _of_each(these.RECONNECTS, tally.ends))
    outcomes = [(one.name, outcome) for one in settings.channels for outcome in ATTEMPTS.values()]
    yield _family(these.DELIVERIES, ((labels, tally.attempts[labels]) for labels in outcomes))
    yield _one(these.AUDIT_AT, tally.verified_at)


def _stored(figures: Figures, settings: Settings, now: datetime) -> Iterator[Family]:
    yield from _of_servers(figures, settings, now)
    yield from _of_findings(figures)
    yield from _of_messages(figures, settings, now)
    counted = ((value, figures.witnessed.get(value, 0)) for value in TestimonyState)
    yield _family(these.WITNESSED, (((state.value,), count) for state, count in counted))
    yield _family(these.SIZE, (((file,), size) for file, size in figures.sizes.items()))
    yield _one(these.AUDIT_GOOD, not figures.pulse.tampered)
    yield _one(these.AUDIT_ENTRIES, figures.audited)


def _of_servers(figures: Figures, settings: Settings, now: datetime) -> Iterator[Family]:
    configs = {server.name: server for server in settings.watched}
    states = {name: figures.pulse.states.get(name, ServerState(server=name)) for name in configs}
    left = {name: state for name, state in figures.pulse.states.items() if name not in configs}
    stand = {
        name: standing_of(configs.get(name), state, found=name in figures.found)
        for name, state in {**states, **left}.items()
    }
    counted = dict.fromkeys(Standing, 0)
    for standing in stand.values():
        counted[standing] += 1
    watched = [state for name, state in states.items() if configs[name].enabled]
    seen = [(now - state.last_ok_at).total_seconds() for state in watched if state.last_ok_at]
    late = [(now - state.next_look_at).total_seconds() for state in watched if state.next_look_at]
    yield _family(these.SERVERS, (((standing.value,), count) for standing, count in counted.items()))
    yield _one(these.STALENESS, max([*seen, 0.0]))
    yield _one(these.LAG, max([*late, 0.0]))
    yield _family(these.SERVER_STATE, (((name, stand[name].value), 1) for name in states))
    yield _family(these.SERVER_OK, (((name,), _seconds(state.last_ok_at)) for name, state in states.items()))
    yield _family(these.SERVER_NEXT, (((name,), _seconds(state.next_look_at)) for name, state in states.items()))
    yield _family(these.SERVER_FAILURES, (((name,), state.failures) for name, state in states.items()))
    yield _family(these.SERVER_LOOKS, (((name,), state.looks) for name, state in states.items()))


def _of_findings(figures: Figures) -> Iterator[Family]:
    for metric, hidden in ((these.FINDINGS, False), (these.HIDDEN, True)):
        counted = ((one.value, figures.findings.get((one, hidden), 0)) for one in Severity)
        yield _family(metric, (((name,), count) for name, count in counted))
    yield _family(
        these.ALERTS,
        (
            ((kind.value, severity.value, state.value), figures.alerts.get((kind, severity, state), 0))
            for kind in AlertKind
            for severity in Severity
            for state in AlertState
            if state.stands
        ),
    )


def _of_messages(figures: Figures, settings: Settings, now: datetime) -> Iterator[Family]:
    names = [channel.name for channel in settings.channels]
    waiting = _by_channel(figures.waiting, names)
    states = (DeliveryState.PENDING, DeliveryState.HELD)
    counts = {
        (name, state): sum(one.count for one in found.get(state, ()))
        for name, found in waiting.items()
        for state in states
    }
    yield _family(these.OUTBOX, (((name, state.value), count) for (name, state), count in counts.items()))
    since = {name: [one.since for one in found.get(DeliveryState.PENDING, ())] for name, found in waiting.items()}
    ages = {name: max((now - min(found)).total_seconds(), 0.0) if found else 0.0 for name, found in since.items()}
    yield _family(these.OLDEST, (((name,), age) for name, age in ages.items()))
    known = {name: figures.pulse.channels[name] for name in names if name in figures.pulse.channels}
    failures = {name: known[name].failures if name in known else 0 for name in names}
    dead = {name: known[name].dead if name in known else 0 for name in names}
    yield _family(these.CHANNEL_FAILURES, (((name,), count) for name, count in failures.items()))
    yield _family(these.CHANNEL_DEAD, (((name,), count) for name, count in dead.items()))


def _by_channel(
    waiting: Mapping[tuple[str, DeliveryState], Waiting], names: Iterable[str]
) -> dict[str, dict[DeliveryState, list[Waiting]]]:
    """Sort what waits by the channels that are configured; what waits for any other is one more."""
    found: dict[str, dict[DeliveryState, list[Waiting]]] = {name: {} for name in (*names, NOT_CONFIGURED)}
    for (name, state), one in waiting.items():
        found[name if name in found else NOT_CONFIGURED].setdefault(state, []).append(one)
    return found


def _of_each(metric: Metric, counted: Mapping[str, int]) -> Numbers:
    """Give each value that the only label can have, also those that nothing was counted for."""
    ((_, values),) = metric.labels
    return (((value,), counted.get(value, 0)) for value in values)


def _one(metric: Metric, value: float) -> Family:
    return _family(metric, [((), value)])


def _family(metric: Metric, numbers: Numbers) -> Family:
    make = CounterMetricFamily if metric.type is Type.COUNTER else GaugeMetricFamily
    family: CounterMetricFamily | GaugeMetricFamily = make(metric.name, metric.help, labels=metric.label_names)
    for labels, value in numbers:
        family.add_metric(labels, value)
    return family


def _spread(metric: Metric, spread: Spread) -> Family:
    family = HistogramMetricFamily(metric.name, metric.help)
    bounds = [*(str(bound) for bound in spread.bounds), "+Inf"]
    family.add_metric([], list(zip(bounds, spread.upto(), strict=True)), spread.total)
    return family


def _seconds(moment: datetime | None) -> float:
    return 0.0 if moment is None else moment.timestamp()


class _Given(Collector):
    """Gives to the registry what was made for it."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterable[Family]:
        return self._families


def _spelled(families: Iterable[Family]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    # Last: nothing is taken of it before it is spelled.
    registry.register(_Given(families))
    return generate_latest(registry)
