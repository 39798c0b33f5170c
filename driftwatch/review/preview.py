"""The preview verb: look at a candidate, judge it as a check would, and write nothing.

A candidate is looked at more than once, each time in a fresh process or session: one that does not show the same list
twice shows two faces, and no approval of one of them says anything about the next start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from driftwatch.config.schema import Settings
from driftwatch.config.words import safe
from driftwatch.errors import UnknownDigestError, UsageError
from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.landing import packaged
from driftwatch.judge.snapshot import take
from driftwatch.model import (
    Actor,
    Ahead,
    Baseline,
    BaselineState,
    Failure,
    Json,
    Kind,
    Listing,
    Report,
    ServerState,
    Severity,
    Snapshot,
)
from driftwatch.review.ahead import approve_ahead
from driftwatch.review.candidate import Candidate, sections_missing
from driftwatch.store.store import Store
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.judging import reported
from driftwatch.watch.known import before_of, facts_of, policy_of
from driftwatch.watch.seen import Seen, see
from driftwatch.watch.supply import versions
from driftwatch.watch.supply.launch import configured

LOOKS: Final = 2
"""How often a candidate is looked at."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One list that a candidate showed, as it was judged. `looks` says at how many of the looks it did."""

    snapshot: Snapshot
    report: Report
    looks: int = 1


