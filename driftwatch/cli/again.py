"""approve looks at a list again before it asks, unless the daemon did already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.ground import now
from driftwatch.cli.moments import short
from driftwatch.cli.terminal import progress, warn
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.errors import Moved, StaleReviewError
from driftwatch.model import Snapshot
from driftwatch.model.commands import command
from driftwatch.report.again import Again, again_words
from driftwatch.review.again import looked_again
from driftwatch.review.beside import faces_seen, other_lists
from driftwatch.run import logs
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.watch.rehearsal import Rehearsal, client_of, rehearse

Once = Annotated[
    bool,
    typer.Option("--once", help="Do not look at the server again first, also where nobody looked again at the list."),
]


def look_again(
    context: typer.Context, store: Store, settings: Settings, server: str, wanted: Snapshot, *, unasked: bool
) -> None:
    """Look again at a list that is about to be approved, if nobody did yet, and say how that went.

    What cannot be looked at is said, and left to the person. What is not what the server shows now cannot be. A list
    beside which another one came to light, in whatever way, is not approved `unasked`: nobody named it or is asked.

    Raises:
        StaleReviewError: the server shows another list, or showed one when it was looked at again.
        StoreError: the database could not be read or written.

    """
    before = faces_seen(store, server)
    _look(context, store, settings, server, wanted)
    others = other_lists(store, settings, server, wanted.digest, now(context), before=before) if unasked else ()
    if others:
        again = store.rehearsed(server, wanted.digest)
        raise _refused(server, wanted, others, again.other if again is not None else "")


def _look(context: typer.Context, store: Store, settings: Settings, server: str, wanted: Snapshot) -> None:
    config, again = settings.find(server), looked_again(store, settings, server, wanted.digest)
    tried = again is not None and again.seen is not None and (again.seen.looks > 1 or again.seen.other)
    if config is None or again is None or again.off or tried or store.state(server).last_digest != wanted.digest:
        return
    if config.missing:
        warn(f"{server} cannot be looked at again here: {'; '.join(config.missing)}.")
        return
    client = client_of(settings, config)
    how = f"{again.afresh} and as {client.client_name or client.name}"
    call_of(context).terminal.say(f"Looking at {server} again first, {how}. --once leaves that out.")
    seen = _rehearsed(context, settings, config).rehearsed
    if seen.other:
        raise StaleReviewError(
            f"The next look at {server!r} showed another list, {short(seen.other)}, than the one that you are about to "
            f"approve, {short(wanted.digest)}.",
            hint=f"Nothing was approved. See what differs: {command('diff', server, '--digest', short(seen.other))}",
            moved=Moved.SHOWN,
        )


def _refused(server: str, wanted: Snapshot, others: Sequence[str], other: str) -> StaleReviewError:
    """Say that other lists came to light, and how the one that is meant is approved all the same."""
    which = ("--digest", short(other)) if other else ()
    return StaleReviewError(
        f"Another list of {server!r} came to light: {'; '.join(others)}. {short(wanted.digest)} is not approved "
        "without a question.",
        hint=f"Nothing was approved. See what differs: {command('diff', server, *which)}\n"
        f"To approve {short(wanted.digest)} all the same: "
        f"{command('approve', server, '--digest', short(wanted.digest))}",
        moved=Moved.SHOWN,
    )


def _rehearsed(context: typer.Context, settings: Settings, config: ServerConfig) -> Rehearsal:
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    with World.open(settings, clock=call_of(context).clock) as world, progress("Looking again", [config.name]) as done:
        work = rehearse(world.store, world.settings, world.checker, config, now=world.clock)
        rehearsal = run_to_end(work)
        done(config.name)
        return rehearsal


def doubt(again: Again | None) -> str:
    """Give what is to be asked along where a list was not looked at again with success; empty where it was."""
    return "" if again is None or again.off or not again.is_wanting else ", which was not shown the same at two looks"


def said(store: Store, settings: Settings, server: str, digest: str) -> str:
    """Say how often a list was looked at; empty where there is nothing to say."""
    again = looked_again(store, settings, server, digest)
    return "" if again is None else again_words(again)
