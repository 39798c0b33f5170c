"""What a rule is, what it sees, and how it says what it found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from driftwatch.judge.context import Context, Look
from driftwatch.judge.pointer import ABSENT
from driftwatch.judge.snapshot import shallow
from driftwatch.judge.text.visible import visible
from driftwatch.model import Axis, Change, ChangeKind, Confidence, Effect, Finding, Item, Json, Kind, Severity, Span

__all__ = ["QUOTED", "Action", "Area", "Context", "Look", "Rule", "names", "show", "show_hint", "step"]

QUOTED = 80
"""How much of a server's text (code points) a message quotes."""


GROUP_FROM = 3
"""From how many places on what happened alike is told once (see `judge/waves.py`)."""

_CUT_ESCAPE = re.compile(r"\\(?:u(?:\{[0-9A-F]*)?)?\Z")
"""The beginning of an escape whose end was cut off."""


class Area(StrEnum):
    """What a rule is about."""

    HINTS = "hints"
    GATES = "gates"
    ITEMS = "items"
    NAMES = "names"
    TEXT = "text"
    SCHEMA = "schema"
    SERVER = "server"
    BEHAVIOUR = "behaviour"
    CLOAKING = "cloaking"
    LAUNCH = "launch"
    SUPPLY = "supply"
    EXPECTATIONS = "expectations"
    FORM = "form"


class Action(StrEnum):
    """What happened to it."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"
    LOOSENED = "loosened"
    WIDENED = "widened"
    NARROWED = "narrowed"
    WITHDRAWN = "withdrawn"
    MOOT = "moot"
    ODD = "odd"
    """Wrong or doubtful in itself, whatever was there before."""


@dataclass(frozen=True)
class Rule:
    """One rule. `severity` and `confidence` are what it says unless a finding has a reason to say otherwise.

    `last` rules run after all others and see what they found. `alike` says whether a finding is the same as others of
    its category whatever the values are, and may be told with them in one wave; `together` is given a wave and its
    members and words it (see `judge/waves.py`). `told` says that the message tells all of the values that a person
    reads: digests and our own notes stand in them for the finding's identity. `categories` are the words by which its
    findings tell their sort, for the lines of a policy; a finding may also have none.
    """

    id: str
    title: str
    area: Area
    action: Action
    severity: Severity
    check: Callable[[Context], Iterable[Finding]] = field(repr=False)
    doc: str = field(repr=False)
    confidence: Confidence = Confidence.HIGH
    last: bool = False
    told: bool = False
    axis: Axis = Axis.SECURITY
    categories: tuple[str, ...] = ()
    alike: Callable[[Finding], bool] | None = field(default=None, repr=False)
    together: Callable[[Finding, Sequence[Finding]], Finding] | None = field(default=None, repr=False)

    def finding(
        self,
        item: Item | Change,
        pointer: str,
        message: str,
        *,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        before: Json = None,
        after: Json = None,
        spans: Sequence[Span] = (),
        category: str = "",
        hosts: Sequence[Effect] = (),
    ) -> Finding:
        """Make a finding of this rule about one place."""
        return Finding(
            rule=self.id,
            severity=severity or self.severity,
            kind=item.kind,
            item=item.key,
            pointer=pointer,
            message=message,
            confidence=confidence or self.confidence,
            before=shallow(before),
            after=shallow(after),
            spans=tuple(spans),
            category=category,
            axis=self.axis,
            hosts=tuple(hosts),
            occurrence=item.occurrence,
        )

    def at_large(self, kind: Kind, message: str, *, severity: Severity | None = None) -> Finding:
        """Make a finding of this rule about a list or a server as a whole, whatever its values are."""
        return Finding(
            self.id, severity or self.severity, kind, "", "", message, confidence=self.confidence, axis=self.axis
        )

    def about(self, change: Change, message: str, **rest: Json) -> Finding:
        """Make a finding about one change, with its values."""
        return self.finding(change, change.pointer, message, before=change.before, after=change.after, **rest)


def show(value: Json, limit: int = QUOTED) -> str:
    """Quote a value from a server for a message: hidden characters made visible, cut to `limit`, text in quotes.

    What a list or an object holds is cut such that its brackets still close.
    """
    if value is ABSENT:
        return "absent"
    text = value if isinstance(value, str) else _closed(value, limit)
    seen = visible(text[: limit + 1])
    cut = f"{_CUT_ESCAPE.sub('', seen[:limit])}…" if len(seen) > limit or len(text) > limit else seen
    return f"“{cut}”" if isinstance(value, str) else cut


def _closed(value: Json, limit: int) -> str:
    """Write a value as JSON that fits: with its texts cut, else with its first parts only, else as empty brackets."""
    flat = shallow(value, 4)
    text = json.dumps(flat, ensure_ascii=False, default=str)
    if not isinstance(flat, dict | list):
        return text
    for room, most in ((limit, limit), (limit // 2, 3), (limit // 4, 2), (limit // 4, 1), (8, 1)):
        if _fits(text, limit):
            return text
        text = _written(flat, room, most)
    return text if _fits(text, limit) else "{…}" if isinstance(flat, dict) else "[…]"


def _fits(text: str, limit: int) -> bool:
    return len(text) <= limit and len(visible(text)) <= limit


def _written(value: Json, room: int, most: int) -> str:
    """Write a value as JSON with at most `room` characters of each text and `most` parts of each list or object."""
    if isinstance(value, str):
        return json.dumps(value if len(value) <= room else f"{value[:room]}…", ensure_ascii=False)
    if not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    left = ["…"] if len(value) > most else []
    if isinstance(value, list):
        return f"[{', '.join([*(_written(one, room, most) for one in value[:most]), *left])}]"
    parts = [f"{_written(key, room, most)}: {_written(value[key], room, most)}" for key in list(value)[:most]]
    return f"{{{', '.join([*parts, *left])}}}"


def step(change: Change, limit: int = 40) -> str:
    """Write a change's values for a message: `“a” → “b”`, with `absent` where there is none."""
    was = show(ABSENT if change.change is ChangeKind.VALUE_ADDED else change.before, limit)
    now = show(ABSENT if change.change is ChangeKind.VALUE_REMOVED else change.after, limit)
    return f"{was} → {now}"


def show_hint(value: Json) -> str:
    """Write a hint's value as a person reads it."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else show(value, 30)


def names(found: Sequence[str], limit: int = 3) -> str:
    """List a few names for a message."""
    listed = ", ".join(show(name, 40) for name in found[:limit])
    return listed if len(found) <= limit else f"{listed} and {len(found) - limit} more"
