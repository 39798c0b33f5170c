"""Values that change by themselves (dates, paths, versions inside a text): which changes are noise, and what for.

A change is noise when its two sides are equal once every match of the declared pattern is replaced. Without a pattern
any string or number may stand there. Attackers write in the same places, so noise hides at medium only what says "this
reads otherwise": not what the new text asks of a model or hides, and never anything that the rules hold to be high.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from driftwatch.judge.behaviour import COMPANIONS
from driftwatch.judge.globs import ANY, fits
from driftwatch.judge.pointer import parents
from driftwatch.judge.policy.where import places_of
from driftwatch.judge.rules import rule
from driftwatch.judge.rules.base import Area
from driftwatch.judge.rules.value_varies import REPEATING
from driftwatch.model import Change, ChangeKind, Finding, Json, Kind, Severity

LONGEST = 65_536
"""Characters of a text beyond which no pattern is tried: the change is then told."""

_HIDES = frozenset({Area.TEXT, Area.SCHEMA, Area.SERVER, Area.FORM})
"""The areas whose rules say that a value reads otherwise."""
_REPLACED = "\0"


@dataclass(frozen=True, slots=True)
class Volatile:
    """One declaration: globs for item and pointer, a regular expression (empty: the whole value), and why."""

    pointer: str
    item: str = ANY
    pattern: str = ""
    reason: str = ""

    def covers(self, item: str, pointer: str) -> bool:
        """Say whether a place is declared."""
        return fits(self.item, item) and fits(self.pointer, pointer)

    def evens(self, before: Json, after: Json) -> bool:
        """Say whether two values differ by nothing but what is declared."""
        if not self.pattern:
            return is_plain(before, after)
        if not isinstance(before, str) or not isinstance(after, str) or max(len(before), len(after)) > LONGEST:
            return False
        found = re.compile(self.pattern)
        return found.sub(_REPLACED, before) == found.sub(_REPLACED, after)


def is_plain(before: Json, after: Json) -> bool:
    """Say whether both are strings, or both are numbers: nothing else is ever volatile."""
    numbers = all(isinstance(side, int | float) and not isinstance(side, bool) for side in (before, after))
    return numbers or (isinstance(before, str) and isinstance(after, str))


def declared(change: Change, volatile: Iterable[Volatile]) -> Volatile | None:
    """Give the declaration that makes a change noise, None where there is none."""
    if change.change is not ChangeKind.VALUE_CHANGED or not is_plain(change.before, change.after):
        return None
    meant = (one for one in volatile if one.covers(change.key, change.pointer))
    return next((one for one in meant if one.evens(change.before, change.after)), None)


def may_hide(finding: Finding) -> bool:
    """Say whether noise may hide a finding. The rule's own severity decides, not what a policy made of it."""
    severity = finding.ruled or finding.severity
    if severity >= Severity.HIGH or not _is_about_text(finding.rule):
        return False
    return severity < Severity.MEDIUM or finding.rule in REPEATING


def _is_about_text(rule_id: str) -> bool:
    try:
        return rule(rule_id).area in _HIDES
    except KeyError:  # kept from a release that had another rule
        return False


class Noise:
    """Which places changed by nothing but what is declared volatile."""

    def __init__(self, changes: Iterable[Change], volatile: tuple[Volatile, ...]) -> None:
        """Index the changes; grows linearly with them."""
        self._at: dict[tuple[Kind, str, str], list[Volatile | None]] = {}
        """What the changes at a place or below it are: a declaration, or None for one that is not noise."""
        self._exact: dict[tuple[Kind, str, str], Volatile | None] = {}
        for change in changes if volatile else ():
            found = declared(change, volatile)
            here = (change.kind, change.key, change.pointer)
            # Of two items with one name, one that changed by more than noise makes the place none.
            self._exact[here] = found and self._exact.get(here, found)
            for pointer in (change.pointer, *parents(change.pointer)):
                self._at.setdefault((change.kind, change.key, pointer), []).append(found)

    def why(self, finding: Finding) -> str:
        """Give the reason why a finding is about nothing but noise, empty when it is not."""
        if finding.rule in COMPANIONS and self._exact and all(self._exact.values()):
            return next(one.reason for one in self._exact.values() if one)
        if not self._at or not may_hide(finding):
            return ""
        found = [one for item, pointer in places_of(finding) for one in self._about(finding.kind, item, pointer)]
        return next((one.reason for one in found if one), "") if found and all(found) else ""

    def _about(self, kind: Kind, item: str, pointer: str) -> list[Volatile | None]:
        """Give what the changes at, below and above a place are; a place without any is not noise."""
        above = [self._exact[kind, item, over] for over in parents(pointer) if (kind, item, over) in self._exact]
        return [*self._at.get((kind, item, pointer), ()), *above] or [None]
