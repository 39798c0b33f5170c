"""What a registry says of a package: its newest release, and whether the version in use was taken back.

- npm: the packument (`GET /NAME`; the abbreviated form is asked for, the full one is read as well): `dist-tags.latest`,
  `versions` with `deprecated`, `time`.
- Python: the Simple API in JSON (PEP 691, `GET /NAME/`; `versions` since PEP 700, `yanked` of files by PEP 592,
  `project-status` by PEP 792), or the JSON interface of an index (`GET /NAME/json`) where the address ends in `/pypi`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol
from urllib.parse import quote

from driftwatch.config.packages import normal
from driftwatch.model import Json, Package, Withdrawn
from driftwatch.watch.supply.asking import Answer, Asker, Trouble
from driftwatch.watch.supply.versions import is_newer, newest

_NPM_JSON = "application/vnd.npm.install-v1+json, application/json;q=0.8"
_SIMPLE_JSON = "application/vnd.pypi.simple.v1+json, application/json;q=0.5"
_REASON = 500
_VERSION = 100
_FILE = 400


@dataclass(frozen=True, slots=True)
class Released:
    """The newest version and when it came, the same where it is newer than the one in use, and that one's state."""

    latest: str = ""
    latest_at: datetime | None = None
    newer: str = ""
    withdrawn: Withdrawn | None = None
    reason: str = ""


class Registry(Protocol):
    """Knows the releases of packages of one ecosystem."""

    async def released(self, package: Package) -> Released | Trouble:
        """Say what is released of a package. Whatever the registry does wrong is a `Trouble`."""
        ...


class NpmRegistry:
    """A registry of npm packages."""

    def __init__(self, asker: Asker) -> None:
        """Take who asks its address."""
        self._asker = asker

    async def released(self, package: Package) -> Released | Trouble:
        """Say what is released of a package."""
        answer = await self._asker.get(f"/{quote(package.name, safe='@')}", accept=_NPM_JSON)
        return await _read(read_packument, answer, package)


class PythonIndex:
    """An index of Python packages."""

    def __init__(self, asker: Asker, *, simple: bool) -> None:
        """Take who asks its address, and which of the two interfaces answers there."""
        self._asker = asker
        self._simple = simple

    async def released(self, package: Package) -> Released | Trouble:
        """Say what is released of a package."""
        name = quote(normal(package.name), safe="")
        if self._simple:
            answer = await self._asker.get(f"/{name}/", accept=_SIMPLE_JSON)
            return await _read(read_simple, answer, package)
        answer = await self._asker.get(f"/{name}/json")
        return await _read(read_project, answer, package)


async def _read(
    read: Callable[[Json, Package], Released | Trouble], answer: Answer | Trouble, package: Package
) -> Released | Trouble:
    """Read an answer aside: one about thousands of releases takes a while."""
    return await asyncio.to_thread(read, answer.value, package) if isinstance(answer, Answer) else answer


def read_packument(value: Json, package: Package) -> Released | Trouble:
    """Read what an npm registry answers about a package."""
    versions, tags = _object(value, "versions"), _object(value, "dist-tags")
    if not versions and not tags:
        return Trouble("the answer is no npm package")
    latest = _version(tags.get("latest"))
    mine = versions.get(package.version or latest)
    deprecated = mine.get("deprecated") if isinstance(mine, Mapping) else None
    withdrawn, reason = None, ""
    if package.version and versions and package.version not in versions:
        withdrawn = Withdrawn.GONE
    elif deprecated:  # Mostly its maker's words, sometimes only true.
        withdrawn, reason = Withdrawn.DEPRECATED, _words(deprecated)
    return _released(package, latest, _time(_object(value, "time").get(latest)), withdrawn, reason)


def read_simple(value: Json, package: Package) -> Released | Trouble:
    """Read what the Simple API answers about a project."""
    files = value.get("files") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(files, list):
        return Trouble("the answer is no Python project")
    by_version: dict[str, list[Mapping[str, Json]]] = {}
    for file in files:
        if isinstance(file, Mapping) and (version := _version_of_file(file.get("filename"), package.name)):
            by_version.setdefault(version, []).append(file)
    listed = value.get("versions")
    names = {version for version in listed if isinstance(version, str)} if isinstance(listed, list) else set()
    yanked = {version: reason for version, its in by_version.items() if (reason := _yanked(its)) is not None}
    times = {version: _first_time(its, "upload-time") for version, its in by_version.items()}
    return _of_python(package, names | set(by_version), yanked, times, _status(value))


