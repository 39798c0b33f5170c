"""From a file that runs to the installed package that it belongs to: npm packages and Python distributions.

Read are `package.json`, and `METADATA`, `RECORD` and `entry_points.txt` of `*.dist-info` folders. What is in them was
written by the package: it names a version, it proves none. The digest is of the files themselves.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from driftwatch.config.packages import normal
from driftwatch.model import Json
from driftwatch.watch.supply.digests import MOST_FILES, regular

RUNNERS = frozenset({"npm", "npx", "pnpm", "yarn", "corepack", "bun", "tsx", "ts-node"})
"""npm packages that run others: what they start is the server."""

_MOST = 4 << 20
_LONGEST = 200
_DEEPEST = 100
"""Folders in folders of a package that is read."""

_RUNS = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".node", ".wasm", ".sh", ".py"})
"""What can run in an npm package. Servers write notes and logs beside their code, which must not look like a change."""

_VARIES = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", "uv_build.json"})
"""Files of a `dist-info` folder that say how, when and by what it was installed."""

_VERSION = re.compile(r"^Version:[ \t]*(\S+)", re.MULTILINE)
_NAME = re.compile(r"^Name:[ \t]*(\S+)", re.MULTILINE)
_SCRIPT = re.compile(r"^\s*([^=\[\s]+)\s*=", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package: where its files are (names relative to `folder`)."""

    ecosystem: str
    name: str
    version: str
    folder: Path
    files: tuple[str, ...] = ()


def of_npm(file: Path) -> Package | None:
    """Give the npm package that a file is in: the nearest named one above it that stands in a `node_modules`."""
    for folder in file.parents:
        above = folder.parent.parent if folder.parent.name.startswith("@") else folder.parent
        if above.name == "node_modules":
            return npm_in(folder)
    return None


def npm_in(folder: Path) -> Package | None:
    """Give the npm package in a folder, None where none stands there."""
    try:
        said = json.loads(_text(folder / "package.json"))
    except (ValueError, RecursionError):
        return None
    name, version = (said.get("name"), said.get("version")) if isinstance(said, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(version, str) or not name:
        return None
    return Package(
        "npm", name[:_LONGEST], version[:_LONGEST], folder, _code(folder, {"package.json", *_programs(said)})
    )


def _programs(said: dict[str, Json]) -> Iterator[str]:
    """Give the names of the files that a package calls its programs: many have no ending."""
    named = said.get("bin")
    for path in named.values() if isinstance(named, dict) else [named]:
        if isinstance(path, str):
            yield PurePosixPath(path).name


def _code(folder: Path, named: Collection[str]) -> tuple[str, ...]:
    """Give what can run in an npm package, without the packages that it brings along; nothing where it has no end.

    `named` are names of files that count whatever their ending is. Deeper than any honest package goes nothing is read:
    the walk calls itself for each step.
    """
    found: list[str] = []
    for count, (root, folders, files) in enumerate(os.walk(folder)):
        if root.count(os.sep) - str(folder).count(os.sep) > _DEEPEST:
            return ()
        folders[:] = [name for name in folders if name not in {"node_modules", ".git"}]
        runs = (name for name in files if name in named or Path(name).suffix in _RUNS)
        found += [os.path.relpath(Path(root) / name, folder) for name in runs]
        if max(count, len(found)) > MOST_FILES:
            return ()
    return tuple(found)


def sites_of(prefix: Path) -> tuple[Path, ...]:
    """Give the folders in which a Python that lives in `prefix` keeps its distributions."""
    patterns = ("lib/python3*/site-packages", "lib/python3*/dist-packages", "local/lib/python3*/dist-packages")
    return tuple(sorted({found for pattern in patterns for found in _glob(prefix, pattern)}))


def distribution(site: Path, name: str) -> Package | None:
    """Give the Python distribution of a name in a folder, None where there is none."""
    wanted = normal(name)
    for folder in _glob(site, "*.dist-info"):
        if normal(folder.name.partition("-")[0]) == wanted:
            return _distribution(folder)
    return None


def with_script(site: Path, script: str) -> Package | None:
    """Give the distribution that brings a console script."""
    for folder in _glob(site, "*.dist-info"):
        text = _text(folder / "entry_points.txt")
        if script in text and script in _SCRIPT.findall(text):
            return _distribution(folder)
    return None


def with_file(site: Path, *names: str) -> Package | None:
    """Give the distribution that one of these files (relative to the folder) is of."""
    for folder in _glob(site, "*.dist-info"):
        text = _text(folder / "RECORD")
        if any(f"{name}," in text for name in names) and set(names) & set(_recorded(text)):
            return _distribution(folder)
    return None


def site_of(file: Path) -> Path | None:
    """Give the folder of distributions that a file is in, None where it is in none."""
    return next((one for one in file.parents if one.name in {"site-packages", "dist-packages"}), None)


def _distribution(folder: Path) -> Package | None:
    head = _text(folder / "METADATA").partition("\n\n")[0]
    name, version = _NAME.search(head), _VERSION.search(head)
    if name is None or version is None:
        return None
    files = tuple(_own(_text(folder / "RECORD")))
    return Package("pypi", normal(name[1])[:_LONGEST], version[1][:_LONGEST], folder.parent, files)


def _own(record: str) -> Iterator[str]:
    """Give the recorded files whose content does not depend on where and how the distribution was installed."""
    for name in _recorded(record):
        path = PurePosixPath(name)
        outside = path.is_absolute() or ".." in path.parts
        varies = path.suffix == ".pyc" or (path.parent.suffix == ".dist-info" and path.name in _VARIES)
        if not outside and not varies:
            yield name


def _recorded(record: str) -> Iterator[str]:
    try:
        for row in csv.reader(record.splitlines()):
            if row and "\0" not in row[0]:
                yield row[0]
    except csv.Error:
        return


def _glob(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _text(path: Path) -> str:
    """Read a text file of a package, empty when it cannot be read or is too large."""
    try:
        with regular(path) as file:
            data = file.read(_MOST + 1)
    except (OSError, ValueError):
        return ""
    return "" if len(data) > _MOST else data.decode("utf-8", "replace")
