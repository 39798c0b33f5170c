"""The bumps verb: what a pull request changes of MCP servers is looked at, the old beside the new, and judged.

Nothing of the pull request is believed but what it wants started: policy and expectations are those of the base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.config.words import safe
from driftwatch.judge.behaviour import DIFFERS
from driftwatch.judge.facts import Facts
from driftwatch.judge.judge import scan_snapshot
from driftwatch.judge.landing import running
from driftwatch.judge.snapshot import digest_of, snapshot_of
from driftwatch.model import (
    Baseline,
    BaselineState,
    Finding,
    Item,
    Json,
    Kind,
    Report,
    Severity,
    Snapshot,
    hidden_of,
    shown_of,
)
from driftwatch.model.commands import command
from driftwatch.report.subject import NOTHING, Judged, Subject
from driftwatch.review import lock
from driftwatch.review.candidate import Candidate
from driftwatch.review.changed import Bump, Side, bumps, only_locked, unread
from driftwatch.review.lockfile import Locked
from driftwatch.review.otherwise import Otherwise, otherwise
from driftwatch.review.pins import version_of
from driftwatch.review.preview import LOOKS, Preview, preview
from driftwatch.review.previewed import doubts
from driftwatch.review.startable import Startable, Unfit, startable
from driftwatch.review.starts import Start
from driftwatch.store.store import Store
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.judging import reported, ruled
from driftwatch.watch.policy import policy_of
from driftwatch.watch.supply.launch import configured

MOST: Final = 40
"""Changes of one pull request that are looked at."""

AFTER: Final = "what this change starts"
_BEFORE: Final = "what was started before"
_LEFT: Final = "This change bumps {} and leaves the lock file as it was. Run: {} (or approve the bump, and run: {})."
_PLACEHOLDERS: Final = "It was started without its secrets: its variables ({}) held placeholders."


@dataclass(frozen=True, slots=True)
class Looking:
    """With what is looked: where previews are worked out, the settings of the base, and how.

    `store` is one without a past, `trial` gives a fetcher that shares nothing with the one before, `folder` is empty.
    """

    store: Store
    settings: Settings
    trial: Callable[[], AbstractContextManager[Fetcher]]
    folder: str
    now: Callable[[], datetime]
    looks: int = LOOKS
    network: bool = False


@dataclass(frozen=True, slots=True)
class _Sight:
    """What one side of a bump came to: its lists, the one to be judged first, or why there is none."""

    lists: tuple[Snapshot, ...] = ()
    notes: tuple[str, ...] = ()
    trouble: str = ""


async def judged_bumps(
    base: Side, head: Side, looking: Looking, *, on_done: Callable[[str], None] = lambda _: None
) -> list[Judged]:
    """Look at all that changed from one side to the other, and judge it.

    Raises:
        StoreError: the database without a past could not be read.

    """
    found = []
    changed = bumps(base, head)
    for one in changed[:MOST]:
        found.append(await _bumped(one, base, head, looking))
        on_done(one.now.server)
    found += [
        _not_looked(one, f"more than {MOST} servers changed, and this one was not looked at") for one in changed[MOST:]
    ]
    found += [_locked_only(name, base, head, looking) for name in only_locked(base, head, changed)]
    found += [_told(one) for one in otherwise(base, head, changed)]
    for path, why in unread(base, head).items():
        found.append(Judged(Subject(after=path, file=path, line=1), NOTHING, trouble=why))
    if head.lock_trouble:
        about = Subject(after=head.lock_file, file=head.lock_file, line=1)
        found.append(Judged(about, NOTHING, trouble=head.lock_trouble))
    return found


async def _bumped(bump: Bump, base: Side, head: Side, looking: Looking) -> Judged:
    """Look at the new, and at the old where the lock file of the base does not have it; then judge."""
    after = await _look(bump.now, looking)
    if after.trouble:
        return _not_looked(bump, after.trouble)
    locked = base.locked.get(bump.now.server)
    before = await _before(bump, locked, looking)
    judged = [_judged(bump, before, one, looking, is_locked=locked is not None) for one in after.lists]
    worst = max(judged, key=lambda one: one.rank)
    more, said = _beside_the_lock(bump, base, head, after.lists)
    notes = [*after.notes, *before.notes, *said]
    if bump.also:
        notes.append(f"The same change stands in {', '.join(map(safe, bump.also))}.")
    findings = tuple(sorted((*worst.report.findings, *more), key=lambda finding: finding.order))
    return replace(worst, report=replace(worst.report, findings=findings, notes=(*worst.report.notes, *notes)))


async def _before(bump: Bump, locked: Locked | None, looking: Looking) -> _Sight:
    """Give what the server showed before: what the lock file of the base has, else what it shows when it is started."""
    if locked is not None and locked.content is not None:
        return _Sight((locked.content,))
    if bump.was is None:
        return _Sight(notes=("It is new here: there is nothing to hold it against, and it was read by itself.",))
    seen = await _look(bump.was, looking)
    if seen.trouble:
        return _Sight(
            notes=(f"What was there before could not be looked at ({seen.trouble}), so this was read by itself.",)
        )
    more = ("What was there before shows another list from one start to the next.",) if len(seen.lists) > 1 else ()
    return _Sight(seen.lists[:1], more)


async def _look(start: Start, looking: Looking) -> _Sight:
    """Start a server as a pull request has it, as often as is asked for; never outside of a sandbox."""
    fit = startable(start, folder=looking.folder, network=looking.network)
    if isinstance(fit, Unfit):
        return _Sight(trouble=f"it is not started for a pull request: {fit.why}")
    package = start.package
    candidate = Candidate(fit.started, fit.written.shown_command, version_of(package) if package is not None else "")
    with looking.trial() as fetcher:
        seen = await preview(looking.store, looking.settings, fetcher, candidate, now=looking.now, looks=looking.looks)
    if seen.failure is not None:
        again = " a second time" if seen.lists else ""
        return _Sight(trouble=f"{seen.failure.code}{again}: {seen.failure.detail}")
    lists = tuple(_as_written(one.snapshot, fit) for one in seen.lists)
    return _Sight(lists, tuple(_notes(seen, fit)))


def _notes(seen: Preview, fit: Startable) -> Iterator[str]:
    names = sorted(fit.written.env)
    if names:
        yield _PLACEHOLDERS.format(", ".join(safe(name) for name in names[:8]))
    yield from doubts(seen)


def _as_written(snapshot: Snapshot, fit: Startable) -> Snapshot:
    """Give a list with the launch that the repository has, not the one by which it was looked at; what ran stays."""
    ran = [item.raw for item in snapshot.of(Kind.LAUNCH)]
    launch: dict[str, Json] = configured(fit.written)
    package = ran[0].get("package") if ran and isinstance(ran[0], dict) else None
    if isinstance(package, dict):
        known = {key: package[key] for key in ("version", "digest") if key in package}
        launch["package"] = {**launch.get("package", {}), **known}
    return _launched(snapshot, launch)


def _launched(snapshot: Snapshot, launch: dict[str, Json]) -> Snapshot:
    others = [item for item in snapshot.items if item.kind is not Kind.LAUNCH]
    return snapshot_of([*others, Item(Kind.LAUNCH, "", launch, digest_of(launch))], snapshot.sections | {Kind.LAUNCH})


def _judged(bump: Bump, before: _Sight, live: Snapshot, looking: Looking, *, is_locked: bool) -> Judged:
    """Judge one list beside what was there before, as a check would; without that by itself."""
    server, settings, now = bump.now.server, looking.settings, looking.now()
    policy = policy_of(settings, settings.find(server))
    facts = Facts(server=server, expectations=policy.expect)
    subject = replace(_subject(bump), after_version=running(live), looked_at=now)
    if not before.lists:
        found = ruled(scan_snapshot(live, facts, gathered=False).findings, (), policy, now)
        report = Report(shown_of(found), "", live.digest, hidden=hidden_of(found))
        return Judged(subject, report, None, live)
    was = _beside(before.lists[0], live) if is_locked else before.lists[0]
    baseline = Baseline(server, was.digest, BaselineState.APPROVED, since=now)
    report = reported(was, baseline, live, facts, policy=policy, now=now)
    said = lock.IN_THE_LOCK if is_locked else _BEFORE
    return Judged(replace(subject, before=said, before_version=running(was)), report, was, live)


def _beside(locked: Snapshot, live: Snapshot) -> Snapshot:
    """Give a locked list with nothing in its launch that a file which starts the server does not say."""
    was, now = ([item.raw for item in one.of(Kind.LAUNCH)] for one in (locked, live))
    if not was or not now or not isinstance(was[0], dict):
        return locked
    return _launched(locked, {key: value for key, value in was[0].items() if key in now[0]})


def _left(server: str) -> str:
    """Say that the lock file knows nothing of a bump, and how it comes to."""
    return _LEFT.format(server, command("lock", "write", "--from-look", server), command("lock", "write", server))


def _beside_the_lock(
    bump: Bump, base: Side, head: Side, lists: Sequence[Snapshot]
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Say whether the lock file of the change itself has what was seen: a note where it has, or was left as it was.

    A finding it is only where the change wrote into the lock file what was not seen.
    """
    mine, was = head.locked.get(bump.now.server), base.locked.get(bump.now.server)
    if mine is None:
        return (), ()
    is_left = was is not None and was.facts == mine.facts
    if {one.body for one in lists} == {str(mine.facts["body"])}:
        package = bump.now.package
        is_behind = is_left and package is not None and version_of(package) not in {"", mine.version}
        left = (_left(bump.now.server),) if is_behind and mine.version else ()
        return (), ("The lock file of this change has just this list.", *left)
    if is_left:
        return (), (_left(bump.now.server),)
    message = "The lock file of this change has another list than the one that was seen here. Find out why first."
    seen = sorted({one.body for one in lists})
    return (
        (Finding(DIFFERS, Severity.MEDIUM, Kind.SERVER, "", "", message, before=mine.digest, after=seen),),
        (),
    )


