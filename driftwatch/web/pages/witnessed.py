"""What agents were shown, on the pages of a server: how each witness stands, and both sides of what stands apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlencode

from driftwatch.errors import UnknownDigestError
from driftwatch.judge.faces import face_of
from driftwatch.judge.witnessed import within
from driftwatch.model import (
    STANDING,
    Face,
    Lossy,
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
from driftwatch.watch.known.witnessed import found_in, sides_of
from driftwatch.web.pages.changes import Entry, entries_of
from driftwatch.web.pages.kept import Kept
from driftwatch.web.pages.laying import TEXT_WORK, Laid, lay

_GROUPS: Final = 5
"""So many differences stand open on a page with both of their sides; of the others what leads to them."""
_ITEMS: Final = 5
"""So many items of each stand open."""
_FOLDED: Final = 45
"""And so many more folded; all of them stand side by side on a page of their own."""
_NAME: Final = 80

_WORDS: Final[Mapping[Verdict, str]] = {
    Verdict.UNKNOWN: "not compared yet: driftwatch looks itself first",
    Verdict.SAME: "what driftwatch is shown",
    Verdict.LEARNED: "a list of its own, known of this host",
    Verdict.OLDER: "an older list, which is approved or which driftwatch was shown before",
    Verdict.APART: "another list than driftwatch was shown",
    Verdict.WAITING: "something else than driftwatch was shown last: it waits for a look of driftwatch's own",
}
_AGAINST: Final[Mapping[str, str]] = {
    "ours": "what driftwatch was shown",
    "session": "what the session had shown before",
    "learned": "what was known of this host",
    "approved": "what is approved",
    "first": "the first list that driftwatch was shown",
}


@dataclass(frozen=True, slots=True)
class WitnessRow:
    """How what one witness saw last stands; `is_apart` and `is_unread` say what of it is to be decided on."""

    host: str
    words: str
    at: datetime | None
    is_apart: bool
    is_unread: bool


@dataclass(frozen=True, slots=True)
class Apart:
    """Something that agents were shown and that stands apart: where and when, and both sides of it.

    `rows` are the items that differ, `folded` those that come after, `more` counts those that stand elsewhere, and
    `href` leads to all of it.
    """

    first: Testimony
    hosts: str
    words: str
    against: str
    sessions: int
    severity: Severity
    partial: str = ""
    rows: tuple[Laid, ...] = ()
    folded: tuple[Laid, ...] = ()
    more: int = 0
    href: str = ""


@dataclass(frozen=True, slots=True)
class Agents:
    """What an approval settles of what agents were shown: what stands open, the `rest`, and what nobody could read."""

    apart: tuple[Apart, ...] = ()
    rest: tuple[Apart, ...] = ()
    lossy: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is anything to decide."""
        return bool(self.apart or self.lossy)


def rows_of(faces: tuple[Face, ...], gaps: Mapping[tuple[str, str], int]) -> list[WitnessRow]:
    """Give the witnesses among the identities of a server; `gaps` is what was not seen there (see `Store.gaps`)."""
    return [
        WitnessRow(
            witness_of(face.identity),
            "; ".join(filter(None, (_words(face), _unread(face, gaps)))),
            face.looked_at,
            face.verdict is Verdict.APART or bool(face.suspect),
            bool(face.unread),
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


def agents_of(
    store: Store, kept: Kept, server: str, told: Iterable[Entry] = (), known: Sequence[Snapshot] = ()
) -> Agents:
    """Give all that an approval settles of what agents were shown, the worst first.

    An item that is told with both of its sides already, as one of these entries or of a worse list, is not told again,
    nor is a list that is one of the `known` ones: those stand on the page as a whole.
    """
    shown_already = [face_of(one) for one in known]
    groups: dict[tuple[str, str, str], list[Testimony]] = defaultdict(list)
    for one in store.testimonies(server, states=STANDING):
        if one.prompt or all(within(face, one.sections).digest != one.digest for face in shown_already):
            groups[one.prompt, one.before, one.digest].append(one)
    worst = sorted(groups.values(), key=lambda group: (-_severity(group).rank, group[0].id))
    ids, budget = {one.id for one in told}, Budget(TEXT_WORK)
    found = [_apart(store, kept, group, budget, ids) for group in worst[:_GROUPS]]
    return Agents(
        tuple(found), tuple(_outlined(group) for group in worst[_GROUPS:]), tuple(_lossy_words(store, server))
    )


def _lossy_words(store: Store, server: str) -> Iterator[str]:
    """Say for each witness how much could not be read, and in how many sessions."""
    by_host: dict[str, list[Lossy]] = defaultdict(list)
    for one in store.lossy(server):
        by_host[one.witness].append(one)
    for host, sessions in sorted(by_host.items()):
        said = unread(sum(one.gaps for one in sessions))
        yield f"{shown(host, _NAME)}: {said}, in {many(len(sessions), 'session')}"


def _outlined(group: list[Testimony]) -> Apart:
    """Say where and when something was shown, and what leads to both of its sides."""
    first = min(group, key=lambda one: one.id)
    return Apart(
        first=first,
        hosts=", ".join(shown(name, _NAME) for name in sorted({one.witness for one in group})),
        words=_when(first),
        against=_AGAINST.get(first.against, ""),
        sessions=len({one.session for one in group}),
        severity=_severity(group),
        partial=", ".join(kind.nouns for kind in sorted(first.partial)),
        href=_compared(first),
    )


def _apart(store: Store, kept: Kept, group: list[Testimony], budget: Budget, known: set[str]) -> Apart:
    outlined = _outlined(group)
    sides = sides_of(store, outlined.first)
    if sides is None:
        return outlined
    before, after = sides.before, sides.after
    findings = found_in(after, None) if before is None else kept.between(outlined.first.server, before, after).findings
    entries = entries_of(before, after, findings, approved=before is not None, decidable=False)
    fresh = [entry for entry in entries if entry.id not in known][: _ITEMS + _FOLDED]
    known.update(entry.id for entry in fresh)
    rows = tuple(lay(entry, budget) for entry in fresh)
    return replace(outlined, rows=rows[:_ITEMS], folded=rows[_ITEMS:], more=len(entries) - len(fresh))


def _when(one: Testimony) -> str:
    """Say when in a session it was, in words that are safe to show."""
    if one.state is TestimonyState.HELD:
        until = f" until {one.shown_at:%Y-%m-%d %H:%M} UTC" if one.shown_at is not None else ""
        return f"which still hold a list that driftwatch was shown{until}"
    if one.state is TestimonyState.APART:
        return "from the start of a session"
    last = f", the last of them {shown(one.tool, _NAME)}" if one.tool and one.calls else ""
    calls = f"after {many(one.calls, 'tool call')}{last}" if one.calls else "before any tool call"
    return f"{calls}; the prompt {shown(one.prompt, _NAME)}" if one.prompt else calls


def _severity(group: list[Testimony]) -> Severity:
    return max((one.severity for one in group if one.severity is not None), default=Severity.INFO)


def _compared(one: Testimony) -> str:
    sides = {"from": one.before or one.digest, "to": one.digest}
    return f"/servers/{quote(one.server, safe='')}/compare?{urlencode(sides)}"


def resolved(store: Store, server: str, digest: str) -> str:
    """Give a digest in full, of what a server showed driftwatch or an agent.

    Raises:
        UnknownDigestError: it showed neither such a list.

    """
    try:
        return store.resolve_digest(server, digest)
    except UnknownDigestError:
        return store.resolve_seen(server, digest)
