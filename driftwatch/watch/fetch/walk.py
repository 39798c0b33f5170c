"""Everything that a server declares, page by page: a complete listing, or no listing at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mcp_types as types

from driftwatch.model import Era, Json, Listed, Malformed, Page
from driftwatch.model.amounts import many
from driftwatch.watch.fetch.answers import (
    LISTS,
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    TOOLS,
    Answer,
    Collected,
    FailedLookError,
    ListName,
    add_page,
    declares,
    next_cursor,
    opening_of,
)
from driftwatch.watch.fetch.launched import launch_of
from driftwatch.watch.fetch.talk import Talk

_REQUESTS: dict[str, Callable[..., types.ClientRequest]] = {
    TOOLS.method: types.ListToolsRequest,
    PROMPTS.method: types.ListPromptsRequest,
    RESOURCES.method: types.ListResourcesRequest,
    TEMPLATES.method: types.ListResourceTemplatesRequest,
}


class _CursorRefusedError(Exception):
    """The server does not know its own cursor any more: what was collected is worth nothing."""


async def list_everything(talk: Talk) -> Listed:
    """Walk over all that the server declares.

    Raises:
        FailedLookError: some of it could not be read whole.

    """
    document, pages, oddities = opening_of(talk.opening(), talk.era, talk.version)
    capabilities = document["capabilities"]
    for kind in LISTS:
        if not declares(capabilities, kind.capability):
            document[kind.key] = []
            continue
        listing = await _walk(talk, kind, document["serverInfo"])
        document[kind.key] = listing.items
        pages += listing.pages
        oddities += listing.oddities
    if talk.era is Era.MODERN and (scopes := _scopes(pages)):
        document["cacheScopes"] = scopes
    launched = await launch_of(talk)
    return Listed(
        document=document,
        era=talk.era,
        protocol_version=talk.version,
        pages=tuple(pages),
        ttl_ms=_freshness(pages),
        listens=bool(switches(capabilities)),
        asked=talk.wire.asked,
        oddities=(*oddities, *launched.oddities),
        received_bytes=talk.wire.received,
        noise_lines=talk.wire.noise_lines,
        launch=launched.document,
        unsettled=launched.unsettled,
    )


def switches(capabilities: Json) -> tuple[str, ...]:
    """Name the capabilities for which the server says that it tells of changes."""
    declared = capabilities if isinstance(capabilities, dict) else {}
    names = ("tools", "prompts", "resources")
    return tuple(
        name for name in names if isinstance(declared.get(name), dict) and declared[name].get("listChanged") is True
    )


async def _walk(talk: Talk, kind: ListName, info: Json) -> Collected:
    """Collect one list; a cursor that is refused on the way costs one fresh start."""
    try:
        return await _pages(talk, kind, info)
    except _CursorRefusedError:
        pass
    try:
        return await _pages(talk, kind, info)
    except _CursorRefusedError:
        failure = Malformed("cursor-refused", f"{kind.method}: the server refused its own cursor, twice")
        raise FailedLookError(failure) from None


async def _pages(talk: Talk, kind: ListName, info: Json) -> Collected:
    limits = talk.server.limits
    listing = Collected(info)
    cursor: str | None = None
    seen: set[str] = set()
    for number in range(1, limits.pages + 1):
        request = _REQUESTS[kind.method](params=types.PaginatedRequestParams(cursor=cursor))
        answer = await talk.ask(request, phase=f"{kind.method}, page {number}")
        if answer.error_code is not None:
            return _on_error(answer, kind, talk, first=number == 1)
        add_page(listing, answer, kind, number)
        if len(listing.items) > limits.items:
            raise FailedLookError(Malformed("too-many-items", f"{kind.method}: more than {many(limits.items, 'item')}"))
        cursor = next_cursor(answer, listing, kind)
        if cursor is None:
            return listing
        if cursor in seen:
            raise FailedLookError(
                Malformed("repeated-cursor", f"{kind.method}: page {number} leads back to an earlier page")
            )
        seen.add(cursor)
    raise FailedLookError(Malformed("too-many-pages", f"{kind.method}: more than {limits.pages} pages"))


def _on_error(answer: Answer, kind: ListName, talk: Talk, *, first: bool) -> Collected:
    """Tell a list that is not there from a list that could not be had."""
    code = answer.error_code
    if code == types.METHOD_NOT_FOUND and first:
        return Collected(pages=[Page(kind.method, 0, 0)])
    if code == types.INVALID_PARAMS and not first:
        raise _CursorRefusedError
    said = f"{talk.wire.phase}: error {code}: {talk.wire.quote(answer.error_text)}"
    raise FailedLookError(Malformed("list-error", said))


def _scopes(pages: Sequence[Page]) -> dict[str, str]:
    """Give who may keep each list in a cache, for the lists that say so: `public`, `private`, or both in one list.

    A page that says nothing beside pages that do counts as private, as the specification has it. Sessions of the
    handshake era are not cached.
    """
    said = {page.method for page in pages if page.cache_scope is not None}
    found = {method: {page.cache_scope or "private" for page in pages if page.method == method} for method in said}
    return {method: "+".join(sorted(scopes)) for method, scopes in sorted(found.items())}


def _freshness(pages: Sequence[Page]) -> int | None:
    """Give the smallest freshness over the pages of all lists, None when no page gave one.

    A page that says nothing beside others that do counts as stale at once, as the specification has it.
    `server/discover` states its own freshness, which is not that of the lists.
    """
    listed = [page.ttl_ms for page in pages if page.number and page.method != "server/discover"]
    if all(ttl is None for ttl in listed):
        return None
    return min(ttl or 0 for ttl in listed)
