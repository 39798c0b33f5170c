"""A look as it is handed in: the body of `POST /api/v1/looks`. Pure.

The lists stand in it as the server wrote them: also with the values that lost to a later one of the same key, so that
who reads them sees the same oddities as in a look of their own. Only what cannot be seen there any more is told beside.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, cast

from driftwatch.model import Document, Json, Oddity, Witnessed
from driftwatch.model.testimony import witness_name

if TYPE_CHECKING:
    from _collections_abc import dict_items

LARGEST: Final = 8 * 2**20
"""Bytes of a look that a daemon takes."""

_SEEN_AGAIN: Final = frozenset({"duplicate-key", "lone-surrogate", "not-finite", "too-deep", "huge-number"})
"""What is odd in the lists themselves, whoever reads them."""

_MOST_ODDITIES: Final = 1000
_LONGEST: Final = 4000
"""Code points of one text outside of the lists."""


def packed(seen: Witnessed) -> bytes:
    """Give a look as ASCII JSON."""
    oddities = [one for one in seen.oddities if one.code not in _SEEN_AGAIN][:_MOST_ODDITIES]
    body: dict[str, Json] = {
        "server": _text(seen.server),
        "witness": witness_name(seen.witness),
        "session": seen.session,
        "number": seen.number,
        "seen_at": seen.at.isoformat(),
        "started_at": seen.started_at.isoformat(),
        "calls": seen.calls,
        "tool": _text(seen.tool),
        "client": _text(seen.client),
        "era": seen.era.value if seen.era else None,
        "protocol_version": _text(seen.protocol_version),
        "noticed": list(seen.noticed),
        "gaps": seen.gaps,
        "oddities": [
            {"code": one.code, "pointer": _text(one.pointer), "detail": _text(one.detail)} for one in oddities
        ],
        "shown": _as_written(seen.document, seen.oddities),
    }
    if seen.partial:
        body["partial"] = list(seen.partial)
    return json.dumps(body, separators=(",", ":")).encode("ascii")


class _Doubled(dict[str, Json]):
    """An object that is written with values that lost to later ones of their keys, before what it holds."""

    __slots__ = ("lost",)
    lost: list[tuple[str, Json]]

    def items(self) -> dict_items[str, Json]:
        """Give what is written; all that is done with it is to go through it."""
        return cast("dict_items[str, Json]", [*self.lost, *super().items()])


def _as_written(document: Document, oddities: Iterable[Oddity]) -> Document:
    """Put the values that were lost back into their objects."""
    lost: dict[str, list[tuple[str, Json]]] = defaultdict(list)
    for one in oddities:
        if one.code == "duplicate-key" and isinstance(one.earlier, dict):
            lost[one.pointer.rpartition("/")[0]] += one.earlier.items()
    if not lost:
        return document
    whole: Json = [copy.deepcopy(document)]
    # The innermost first: an object is replaced by another one, and the ways below it would lead into the old one.
    for way in sorted(lost, key=lambda way: -way.count("/")):
        _double(whole, way, lost[way])
    made: Document = whole[0]
    return made


def _double(whole: Json, way: str, lost: list[tuple[str, Json]]) -> None:
    holder, step = whole, 0
    steps: list[Json] = [part.replace("~1", "/").replace("~0", "~") for part in way.split("/")[1:]]
    for part in steps:
        holder = holder[step]
        if isinstance(holder, list) and part.isdigit() and int(part) < len(holder):
            step = int(part)
        elif isinstance(holder, dict) and part in holder:
            step = part
        else:
            return
    inner = holder[step]
    if isinstance(inner, dict) and all(key in inner for key, _ in lost):
        doubled = _Doubled(inner)
        doubled.lost = lost
        holder[step] = doubled


def _text(value: str) -> str:
    """Give a text of our own side of the body, which has to be one that everybody can read."""
    return value[:_LONGEST].encode("utf-8", "replace").decode("utf-8")