def read_project(value: Json, package: Package) -> Released | Trouble:
    """Read what the JSON interface of an index answers about a project."""
    releases, info = _object(value, "releases"), _object(value, "info")
    if not info:
        return Trouble("the answer is no Python project")
    files = {
        version: [file for file in its if isinstance(file, Mapping)]
        for version, its in releases.items()
        if isinstance(its, list) and its
    }
    yanked = {
        version: reason for version, its in files.items() if (reason := _yanked(its, "yanked_reason")) is not None
    }
    times = {version: _first_time(its, "upload_time_iso_8601") for version, its in files.items()}
    names = set(files) or {_version(info.get("version"))} - {""}
    return _of_python(package, names, yanked, times, _status(value), complete=bool(files))


def _of_python(
    package: Package,
    names: set[str],
    yanked: Mapping[str, str],
    times: Mapping[str, datetime | None],
    status: tuple[str, str],
    *,
    complete: bool = True,
) -> Released:
    latest = _version(newest(names - set(yanked)))
    mine = package.version or latest
    withdrawn, reason = None, ""
    if status[0] == "quarantined":
        withdrawn, reason = Withdrawn.QUARANTINED, status[1]
    elif mine in yanked:
        withdrawn, reason = Withdrawn.YANKED, yanked[mine]
    elif package.version and complete and not any(_same(package.version, name) for name in names):
        withdrawn = Withdrawn.GONE
    elif status[0] in {"deprecated", "archived"}:
        withdrawn, reason = Withdrawn.DEPRECATED, status[1]
    return _released(package, latest, times.get(latest), withdrawn, reason)


def _released(package: Package, latest: str, at: datetime | None, withdrawn: Withdrawn | None, reason: str) -> Released:
    newer = latest if package.version and is_newer(package.ecosystem, latest, package.version) else ""
    return Released(latest, at, newer, withdrawn, reason)


def _same(one: str, other: str) -> bool:
    """Say whether two spellings are one version: neither comes after the other."""
    return one == other or not (is_newer("pypi", one, other) or is_newer("pypi", other, one))


def _version_of_file(name: Json, project: str) -> str:
    """Give the version that a file's name tells: of a wheel (PEP 427) or of a source archive (PEP 625)."""
    if not isinstance(name, str) or len(name) > _FILE:
        return ""
    if name.endswith(".whl"):
        parts = name.split("-")
        return _version(parts[1]) if len(parts) >= 5 else ""
    stem = re.sub(r"\.(tar\.(gz|bz2|xz)|zip|egg)\Z", "", name)
    for at, char in enumerate(stem):
        if char == "-" and normal(stem[:at]) == normal(project):
            return _version(stem[at + 1 :])
    return ""


def _yanked(files: list[Mapping[str, Json]], reason: str = "yanked") -> str | None:
    """Give why a release was taken back, which it is when all of its files are; None when it was not."""
    if not files or not all(file.get("yanked") for file in files):
        return None
    return next((_words(file[reason]) for file in files if isinstance(file.get(reason), str)), "")


def _status(value: Mapping[str, Json]) -> tuple[str, str]:
    """Give the status of a whole project, and the words that came with it."""
    found = value.get("project-status") or _object(value, "info").get("project_status")
    if isinstance(found, Mapping):
        return str(found.get("status", "")), _words(found.get("reason"))
    return (found, "") if isinstance(found, str) else ("", "")


def _first_time(files: list[Mapping[str, Json]], key: str) -> datetime | None:
    return min((at for file in files if (at := _time(file.get(key))) is not None), default=None)


def _time(value: Json) -> datetime | None:
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        at = datetime.fromisoformat(value)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _object(value: Json, key: str) -> Mapping[str, Json]:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _version(value: Json) -> str:
    return value if isinstance(value, str) and len(value) <= _VERSION else ""


def _words(value: Json) -> str:
    return value[:_REASON] if isinstance(value, str) else ""
