"""show: read a list, whole, before deciding about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.asides import rejected_lines
from driftwatch.cli.faces import face_lines, faces_by_server
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import short
from driftwatch.cli.options import Digest, Format, Output, ServerName, checked
from driftwatch.cli.seen import listed, listed_as, seen_words, unseen_lines
from driftwatch.cli.stored import known, opened
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.judge.composite import differing
from driftwatch.judge.snapshot import document_of, snapshot_of
from driftwatch.model import Item, Json, Snapshot
from driftwatch.model.commands import command
from driftwatch.report import plain, summary
from driftwatch.report.asides import Rejected, rejected_json
from driftwatch.report.opinion import opinion_lines
from driftwatch.report.page import contents, in_order, to_page
from driftwatch.review.approve import difference
from driftwatch.review.rejected import rejected_of
from driftwatch.store.store import Store

app = commands()

Only = Annotated[
    str | None, typer.Argument(metavar="ITEM", help="Only this tool or prompt by name, or resource by address.")
]
SeenAs = Annotated[
    str | None,
    typer.Option("--as", metavar="IDENTITY", help="What was seen as this one; of agents: 'witness of HOST'."),
]


@app.command()
def show(
    context: typer.Context,
    server: ServerName,
    item: Only = None,
    digest: Digest = None,
    output: Output = Format.TEXT,
    *,
    seen_as: SeenAs = None,
) -> None:
    """Read a list in full: nothing cut, nothing hidden.

    It is all that a server shows to models; without --digest, what it showed last. With --as it is what one of its
    `identities` was shown.
    """
    settings = settings_of(context)
    terminal = call_of(context).terminal
    with opened(context, settings) as store:
        name = known(settings, store, server)
        snapshot, lines = _list(settings, store, name, seen_as, checked(digest), at=now(context))
        rejected = _rejected(store, name, snapshot)
    items = _wanted(snapshot, item) if item is not None else in_order(snapshot)
    if output is Format.JSON:
        terminal.json({**_json(name, snapshot, items), "rejections": rejected_json(rejected)})
        return
    for line in (*lines, *rejected_lines(rejected)):
        terminal.say(line)
    terminal.write(to_page(items, colour=terminal.colour, width=terminal.width))


def _list(
    settings: Settings, store: Store, name: str, identity: str | None, digest: str | None, *, at: datetime
) -> tuple[Snapshot, list[str]]:
    """Give the list that is meant, and what is to be said of it and of its server before it."""
    identity = identity or _whose(store, name, digest)
    if identity is not None:
        snapshot, seen = listed_as(settings, store, name, identity, digest, now=at)
    else:
        snapshot = listed(store, name, digest, at)
        seen = seen_words(store, name, snapshot.digest, at)
    heading = f"{name}: the list {short(snapshot.digest)}, {seen}: {contents(snapshot)}."
    judged = _judged(settings, store, name, snapshot.digest, at) if identity is None else []
    return snapshot, [*unseen_lines(store.state(name), at), heading, *judged, *_others(settings, store, name, at)]


def _whose(store: Store, name: str, digest: str | None) -> str | None:
    """Give the identity in whose turns a list was seen that no ordinary look showed."""
    start = digest.removeprefix("sha256:") if digest else None
    if start is None or any(one.digest[7:].startswith(start) for one in store.sightings(name)):
        return None
    seen = [one.identity for one in store.face_sightings(name) if one.digest[7:].startswith(start)]
    return seen[0] if seen else None


def _judged(settings: Settings, store: Store, name: str, digest: str, at: datetime) -> list[str]:
    """Say what a check finds in the list, and where that is to be read."""
    found = difference(store, settings, name, digest, at).findings
    one = "" if digest == store.state(name).last_digest else f" --digest {short(digest)}"
    if not found:
        return []
    return [f"What driftwatch finds: {summary(found)}. See: {command('diff', name)}{one}", *opinion_lines(found)]


def _rejected(store: Store, name: str, snapshot: Snapshot) -> tuple[Rejected, ...]:
    """Give what people said no to of a list, as far as it is not approved since."""
    baseline = store.baseline(name)
    before = store.snapshot(baseline.digest) if baseline is not None else None
    return () if before is None else rejected_of(store, name, snapshot, differing(before, snapshot))


def _others(settings: Settings, store: Store, name: str, at: datetime) -> list[str]:
    """Say as whom else the server is looked at, nothing for one that is not configured."""
    faces = faces_by_server(store).get(name, {})
    return [line for one in settings.servers if one.name == name for line in face_lines(settings, one, faces, at)]


def _wanted(snapshot: Snapshot, name: str) -> tuple[Item, ...]:
    """Find the items of a name.

    Raises:
        UsageError: there is none.

    """
    found = tuple(item for item in in_order(snapshot) if item.key == name)
    if found:
        return found
    near = get_close_matches(name, [item.key for item in snapshot.items if item.key], n=1)
    hint = f"Did you mean {near[0]}?" if near else "See all of them: leave the name out."
    raise UsageError(f"The list has no item {name!r}.", hint=hint)


def _json(server: str, snapshot: Snapshot, items: Sequence[Item]) -> dict[str, Json]:
    """Give the items for programs, as the document that export writes."""
    sections = snapshot.sections if len(items) == len(snapshot.items) else frozenset(item.kind for item in items)
    part = document_of(snapshot_of(items, sections))
    return {"version": 1, "server": server, "digest": snapshot.digest, "document": plain(part)}
