"""Servers that show somebody another list, and then refuse whoever comes to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from faces_desk import ABLE, AGENT, DENIED, GOOD, MORE, POISONED, FacesDesk

from driftwatch.config.identities import IdentityConfig
from driftwatch.model import EventKind, Outcome, Verdict


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Callable[..., FacesDesk]]:
    made: list[FacesDesk] = []

    def make(*identities: IdentityConfig) -> FacesDesk:
        made.append(FacesDesk(tmp_path, *identities))
        return made[-1]

    yield make
    for desk in made:
        desk.store.close()


@pytest.mark.parametrize("answered", [0, 1, 2])
async def test_a_server_that_refuses_to_be_compared_is_told_of_at_the_second_turn(
    desks: Callable[..., FacesDesk], answered: int
) -> None:
    desk = desks(AGENT)

    def show(identity: IdentityConfig | None) -> Outcome:
        # The first asked is the server's own name, the second the identity; the looks after it are to compare.
        if len(desk.facade.asked) > 2 + answered:
            return DENIED
        return POISONED if identity is not None and identity.client_name else GOOD

    desk.facade.show = show
    await desk.rounds()
    first = desk.rules()

    await desk.rounds()

    assert first == {"face-suspect": "high"}
    assert desk.rules() == {"two-faces": "critical"}
    assert desk.told() == [EventKind.OPENED, EventKind.UPDATED]


async def test_a_bad_list_that_may_not_be_compared_is_read_as_the_identitys_own(
    desks: Callable[..., FacesDesk],
) -> None:
    desk = desks(ABLE)
    desk.facade.show = lambda one: GOOD if one is None else POISONED if one.client_name else DENIED

    await desk.rounds(2)

    assert desk.face("able").verdict is Verdict.LEARNED
    assert desk.rules()["face-suspect"] == "high"


async def test_refusals_to_compare_make_no_second_face_of_a_change_for_everybody(
    desks: Callable[..., FacesDesk],
) -> None:
    desk = desks(AGENT)
    news = False

    def show(identity: IdentityConfig | None) -> Outcome:
        nonlocal news
        news = news or identity is not None
        if len(desk.facade.asked) > 2:
            return DENIED
        return MORE if news else GOOD

    desk.facade.show = show
    await desk.rounds(3)

    assert "two-faces" not in desk.rules()
