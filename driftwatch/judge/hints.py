"""What the four hints of a tool admit, under both readings that the specification leaves open.

The oracle is a table of all 81 annotation states. An absent hint takes its default under the *spec* reading and says
nothing under the *stated* one; a malformed hint counts as absent under both (and is a finding of its own).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from driftwatch.judge.canonical import same
from driftwatch.judge.diff import Difference
from driftwatch.judge.pairing import Pair
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Item, Json, Kind

READ_ONLY = "readOnlyHint"
DESTRUCTIVE = "destructiveHint"
IDEMPOTENT = "idempotentHint"
OPEN_WORLD = "openWorldHint"

DEFAULTS: dict[str, bool] = {READ_ONLY: False, DESTRUCTIVE: True, IDEMPOTENT: False, OPEN_WORLD: True}
"""What the schema says of an absent hint."""

HINTS: tuple[str, ...] = tuple(DEFAULTS)


class Reading(StrEnum):
    """How a client reads an absent hint."""

    SPEC = "spec"
    STATED = "stated"


class Danger(StrEnum):
    """What a host's gates act on."""

    WRITES = "writes"
    DESTROYS = "destroys"
    UNREPEATABLE = "unrepeatable"
    OPEN_WORLD = "open-world"


GRAVE = frozenset({Danger.WRITES, Danger.DESTROYS})
"""The dangers that cannot be taken back."""


def annotations_of(item: Item | None) -> Json:
    """Give an item's raw `annotations`, None when it has none."""
    return item.raw.get("annotations") if item is not None and isinstance(item.raw, dict) else None


def declared(annotations: Json) -> dict[str, bool]:
    """Give the hints that are spelled out with a usable value."""
    if not isinstance(annotations, dict):
        return {}
    return {hint: annotations[hint] for hint in HINTS if isinstance(annotations.get(hint), bool)}


def malformed(annotations: Json) -> dict[str, Json]:
    """Give the hints that are there with a value that is no boolean."""
    if not isinstance(annotations, dict):
        return {}
    return {
        hint: annotations[hint] for hint in HINTS if hint in annotations and not isinstance(annotations[hint], bool)
    }


def dangers(annotations: Json, reading: Reading) -> frozenset[Danger]:
    """Give the dangers that an annotation state admits under one reading."""
    said = declared(annotations)
    if reading is Reading.SPEC:
        says = {**DEFAULTS, **said}
        writes = not says[READ_ONLY]
        admits = {
            Danger.WRITES: writes,
            Danger.DESTROYS: writes and says[DESTRUCTIVE],
            Danger.UNREPEATABLE: writes and not says[IDEMPOTENT],
            Danger.OPEN_WORLD: says[OPEN_WORLD],
        }
    else:
        not_reader = said.get(READ_ONLY) is not True
        admits = {
            Danger.WRITES: said.get(READ_ONLY) is False,
            Danger.DESTROYS: not_reader and said.get(DESTRUCTIVE) is True,
            Danger.UNREPEATABLE: not_reader and said.get(IDEMPOTENT) is False,
            Danger.OPEN_WORLD: said.get(OPEN_WORLD) is True,
        }
    return frozenset(danger for danger, admitted in admits.items() if admitted)


def loosened(before: Json, after: Json, reading: Reading) -> frozenset[Danger]:
    """Give the dangers that are no longer admitted: a host may now ask less."""
    return dangers(before, reading) - dangers(after, reading)


def widened(before: Json, after: Json, reading: Reading) -> frozenset[Danger]:
    """Give the dangers that are admitted now and were not: the approval does not cover them."""
    return dangers(after, reading) - dangers(before, reading)


