"""What is made of the answers of a server: its opening, and its lists page by page. Pure.

Used by a look of our own and by a witness of somebody else's session alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from driftwatch.judge.answered import SERVER_INFO, SERVER_KEYS, unused
from driftwatch.model import Document, Era, Failure, Json, Malformed, Oddity, Page

_LONGEST_CURSOR = 65536
_IGNORED = 20
_NAME = 80
"""How many keys of an answer are named that nothing is made of, and how much of each (code points)."""


class FailedLookError(Exception):
    """Carries a failure out of the middle of a look; never leaves this room."""

    def __init__(self, failure: Failure) -> None:
        """Take the failure."""
        super().__init__(failure.code)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer to one of our requests as it was on the wire. The oddities' pointers lead into `message`."""

    method: str
    message: dict[str, Json]
    oddities: tuple[Oddity, ...] = ()

    @property
    def result(self) -> Json:
        """The result, None where there is an error."""
        return self.message.get("result")

    @property
    def error_code(self) -> int | None:
        """The error's code, 0 for an error without a usable one, None where there is a result."""
        if "result" in self.message:
            return None
        error = self.message.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        return code if isinstance(code, int) and not isinstance(code, bool) else 0

    @property
    def error_text(self) -> str:
        """The error's message, empty where there is none."""
        error = self.message.get("error")
        text = error.get("message") if isinstance(error, dict) else None
        return text if isinstance(text, str) else ""


@dataclass(frozen=True, slots=True)
class ListName:
    """One of the four lists: the method that asks for it, where it stands in the result, and what declares it."""

    method: str
    key: str
    capability: str


TOOLS = ListName("tools/list", "tools", "tools")
PROMPTS = ListName("prompts/list", "prompts", "prompts")
RESOURCES = ListName("resources/list", "resources", "resources")
TEMPLATES = ListName("resources/templates/list", "resourceTemplates", "resources")
LISTS = (TOOLS, PROMPTS, RESOURCES, TEMPLATES)


@dataclass
class Collected:
    """What has been collected of one list. The oddities' pointers lead into the document."""

    info: Json = None
    """What the server says of itself: it may repeat that in each answer."""
    items: list[Json] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)


def declares(capabilities: dict[str, Json], name: str) -> bool:
    """Whether a capability is declared: there, and neither null nor false, which some senders write for absent."""
    return capabilities.get(name) not in (None, False)


def opening_of(answer: Answer, era: Era, version: str) -> tuple[Document, list[Page], list[Oddity]]:
    """Read who the server says it is. Without usable capabilities nothing else can be believed.

    Raises:
        FailedLookError: it declares no capabilities, or this is no whole answer.

    """
    result = complete(answer)
    capabilities = result.get("capabilities")
    if not isinstance(capabilities, dict):
        raise FailedLookError(Malformed("no-capabilities", f"the answer to {answer.method} declares no capabilities"))
    meta = result.get("_meta")
    modern = era is Era.MODERN
    info, at = (meta if isinstance(meta, dict) else {}, SERVER_INFO) if modern else (result, "serverInfo")
    document: Document = {
        "serverInfo": info.get(at, {}),
        "capabilities": capabilities,
        "protocolVersion": version,
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


def add_page(listing: Collected, answer: Answer, kind: ListName, number: int) -> None:
    """Add one page of a list, the first being number 1.

    Raises:
        FailedLookError: there is no list in the answer.

    """
    result = complete(answer)
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


def next_cursor(answer: Answer, listing: Collected, kind: ListName) -> str | None:
    """Give the cursor of the next page, None after the last one.

    Raises:
        FailedLookError: it is nothing that could be sent back.

    """
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


def complete(answer: Answer) -> dict[str, Json]:
    """Give a result that is a whole one: an interim result holds no list, which is not an empty list.

    Raises:
        FailedLookError: it is not whole.

    """
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
