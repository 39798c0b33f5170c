"""From what a server showed to a snapshot: items in one order, content-addressed, nothing thrown away.

The digest of an item is over its canonical form; the digest of a snapshot is over its items' places and digests. How
items were ordered, how keys were ordered, and whether 1 was written 1.0 do not count. Everything else does.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import canonical
from driftwatch.judge.inside import MAX_DEPTH, look_inside
from driftwatch.model import Document, Item, Json, Kind, Oddity, Snapshot

__all__ = [
    "EARLIER",
    "LAUNCH",
    "LISTS",
    "MAX_DEPTH",
    "canonical",
    "digest_of",
    "document_of",
    "oddities_of",
    "shallow",
    "snapshot_of",
    "take",
]

LISTS: dict[str, tuple[Kind, str]] = {
    "tools": (Kind.TOOL, "name"),
    "prompts": (Kind.PROMPT, "name"),
    "resources": (Kind.RESOURCE, "uri"),
    "resourceTemplates": (Kind.RESOURCE_TEMPLATE, "uriTemplate"),
    "entries": (Kind.ENTRY, "name"),
    "promptBodies": (Kind.PROMPT_BODY, "name"),
}
"""The lists of a document: their key, what their items are, and which field names an item."""

LAUNCH = "launch"
"""The key of a document under which we write how the server was reached."""

EARLIER = "io.driftwatch/earlier"
"""The key under which an item, or the server's document, keeps the values that lost to a later one of the same key.

Which of the two a reader takes is for the reader to choose: what lost is compared and read like everything else.
"""

_KINDS = list(Kind)


@dataclass
class _Draft:
    """An item on its way: not yet told apart from others with the same key."""

    kind: Kind
    key: str
    raw: Json
    digest: str
    index: int = 0
    oddities: list[Oddity] = field(default_factory=list)

    def keep(self, lost: list[Json]) -> None:
        """Keep the values that lost to later ones of the same key."""
        own = [self.raw[EARLIER]] if EARLIER in self.raw else []
        self.raw = {**self.raw, EARLIER: lost + own}
        self.digest = digest_of(self.raw)


def digest_of(value: Json) -> str:
    """Give `sha256:` and 64 hex digits over the canonical form."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def sort_of(value: Json) -> str:
    """Name the sort of a JSON value for people."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "null")


def shallow(value: Json, levels: int = MAX_DEPTH) -> Json:
    """Give the value with whatever lies below `levels` replaced by its digest: safe for code that recurses."""
    if not isinstance(value, dict | list):
        return value
    if levels == 0:
        return {"…": digest_of(value)}
    if isinstance(value, list):
        return [shallow(item, levels - 1) for item in value]
    return {key: shallow(item, levels - 1) for key, item in value.items()}


def take(document: Document, oddities: Sequence[Oddity] = ()) -> Snapshot:
    """Make the snapshot of a document.

    `oddities` are what the reading of the wire saw and the decoded JSON no longer shows; their pointers lead into
    the document (`/tools/3/name`) and are moved to the item that they are about.
    """
    server, sections = _server_document(document)
    drafts = [
        draft
        for key, (kind, name) in LISTS.items()
        if kind in sections
        for draft in _draft_list(document[key], kind, name)
    ]
    if LAUNCH in document:
        drafts.append(_Draft(Kind.LAUNCH, "", document[LAUNCH], digest_of(document[LAUNCH])))
        sections.add(Kind.LAUNCH)
    drafts += _draft_server(server, document, oddities)
    _place_oddities(drafts, document, oddities)
    if server.keys() - {EARLIER}:  # What only the reading of the lists put there is not what it says of itself.
        sections.add(Kind.SERVER)
    return snapshot_of(_tell_apart(drafts), frozenset(sections))


def snapshot_of(items: Iterable[Item], sections: frozenset[Kind]) -> Snapshot:
    """Make a snapshot of finished items."""
    ordered = tuple(sorted(items, key=_order))
    digest = digest_of([[item.kind.value, item.key, item.digest] for item in ordered])
    return Snapshot(items=ordered, digest=digest, sections=sections)


def document_of(snapshot: Snapshot) -> Document:
    """Give back a document from which `take` makes the same snapshot."""
    document: Document = {}
    for item in snapshot.of(Kind.SERVER):
        document.update(item.raw)
    for item in snapshot.of(Kind.LAUNCH):
        document[LAUNCH] = item.raw
    for key, (kind, _) in LISTS.items():
        if kind in snapshot.sections:
            document[key] = [item.raw for item in snapshot.of(kind)]
    return document


def oddities_of(snapshot: Snapshot) -> tuple[Oddity, ...]:
    """Give all oddities with pointers into `document_of(snapshot)`: `take` of both gives the snapshot back."""
    found = [oddity for item in snapshot.of(Kind.SERVER) for oddity in item.oddities]
    for key, (kind, _) in LISTS.items():
        for index, item in enumerate(snapshot.of(kind)):
            base = at.join("", key, index)
            found += [replace(oddity, pointer=base + oddity.pointer) for oddity in item.oddities]
    return tuple(found)


def _server_document(document: Document) -> tuple[dict[str, Json], set[Kind]]:
    """Split off what is not a list of items. A list key that holds no list stays with the server, as an oddity."""
    sections = {kind for key, (kind, _) in LISTS.items() if isinstance(document.get(key), list)}
    listed = {key for key, (kind, _) in LISTS.items() if kind in sections}
    server = {key: value for key, value in document.items() if key not in listed and key != LAUNCH}
    return server, sections


def _draft_server(server: dict[str, Json], document: Document, oddities: Sequence[Oddity]) -> list[_Draft]:
    """Make the server's item when there is something to hold: its document, or an oddity of the whole listing."""
    homeless = any(_home(oddity.pointer, document) is None for oddity in oddities)
    if not server and not homeless:
        return []
    draft = _Draft(Kind.SERVER, "", server, digest_of(server))
    draft.oddities = [
        Oddity("not-a-list", at.join("", key), sort_of(server[key])) for key in sorted(LISTS) if key in server
    ]
    draft.oddities += look_inside(server)
    return [draft]


