"""From any decoded JSON that holds a listing to one document, and what has to be said about it.

Read are: a JSON-RPC response, a `ListToolsResult` (or the result of another list), a bare list of tools, a full
document, our own export, and a captured file with the `initialize` result beside the lists. What else stands beside
the lists is named: no host is known that shows it to a model, so it is neither compared nor read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from driftwatch.errors import UnreadableInputError
from driftwatch.judge import pointer as at
from driftwatch.judge.answered import SERVER_INFO, SERVER_KEYS, unused
from driftwatch.judge.snapshot import EARLIER, LAUNCH, LISTS
from driftwatch.judge.text.visible import visible
from driftwatch.model import Document, Json, Oddity

_HINT = "Give a JSON-RPC response, a ListToolsResult, a list of tools, or a file that `driftwatch export` wrote."
_WRAPPERS = 3
"""How many envelopes may lie around a listing."""
_ENVELOPE = frozenset({"jsonrpc", "id", "result"})
_EXPORTED = frozenset({"version", "server", "digest", "document"})
_NAMED = 8
_NAME = 40
"""How many keys are named in a note, and how much of each (code points)."""
_TOLD = 6
"""How many places a note names where a key stands twice."""


@dataclass(frozen=True)
class Intake:
    """A document with what the reader of a report has to know about it.

    `ignored` are the keys beside the lists that are not looked at. `oddities` are what the reading of the text saw;
    their pointers lead into the document.
    """

    document: Document
    notes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()


@dataclass
class _Envelopes:
    """What was taken off a listing: the way to it, and the keys that stood beside it."""

    way: str = ""
    beside: list[str] = field(default_factory=list)

    def open(self, value: dict[str, Json], key: str, known: Collection[str]) -> Json:
        self.beside += [name for name in value if name not in known]
        self.way = at.join(self.way, key)
        return value[key]


def read_document(decoded: Json) -> Document:
    """Give the document inside some decoded JSON; raises `UnreadableInputError` for what is no listing."""
    return read(decoded).document


def read(decoded: Json, oddities: Sequence[Oddity] = ()) -> Intake:
    """Give the document inside some decoded JSON, with notes; raises `UnreadableInputError` for what is no listing.

    `oddities` are what was seen while the JSON was decoded; their pointers lead into it.
    """
    value, outer = decoded, _Envelopes()
    for _ in range(_WRAPPERS):
        if isinstance(value, list):
            return _told(Intake({"tools": value}), {outer.way: "/tools"}, oddities, outer)
        if not isinstance(value, dict):
            break
        if "result" in value and ("jsonrpc" in value or "id" in value):
            # An envelope holds no listing of its own: what lies beside the result is no reason not to look into it.
            value = outer.open(value, "result", _ENVELOPE)
            continue
        if isinstance(value.get("initialize"), dict):
            moves = {at.join(outer.way, "initialize"): "", outer.way: ""}
            return _told(_with_notes(_captured(value)), moves, oddities, outer)
        if any(key in value for key in (*LISTS, *SERVER_KEYS)):
            return _told(_with_notes(_plain(value)), {outer.way: ""}, oddities, outer)
        value = _unwrap(value, outer)
    message = "This is not a listing that driftwatch can read."
    raise UnreadableInputError(message, hint=_HINT)


def named(keys: Sequence[str]) -> str:
    """List keys for people, the first of many: hidden characters made visible, long ones cut."""
    listed = ", ".join(f"“{visible(key[:_NAME])}{'…' * (len(key) > _NAME)}”" for key in keys[:_NAMED])
    return f"{listed} and {len(keys) - _NAMED} more" if len(keys) > _NAMED else listed


def _told(intake: Intake, moves: dict[str, str], oddities: Sequence[Oddity], outer: _Envelopes) -> Intake:
    """Add what stood around a listing, and what was odd in its text, as far as it became part of the document."""
    ignored = (*dict.fromkeys((*outer.beside, *intake.ignored)),)
    found = tuple(_moved(oddities, moves, intake.document))
    notes = [*intake.notes]
    if ignored:
        notes.append(f"What stands beside the lists was ignored ({named(ignored)}): no known host shows it to a model.")
    notes += [*_twice(found)]
    return replace(intake, notes=tuple(notes), ignored=ignored, oddities=found)


def _moved(oddities: Sequence[Oddity], moves: dict[str, str], document: Document) -> Iterator[Oddity]:
    """Move pointers into what was given to the document; what is odd where nothing is looked at is left out."""
    for oddity in oddities:
        old = next((old for old in moves if at.covers(old, oddity.pointer)), None)
        if old is not None:
            place = moves[old] + oddity.pointer[len(old) :]
            if not place or at.split(place)[0] in document:
                yield replace(oddity, pointer=place)


def _twice(oddities: Sequence[Oddity]) -> Iterator[str]:
    """Say which keys stand twice: readers differ on which of the values they take."""
    places = [oddity.pointer for oddity in oddities if oddity.code == "duplicate-key"]
    if places:
        listed = ", ".join(visible(place[-_NAME:]) or "beside the lists" for place in places[:_TOLD])
        more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
        what = "A key stands" if len(places) == 1 else "Keys stand"
        yield (
            f"{what} twice in one object: {listed}{more}. Readers differ on which value counts. The last one was "
            f"taken; the texts of the others were read as well."
        )


def _unwrap(value: dict[str, Json], outer: _Envelopes) -> Json:
    """Take one envelope off: our export (`document`) or a JSON-RPC response (`result`)."""
    if "error" in value and "result" not in value:
        message = "This is a JSON-RPC error, not a listing: the server refused."
        raise UnreadableInputError(message, hint="Ask the server again and keep its answer to tools/list.")
    for key, known in (("document", _EXPORTED), ("result", _ENVELOPE)):
        if key in value:
            return outer.open(value, key, known)
    return None


def _with_notes(intake: Intake) -> Intake:
    """Say so when the document has no list of tools: nothing found in it is no word about tools."""
    if "tools" in intake.document:
        return intake
    return replace(intake, notes=(*intake.notes, "There is no list of tools in it: tools were not looked at."))


def _plain(value: dict[str, Json]) -> Intake:
    document = {key: value[key] for key in (*SERVER_KEYS, *LISTS, LAUNCH, EARLIER) if key in value}
    notes = []
    meta = value.get("_meta")
    if "capabilities" in value and "serverInfo" not in value and isinstance(meta, dict) and SERVER_INFO in meta:
        document["serverInfo"] = meta[SERVER_INFO]
    if isinstance(value.get("nextCursor"), str):
        notes.append("This is one page of a longer list: what stands on the other pages was not looked at.")
    if value.get("resultType") == "input_required":
        notes.append("The server asked for input instead of answering: this is not its list.")
    return Intake(document, tuple(notes), unused(value, document, document.get("serverInfo")))


def _captured(value: dict[str, Json]) -> Intake:
    """Read a captured session: the server's document from `initialize`; a list that is null was not asked for."""
    opening = value["initialize"]
    document = {key: opening[key] for key in SERVER_KEYS if key in opening}
    document.update({key: value[key] for key in LISTS if value.get(key) is not None})
    beside = unused(value, {"initialize", *LISTS})
    return Intake(document, ignored=(*unused(opening, SERVER_KEYS), *beside))
