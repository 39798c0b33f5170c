"""The daemon drops what was kept for long enough, by itself, and by no clock that jumps ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from structlog.testing import capture_logs

from driftwatch.config.retention import RetentionConfig
from driftwatch.config.schema import Settings
from driftwatch.model import Alert, AlertKind, AlertState, EventKind, Severity
from driftwatch.run.retention import Pruning, retention_of
from driftwatch.run.wiring import World
from driftwatch.store.records import AlertWrite, Retention
from tests.blank import blank
from tests.fakes import FrozenClock

DAY = timedelta(days=1)


def world(folder: Path, clock: Callable[[], datetime]) -> World:
    """A world in which alerts are kept for ten days, and one has been over for five."""
    settings = Settings(database_url=blank(folder / "d.db"), retention=RetentionConfig(alerts=10 * 86_400))
    made = World.open(settings, clock=clock)
    at = clock() - 5 * DAY
    over = Alert("alr_1", "git", AlertKind.DRIFT, AlertState.OPEN, Severity.HIGH, at, at)
    made.store.record_alert(AlertWrite(over, EventKind.OPENED))
    over = replace(over, state=AlertState.RESOLVED, resolved_at=at)
    made.store.record_alert(AlertWrite(over, EventKind.RESOLVED))
    return made


async def test_what_was_kept_for_long_enough_is_dropped_and_said(tmp_path: Path) -> None:
    clock = FrozenClock()
    with world(tmp_path, clock) as made, capture_logs() as logs:
        clock.forward(4 * 86_400)
        await Pruning(made).once()
        early = len(made.store.alerts())
        clock.forward(2 * 86_400)
        await Pruning(made).once()
        late = len(made.store.alerts())
        [entry] = made.store.audit()

    assert (early, late) == (1, 0)
    assert [(one["action"], one["alerts"]) for one in logs] == [("pruned", 1)]
    assert (entry.action, entry.origin, entry.details["kept"]) == (
        "pruned",
        "daemon",
        {"alerts": 864_000, "deliveries": 7_776_000},
    )


async def test_a_clock_that_jumps_ahead_while_the_daemon_runs_makes_nothing_old(tmp_path: Path) -> None:
    clock = FrozenClock()
    with world(tmp_path, clock) as made:
        pruning = Pruning(made)
        clock.forward(3_000 * 86_400)
        await pruning.once()

        assert len(made.store.alerts()) == 1


async def test_what_cannot_be_dropped_is_said_and_ends_nothing(tmp_path: Path) -> None:
    with world(tmp_path, FrozenClock()) as made:
        pruning = Pruning(made)
        (tmp_path / "d.db").write_bytes(b"x" * 4096)
        made.store.close()
        with capture_logs() as logs:
            await pruning.once()

    assert [one["action"] for one in logs] == ["prune-failed"]


def test_the_store_is_asked_for_what_the_configuration_says() -> None:
    asked = retention_of(RetentionConfig(looks=None, looks_count=500, deliveries=None, deliveries_count=7))

    assert asked == Retention(looks_count=500, deliveries_count=7)
    assert retention_of(RetentionConfig()) == Retention(deliveries=90 * DAY)
