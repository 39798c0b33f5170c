"""The drill: find out whether an alert reaches each channel of the user's own configuration.

A built-in server turns, a daemon with the configured channels watches it, and the outbox says what became of each
message. Everything is marked as a drill. The user's own servers and database are not touched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from driftwatch.config.channels import ChannelConfig
from driftwatch.config.schema import Settings
from driftwatch.model import Actor, Delivery, DeliveryState, EventKind
from driftwatch.model.amounts import many
from driftwatch.review.approve import approve
from driftwatch.run.stage import Stage, StageError, stage
from driftwatch.run.trial import configured
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.fetch.turning import APPROVED, STEPS

SERVER = "driftwatch-selftest"

_MOST = 10_000
"""Messages of one drill that are looked at: two for each channel."""


async def selftest(settings: Settings, *, say: Callable[[str], None], patience: float = 60.0) -> int:
    """Run the drill; gives 0 when every channel got both messages, 1 when one did not.

    `patience` is how many seconds to wait for the deliveries.

    Raises:
        ConfigError: no channel is configured, so there is nothing to test.

    """
    channels = configured(settings)
    async with stage(SERVER, channels, drill=True) as scene:
        try:
            await _turn(scene)
        except StageError as error:
            say(f"The drill itself failed: {error}.")
            return 1
        deliveries = await _settled(scene, patience)
    return _say(channels, deliveries, say)


async def _turn(scene: Stage) -> None:
    """Approve, turn, wait until the alert is queued, turn back, wait until the end of it is queued."""
    await scene.until(lambda world: bool(world.store.state(SERVER).last_digest), "the first look")
    with World.open(scene.settings) as world:
        by = Actor("selftest", "selftest")
        approve(world.store, world.settings, SERVER, digest=None, by=by, note="drill", now=utc_now())
    await scene.server.turn(STEPS[2].tools)
    await scene.until(lambda world: any(alert.findings for alert in world.store.alerts()), "the alert to open")
    await scene.server.turn(APPROVED.tools)
    await scene.until(lambda world: all(alert.resolved_at for alert in world.store.alerts()), "the alert to resolve")


async def _settled(scene: Stage, patience: float) -> list[Delivery]:
    """Wait until each message was delivered or tried twice, at most `patience` seconds, and give them."""
    with World.open(scene.settings) as world:
        with contextlib.suppress(StageError):
            await scene.until(_all_tried, "the deliveries", patience=patience)
        return list(world.store.deliveries(limit=_MOST))


def _all_tried(world: World) -> bool:
    rows = world.store.deliveries(limit=_MOST)
    # The newest first, so the oldest wins: what waits behind it has no turn before it is through.
    first = {(one.channel, one.alert_id): one for one in rows if one.state is DeliveryState.PENDING}
    return not any(one.attempts < 2 for one in first.values())


def _say(channels: tuple[ChannelConfig, ...], deliveries: list[Delivery], say: Callable[[str], None]) -> int:
    failed = 0
    for channel in channels:
        mine = {one.event: one for one in deliveries if one.channel == channel.name}
        opened = mine.get(EventKind.OPENED)
        if opened is None:
            say(f"{channel.name}: FAILED, the drill queued no message for it")
            failed += 1
            continue
        bad = [one for one in mine.values() if one.state is not DeliveryState.DELIVERED]
        failed += bool(bad)
        for one in bad:
            say(
                f"{channel.name}: FAILED, the drill's {one.event.value!r} did not arrive: {one.last_result or 'no try'}"
            )
        if not bad:
            say(f"{channel.name}: ok, the drill's alert and its end were accepted ({opened.id})")
    count = many(len(channels), "channel")
    say("Every channel works." if not failed else f"{failed} of {count} did not get the drill.")
    return 1 if failed else 0
