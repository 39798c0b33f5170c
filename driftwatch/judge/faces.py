"""The face of a server: the part of a list that must not depend on who asks, and what two faces differ in. Pure.

Tools, prompts, resources, templates and instructions are for whoever asks. Capabilities, protocol version and the
server's own name go by the era; how the server is reached is ours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from driftwatch.judge import pointer as at
from driftwatch.judge.diff import diff
from driftwatch.judge.snapshot import digest_of, snapshot_of
from driftwatch.model import Axis, Change, Finding, Item, Kind, Severity, Snapshot, Verdict

INSTRUCTIONS = "instructions"

_PLACES = 50
"""How many places a finding names: enough to look at, however much of a list is another one."""
_LISTED = frozenset({Kind.TOOL, Kind.PROMPT, Kind.RESOURCE, Kind.RESOURCE_TEMPLATE})


@dataclass(frozen=True)
class OtherFace:
    """What one identity is shown where it is not what others are shown, for the rules.

    `identity` is its configured name, `client` the name that it sends (empty: driftwatch's own). For `differs`,
    `before` is the face that driftwatch was shown with all else alike; for `changed`, the face that was learned; for
    `learned` and for `restless`, which is a list that was seen in the identity's turns now and then, the ordinary one.
    `findings` are what the ordinary rules make of the way from the one to the other. `at_times` says that the identity
    is shown the list now and then, where driftwatch never is.
    """

    identity: str
    client: str
    verdict: Verdict
    cause: str
    before: Snapshot
    after: Snapshot
    findings: tuple[Finding, ...] = ()
    at_times: bool = False


def face_of(snapshot: Snapshot) -> Snapshot:
    """Give the part of a snapshot that must be the same for everybody."""
    items = [item for item in snapshot.items if item.kind in _LISTED]
    items += [_told(item) for item in snapshot.of(Kind.SERVER) if isinstance(item.raw, dict) and _has_words(item)]
    return snapshot_of(items, (snapshot.sections & _LISTED) | {Kind.SERVER})


def _has_words(item: Item) -> bool:
    return INSTRUCTIONS in item.raw


def _told(item: Item) -> Item:
    """Leave of the server's document what it tells the model."""
    raw = {INSTRUCTIONS: item.raw[INSTRUCTIONS]}
    kept = tuple(one for one in item.oddities if at.covers(f"/{INSTRUCTIONS}", one.pointer))
    return replace(item, raw=raw, digest=digest_of(raw), oddities=kept)


@dataclass(frozen=True)
class Differing:
    """What differs between two faces: `certain` because of who asked, `restless` where the server is never the same."""

    certain: tuple[Change, ...] = ()
    restless: tuple[Change, ...] = ()


def differing(
    ordinary: tuple[Snapshot, Snapshot], other: tuple[Snapshot, Snapshot], earlier: Iterable[Snapshot] = ()
) -> Differing:
    """Give what differs between two faces that were each looked at twice, as far as the asking is the reason.

    Left out is what differs only once, and items that ordinary looks (`earlier` faces) showed as well: a server that is
    just changing shows anybody anything. What the ordinary face does not hold still itself is `restless`. What only the
    *other* face does not hold still is certain: else a poison that is mixed anew each time would excuse itself.
    """
    first = {_place(change) for change in diff(ordinary[0], other[0])}
    moving: dict[tuple[Kind, str], list[str]] = defaultdict(list)
    for change in diff(*ordinary):
        moving[change.kind, change.key].append(change.pointer)
    everybodys = {item.digest for face in (*ordinary, *earlier) for item in face.items}
    known = {item.place for item in other[1].items if item.digest in everybodys}
    certain: list[Change] = []
    restless: list[Change] = []
    for change in diff(ordinary[1], other[1]):
        if _place(change) in first and (change.kind, change.key, change.occurrence) not in known:
            moves = any(_touch(change.pointer, one) for one in moving[change.kind, change.key])
            (restless if moves else certain).append(change)
    return Differing(tuple(certain), tuple(restless))


def is_stray(face: Snapshot, ordinary: Sequence[Snapshot]) -> bool:
    """Say whether a face shows something that no ordinary look showed, or lacks what all of them have."""
    shown = {item.digest for one in ordinary for item in one.items}
    always = frozenset.intersection(*(frozenset(item.place for item in one.items) for one in ordinary))
    return any(item.digest not in shown for item in face.items) or not always <= {item.place for item in face.items}


def _place(change: Change) -> tuple[Kind, str, int, str]:
    return (change.kind, change.key, change.occurrence, change.pointer)


def _touch(one: str, other: str) -> bool:
    return at.covers(one, other) or at.covers(other, one)


def evidence(faces: Sequence[OtherFace]) -> Finding:
    """Give the worst of what faces with one and the same difference came to, with the places of all of it."""
    return evidence_of(faces[0].findings)


def evidence_of(findings: Iterable[Finding]) -> Finding:
    """Give the worst of some findings, of which there is one at least, with the places of all that are of its kind."""
    found = sorted(findings, key=lambda finding: finding.order)
    worst = found[0]
    alike = [one for one in found if one.kind is worst.kind]
    places = dict.fromkeys((name, one.pointer) for one in alike for name in (one.items or (one.item,)))
    names = tuple(sorted({name for name, _ in places}))
    if len(names) < 2:
        return replace(worst, items=(), parts=(), places=() if len(places) < 2 else tuple(places)[:_PLACES])
    # The parts of a wave are one for each of its own places, and these are others.
    return replace(worst, item="", items=names, parts=(), places=tuple(places)[:_PLACES])


def alike(faces: Iterable[OtherFace], verdict: Verdict) -> Iterator[tuple[OtherFace, ...]]:
    """Give the faces of one verdict, together where the difference is one and the same."""
    groups: dict[tuple[str, str], list[OtherFace]] = defaultdict(list)
    for face in faces:
        if face.verdict is verdict and face.findings:
            groups[face.before.digest, face.after.digest].append(face)
    for key in sorted(groups):
        yield tuple(groups[key])


POISON = frozenset({"text-injection", "hidden-characters", "parameter-sink", "mentions-other-server"})
LOOSE = frozenset({"hint-loosened", "hint-withdrawn", "hint-implausible", "gate-loosened"})


def is_poisoned(findings: Iterable[Finding]) -> bool:
    """Say whether a list has something in it for whose sake it would be hidden: a poison, or a loosened gate."""
    return any(one.severity >= Severity.MEDIUM and one.rule in POISON | LOOSE for one in findings)


def is_bad(finding: Finding) -> bool:
    """Say whether a finding is one that no list may have, whoever is shown it."""
    return finding.severity >= Severity.HIGH and finding.axis is Axis.SECURITY


def summed_up(faces: Sequence[OtherFace]) -> str:
    """Say what the worst difference is, and how many more there are."""
    found = sorted(faces[0].findings, key=lambda finding: finding.order)
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    return found[0].message + more
