"""What a person reads for a review is what the last look found, and is judged anew only where that no longer holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from driftwatch.config.policy import PolicyConfig, SeverityConfig
from driftwatch.config.schema import Settings
from driftwatch.model import Kind, Report, Severity
from driftwatch.review.approve import difference
from driftwatch.review.reading import between, is_judged, report_of
from driftwatch.store.store import Store
from tests.web import town_lists as lists
from tests.web.town import Town, settings_of

END = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    settings = settings_of(tmp_path)
    with Store.open(settings.database_url, clock=lambda: END) as store:
        made = Town(store, settings, END)
        made.look("notes", lists.NOTES)
        made.approve("notes")
        made.look("notes", lists.NOTES_TURNED)
        yield made


def read(town: Town, settings: Settings | None = None) -> Report:
    state = town.store.state("notes")
    assert state.baseline is not None
    live, before = (town.store.snapshot(one) for one in (state.last_digest, state.baseline.digest))
    assert live is not None
    return report_of(town.store, settings or town.settings, state, live, before=before, now=town.clock())


def judged(town: Town, settings: Settings | None = None) -> bool:
    state = town.store.state("notes")
    return is_judged(settings or town.settings, state, state.last_digest, town.clock())


def test_what_the_last_look_found_is_what_judging_anew_finds(town: Town) -> None:
    anew = difference(town.store, town.settings, "notes", None, town.clock())

    found = read(town)

    assert judged(town)
    assert found == replace(anew, changes=())


def test_under_another_policy_it_is_judged_anew(town: Town) -> None:
    quiet = PolicyConfig(severity=(SeverityConfig(rule="item-added", severity=Severity.CRITICAL, reason="ours"),))
    settings = town.settings.model_copy(update={"policy": quiet})

    found = read(town, settings)

    assert not judged(town, settings)
    assert {one.severity for one in found.findings if one.rule == "item-added"} == {Severity.CRITICAL}


def test_what_only_the_baseline_looked_at_is_said(town: Town) -> None:
    live, before = (town.store.snapshot(one.digest) for one in reversed(town.store.sightings("notes")))
    assert live is not None
    assert before is not None
    state = town.store.state("notes")
    narrow = replace(live, sections=live.sections - {Kind.TOOL})

    found = report_of(town.store, town.settings, state, narrow, before=before, now=town.clock())

    assert found.notes == ("Not compared: tools (4 in the baseline, not in the live listing).",)


def test_any_two_lists_are_judged_beside_each_other_in_both_directions(town: Town) -> None:
    old, new = (town.store.snapshot(one.digest) for one in town.store.sightings("notes"))
    assert old is not None
    assert new is not None

    there, back = (between(town.settings, "notes", *pair, town.clock()) for pair in ((old, new), (new, old)))

    assert {"item-added", "text-injection"} <= {one.rule for one in there.findings}
    assert "item-removed" in {one.rule for one in back.findings}
