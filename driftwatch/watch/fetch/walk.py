"""Everything that a server declares, page by page: a complete listing, or no listing at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import mcp_types as types

from driftwatch.judge.intake import SERVER_INFO, SERVER_KEYS, unused
from driftwatch.model import Document, Era, Json, Listed, Malformed, Oddity, Page
from driftwatch.watch.fetch.failures import FailedLookError
from driftwatch.watch.fetch.launched import launch_of
from driftwatch.watch.fetch.talk import Talk
from driftwatch.watch.fetch.wire import Answer

_LONGEST_CURSOR = 65536
_IGNORED = 20
_NAME = 80
"""How many keys of an answer are named that nothing is made of, and how much of each (code points)."""


@dataclass(frozen=True, slots=True)
class ListKind:
    """One of the four lists: how it is asked for, where it stands in the result, and what declares it."""

    request: Callable[..., types.ClientRequest]
    method: str
    key: str
    capability: str


LISTS = (
    ListKind(types.ListToolsRequest, "tools/list", "tools", "tools"),
    ListKind(types.ListPromptsRequest, "prompts/list", "prompts", "prompts"),
    ListKind(types.ListResourcesRequest, "resources/list", "resources", "resources"),
    ListKind(types.ListResourceTemplatesRequest, "resources/templates/list", "resourceTemplates", "resources"),
)


@dataclass
class Collected:
    """What has been collected of one list. The oddities' pointers lead into the document."""

    info: Json = None
    """What the server says of itself: it may repeat that in each answer."""
    items: list[Json] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)


class _CursorRefusedError(Exception):
    """The server does not know its own cursor any more: what was collected is worth nothing."""


async def list_everything(talk: Talk) -> Listed:
    """Walk over all that the server declares.

    Raises:
        FailedLookError: some of it could not be read whole.

    """
    document, pages, oddities = _opening(talk)
    capabilities = document["capabilities"]
    for kind in LISTS:
        if not _declares(capabilities, kind.capability):
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


def _declares(capabilities: dict[str, Json], name: str) -> bool:
    """Whether a capability is declared: there, and neither null nor false, which some senders write for absent."""
    return capabilities.get(name) not in (None, False)


def _opening(talk: Talk) -> tuple[Document, list[Page], list[Oddity]]:
    """Read who the server says it is. Without usable capabilities nothing else can be believed."""
    answer = talk.opening()
    result = _complete(answer)
    capabilities = result.get("capabilities")
    if not isinstance(capabilities, dict):
        raise FailedLookError(Malformed("no-capabilities", f"the answer to {answer.method} declares no capabilities"))
    meta = result.get("_meta")
    modern = talk.era is Era.MODERN
    info, at = (meta if isinstance(meta, dict) else {}, SERVER_INFO) if modern else (result, "serverInfo")
    document: Document = {
        "serverInfo": info.get(at, {}),
        "capabilities": capabilities,
        "protocolVersion": talk.version,
    }
    if result.get("instructions") is not None:
        document["instructions"] = result["instructions"]
    pages = [_page(answer.method, 1, 0, result)] if modern else []
    inner = f"/result/_meta/{SERVER_INFO.replace('/', '~1')}" if modern else "/result/serverInfo"
    moves = {inner: "/serverInfo", "/result/capabilities": "/capabilities", "/result/instructions": "/instructions"}
    used = [key for key in SERVER_KEYS if not modern or key != "serverInfo"]
    return document, pages, [*_moved(answer.oddities, moves), *_ignored(answer, used, document["serverInfo"])]


def _ignored(answer: Answer, used: Sequence[str], info: Json) -> list[Oddity]:
    """Name the keys of an answer that nothing is made of."""
    keys = unused(answer.result, used, info)
    return [Oddity("ignored-key", "", f"{answer.method}: {key[:_NAME]}") for key in keys[:_IGNORED]]


async def _walk(talk: Talk, kind: ListKind, info: Json) -> Collected:
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


async def _pages(talk: Talk, kind: ListKind, info: Json) -> Collected:
    limits = talk.server.limits
    listing = Collected(info)
    cursor: str | None = None
    seen: set[str] = set()
    for number in range(1, limits.pages + 1):
        request = kind.request(params=types.PaginatedRequestParams(cursor=cursor))
        answer = await talk.ask(request, phase=f"{kind.method}, page {number}")
        if answer.error_code is not None:
            return _on_error(answer, kind, talk, first=number == 1)
        _add(listing, answer, kind, number)
        if len(listing.items) > limits.items:
            raise FailedLookError(Malformed("too-many-items", f"{kind.method}: more than {limits.items} items"))
        cursor = _next_cursor(answer, listing, kind)
        if cursor is None:
            return listing
        if cursor in seen:
            raise FailedLookError(
                Malformed("repeated-cursor", f"{kind.method}: page {number} leads back to an earlier page")
            )
        seen.add(cursor)
    raise FailedLookError(Malformed("too-many-pages", f"{kind.method}: more than {limits.pages} pages"))


