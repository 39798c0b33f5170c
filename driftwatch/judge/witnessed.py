"""What agents were shown in sessions of their own, beside what driftwatch is shown. Pure.

Compared are the parts that must not vary by who asks (see `faces`), as far as the agent asked for them: a list that it
did not ask for is not missing. What a prompt reads as once it is asked for is compared by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from driftwatch.judge.diff import diff
from driftwatch.judge.faces import face_of, is_bad, is_poisoned
from driftwatch.judge.snapshot import LISTS, snapshot_of, take
from driftwatch.model import (
    Change,
    ChangeKind,
    Document,
    Finding,
    Kind,
    Oddity,
    Severity,
    Snapshot,
    TestimonyState,
    worst_of,
)

_BODIES = "promptBodies"
_OPENING = ("capabilities", "instructions")
"""What is in a document where the agent had asked who the server is: then it was told the instructions, or none."""

_ADDED = frozenset({ChangeKind.ITEM_ADDED, ChangeKind.ITEM_REMOVED})


@dataclass(frozen=True)
class Testified:
    """A list or a prompt's body that an agent was shown and that stands apart, for the rules.

    `way` is one of the states that stand. `before` is what it is held against (None: there is nothing), `findings` are
    what the ordinary rules make of the way from there. `against` says what `before` is, as in `Testimony`; empty for
    nothing. `kept` is the digest under which the list is kept, where the agent asked for a part of it: then `after` has
    the rest from `before`. `shown_at` is when driftwatch was last shown a list that is held. `sessions` counts those
    that were shown just this. `shared` says that driftwatch is shown it too by now.
    """

    witness: str
    way: TestimonyState
    after: Snapshot
    before: Snapshot | None
    against: str
    findings: tuple[Finding, ...]
    at: datetime
    prompt: str = ""
    calls: int = 0
    number: int = 1
    tool: str = ""
    client: str = ""
    noticed: tuple[str, ...] = ()
    unseen: bool = False
    sessions: int = 1
    kept: str = ""
    shown_at: datetime | None = None
    shared: bool = False


def shown_to(document: Document, oddities: Sequence[Oddity] = ()) -> tuple[Snapshot, tuple[Snapshot, ...]]:
    """Give the lists of a document as they are compared, and each of the prompts' bodies in it by itself."""
    whole = take(document, oddities)
    face = face_of(whole)
    opened = any(key in document for key in _OPENING)
    lists = snapshot_of(face.items, face.sections if opened else face.sections - {Kind.SERVER})
    kind, _ = LISTS[_BODIES]
    bodies = (snapshot_of([replace(item, occurrence=0)], frozenset({kind})) for item in whole.of(kind) if item.key)
    return lists, tuple(bodies)


def within(snapshot: Snapshot, sections: frozenset[Kind]) -> Snapshot:
    """Give what a list, whole or as it is compared, has of some kinds."""
    if sections == {Kind.PROMPT_BODY}:
        return snapshot
    face = face_of(snapshot)
    kept = face.sections & sections & snapshot.sections
    return snapshot_of((item for item in face.items if item.kind in kept), kept)


def filled(lists: Snapshot, partial: frozenset[Kind], other: Snapshot | None) -> Snapshot:
    """Give lists with what is absent of the `partial` kinds as another list has it: it was not asked for."""
    kinds = partial & lists.sections
    if not kinds or other is None:
        return lists
    there = {item.place for item in lists.items}
    more = [item for item in other.items if item.kind in kinds and item.place not in there]
    return snapshot_of((*lists.items, *more), lists.sections)


def is_among(lists: Snapshot, known: Iterable[Snapshot], partial: frozenset[Kind] = frozenset()) -> bool:
    """Say whether each kind of a list is as one of the known ones has it; of the `partial` kinds what is there."""
    others = list(known)
    return all(
        any(kind in one.sections and _is_held(lists, one, kind, partial) for one in others) for kind in lists.sections
    )


def _is_held(lists: Snapshot, other: Snapshot, kind: Kind, partial: frozenset[Kind]) -> bool:
    mine, theirs = _held(lists, kind), _held(other, kind)
    return mine <= theirs if kind in partial else mine == theirs


def differs(lists: Snapshot, other: Snapshot) -> bool:
    """Say whether two lists differ in kinds that both of them have."""
    return any(_held(lists, kind) != _held(other, kind) for kind in lists.sections & other.sections)


def is_quiet(lists: Snapshot, other: Snapshot, expected: Callable[[Change], bool]) -> bool:
    """Say whether nothing of what differs counts: all of it is `expected`, or is in kinds that the other has not."""
    return all(expected(change) for change in diff(within(other, lists.sections), lists))


def telling(findings: Sequence[Finding], way: TestimonyState, *, moved: bool) -> tuple[Finding, ...]:
    """Give the findings that are told of what stands apart: all where a known list `moved`, else what no list may have.

    Another list from the start may have another credential or era for its reason, and every prompt's body is made anew.
    """
    bad = tuple(one for one in findings if is_bad(one))
    whole = way in (TestimonyState.FLIPPED, TestimonyState.HELD) or (moved and not bad)
    return tuple(findings) if whole else bad


def weight(findings: Sequence[Finding], way: TestimonyState, before: Snapshot | None, after: Snapshot) -> Severity:
    """Weigh what an agent was shown: a poison in the middle of a session is the worst there is.

    Another text of an item that was there has no honest reason in a session; that items come and go in it may have.
    """
    if way is not TestimonyState.FLIPPED:
        return worst_of(findings)
    if is_poisoned(findings):
        return Severity.CRITICAL
    changes = diff(within(before, after.sections), after) if before is not None else ()
    least = Severity.HIGH if any(change.change not in _ADDED for change in changes) else Severity.MEDIUM
    return max(least, worst_of(findings))


def _held(snapshot: Snapshot, kind: Kind) -> set[tuple[str, int, str]]:
    return {(item.key, item.occurrence, item.digest) for item in snapshot.of(kind)}
