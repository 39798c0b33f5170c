"""The other name under which a server is looked at before a decision, where the configuration names none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from driftwatch.config.identities import SECOND_NAME, IdentityConfig, second_name
from driftwatch.config.secret import Secret
from driftwatch.model import Outcome, Verdict
from driftwatch.watch.rehearsal import Rehearsal, rehearse
from tests.watch.faces_desk import AGENT, GOOD, OWNER, POISONED, FacesDesk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FacesDesk]:
    """A server without any identity."""
    made = FacesDesk(tmp_path)
    yield made
    made.store.close()


def _poisoned(identity: IdentityConfig | None) -> Outcome:
    return POISONED if identity is not None and identity.client_name == "claude-code" else GOOD


async def _again(desk: FacesDesk) -> Rehearsal:
    return await rehearse(desk.store, desk.settings, desk.checker, desk.server, now=desk.clock)


async def test_what_is_found_under_it_stands_and_is_looked_into_until_it_is_over(desk: FacesDesk) -> None:
    desk.facade.show = _poisoned
    await desk.look()
    await _again(desk)
    desk.approve()
    desk.checker = desk.made()
    await desk.rounds()
    stood, verdict = desk.rules(), desk.face(SECOND_NAME.name).verdict
    desk.facade.show = lambda _: GOOD
    await desk.rounds(2)
    over = desk.face(SECOND_NAME.name).verdict
    asked = set[str]()
    for _ in range(24):
        await desk.look()
        asked.update(desk.facade.asked)

    assert (stood["two-faces"], verdict) == ("critical", Verdict.DIFFERS)
    assert (over, desk.rules()) == (Verdict.SAME, {})
    assert asked == {"-"}


async def test_a_server_that_is_the_same_to_it_is_not_looked_at_under_it_any_more(desk: FacesDesk) -> None:
    await desk.look()
    await _again(desk)
    asked = set[str]()
    for _ in range(24):
        await desk.look()
        asked.update(desk.facade.asked)

    assert asked == {"-"}
    assert desk.face(SECOND_NAME.name).verdict is Verdict.SAME


async def test_a_configured_identity_under_which_it_is_found_has_the_verdict(tmp_path: Path) -> None:
    desk = FacesDesk(tmp_path, OWNER, AGENT)
    desk.facade.show = lambda identity: POISONED if identity and identity.client_name == "some-agent" else GOOD
    await desk.look()
    rehearsal = await _again(desk)

    assert rehearsal.rehearsed.client == "some-agent"
    assert desk.face("agent").verdict is Verdict.DIFFERS
    assert "two-faces" in desk.rules()
    desk.store.close()


@pytest.mark.parametrize(
    ("identities", "local", "name"),
    [
        ((), True, "second name"),
        ((OWNER,), False, "second name"),
        ((OWNER, AGENT), False, "agent"),
        ((IdentityConfig(name="mine", client_name="mine", env={"KEY": Secret("x")}),), True, "second name"),
        ((IdentityConfig(name="mine", client_name="mine", env={"KEY": Secret("x")}),), False, "mine"),
        ((IdentityConfig(name="modern"),), False, "second name"),
    ],
)
def test_it_is_the_first_named_identity_without_a_credential_else_one_that_is_built_in(
    identities: tuple[IdentityConfig, ...], local: bool, name: str
) -> None:
    assert second_name(identities, local=local).name == name


def test_the_built_in_one_differs_by_its_name_alone() -> None:
    assert (SECOND_NAME.era, SECOND_NAME.capabilities, SECOND_NAME.headers, SECOND_NAME.env) == (None, {}, {}, {})
    assert SECOND_NAME.client_name == "claude-code"
