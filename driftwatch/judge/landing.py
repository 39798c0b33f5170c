"""Whether what a server shows is what a person approved before it did. Pure.

A list lands when it is the very one that was reviewed. It also lands when the server shows the same, and is reached as
it was approved but for what a bump itself changes: the version of the package, in the command and in what runs. Then
the version that really runs must be the one that was approved, with the files that were reviewed where those are known.
"""

from __future__ import annotations

import re

from driftwatch.judge.composite import differing
from driftwatch.judge.facts import Reviewed
from driftwatch.judge.launches import apart_from_package, table, text, texts
from driftwatch.model import Json, Kind, Place, Snapshot

_BUMPED = frozenset({"args", "package"})
"""The keys of a launch that a bump of a version changes."""

_BUILT = frozenset({"executable", "script"})
"""The keys that a preview may find otherwise than the baseline has them: either will do."""

_ASKED = re.compile(r"(?:==|@|:)v?([^@:=/\s]+)\Z")
"""The version in a package as it is asked for: `name@1.2.3`, `name==1.2.3`, `image:1.2.3`."""


def running(shown: Snapshot) -> str:
    """Give the version that runs: of the package, as it is pinned, or as the server calls itself; empty for unknown."""
    return _packaged(_launch(shown)) or _called(shown)


def packaged(shown: Snapshot) -> str:
    """Give the version of the package that runs, or that is pinned; empty for unknown."""
    return _packaged(_launch(shown))


def lands(reviewed: Reviewed, baseline: Snapshot | None, live: Snapshot) -> bool:
    """Say whether a server now shows what was approved ahead; `baseline` is what it was held against until now."""
    if live.digest == reviewed.snapshot.digest:
        return True
    return live.body == reviewed.snapshot.body and _reached_alike(reviewed, baseline, live)


def concerns(reviewed: Reviewed, baseline: Snapshot, live: Snapshot) -> bool:
    """Say whether what a server shows is to be held against an approval ahead that did not land.

    It is when that very version runs; where none was named, whenever the server shows anything new.
    """
    if live.digest == baseline.digest or lands(reviewed, baseline, live):
        return False
    if not reviewed.version:
        return True
    version, expected = running(live), running(reviewed.snapshot)
    return _same(version, reviewed.version) or (_same(version, expected) and not _same(expected, running(baseline)))


def passes_by(reviewed: Reviewed, baseline: Snapshot, live: Snapshot) -> bool:
    """Say whether a server went to another version than the one that an approval ahead goes on to wait for."""
    if not reviewed.version or lands(reviewed, baseline, live) or concerns(reviewed, baseline, live):
        return False
    version = running(live)
    return bool(version) and not _same(version, running(baseline))


def departures(reviewed: Reviewed, baseline: Snapshot, live: Snapshot) -> tuple[Place, ...]:
    """Give the places at which a server shows something else than was reviewed."""
    found = differing(reviewed.snapshot, live)
    if _reached_alike(reviewed, baseline, live):
        return tuple(place for place in found if place[0] is not Kind.LAUNCH)
    return found


def _reached_alike(reviewed: Reviewed, baseline: Snapshot | None, live: Snapshot) -> bool:
    """Say whether a server is reached as was approved, or as was reviewed, but for the version that was reviewed."""
    now, then = _launch(live), _launch(reviewed.snapshot)
    approved = _launch(baseline) if baseline is not None else None
    if now is None:
        return True
    if approved is None:
        return (then is None or _is_same_package(then, now)) and _version_fits(reviewed, now, approved)
    known = [launch for launch in (approved, then) if launch is not None]
    return any(
        _alike(launch, now, known) and _package_fits(launch, now) and _version_fits(reviewed, now, launch)
        for launch in known
    )


def _alike(known: dict[str, Json], now: dict[str, Json], either: list[dict[str, Json]]) -> bool:
    """Say whether two launches are the same apart from the package, and what runs is one of those known."""
    keys = {*known, *now} - _BUMPED - _BUILT
    if any(known.get(key) != now.get(key) for key in keys):
        return False
    if any(now.get(key) not in [launch.get(key) for launch in either] for key in _BUILT):
        return False
    return apart_from_package(known, texts(known.get("args"))) == apart_from_package(now, texts(now.get("args")))


def _package_fits(known: dict[str, Json], now: dict[str, Json]) -> bool:
    """Say whether the package is the same one, and no less pinned."""
    was, runs = table(known, "package"), table(now, "package")
    return _is_same_package(known, now) and not (was.get("pinned") is True and runs.get("pinned") is False)


def _is_same_package(known: dict[str, Json], now: dict[str, Json]) -> bool:
    was, runs = table(known, "package"), table(now, "package")
    return all(was.get(key) == runs.get(key) for key in ("ecosystem", "name"))


def _version_fits(reviewed: Reviewed, now: dict[str, Json], known: dict[str, Json] | None) -> bool:
    """Say whether the version that runs is the one approved, with the files that were reviewed."""
    then = table(_launch(reviewed.snapshot), "package")
    runs = table(now, "package")
    if text(then, "version") == text(runs, "version") and _differ(text(then, "digest"), text(runs, "digest")):
        return False
    wanted, version = reviewed.version or text(then, "version"), _packaged(now)
    if wanted and version:
        return _same(wanted, version)
    # Nobody can tell the version: then nothing about the package may have changed.
    return known is None or table(known, "package") == runs


def _differ(one: str, other: str) -> bool:
    return bool(one) and bool(other) and one != other


def _same(one: str, other: str) -> bool:
    return bool(one) and one.removeprefix("v") == other.removeprefix("v")


def _packaged(launch: dict[str, Json] | None) -> str:
    package = table(launch, "package")
    asked = _ASKED.search(text(package, "asked")) if package.get("pinned") is True else None
    return text(package, "version") or (asked[1] if asked else "")


def _called(shown: Snapshot) -> str:
    server = shown.of(Kind.SERVER)
    return text(table(server[0].raw, "serverInfo"), "version") if server else ""


def _launch(shown: Snapshot) -> dict[str, Json] | None:
    found = shown.of(Kind.LAUNCH)
    return found[0].raw if found and isinstance(found[0].raw, dict) else None
