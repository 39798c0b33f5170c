"""Approved ahead: the roll-out that shows what was reviewed raises nothing, and one that does not says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from driftwatch.errors import NothingToDoError, UnknownIdError, UnknownServerError, UsageError
from driftwatch.judge.snapshot import take
from driftwatch.model import (
    Action,
    Ahead,
    BaselineState,
    EventKind,
    Finding,
    Listed,
    Severity,
    Snapshot,
    Unreachable,
)
from driftwatch.review.ahead import approve_ahead, end_ahead, replaced, reviewed
from driftwatch.review.approve import difference
from driftwatch.review.replay import replay
from driftwatch.store.store import Store
from driftwatch.watch.check import CheckCode, CheckResult
from tests.desk import GOOD, LOOSENED, REWORDED, SERVER, Desk
from tests.fakes import listed, person, tool

DAY = 86_400.0
DIFFERS = "differs-from-reviewed"
PLAIN = [tool(), tool("get_note")]
MORE = [*PLAIN, tool("drop_note", annotations={"destructiveHint": True, "readOnlyHint": False})]


class Counting(Store):
    """A store that counts how often it is asked what was approved ahead."""

    asked = 0

    def waiting_aheads(self, server: str, at: datetime) -> list[Ahead]:
        self.asked += 1
        return super().waiting_aheads(server, at)


def run_by(version: str, *tools: dict[str, Any], asked: str = "") -> Listed:
    """A look at a local server that runs from a package in a version."""
    package = {"ecosystem": "npm", "name": "notes", "asked": asked or f"notes@{version}", "pinned": not asked}
    package |= {"version": version, "digest": f"sha256:{version}"}
    launch = {"transport": "stdio", "command": "npx", "args": [package["asked"]], "env": [], "package": package}
    return replace(listed(*tools), launch=launch)


def seen_of(outcome: Listed) -> Snapshot:
    """The snapshot that a preview takes of a look."""
    return take({**outcome.document, **({"launch": outcome.launch} if outcome.launch else {})})


def ahead_of(desk: Desk, outcome: Listed, version: str = "", **more: Any) -> Ahead:
    desk.clock.forward(1)
    by = person(more.pop("by", "ann"))
    given = {"version": version, "by": by, "note": "read the diff", "now": desk.clock(), **more}
    return approve_ahead(desk.store, desk.settings, "notes", seen_of(outcome), **given)


def told_of(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if finding.rule == DIFFERS]


async def approved(desk: Desk, outcome: Listed = GOOD) -> None:
    await desk.look(outcome)
    desk.approve()


async def test_the_bump_that_was_reviewed_raises_nothing_and_moves_the_baseline(desk: Desk) -> None:
    await approved(desk, run_by("1.2.3", *PLAIN))
    ahead = ahead_of(desk, run_by("1.2.4", *MORE), "1.2.4")

    before = await desk.look(run_by("1.2.3", *PLAIN))
    result = await desk.look(run_by("1.2.4", *MORE))
    after = await desk.look(run_by("1.2.4", *MORE))

    baseline = desk.store.baseline("notes")
    assert (before.findings, result.findings, after.findings) == ((), (), ())
    assert desk.told() == []
    assert baseline is not None
    assert (baseline.digest, baseline.by, baseline.note) == (ahead.digest, "ann", "read the diff")
    assert baseline.state is BaselineState.APPROVED
    assert result.landed is not None
    assert (result.landed.id, after.landed, after.code) == (ahead.id, None, CheckCode.SAME)


async def test_history_and_audit_log_say_who_approved_it_when_and_when_it_came(desk: Desk) -> None:
    await approved(desk)
    ahead = ahead_of(desk, LOOSENED)

    await desk.look(LOOSENED)

    last = desk.store.reviews("notes")[-1]
    used = desk.store.ahead(ahead.id)
    assert (last.ahead, last.by, last.origin, last.at) == (ahead.id, "ann", "cli ann@desk", desk.clock())
    assert used.used_at == desk.clock()
    assert used.at < used.used_at
    entries = desk.store.audit(limit=2)
    assert [one.action for one in entries] == [Action.AHEAD_USED.value, Action.APPROVED_AHEAD.value]
    assert entries[0].details["ahead"] == entries[1].details["ahead"] == ahead.id


async def test_a_list_that_is_not_pinned_lands_although_its_command_reads_otherwise(desk: Desk) -> None:
    await approved(desk, run_by("1.2.3", *PLAIN, asked="notes"))
    ahead_of(desk, run_by("1.2.4", *MORE), "1.2.4")
    live = run_by("1.2.4", *MORE, asked="notes")

    result = await desk.look(live)

    baseline = desk.store.baseline("notes")
    assert result.landed is not None
    assert baseline is not None
    assert baseline.digest == seen_of(live).digest
    assert desk.told() == []


async def test_another_list_under_the_reviewed_version_is_judged_as_ever_and_said_to_differ(desk: Desk) -> None:
    await approved(desk, run_by("1.2.3", *PLAIN))
    ahead_of(desk, run_by("1.2.4", *PLAIN), "1.2.4")

    result = await desk.look(run_by("1.2.4", *MORE))
    again = await desk.look(run_by("1.2.4", *MORE))

    (differs,) = told_of(result)
    assert differs.severity is Severity.HIGH
    assert "“drop_note”" in differs.message
    assert "item-added" in {finding.rule for finding in result.findings}
    assert (again.event, desk.told()) == (None, [EventKind.OPENED])
    baseline = desk.store.baseline("notes")
    assert baseline is not None
    assert baseline.digest == seen_of(run_by("1.2.3", *PLAIN)).digest


async def test_a_drift_of_another_version_is_not_held_against_the_review(desk: Desk) -> None:
    await approved(desk, run_by("1.2.3", *PLAIN))
    ahead_of(desk, run_by("1.2.4", *PLAIN), "1.2.4")

    result = await desk.look(run_by("1.2.3", *MORE))

    assert result.findings
    assert told_of(result) == []


async def test_without_a_version_all_that_is_new_is_held_against_the_review(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED)

    result = await desk.look(REWORDED)

    (differs,) = told_of(result)
    assert differs.severity is Severity.MEDIUM


async def test_what_already_stands_open_is_resolved_by_an_approval_of_just_that(desk: Desk) -> None:
    await approved(desk)
    await desk.look(LOOSENED)

    ahead_of(desk, LOOSENED)
    result = await desk.look(LOOSENED)

    assert (result.event, [one.reason for one in desk.store.alerts()]) == (EventKind.RESOLVED, ["approved"])
    assert result.code is CheckCode.CLEAN


async def test_a_difference_between_two_looks_is_not_called_one_from_what_was_reviewed(desk: Desk) -> None:
    await approved(desk)
    await desk.look(LOOSENED)
    ahead_of(desk, LOOSENED)

    report = difference(desk.store, desk.settings, "notes", None, desk.clock())

    assert DIFFERS not in {finding.rule for finding in report.findings}


async def test_an_approval_ahead_is_used_once(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED)
    await desk.look(LOOSENED)
    await desk.look(GOOD)
    desk.approve()

    result = await desk.look(LOOSENED)

    assert result.code is CheckCode.DRIFT
    assert result.landed is None


async def test_what_expired_does_not_land_and_is_not_held_against_anything(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED, until=desk.clock() + timedelta(days=2))
    drifted = await desk.look(REWORDED)

    later = await desk.look(REWORDED, after=2 * DAY)
    late = await desk.look(LOOSENED)

    assert len(told_of(drifted)) == 1
    assert told_of(later) == told_of(late) == []
    assert late.code is CheckCode.DRIFT


async def test_what_was_ended_is_forgotten_at_the_next_look(desk: Desk) -> None:
    await approved(desk)
    ahead = ahead_of(desk, LOOSENED)
    await desk.look(REWORDED)

    ended = end_ahead(desk.store, ahead.id[:9], by=person("bob"), now=desk.clock(), why="called off")
    result = await desk.look(REWORDED)

    assert ended == desk.store.ahead(ahead.id)
    assert told_of(result) == []
    assert (desk.store.audit()[0].who, desk.store.audit()[0].why) == ("bob", "called off")
    with pytest.raises(NothingToDoError, match=r"ended at .* by bob"):
        end_ahead(desk.store, ahead.id, by=person(), now=desk.clock())


async def test_a_reason_for_an_end_has_bounds_as_every_other(desk: Desk) -> None:
    await approved(desk)
    ahead = ahead_of(desk, LOOSENED)

    with pytest.raises(UsageError, match="2,000"):
        end_ahead(desk.store, ahead.id, by=person(), now=desk.clock(), why="x" * 2_001)

    assert desk.store.ahead(ahead.id) == ahead


async def test_it_lands_over_a_list_that_nobody_approved_and_on_a_server_that_was_never_seen(desk: Desk) -> None:
    ahead_of(desk, GOOD)
    first = await desk.look(GOOD)
    await desk.look(LOOSENED)
    ahead_of(desk, REWORDED)
    second = await desk.look(REWORDED)

    assert first.baseline is not None
    assert (first.baseline.state, first.baseline.by) == (BaselineState.APPROVED, "ann")
    assert second.landed is not None
    assert [one.state for one in desk.store.baselines("notes")] == [BaselineState.APPROVED] * 2


async def test_a_provisional_baseline_is_left_when_what_was_reviewed_comes(desk: Desk) -> None:
    await desk.look(GOOD)
    ahead_of(desk, LOOSENED)

    still = await desk.look(GOOD)
    landed = await desk.look(LOOSENED)

    assert told_of(still) == []
    assert landed.landed is not None
    assert not desk.is_open()


async def test_the_same_approval_is_kept_once_and_another_version_is_another_one(desk: Desk) -> None:
    await approved(desk)

    one, again = ahead_of(desk, LOOSENED), ahead_of(desk, LOOSENED)
    other = ahead_of(desk, LOOSENED, "2")

    assert one == again != other
    assert [ahead.id for ahead in desk.store.aheads("notes")] == [other.id, one.id]
    assert len(desk.store.audit()) == 3
    assert reviewed(desk.store, one) == seen_of(LOOSENED)


@pytest.mark.parametrize(
    ("days", "again", "by", "note"),
    [
        (3, 9, "ann", ""),
        (9, 3, "ann", ""),
        (3, 30, "bob", "read the diff"),
        (30, 30, "bob", ""),
        (30, 30, "ann", "No."),
    ],
)
async def test_of_two_approvals_of_the_same_the_later_one_holds_with_its_own_end(
    desk: Desk, days: int, again: int, by: str, note: str
) -> None:
    await approved(desk, run_by("1.2.3", *PLAIN))
    bump = run_by("1.2.4", *MORE)
    first = ahead_of(desk, bump, "1.2.4", until=desk.clock() + timedelta(days=days))
    end = desk.clock() + timedelta(days=again)

    second = ahead_of(desk, bump, "1.2.4", until=end, by=by, note=note)

    before = replaced(desk.store, second)
    assert desk.store.waiting_aheads("notes", desk.clock()) == [second]
    assert (second.until, second.by, second.note) == (end, by, note)
    assert before is not None
    assert (before.id, before.until, before.ended_at, before.ended_by) == (first.id, first.until, second.at, by)
    assert [(one.action, one.why) for one in desk.store.audit(limit=2)] == [
        ("approved-ahead", note),
        ("ahead-ended", "approved again"),
    ]
    assert desk.store.verify_audit().good


async def test_approvals_that_make_no_sense_are_refused_and_not_kept(desk: Desk) -> None:
    await approved(desk)
    new = run_by("1.2.4", *MORE)

    with pytest.raises(NothingToDoError):
        ahead_of(desk, GOOD)
    with pytest.raises(UsageError, match=r"version 1\.2\.4, not 1\.2\.5"):
        ahead_of(desk, new, "1.2.5")
    with pytest.raises(UsageError, match="Nobody is named"):
        ahead_of(desk, new, by=" ")
    for until in (desk.clock(), desk.clock() + timedelta(days=400)):
        with pytest.raises(UsageError, match="for no time, or for too long"):
            ahead_of(desk, new, until=until)
    with pytest.raises(UnknownServerError):
        approve_ahead(desk.store, desk.settings, "nobody", seen_of(new), by=person(), now=desk.clock())
    with pytest.raises(UnknownIdError):
        end_ahead(desk.store, "ahd_x", by=person(), now=desk.clock())

    assert desk.store.aheads() == []


async def test_a_server_that_could_not_be_looked_at_while_it_was_rolled_out_is_well_again(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED)
    for _ in range(SERVER.alert_after):
        await desk.look(Unreachable("connect", "refused"))

    result = await desk.look(LOOSENED)

    assert result.landed is not None
    assert not desk.store.alerts(stands=True)
    assert desk.told() == [EventKind.OPENED, EventKind.RESOLVED]


async def test_a_history_with_approvals_ahead_is_replayed_as_it_was(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED)
    await desk.look(REWORDED)
    await desk.look(LOOSENED, after=DAY)
    await desk.look(GOOD, after=DAY)

    found = replay(desk.store, desk.settings, "notes")

    then = [replace(one, id="", told_at=None) for one in reversed(desk.store.alerts())]
    assert [replace(pair.now, id="") for pair in found.alerts if pair.now] == then


async def test_an_unchanged_look_asks_nothing_about_approvals_ahead(desk: Desk) -> None:
    await approved(desk)
    ahead_of(desk, LOOSENED)
    await desk.look(GOOD)

    with Counting.open(desk.url, clock=desk.clock) as counting:
        desk.store.close()
        desk.store = counting
        result = await desk.look(GOOD)

        assert (result.code, counting.asked) == (CheckCode.SAME, 0)
        await desk.look(REWORDED)
        assert counting.asked > 0