def _locked_only(name: str, base: Side, head: Side, looking: Looking) -> Judged:
    """Judge what the lock file says of a server that nothing in the repository starts: nobody can look at it."""
    mine, now = head.locked[name], looking.now()
    about = Subject(server=name, after="what the lock file of this change has", file=head.lock_file, line=1)
    if mine.content is None:
        return Judged(about, NOTHING, trouble="the lock file says that it changed, and has digests alone of it")
    note = "This is what the lock file says. Nothing in the repository starts the server, so it was not looked at."
    was = base.locked.get(name)
    if was is None:
        found = _judged(
            Bump(Start(name, ("-",), (), head.lock_file), None), _Sight(), mine.content, looking, is_locked=False
        )
    else:
        found = lock.compared(was, mine.content, settings=looking.settings, now=now)
    subject = replace(found.subject, after=about.after, file=about.file, line=1, reached="", commands=())
    return replace(found, subject=subject, report=replace(found.report, notes=(*found.report.notes, note)))


def _subject(bump: Bump) -> Subject:
    """Say what was looked at."""
    package = bump.was.package if bump.was is not None else None
    now = bump.now.package
    return Subject(
        server=bump.now.server,
        after=AFTER,
        before_version=version_of(package) if package is not None else "",
        after_version=version_of(now) if now is not None else "",
        reached=_shown(bump.now),
        file=bump.now.file,
        line=bump.now.line,
    )


def _shown(start: Start) -> str:
    fit = startable(start, folder="/", network=False)
    return fit.written.shown_command if isinstance(fit, Startable) else ""


def _not_looked(bump: Bump, trouble: str) -> Judged:
    return Judged(_subject(bump), NOTHING, trouble=trouble)


def _told(one: Otherwise) -> Judged:
    about = Subject(server=one.server, after="" if one.server else one.file, file=one.file, line=one.line)
    return Judged(about, NOTHING, trouble=one.said)
