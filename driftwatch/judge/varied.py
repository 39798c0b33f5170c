"""Values that are others in lists of the same release: what to propose as volatile. Pure.

Two lists are of the same release as far as they say so: the server's own name and version, the protocol and the way
the server is reached (which holds the resolved package, where that is known) are the same. They teach something only
when they differ by nothing but the values of texts, defaults and the like: a release that adds or narrows something
is a release, whatever its version says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from driftwatch.judge import pointer as at
from driftwatch.judge.diff import diff
from driftwatch.judge.facts import Place, Steps, Varied
from driftwatch.judge.schema import INPUT, OUTPUT, place
from driftwatch.model import Change, ChangeKind, Json, Kind, Snapshot

MOST_AT_ONCE = 200
"""Places that differ between two lists beyond which it is another release."""

FEW = 5
"""Places up to which one step from a list to the next is taken for more than a release that kept its version."""

SHAPES: Mapping[str, str] = {
    "date": r"\d{4}-\d{2}-\d{2}",
    "moment": r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?",
    "time": r"\d{1,2}:\d{2}(?::\d{2})?",
    "version": r"\d{1,4}(?:\.\d{1,4}){1,3}",
    "uuid": r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    "number": r"\d{1,12}",
    "hex": r"\b[0-9a-f]{6,64}\b",
    "path": r"/(?:tmp|var|run|private|home|Users)/[\w.~/-]{1,120}",
}
"""What often differs inside a text, the narrowest first: patterns that a policy can take over."""

_FREE = frozenset({"description", "title", "default", "examples", "example", "$comment"})
"""Keywords of a schema whose values accept or refuse nothing."""
_RELEASE = ("serverInfo", "protocolVersion")
_LONGEST = 65_536


@dataclass(frozen=True)
class Variation:
    """What the differences between some lists teach: the places that varied, and by what the lists differed at all."""

    places: tuple[Varied, ...] = ()
    steps: Steps = Steps.UNKNOWN


def varied(lists: Sequence[Snapshot], is_noise: Callable[[Change], bool] = lambda _: False) -> Variation:
    """Give the places that varied between lists of one release, oldest list first; what is noise already is left out.

    A list that came back stands twice. Costs what the differences between neighbours cost.
    """
    pairs = [(earlier, later) for earlier, later in pairwise(lists) if earlier.digest != later.digest]
    steps = [_values(earlier, later) for earlier, later in pairs]
    seen: dict[Place, list[Change]] = defaultdict(list)
    for change in chain.from_iterable(steps):
        if not is_noise(change):
            seen[change.kind, change.key, change.occurrence, change.pointer].append(change)
    few = len(seen) <= FEW
    places = tuple(_as_varied(spot, found) for spot, found in seen.items() if few or len(found) > 1)
    if not steps or not all(steps):
        return Variation(places)
    return Variation(places, Steps.VALUES if seen else Steps.NOISE)


def _values(earlier: Snapshot, later: Snapshot) -> tuple[Change, ...]:
    """Give what differs between two lists when that is nothing but values and both are of one release, else nothing."""
    if _release(earlier) != _release(later):
        return ()
    changes = diff(earlier, later)
    return changes if len(changes) <= MOST_AT_ONCE and all(map(_is_value, changes)) else ()


def _release(snapshot: Snapshot) -> Json:
    """Give what tells one release from another."""
    server = next((item.raw for item in snapshot.of(Kind.SERVER)), None)
    told = [server.get(key) for key in _RELEASE] if isinstance(server, dict) else []
    info = told[0] if told else None
    named = [info.get("name"), info.get("version")] if isinstance(info, dict) else [info]
    return [named, told[1:], [item.digest for item in snapshot.of(Kind.LAUNCH)]]


def _is_value(change: Change) -> bool:
    """Say whether a change is one string or number in the place of another, where neither decides anything."""
    sides = (change.before, change.after)
    if change.change is not ChangeKind.VALUE_CHANGED or change.before_key not in ("", change.key):
        return False
    if not (all(map(_is_text, sides)) or all(map(_is_number, sides))):
        return False
    tokens = at.split(change.pointer)
    if tokens[:1] in ([INPUT], [OUTPUT]):
        return place(change, tokens).keyword in _FREE
    return tokens[:1] != ["annotations"] or change.kind is not Kind.TOOL or tokens[1:] == ["title"]


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_varied(spot: Place, steps: Sequence[Change]) -> Varied:
    values = list(dict.fromkeys(side for step in steps for side in (step.before, step.after)))
    return Varied(spot, len(steps), len(values), shape_of(values))


def shape_of(values: Sequence[Json]) -> str:
    """Name the shape by which alone all the texts differ, empty when it is none that is known."""
    if not all(isinstance(value, str) and len(value) <= _LONGEST for value in values):
        return ""
    return next((name for name, pattern in SHAPES.items() if _evens(pattern, values)), "")


def _evens(pattern: str, values: Sequence[str]) -> bool:
    return len({re.sub(pattern, "\0", value) for value in values}) == 1
