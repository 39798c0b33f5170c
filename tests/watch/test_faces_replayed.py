"""Replaying a history of looks as somebody else: they tell from when they were made."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from faces_desk import AGENT, GOOD, POISONED, FacesDesk

from driftwatch.config.identities import IdentityConfig
from driftwatch.model import Outcome
from driftwatch.review.compared import Difference
from driftwatch.review.replay import replay


@pytest.mark.parametrize("sessions", ["all", "later", "some"])
async def test_a_second_face_is_replayed_from_when_it_was_seen(tmp_path: Path, sessions: str) -> None:
    desk = FacesDesk(tmp_path, AGENT)
    seen = count()
    if sessions != "all":
        await desk.look()
        desk.approve()

    def show(one: IdentityConfig | None) -> Outcome:
        desk.clock.forward(0.5)
        poisons = one is not None and one.client_name and (sessions != "some" or next(seen) % 3 == 0)
        return POISONED if poisons else GOOD

    desk.facade.show = show
    await desk.rounds(3)

    found = replay(desk.store, desk.settings, "notes")

    assert [pair.difference for pair in found.alerts] == [Difference.NONE]
    assert found.alerts[0].now is not None
    assert found.alerts[0].now.opened_at == desk.store.alerts()[0].opened_at
    desk.store.close()
