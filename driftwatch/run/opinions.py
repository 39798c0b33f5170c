"""Second opinions beside the looks: what was not answered in time is asked again, for as long as the daemon runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from driftwatch.config.opinion import OpinionConfig
from driftwatch.config.secret import Unresolved
from driftwatch.errors import ConfigError, DriftwatchError
from driftwatch.judge.beside import Opinions
from driftwatch.model import Report
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.opinion.ask import SecondOpinion
from driftwatch.watch.opinion.base import InMemory
from driftwatch.watch.opinion.known import opinions_of

log = structlog.get_logger()

_STEP = 60.0
"""Seconds between two looks into what is owed."""


async def catch_up(world: World) -> int:
    """Ask once what was not answered and is due again, and give how many answers came. What fails is only logged."""
    if not world.settings.second_opinion.enabled:
        return 0
    opinion = SecondOpinion(world.store, world.settings.second_opinion, clock=world.clock)
    try:
        return await opinion.catch_up()
    except DriftwatchError as error:
        log.warning("second opinions are lost", action="opinion-failed", error=str(error))
    except Exception:
        log.exception("asking for second opinions failed", action="opinion-failed")
    return 0


async def keep_catching_up(world: World) -> None:
    """Ask until cancelled; does nothing while nobody is to be asked."""
    config = world.settings.second_opinion
    if not config.enabled:
        return
    log.info("asking for second opinions", action="opinion-start", second_opinion=config.words)
    while True:
        await catch_up(world)
        await asyncio.sleep(_STEP)


async def judged_with(config: OpinionConfig, judge: Callable[[Opinions | None], Report]) -> Report:
    """Judge files with what a model says of their texts: once to see what to ask, and once with the answers.

    The configuration counts as switched on. Answers are kept by nobody.

    Raises:
        ConfigError: it names no address or no model, or its key is not to be had.

    """
    for text in (config.url, config.model):
        if not text or isinstance(text, Unresolved):
            message = text.words[0] if isinstance(text, Unresolved) else "its url or its model is missing"
            hint = 'Write [second_opinion] url = "https://…/v1" and model = "…".'
            raise ConfigError(f"The configuration does not say whom to ask: {message}.", hint=hint)
    if config.api_key is not None:
        config.api_key.reveal()
    config = config.model_copy(update={"enabled": True})
    kept = InMemory()
    opinion = SecondOpinion(kept, config, clock=utc_now)
    wanted, known = opinion.wanted(), opinions_of(kept, config)
    report = judge(wanted.heard_by(known) if known is not None else None)
    if not wanted.waits:
        return report
    await opinion.answer(wanted)
    return judge(known)