def _on_error(answer: Answer, kind: ListKind, talk: Talk, *, first: bool) -> Collected:
    """Tell a list that is not there from a list that could not be had."""
    code = answer.error_code
    if code == types.METHOD_NOT_FOUND and first:
        return Collected(pages=[Page(kind.method, 0, 0)])
    if code == types.INVALID_PARAMS and not first:
        raise _CursorRefusedError
    said = f"{talk.wire.phase}: error {code}: {talk.wire.quote(answer.error_text)}"
    raise FailedLookError(Malformed("list-error", said))


def _add(listing: Collected, answer: Answer, kind: ListKind, number: int) -> None:
    result = _complete(answer)
    items = result.get(kind.key)
    if not isinstance(items, list):
        raise FailedLookError(Malformed("not-a-list", f"{kind.method}, page {number}: {kind.key} is not a list"))
    offset = len(listing.items)
    for oddity in answer.oddities:
        place = _in_list(oddity.pointer, kind.key, offset)
        listing.oddities.append(replace(oddity, pointer=place))
    listing.oddities += _ignored(answer, (kind.key,), listing.info)
    listing.items += items
    listing.pages.append(_page(kind.method, number, len(items), result))


def _in_list(pointer: str, key: str, offset: int) -> str:
    """Move a pointer into a page to the document: `/result/tools/0/name` of a later page becomes `/tools/50/name`."""
    start = f"/result/{key}/"
    if not pointer.startswith(start):
        return f"/{key}"
    index, slash, rest = pointer[len(start) :].partition("/")
    return f"/{key}/{int(index) + offset}{slash}{rest}"


def _next_cursor(answer: Answer, listing: Collected, kind: ListKind) -> str | None:
    cursor = answer.result.get("nextCursor")
    if cursor is None:
        return None
    if not isinstance(cursor, str) or len(cursor) > _LONGEST_CURSOR or not _is_text(cursor):
        raise FailedLookError(Malformed("bad-cursor", f"{kind.method}: the cursor is not a usable string"))
    if not cursor:
        # Some servers write an empty cursor on the last page. A client that follows it would see more than we do.
        listing.oddities.append(Oddity("empty-cursor", f"/{kind.key}", "taken as the end of the list"))
        return None
    return cursor


def _complete(answer: Answer) -> dict[str, Json]:
    """Give a result that is a whole one: an interim result holds no list, which is not an empty list."""
    result = answer.result
    if not isinstance(result, dict):
        raise FailedLookError(Malformed("not-an-object", f"the result of {answer.method} is not an object"))
    kind = result.get("resultType", "complete")
    if kind == "input_required":
        raise FailedLookError(
            Malformed("input-required", f"{answer.method} wants input from a person or a model first")
        )
    if kind != "complete":
        raise FailedLookError(Malformed("result-type", f"{answer.method} gave a result of an unknown type"))
    return result


def _page(method: str, number: int, items: int, result: dict[str, Json]) -> Page:
    said, scope = result.get("ttlMs"), result.get("cacheScope")
    usable = scope if scope in ("public", "private") else None
    return Page(method, number, items, _ttl(said), usable, _oddness(said, scope))


def _oddness(ttl: Json, scope: Json) -> str:
    """Say what of a page's word on its freshness cannot be used as it stands, empty where all can."""
    said = []
    if ttl is not None and _ttl(ttl) is None:
        kinds: dict[type, str] = {str: "text", bool: "true or false", float: "a fraction", list: "a list"}
        said.append(f"ttlMs is {kinds.get(type(ttl), 'an object')}")
    elif ttl is not None and ttl < 0:
        said.append("ttlMs is negative")
    if scope is not None and scope not in ("public", "private"):
        said.append("cacheScope is neither public nor private")
    return ", ".join(said)


def _ttl(value: Json) -> int | None:
    """Read `ttlMs`: an integer of milliseconds, a negative one counts as 0; anything else says nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return max(0, int(value))


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


def _moved(oddities: Sequence[Oddity], moves: dict[str, str]) -> list[Oddity]:
    """Move pointers into an answer to where the value stands in the document; what stands nowhere keeps none."""
    moved = []
    for oddity in oddities:
        home = next((old for old in moves if f"{oddity.pointer}/".startswith(f"{old}/")), None)
        place = moves[home] + oddity.pointer[len(home) :] if home is not None else ""
        moved.append(replace(oddity, pointer=place))
    return moved


def _is_text(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
