"""A report of a server as the formats of reports take it: with what was compared, and how the server is reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from driftwatch.config.schema import Settings
from driftwatch.judge.composite import differing
from driftwatch.judge.landing import running
from driftwatch.model import BaselineState, Report, Snapshot
from driftwatch.model.commands import command
from driftwatch.report.subject import NOTHING, Judged, against
from driftwatch.review.again import looked_again
from driftwatch.review.passed import passed_by
from driftwatch.review.refused import rejected_beside
from driftwatch.review.rejected import rejected_of
from driftwatch.store.store import Store

_SHORT = 12
"""Hex digits of a digest; enough to name a list in every command."""


def judged_of(
    store: Store,
    settings: Settings,
    server: str,
    report: Report,
    *,
    live: Snapshot | None,
    trouble: str = "",
    place: tuple[str, int] = ("", 0),
    at: datetime,
) -> Judged:
    """Give a report of what a server showed with all that is known beside it.

    `live` is the list that the report is of. `trouble` says why it could not be looked at, and then nothing was found.
    `place` is the file of a repository that names the server, and the line. What people said of it is as it is `at`
    that moment.
    """
    state, config = store.state(server), settings.find(server)
    before = store.snapshot(state.baseline.digest) if state.baseline is not None else None
    stands = state.baseline is not None and state.baseline.state is BaselineState.APPROVED
    file, line = place
    subject = replace(
        against(state.baseline),
        server=server,
        before_version=running(before) if before is not None else "",
        after_version=running(live) if live is not None else "",
        reached=config.shown_url or config.shown_command if config is not None else "",
        looked_at=state.last_ok_at,
        rejected=(
            *(() if before is None or live is None else rejected_of(store, server, live, differing(before, live))),
            *rejected_beside(store, server),
        ),
        passed=() if live is None else passed_by(store, server, live, at),
        again=None if live is None else looked_again(store, settings, server, live.digest),
        file=file,
        line=line,
        commands=() if trouble else tuple(_commands(server, report, approved=stands)),
    )
    return Judged(subject, NOTHING if trouble else report, before, live, trouble)


def _commands(server: str, report: Report, *, approved: bool) -> Iterator[str]:
    """Give the commands that go on from here: to see it, and to approve just what was seen."""
    if report.findings:
        yield command("diff", server)
    if report.live_digest and not (approved and report.live_digest == report.baseline_digest):
        yield command("approve", server, "--digest", report.live_digest.removeprefix("sha256:")[:_SHORT])
