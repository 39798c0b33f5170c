"""How a list came to be seen: what the look before had promised of it, and what was kept of that. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from driftwatch.judge.behaviour import METHODS, asks_for_too_long
from driftwatch.model import Arrival, Item, Json, Kind, Listed, Listing, Page, ServerState, Snapshot

_SWITCHES = {
    Kind.TOOL: "tools",
    Kind.PROMPT: "prompts",
    Kind.RESOURCE: "resources",
    Kind.RESOURCE_TEMPLATE: "resources",
}
"""The capability under which a server says that it gives notice when a list changes."""

_OURS = ("cacheScopes", "protocolVersion")
"""What in the server's document is not its own word about itself, and so no answer to `server/discover`."""


def arrival_of(
    state: ServerState, before: Snapshot, live: Snapshot, listed: Listed, *, now: datetime, noticed: bool | None
) -> Arrival | None:
    """Say how `live` came to be shown after `before`; None when the two are one, or nothing was seen before.

    `noticed` says whether notice of a change was given since the last look; None where nobody listened all the while.
    """
    if state.last_ok_at is None or before.digest == live.digest:
        return None
    quiet = (now - state.last_ok_at).total_seconds()
    changed = changed_kinds(before, live)
    promised = tuple(kind for kind in changed if kind in promised_kinds(before))
    return Arrival(
        previous=before.digest,
        quiet=quiet,
        fresh=_still_fresh(changed, promised, state.listing, quiet, noticed),
        promised=promised,
        noticed=noticed if promised else None,
        eras=(state.era or "", listed.era or ""),
        protocols=(_said(before, "protocolVersion"), _said(live, "protocolVersion")),
        versions=(_said(before, "serverInfo", "version"), _said(live, "serverInfo", "version")),
    )


def changed_kinds(before: Snapshot, live: Snapshot) -> tuple[Kind, ...]:
    """Name the kinds that the server itself shows otherwise; what only one side looked at is not among them."""
    kinds = sorted((before.sections & live.sections) & {Kind.SERVER, *_SWITCHES})
    return tuple(kind for kind in kinds if _bodies(before.of(kind)) != _bodies(live.of(kind)))


def promised_kinds(snapshot: Snapshot) -> frozenset[Kind]:
    """Name the kinds of which a server says that it gives notice when their list changes."""
    declared = _at(snapshot, "capabilities")
    if not isinstance(declared, dict):
        return frozenset()
    telling = {name for name, one in declared.items() if isinstance(one, dict) and one.get("listChanged") is True}
    return frozenset(kind for kind, name in _SWITCHES.items() if name in telling)


def lasting(pages: Iterable[Page]) -> tuple[tuple[str, int], ...]:
    """Give for each list the longest freshness that one of its pages stated, in milliseconds."""
    longest: dict[str, int] = {}
    for page in pages:
        if page.ttl_ms is not None:
            longest[page.method] = max(page.ttl_ms, longest.get(page.method, 0))
    return tuple(sorted(longest.items()))


def weighs_otherwise(state: ServerState, listed: Listed, now: datetime) -> bool:
    """Say whether an unchanged list is to be judged again: it has been calm for long enough, or is fresh for too long.

    Nothing else that a server does over time changes what an unchanged list means.
    """
    pages = state.listing.pages if state.listing is not None else ()
    was, is_now = (asks_for_too_long(lasting(each)) for each in (pages, listed.pages))
    calm = state.calm_at is not None and now >= state.calm_at
    return calm or [method for method, _ in was] != [method for method, _ in is_now]


def _still_fresh(
    changed: Sequence[Kind], promised: Sequence[Kind], listing: Listing | None, quiet: float, noticed: bool | None
) -> tuple[tuple[Kind, int], ...]:
    """Give the changed kinds that were still fresh. A notice ends freshness: one that nobody could hear may have."""
    if listing is None or noticed:
        return ()
    heard = [kind for kind in changed if noticed is False or kind not in promised]
    stated = [(kind, _freshness(listing.pages, METHODS[kind])) for kind in heard]
    return tuple((kind, ttl_ms) for kind, ttl_ms in stated if quiet * 1000 < ttl_ms)


def _freshness(pages: Iterable[Page], method: str) -> int:
    """Give the shortest freshness of a list's pages; a page that states none is stale at once."""
    return min((page.ttl_ms or 0 for page in pages if page.method == method), default=0)


def _bodies(items: Iterable[Item]) -> list[Any]:
    """Give what tells two lists of items apart; of the server's document only what the server said itself."""
    return [_own_words(item.raw) if item.kind is Kind.SERVER else (item.key, item.digest) for item in items]


def _own_words(raw: Json) -> Json:
    return {key: value for key, value in raw.items() if key not in _OURS} if isinstance(raw, dict) else raw


def _said(snapshot: Snapshot, *path: str) -> str:
    """Give a text out of the server's document, empty where there is none."""
    value = _at(snapshot, *path)
    return value if isinstance(value, str) else ""


def _at(snapshot: Snapshot, *path: str) -> Json:
    value: Json = next((item.raw for item in snapshot.of(Kind.SERVER)), None)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