class _Sight(NamedTuple):
    """What one look saw; a capture says nothing of how it was listed."""

    snapshot: Snapshot
    listing: Listing | None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a candidate came to, beside the baseline that it was held against (None: nothing was seen yet).

    `lists` are those that it showed, the worst first: more than one are two faces. `failure` says why it could not be
    seen; then there is nothing to approve, whatever it showed before. `differing` names the places where two of its
    lists differ, as (kind, key, pointer). `before` is the baseline's list, `ahead` the approval that waits for what was
    shown, if there is one.
    """

    server: str
    candidate: Candidate
    baseline: Baseline | None
    at: datetime
    lists: tuple[Shown, ...] = ()
    failure: Failure | None = None
    differing: tuple[tuple[Kind, str, str], ...] = ()
    before: Snapshot | None = None
    ahead: Ahead | None = None

    @property
    def report(self) -> Report | None:
        """The report of the worst list, None where none was shown."""
        return self.lists[0].report if self.lists else None

    @property
    def snapshot(self) -> Snapshot | None:
        """The worst list, None where none was shown."""
        return self.lists[0].snapshot if self.lists else None

    @property
    def is_steady(self) -> bool:
        """Whether it showed one list, each time."""
        return self.failure is None and len(self.lists) == 1

    @property
    def is_approved(self) -> bool:
        """Whether it shows the very list that is approved."""
        if self.baseline is None or not self.is_steady:
            return False
        approved = self.baseline.state is BaselineState.APPROVED
        return approved and self.baseline.digest == self.lists[0].snapshot.digest

    @property
    def package(self) -> dict[str, Json]:
        """The package that ran, as the launch names it (see `driftwatch.watch.supply.launch`); empty for none."""
        launched = self.snapshot.of(Kind.LAUNCH) if self.snapshot is not None else ()
        found = launched[0].raw.get("package") if launched and isinstance(launched[0].raw, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def ran(self) -> str:
        """The version of the package that really ran, empty where nobody could tell it."""
        version = self.package.get("version")
        return version if isinstance(version, str) else ""

    @property
    def version(self) -> str:
        """The version that this is about: the one that ran, else the one that was asked for; empty for none."""
        return self.ran or self.candidate.version

    @property
    def is_other_version(self) -> bool:
        """Whether another version ran than the one that was asked for."""
        asked = self.candidate.version
        if not asked or not self.ran:
            return False
        kind = "pypi" if self.package.get("ecosystem") == "pypi" else "npm"
        keys = versions.key(kind, asked), versions.key(kind, self.ran)
        return keys[0] != keys[1] or (None in keys and asked != self.ran)


async def preview(
    store: Store,
    settings: Settings,
    fetcher: Fetcher,
    candidate: Candidate,
    *,
    now: Callable[[], datetime],
    looks: int = LOOKS,
    looked: Callable[[int], None] = lambda _: None,
) -> Preview:
    """Look at a candidate and judge what it shows. Neither the store nor the live server is touched.

    What a check would know beside the lists is known here too, but for what is about the live server alone: that it
    goes to and fro, what others are shown, what else was approved ahead. `looked` is told of each look when it is over.

    Raises:
        StoreError: the database could not be read.

    """
    name = candidate.server.name
    state = await asyncio.to_thread(store.state, name)
    seen: list[_Sight] = []
    failure: Failure | None = None
    if candidate.capture is not None:
        seen.append(_Sight(take(candidate.capture.document, candidate.capture.oddities), None))
    else:
        last = partial(_last, store, state)
        for number in range(looks):
            # In the era in which a check will speak to it: another one may show another list.
            outcome = await fetcher.fetch(candidate.server, era=state.era)
            found = await asyncio.to_thread(see, outcome, last)
            looked(number + 1)
            if not isinstance(found, Seen):
                failure = found
                break
            seen.append(_Sight(found.snapshot, found.listed.listing))
    lists = await asyncio.to_thread(_judged, store, settings, state, seen, now())
    aheads = await asyncio.to_thread(store.aheads, name, at=now())
    return Preview(
        server=name,
        candidate=candidate,
        baseline=state.baseline,
        at=now(),
        lists=tuple(lists),
        failure=failure,
        differing=_differing([sight.snapshot for sight in seen]),
        before=await asyncio.to_thread(store.snapshot, state.baseline.digest) if state.baseline else None,
        ahead=next((one for one in aheads if lists and one.digest == lists[0].snapshot.digest), None),
    )


def approve(
    store: Store,
    settings: Settings,
    seen: Preview,
    *,
    digest: str | None = None,
    by: Actor,
    note: str = "",
    now: datetime,
    until: datetime | None = None,
) -> Ahead:
    """Approve ahead of its roll-out what a preview showed, bound to the version that was asked for, if one was.

    `digest` (a prefix is enough) names the list that a person read; without it there must be but one.

    Raises:
        UnknownDigestError: the candidate shows no such list now.
        NothingToDoError: that list is approved already.
        UsageError: it could not be seen, shows more than one list, is of another version than was asked for, or is a
            capture that does not say all that a look sees.
        StaleReviewError: another list was approved since it was judged; nothing was written.
        StoreError: the database could not be written.

    """
    snapshot = chosen(seen, digest)
    asked = seen.candidate.version
    version = (packaged(snapshot) or asked) if asked else ""
    return approve_ahead(
        store,
        settings,
        seen.server,
        snapshot,
        version=version,
        by=by,
        note=note,
        now=now,
        until=until,
        judged_against=seen.baseline.digest if seen.baseline else None,
    )


def chosen(seen: Preview, digest: str | None) -> Snapshot:
    """Give the list that an approval of a preview would be for; see `approve` for what it raises."""
    if seen.failure is not None:
        raise UsageError("It could not be looked at, so there is nothing to approve.", hint="Look again.")
    if seen.is_other_version:
        raise UsageError(
            f"Version {safe(seen.candidate.version)} was asked for, and {safe(seen.ran)} is what ran.",
            hint="Nothing was approved. Preview the version that is to be approved.",
        )
    if seen.candidate.capture is not None:
        _whole(seen)
    found = [one.snapshot for one in seen.lists if digest is None or _begins(one.snapshot.digest, digest)]
    if not found:
        shows = " and ".join(one.snapshot.digest for one in seen.lists)
        raise UnknownDigestError(
            f"It does not show {digest} now, but {shows}.",
            hint="Nothing was approved. Read what it shows, then decide.",
        )
    if len(found) > 1:
        raise UsageError(
            "It shows another list from one start to the next.",
            hint="To approve one of them all the same, name it with --digest: any other one will be told.",
        )
    return found[0]


def _begins(digest: str, prefix: str) -> bool:
    return digest.removeprefix("sha256:").startswith(prefix.lower().removeprefix("sha256:"))


def _whole(seen: Preview) -> None:
    """Refuse a capture that no look can ever show the like of."""
    missing = sections_missing(seen.lists[0].snapshot.sections)
    if missing:
        raise UsageError(
            f"This file does not say all that a look sees: it lacks {', '.join(missing)}.",
            hint="Give what driftwatch export wrote, or preview the server itself.",
        )
    if not seen.version and "package" in configured(seen.candidate.server):
        raise UsageError("A file does not say which version it is of.", hint="Add it: --version 1.2.4")


def _last(store: Store, state: ServerState) -> Snapshot | None:
    return store.snapshot(state.last_digest) if state.last_digest else None


def _judged(store: Store, settings: Settings, state: ServerState, seen: Sequence[_Sight], now: datetime) -> list[Shown]:
    """Judge each list once; the worst first, and of equals the one that was seen last."""
    found: dict[str, Shown] = {}
    for sight in reversed(seen):
        known = found.get(sight.snapshot.digest)
        if known is None:
            known = Shown(sight.snapshot, _report(store, settings, state, sight, now), looks=0)
        found[sight.snapshot.digest] = replace(known, looks=known.looks + 1)
    return sorted(found.values(), key=lambda one: -(one.report.worst or Severity.INFO).rank)


def _report(store: Store, settings: Settings, state: ServerState, sight: _Sight, now: datetime) -> Report:
    """Judge a list against the baseline; where nobody approved one, by itself as well."""
    live = sight.snapshot
    before = before_of(store, state.baseline, live)
    facts = facts_of(store, settings, state, live, now=now, listing=sight.listing)
    own = replace(facts, flapping=None, faces=(), reviewed=())
    policy = policy_of(settings, settings.find(state.server))
    report = reported(before, state.baseline, live, own, policy=policy, now=now)
    compared = state.baseline is not None and (state.baseline.state is BaselineState.APPROVED or before != live)
    return report if compared else replace(report, baseline_digest="")


def _differing(snapshots: Sequence[Snapshot]) -> tuple[tuple[Kind, str, str], ...]:
    """Name the places where the lists of two looks differ, each once."""
    if len({snapshot.digest for snapshot in snapshots}) < 2:
        return ()
    other = next(one for one in snapshots if one.digest != snapshots[0].digest)
    changes = compare_snapshots(snapshots[0], other).changes
    return tuple(dict.fromkeys((change.kind, change.key, change.pointer) for change in changes))
