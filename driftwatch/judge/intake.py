"""From any decoded JSON that holds a listing to one document, and what has to be said about it.

Read are: a JSON-RPC response, a `ListToolsResult` (or the result of another list), a bare list of tools, a full
document, our own export, and a captured file with the `initialize` result beside the lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from driftwatch.errors import UnreadableInputError
from driftwatch.judge.snapshot import LAUNCH, LISTS
from driftwatch.model import Document, Json

SERVER_KEYS = ("serverInfo", "capabilities", "protocolVersion", "instructions", "cacheScopes")
"""What a server says of itself, outside of the lists; `cacheScopes` is gathered from the lists' own answers."""

_HINT = "Give a JSON-RPC response, a ListToolsResult, a list of tools, or a file that `driftwatch export` wrote."
_WRAPPERS = 3
"""How many envelopes may lie around a listing."""


@dataclass(frozen=True)
class Intake:
    """A document with what the reader of a report has to know about it."""

    document: Document
    notes: tuple[str, ...] = ()


def read_document(decoded: Json) -> Document:
    """Give the document inside some decoded JSON; raises `UnreadableInputError` for what is no listing."""
    return read(decoded).document


def read(decoded: Json) -> Intake:
    """Give the document inside some decoded JSON, with notes; raises `UnreadableInputError` for what is no listing."""
    value = decoded
    for _ in range(_WRAPPERS):
        if isinstance(value, list):
            return Intake({"tools": value})
        if not isinstance(value, dict):
            break
        if "result" in value and ("jsonrpc" in value or "id" in value):
            # An envelope holds no listing of its own: what lies beside the result is no reason not to look into it.
            value = value["result"]
            continue
        if isinstance(value.get("initialize"), dict):
            return _with_notes(_captured(value))
        if any(key in value for key in (*LISTS, *SERVER_KEYS)):
            return _with_notes(_plain(value))
        value = _unwrap(value)
    message = "This is not a listing that driftwatch can read."
    raise UnreadableInputError(message, hint=_HINT)


def _unwrap(value: dict[str, Json]) -> Json:
    """Take one envelope off: our export (`document`) or a JSON-RPC response (`result`)."""
    if "error" in value and "result" not in value:
        message = "This is a JSON-RPC error, not a listing: the server refused."
        raise UnreadableInputError(message, hint="Ask the server again and keep its answer to tools/list.")
    for key in ("document", "result"):
        if key in value:
            return value[key]
    return None


def _with_notes(intake: Intake) -> Intake:
    """Say so when the document has no list of tools: nothing found in it is no word about tools."""
    if "tools" in intake.document:
        return intake
    return Intake(intake.document, (*intake.notes, "There is no list of tools in it: tools were not looked at."))


def _plain(value: dict[str, Json]) -> Intake:
    document = {key: value[key] for key in (*SERVER_KEYS, *LISTS, LAUNCH) if key in value}
    notes = []
    if isinstance(value.get("nextCursor"), str):
        notes.append("This is one page of a longer list: what stands on the other pages was not looked at.")
    if value.get("resultType") == "input_required":
        notes.append("The server asked for input instead of answering: this is not its list.")
    return Intake(document, tuple(notes))


def _captured(value: dict[str, Json]) -> Intake:
    """Read a captured session: the server's document from `initialize`; a list that is null was not asked for."""
    document = {key: value["initialize"][key] for key in SERVER_KEYS if key in value["initialize"]}
    document.update({key: value[key] for key in LISTS if value.get(key) is not None})
    return Intake(document)
