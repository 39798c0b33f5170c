"""What was really started: the program's file, the script, the package with its version. Reads files, runs nothing.

A launch is looked at while it runs, once the server has answered everything. The processes of a server can only be
believed as far as the server can: one that rewrites its own command line hides its package.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from driftwatch.model import Json
from driftwatch.watch.supply import installed
from driftwatch.watch.supply.digests import Digests
from driftwatch.watch.supply.installed import Package
from driftwatch.watch.supply.programs import Program, Running, program


@dataclass(frozen=True)
class Found:
    """What a process of the server runs: the package that its file belongs to, or the file itself."""

    package: Package | None = None
    file: Path | None = None


@dataclass(frozen=True)
class Resolver:
    """Finds out what was started. One is kept for many looks: it remembers digests."""

    digests: Digests = field(default_factory=Digests)
    which: Callable[[str, str], str | None] = lambda command, path: shutil.which(command, path=path)

    def resolve(
        self, stated: Mapping[str, Json], processes: Sequence[Running], *, command: str, path: str, cwd: str | None
    ) -> dict[str, Json]:
        """Give `executable`, `script` and `package` of a launch, each where it can be found out.

        `stated` is what the configuration says; `command` is the program as it was started, `path` its search path.
        Reads files, so it blocks; never raises for what a server or a package does.
        """
        found: dict[str, Json] = {}
        executable = self._executable(command, path, cwd)
        if executable is not None:
            found["executable"] = self._file(executable)
        asked = stated.get("package")
        if isinstance(asked, dict):
            package = self._asked(asked, processes)
            return {**found, "package": {**asked, **self._told(package, asked)}} if package is not None else found
        ran = next(iter(self._found(processes)), None) or self._directly(executable)
        if ran is not None and ran.package is not None:
            found["package"] = {
                "ecosystem": ran.package.ecosystem,
                "name": ran.package.name,
                **self._told(ran.package, {}),
            }
        elif ran is not None and ran.file is not None:
            found["script"] = self._file(ran.file)
        return found

    def _file(self, file: Path) -> dict[str, Json]:
        digest = self.digests.of_file(file)
        return {"path": str(file), "digest": digest} if digest else {"path": str(file)}

    def _told(self, package: Package, asked: Mapping[str, Json]) -> dict[str, Json]:
        """Give version and digest, and the name where the command does not say it or another package runs."""
        digest = self.digests.of_files(package.folder, package.files)
        told: dict[str, Json] = {"version": package.version}
        if asked.get("name") != package.name:
            told["name"] = package.name
        return {**told, "digest": digest} if digest else told

    def _executable(self, command: str, path: str, cwd: str | None) -> Path | None:
        """Follow a command through the search path and through links to the file that it is."""
        placed = os.path.join(cwd or "", command) if "/" in command else self.which(command, path)  # noqa: PTH118
        return _real(placed) if placed else None

    def _asked(self, asked: Mapping[str, Json], processes: Sequence[Running]) -> Package | None:
        """Find the package that a runner was asked for among what runs."""
        ecosystem, name = asked.get("ecosystem"), asked.get("name", "")
        packages = [one.package for one in self._found(processes, wanted=name) if one.package is not None]
        own = [one for one in packages if one.ecosystem == ecosystem]
        if not name:
            return own[0] if own else None
        named = next((one for one in own if one.name == name), None)
        return named or next(self._on_the_way(ecosystem, name, processes), None)

    def _on_the_way(self, ecosystem: Json, name: str, processes: Sequence[Running]) -> Iterator[Package]:
        """Look where the runner put its package on the search path of what it started."""
        for process in sorted(processes, key=lambda one: one.depth):
            for entry in map(Path, process.path.split(":")):
                if ecosystem == "npm" and entry.name == ".bin" and entry.parent.name == "node_modules":
                    package = installed.npm_in(entry.parent / name)
                elif ecosystem == "pypi" and (entry.parent / "pyvenv.cfg").is_file():
                    sites = installed.sites_of(entry.parent)
                    package = next(filter(None, (installed.distribution(site, name) for site in sites)), None)
                else:
                    package = None
                if package is not None and package.name == name:
                    yield package

    def _found(self, processes: Sequence[Running], wanted: str = "") -> Iterator[Found]:
        """Give what each process runs, the nearest to the one that was started first.

        What code starts that was handed to an interpreter is its helper, there at one look and gone at the next.
        """
        for process in sorted(processes, key=lambda one: (one.depth, one.words)):
            runs = program(process, self.which)
            if runs is not None and not runs.file and not runs.module:
                return
            found = _of(runs, process, wanted) if runs is not None else None
            if found is not None and not (found.package and found.package.name in installed.RUNNERS - {wanted}):
                yield found

    @staticmethod
    def _directly(executable: Path | None) -> Found | None:
        """Take the program itself for the package's, where no interpreter was seen: a link into `node_modules`."""
        package = installed.of_npm(executable) if executable is not None else None
        return Found(package) if package is not None and package.name not in installed.RUNNERS else None


def _of(runs: Program, process: Running, wanted: str) -> Found | None:
    if runs.language == "node":
        file = _real(runs.file)
        package = installed.of_npm(file) if file is not None else None
        return Found(package, file) if file is not None else None
    if runs.module:
        return _of_module(runs, process)
    return _of_script(Path(runs.file), wanted)


def _of_script(written: Path, wanted: str) -> Found | None:
    """Find the distribution of a Python file: by its place among the installed ones, or as a console script."""
    file = _real(str(written))
    if file is None:
        return None
    site = installed.site_of(file)
    if site is not None:
        return Found(installed.with_file(site, str(file.relative_to(site))), file)
    for site in installed.sites_of(file.parent.parent) if file.parent.name == "bin" else ():
        package = installed.distribution(site, wanted) if wanted else None
        package = package or installed.with_script(site, file.name)
        if package is not None:
            return Found(package, file)
    return Found(None, file)


def _of_module(runs: Program, process: Running) -> Found | None:
    """Find the module of `python -m`: in the folder it was started in, or among the installed distributions."""
    top = runs.module.partition(".")[0]
    if not top.isidentifier():
        return None
    inside = runs.module.replace(".", "/")
    names = (f"{inside}/__main__.py", f"{inside}.py", f"{top}/__init__.py")
    for name in names[:2]:
        if os.path.isfile(os.path.join(process.cwd, name)):  # noqa: PTH113, PTH118
            return Found(None, _real(os.path.join(process.cwd, name)))  # noqa: PTH118
    for site in installed.sites_of(Path(runs.prefix)) if runs.prefix else ():
        package = installed.with_file(site, *names)
        if package is not None:
            return Found(package)
        place = next((site / name for name in names if (site / name).is_file()), None)
        if place is not None:
            return Found(None, place)
    return None


def _real(path: str) -> Path | None:
    """Follow links to the file, None where there is none."""
    try:
        real = Path(path).resolve(strict=True)
        return real if real.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None
