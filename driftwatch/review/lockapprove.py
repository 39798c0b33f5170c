"""A merged lock file as the approval: the baselines move to what it holds, and the commit says who and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from driftwatch.config.schema import Settings
from driftwatch.errors import NothingToDoError, UsageError
from driftwatch.model import Actor, Snapshot
from driftwatch.review.ahead import approve_ahead
from driftwatch.review.approve import approve, is_approved
from driftwatch.review.checkout import Checkout, Commit
from driftwatch.review.choice import Choice
from driftwatch.review.lockfile import Locked, content_name, portable
from driftwatch.review.said import NAME, NOTE
from driftwatch.store.store import Store

_LATEST: Final = 200
"""Lists of a server that are looked through for the one that a lock file means."""


class Came(StrEnum):
    """What became of one server of a lock file. The value is public (`--format json`)."""

    SAME = "approved-already"
    APPROVED = "approved"
    AHEAD = "approved-ahead"
    UNKNOWN = "not-configured"
    BARE = "content-missing"
    """The list was never seen here, and the lock file has digests alone of it: there is nothing to approve."""

    @property
    def is_done(self) -> bool:
        """Whether what the lock file says of it holds now."""
        return self in {Came.SAME, Came.APPROVED, Came.AHEAD}


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one server; `digest` is that of the list here, empty where there is none."""

    server: str
    came: Came
    digest: str = ""


def committed(checkout: Checkout, path: str, *, branch: str = "", force: bool = False) -> Commit:
    """Give the commit that a lock file stands for: the last one that changed it or what lies beside it.

    `path` is the lock file's, relative to the top of the checkout. `branch` names where it must be merged; by default
    that is the branch that the remote calls its own, where the checkout knows of one. With `force` a file that differs
    from its commit, or is merged nowhere, is taken all the same.

    Raises:
        UsageError: it is not committed, differs from what is, has conflicts, or is not merged.

    """
    paths = [path, str(Path(path).parent / Path(content_name("x")).parent)]
    found = checkout.last(paths)
    if found is None:
        raise UsageError("The lock file is in no commit.", hint="Commit it: the commit says who approves, and why.")
    if force:
        return found
    if checkout.dirty(paths):
        raise UsageError(
            "The lock file, or a file beside it, differs from the last commit or has conflicts.",
            hint="Commit what is to be approved, or take it back. --force takes it as it is.",
        )
    into = branch or "origin/HEAD"
    if (branch or checkout.has(into)) and not checkout.holds(checkout.commit(into), found.id):
        raise UsageError(
            f"The commit {found.short} is not merged into {into}.",
            hint="Approve it once it is. --branch names another branch, --force takes it as it is.",
        )
    return found


def take_over(
    store: Store,
    settings: Settings,
    locked: Mapping[str, Locked],
    commit: Commit,
    *,
    now: datetime,
    through: str = "",
) -> Iterator[Taken]:
    """Approve what a lock file holds, server by server, as what the author of the commit decided.

    Where the server showed that list, its baseline moves to it. Where it did not yet, the list is approved ahead, for
    the version that the lock file names. `through` says who ran the command.

    Raises:
        StoreError: the database could not be read or written; what was approved by then stays.

    """
    name = commit.author.strip()[:NAME] or commit.mail.strip()[:NAME] or "nobody named"
    by = Actor(name, f"lock {commit.short}")
    tail = f" (lock file, commit {commit.short}{f', taken over by {through}' if through else ''})"
    note = f"{commit.subject.strip()[: NOTE - len(tail)]}{tail}"
    base = settings.path.parent if settings.path is not None else None
    for one in locked.values():
        yield _taken(store, settings, one, by=by, note=note, now=now, base=base)


def _taken(
    store: Store, settings: Settings, one: Locked, *, by: Actor, note: str, now: datetime, base: Path | None
) -> Taken:
    if settings.find(one.name) is None:
        return Taken(one.name, Came.UNKNOWN)
    seen = _seen(store, one, base)
    baseline = store.baseline(one.name)
    kept = store.snapshot(baseline.digest) if baseline is not None else None
    if kept is not None and is_approved(baseline, kept.digest) and portable(kept, base).digest == one.digest:
        return Taken(one.name, Came.SAME, kept.digest)
    if seen is not None:
        # A lock file has nothing of what other identities are shown: nobody read that.
        approve(store, settings, one.name, digest=seen.digest, by=by, note=note, now=now, choice=Choice(alone=True))
        return Taken(one.name, Came.APPROVED, seen.digest)
    return _ahead(store, settings, one, by=by, note=note, now=now)


def _ahead(store: Store, settings: Settings, one: Locked, *, by: Actor, note: str, now: datetime) -> Taken:
    """Approve ahead what the server did not show yet. That a commit is taken over again makes it good for no longer."""
    if one.content is None:
        return Taken(one.name, Came.BARE)
    waiting = {(kept.digest, kept.origin) for kept in store.waiting_aheads(one.name, now)}
    try:
        if (one.content.digest, by.origin) not in waiting:
            approve_ahead(store, settings, one.name, one.content, version=one.version, by=by, note=note, now=now)
    except NothingToDoError:
        return Taken(one.name, Came.SAME, one.content.digest)
    return Taken(one.name, Came.AHEAD, one.content.digest)


def _seen(store: Store, one: Locked, base: Path | None) -> Snapshot | None:
    """Give the list that a lock file means, of those that the server showed here: the last that it did."""
    state = store.state(one.name)
    shown = [sighting.digest for sighting in reversed(store.sightings(one.name, limit=_LATEST))]
    for digest in dict.fromkeys([state.last_digest, *shown]):
        snapshot = store.snapshot(digest) if digest else None
        if snapshot is not None and portable(snapshot, base).digest == one.digest:
            return snapshot
    return None