def _draft_list(raws: list[Json], kind: Kind, name: str) -> list[_Draft]:
    drafts = []
    for index, raw in enumerate(raws):
        key = raw.get(name) if isinstance(raw, dict) else None
        draft = _Draft(kind, key if isinstance(key, str) else "", raw, digest_of(raw), index)
        if not isinstance(raw, dict):
            draft.oddities.append(Oddity("not-an-object", "", sort_of(raw)))
        elif not draft.key:
            draft.oddities.append(Oddity("no-key", at.join("", name), f"{name} is not a usable string"))
        draft.oddities += look_inside(raw)
        drafts.append(draft)
    return drafts


def _home(pointer: str, document: Document) -> tuple[str, int, str] | None:
    """Say which list item a pointer into the document leads to, and what is left of the pointer there."""
    tokens = at.split(pointer)
    if len(tokens) < 2 or tokens[0] not in LISTS or not at.is_index(tokens[1]):
        return None
    raws = document.get(tokens[0])
    index = int(tokens[1])
    if not isinstance(raws, list) or index >= len(raws):
        return None
    return tokens[0], index, at.join("", *tokens[2:])


def _place_oddities(drafts: list[_Draft], document: Document, oddities: Sequence[Oddity]) -> None:
    homes = {(draft.kind, draft.index): draft for draft in drafts}
    earlier: dict[int, list[Json]] = defaultdict(list)
    for oddity in oddities:
        home = _home(oddity.pointer, document)
        if home is None:
            draft, moved = homes[Kind.SERVER, 0], oddity
        else:
            draft, moved = homes[LISTS[home[0]][0], home[1]], replace(oddity, pointer=home[2])
        if moved.earlier is not None:
            earlier[id(draft)].append(moved.earlier)
        if moved not in draft.oddities:
            draft.oddities.append(replace(moved, earlier=None))
    for draft in drafts:
        if isinstance(draft.raw, dict) and (lost := earlier.get(id(draft))):
            draft.keep(lost)


def _tell_apart(drafts: Iterable[_Draft]) -> Iterable[Item]:
    """Tell items that share a key apart: numbered by digest, not by position, since order must not count."""
    groups: dict[tuple[Kind, str], list[_Draft]] = defaultdict(list)
    for draft in drafts:
        groups[draft.kind, draft.key].append(draft)
    for (kind, key), group in groups.items():
        group.sort(key=lambda draft: (draft.digest, sorted(map(_oddity_order, draft.oddities))))
        if len(group) > 1 and key:
            bodies = len(Counter(draft.digest for draft in group))
            twice = Oddity("duplicate-name", "", f"{len(group)} items share this name, {bodies} bodies")
            for draft in group:
                if not any(oddity.code == twice.code for oddity in draft.oddities):
                    draft.oddities.append(twice)
        for number, draft in enumerate(group):
            oddities = tuple(sorted(draft.oddities, key=_oddity_order))
            yield Item(kind, key, draft.raw, draft.digest, number, oddities)


def _oddity_order(oddity: Oddity) -> tuple[str, str, str]:
    return (oddity.code, oddity.pointer, oddity.detail)


def _order(item: Item) -> tuple[int, str, int]:
    return (_KINDS.index(item.kind), item.key, item.occurrence)