@dataclass(frozen=True)
class Move:
    """One hint whose raw value changed, with the dangers that this moved under each reading.

    `before` and `after` are the raw values, `ABSENT` where there is none.
    """

    hint: str
    before: Json
    after: Json
    loosened: Mapping[Reading, frozenset[Danger]]
    widened: Mapping[Reading, frozenset[Danger]]

    @property
    def raw_before(self) -> Json:
        """Give the raw value as a finding holds it: None where there is none."""
        return None if self.before is ABSENT else self.before

    @property
    def raw_after(self) -> Json:
        """Give the raw value as a finding holds it: None where there is none."""
        return None if self.after is ABSENT else self.after

    @property
    def stated_before(self) -> bool:
        """Say whether the baseline spelled the hint out."""
        return isinstance(self.before, bool)

    @property
    def stated_after(self) -> bool:
        """Say whether the live tool spells the hint out."""
        return isinstance(self.after, bool)

    @property
    def loosens(self) -> bool:
        """Say whether trust is claimed that was not: under the default, or by a spelled-out value."""
        return bool(self.loosened[Reading.SPEC] or (self.loosened[Reading.STATED] and self.stated_after))

    @property
    def withdraws(self) -> bool:
        """Say whether a spelled-out gate is gone, which only the stated reading sees."""
        return bool(self.loosened[Reading.STATED]) and not self.loosens

    @property
    def widens(self) -> bool:
        """Say whether a promise is gone. Spelling out a default only makes a server more careful: no widening."""
        return bool(self.widened[Reading.SPEC])

    @property
    def denies(self) -> bool:
        """Say whether a spelled-out danger is denied, be it by another hint than the one that spelled it out."""
        return self.loosens and (self.stated_before or bool(self.loosened[Reading.STATED] & GRAVE))

    @property
    def admits(self) -> bool:
        """Say whether a danger is admitted by a spelled-out value, be it of another hint than the one that moved it."""
        return self.stated_after or bool(self.widened[Reading.STATED] & GRAVE)

    @property
    def moot(self) -> bool:
        """Say whether no reader of the hint has to act otherwise."""
        return not (self.loosens or self.withdraws or self.widens)


def moves(before: Json, after: Json) -> tuple[Move, ...]:
    """Give every hint whose raw value changed, with what it moved."""
    was, now = _raw_hints(before), _raw_hints(after)
    changed = [hint for hint in HINTS if not _same(was.get(hint, ABSENT), now.get(hint, ABSENT))]
    if not changed:
        return ()
    loose = {reading: loosened(before, after, reading) for reading in Reading}
    wide = {reading: widened(before, after, reading) for reading in Reading}
    cause = {danger: behind(danger, before, after) for danger in Danger}

    def by(hint: str, moved: Mapping[Reading, frozenset[Danger]]) -> dict[Reading, frozenset[Danger]]:
        return {
            reading: frozenset(danger for danger in those if cause[danger] == hint) for reading, those in moved.items()
        }

    return tuple(
        Move(hint, was.get(hint, ABSENT), now.get(hint, ABSENT), by(hint, loose), by(hint, wide)) for hint in changed
    )


def behind(danger: Danger, before: Json, after: Json) -> str:
    """Name the hint whose change moved a danger: a move into or out of read-only explains all but the open world."""
    if danger is Danger.OPEN_WORLD:
        return OPEN_WORLD
    if (declared(before).get(READ_ONLY) is True) != (declared(after).get(READ_ONLY) is True):
        return READ_ONLY
    return {Danger.WRITES: READ_ONLY, Danger.DESTROYS: DESTRUCTIVE, Danger.UNREPEATABLE: IDEMPOTENT}[danger]


def _raw_hints(annotations: Json) -> dict[str, Json]:
    if not isinstance(annotations, dict):
        return {}
    return {hint: annotations[hint] for hint in HINTS if hint in annotations}


def _same(before: Json, after: Json) -> bool:
    if before is ABSENT or after is ABSENT:
        return before is after
    return same(before, after)


def first_annotated(differences: Iterable[Difference]) -> dict[str, Pair]:
    """Give the tools that had no hint at all and have well-formed ones now, when there are at least two.

    One such tool is a change of that tool; two and more are a server that begins to annotate. Tools that share a name
    stay out: under one name, one of them would stand for what another one claims.
    """
    found: dict[str, Pair] = {}
    pairs = [difference.pair for difference in differences]
    shared = Counter(pair.after.key for pair in pairs if pair.after is not None and pair.after.kind is Kind.TOOL)
    for pair in pairs:
        if pair.before is None or pair.after is None or pair.after.kind is not Kind.TOOL:
            continue
        before, after = annotations_of(pair.before), annotations_of(pair.after)
        if shared[pair.after.key] == 1 and declared(after) and not malformed(after) and not _raw_hints(before):
            found[pair.after.key] = pair
    return found if len(found) >= 2 else {}
