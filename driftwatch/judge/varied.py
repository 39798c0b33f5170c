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

_HOURS = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_ZONE = r" ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})"
_NAMES = (
    "(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?"
    "|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)

SHAPES: Mapping[str, str] = {
    "moment": rf"\b\d{{4}}[-/]\d{{2}}[-/]\d{{2}}[T _]{_HOURS}(?:{_ZONE})?(?!\d)",
    "date": r"\b\d{4}-\d{2}-\d{2}\b(?!:)",
    "date in numbers": r"(?<![\d.])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?![\w:])",
    "length of time": (
        rf"(?<![\w.:])(?:\d{{1,4}} days?, {_HOURS}|(?:\d{{1,4}}h ?)?(?:\d{{1,2}}m ?)?\d{{1,2}}(?:\.\d{{1,3}})?s"
        r"|\d{1,4}(?:\.\d{1,3})? ?(?:ms|[smhd]|min|seconds?|minutes?|hours?|days?))\b"
    ),
    "time": rf"(?<![\w:]){_HOURS}(?: ?[AaPp][Mm]\b|{_ZONE})?(?![\w:])",
    "date in words": rf" {{0,2}}\b(?:{_NAMES}|\d{{1,4}}|[AP]M)\b",
    "uuid": r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    "path": r"(?:\b[A-Za-z]:\\|/(?:tmp|var|run|private|home|Users)/)[\w.~/\\-]{1,120}",
    "port": r"(?:(?<=[\w\]]:)|(?<=[Pp]ort ))\d{2,5}\b",
    "version": r"(?<![\d.:])\d{1,4}(?:\.\d{1,4}){1,3}(?![\d:])",
    "number": r"(?<![\d.])\d{1,18}(?:,\d{3}){0,3}(?:\.\d{1,9})?",
    "hex": r"(?:\b|(?<=0x))(?=[a-fA-F]{0,6}\d)[0-9a-fA-F]{6,64}\b",
}
"""What often differs inside a text, what says most first: patterns that a policy can take over.

Each takes the whole of what it means (a time with its fraction, a date with its time), so that the next value fits too.
"""

ORDER, VALUE = "order", "number alone"
"""A list that is put in another order, and a number: the whole value differs, and no pattern says how."""

_MADE = frozenset({"moment", "date", "date in numbers", "date in words", "time", "uuid", "path", "hex", ORDER})
"""What programs put into a text and people hardly ever edit by hand: one difference is enough to propose it.

A number, a version, a port or a length of time is edited by hand as well: it takes a second difference.
"""
_READ = frozenset({"description", "title", "instructions"})
"""Keys whose text a model reads: only a pattern keeps a new sentence there from being noise."""
_DATED = re.compile(rf"\b(?:{_NAMES})\b[ ,.]{{1,3}}\d|\d[ ,.]{{1,3}}(?:{_NAMES})\b")
"""A date in words, which is more than the numbers and names that its pattern takes."""
_PARTED = re.compile(r"[\s,;|]+")

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
    """Name what alone differs between the values: a shape, `ORDER` or `VALUE`; empty when it is none that is known."""
    if all(map(_is_number, values)):
        return VALUE
    texts = [value for value in values if isinstance(value, str) and len(value) <= _LONGEST]
    if len(texts) < len(values):
        return ""
    dated = all(map(_DATED.search, texts))
    shapes = (name for name, pattern in SHAPES.items() if (dated or name != "date in words") and _evens(pattern, texts))
    found = next(shapes, "")
    return found or (ORDER if len({tuple(sorted(_PARTED.split(text))) for text in texts}) == 1 else "")


def _evens(pattern: str, values: Sequence[str]) -> bool:
    return len({re.sub(pattern, "\0", value) for value in values}) == 1


def is_read(pointer: str) -> bool:
    """Say whether a place holds a text that a model reads."""
    return pointer.rpartition("/")[2] in _READ


def proposes(found: Varied) -> bool:
    """Say whether a place may be proposed as volatile: what differs is recognised, and not one edit by hand.

    Words that differ never are, and what a model reads only where a pattern leaves the words alone.
    """
    if not found.shape or (found.shape not in SHAPES and is_read(found.place[3])):
        return False
    return found.changes > 1 or found.shape in _MADE
