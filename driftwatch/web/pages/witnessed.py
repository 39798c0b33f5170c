"""What agents were shown, on the pages of a server: how each witness stands, and both sides of what stands apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlencode

from driftwatch.errors import UnknownDigestError
from driftwatch.judge.witnessed import within
from driftwatch.model import (
    STANDING,
    Face,
    Severity,
    Snapshot,
    Testimony,
    TestimonyState,
    Verdict,
    is_witness,
    unread,
    witness_of,
)
from driftwatch.model.amounts import many
from driftwatch.report.cut import shown
from driftwatch.report.myers import Budget
from driftwatch.store.store import Store
from driftwatch.watch.known.witnessed import found_in
from driftwatch.web.pages.changes import Entry, entries_of
from driftwatch.web.pages.kept import Kept
from driftwatch.web.pages.laying import TEXT_WORK, Laid, lay

_GROUPS: Final = 5
"""So many differences stand on a page with both of their sides."""
_ITEMS: Final = 5
"""So many items of each."""
_NAME: Final = 80

_WORDS: Final[Mapping[Verdict, str]] = {
    Verdict.UNKNOWN: "not compared yet: driftwatch looks itself first",
    Verdict.SAME: "what driftwatch is shown",
    Verdict.LEARNED: "a list of its own, known of this host",
    Verdict.OLDER: "an older list, which is approved or which driftwatch was shown before",
    Verdict.APART: "another list than driftwatch is shown",
}
_AGAINST: Final[Mapping[str, str]] = {
    "ours": "what driftwatch was shown",
    "session": "what the session had shown before",
    "learned": "what was known of this host",
}


@dataclass(frozen=True, slots=True)
class WitnessRow:
    """How what one witness saw last stands."""

    host: str
    words: str
    at: datetime | None
    is_apart: bool


@dataclass(frozen=True, slots=True)
class Apart:
    """Something that agents were shown and that stands apart: where and when, and both sides of it.

    `rows` are the items that differ, `more` counts those that are left out, and `href` leads to all of it.
    """

    first: Testimony
    hosts: str
    words: str
    against: str
    sessions: int
    severity: Severity
    rows: tuple[Laid, ...]
    more: int
    href: str


def rows_of(faces: tuple[Face, ...], gaps: Mapping[tuple[str, str], int]) -> list[WitnessRow]:
    """Give the witnesses among the identities of a server; `gaps` is what was not seen there (see `Store.gaps`)."""
    return [
        WitnessRow(
            witness_of(face.identity),
            "; ".join(filter(None, (_words(face), _unread(face, gaps)))),
            face.looked_at,
            face.verdict is Verdict.APART or bool(face.suspect),
        )
        for face in faces
        if is_witness(face.identity)
    ]


def _unread(face: Face, gaps: Mapping[tuple[str, str], int]) -> str:
    found = gaps.get((face.server, witness_of(face.identity)), 0)
    return unread(found) if found else ""


def _words(face: Face) -> str:
    if face.verdict is Verdict.LEARNED and face.shown == face.settled:
        return "another list than driftwatch is shown, which is approved"
    return _WORDS.get(face.verdict, face.verdict.value)


def apart_of(store: Store, kept: Kept, server: str, told: Iterable[Entry] = ()) -> tuple[list[Apart], int]:
    """Give what stands apart of what agents were shown, the worst first; and how many more there are of it.

    An item that is told with both of its sides already, as one of these entries or of a worse list, is not told again.
    """
    known = {one.id for one in told}
    groups: dict[tuple[str, str, str], list[Testimony]] = defaultdict(list)
    for one in store.testimonies(server, states=STANDING):
        groups[one.prompt, one.before, one.digest].append(one)
    worst = sorted(groups.values(), key=lambda group: (-_severity(group).rank, group[0].id))
    budget = Budget(TEXT_WORK)
    found = [made for group in worst[:_GROUPS] if (made := _apart(store, kept, group, budget, known)) is not None]
    return found, max(0, len(groups) - _GROUPS)


def _apart(store: Store, kept: Kept, group: list[Testimony], budget: Budget, known: set[str]) -> Apart | None:
    first = min(group, key=lambda one: one.id)
    whole = store.snapshot(first.digest)
    before = store.snapshot(first.before) if first.before else None
    if whole is None:
        return None
    after = within(whole, first.sections)
    findings = found_in(after, None) if before is None else kept.between(first.server, before, after).findings
    entries = entries_of(before, after, findings, approved=before is not None, decidable=False)
    fresh = [entry for entry in entries if entry.id not in known][:_ITEMS]
    known.update(entry.id for entry in fresh)
    return Apart(
        first=first,
        hosts=", ".join(shown(name, _NAME) for name in sorted({one.witness for one in group})),
        words=_when(first),
        against=_AGAINST.get(first.against, ""),
        sessions=len({one.session for one in group}),
        severity=_severity(group),
        rows=tuple(lay(entry, budget) for entry in fresh),
        more=len(entries) - len(fresh),
        href=_compared(first.server, before, after),
    )


def _when(one: Testimony) -> str:
    """Say when in a session it was, in words that are safe to show."""
    if one.state is TestimonyState.APART:
        return "from the start of a session"
    last = f", the last of them {shown(one.tool, _NAME)}" if one.tool and one.calls else ""
    calls = f"after {many(one.calls, 'tool call')}{last}" if one.calls else "before any tool call"
    return f"{calls}; the prompt {shown(one.prompt, _NAME)}" if one.prompt else calls


def _severity(group: list[Testimony]) -> Severity:
    return max((one.severity for one in group if one.severity is not None), default=Severity.INFO)


def _compared(server: str, before: Snapshot | None, after: Snapshot) -> str:
    sides = {"from": before.digest if before is not None else after.digest, "to": after.digest}
    return f"/servers/{quote(server, safe='')}/compare?{urlencode(sides)}"


def resolved(store: Store, server: str, digest: str) -> str:
    """Give a digest in full, of what a server showed driftwatch or an agent.

    Raises:
        UnknownDigestError: it showed neither such a list.

    """
    try:
        return store.resolve_digest(server, digest)
    except UnknownDigestError:
        return store.resolve_seen(server, digest)
