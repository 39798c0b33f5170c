"""What a program needs to be started: its own files and its interpreter's, found by their places. Reads the disk.

Nothing is run to find out. What is not found this way must be named in the configuration (`sandbox.read`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from driftwatch.config.beside import CODE
from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.view import is_of_system
from driftwatch.watch.supply.digests import regular
from driftwatch.watch.supply.installed import sites_of
from driftwatch.watch.supply.programs import Running, program

_OF_NODE = frozenset({".cjs", ".js", ".mjs", ".mts", ".ts", ".tsx"})
_MOST_LINKS = 40
_MOST_DEPTH = 4
_FIRST_LINE = 512
_MOST_TEXT = 65536
_PLACE = re.compile(r"""['"](/[^'"\n]+)['"]""")


@dataclass(frozen=True)
class Asked:
    """A command as it would be started: where it is looked for, and the folder it starts in (absolute)."""

    words: tuple[str, ...]
    path: str
    cwd: str
    which: Callable[[str, str], str | None]


def needs(asked: Asked, guard: Guard) -> set[str]:
    """Give the files and folders, as absolute paths, that must be readable for a command to start."""
    finder = _Finder(asked, guard)
    finder.program(asked.words[0])
    finder.given()
    return finder.found


class _Finder:
    """Collects what one command needs."""

    def __init__(self, asked: Asked, guard: Guard) -> None:
        self.found: set[str] = set()
        self._asked = asked
        self._guard = guard

    def program(self, name: str, depth: int = 0) -> None:
        """Take a program, each link on the way to it, and whatever runs it."""
        place = self._placed(name) if "/" in name else self._asked.which(name, self._asked.path)
        last = ""
        for last in links(place) if place else ():
            self._take_program(last)
        if last and depth < _MOST_DEPTH:
            for runner in _shebang(last):
                if self._may_run(runner, last):
                    self.program(runner, depth + 1)

    def _may_run(self, name: str, script: str) -> bool:
        """Say whether what the first line of a script names may be shown: a package may have written that line.

        It is a program, and no file that holds keys. What was fetched names by its place only what the system has, or
        what was fetched with it.
        """
        place = self._placed(name) if "/" in name else self._asked.which(name, self._asked.path)
        real = os.path.realpath(place) if place else ""
        if not os.path.isfile(real) or not os.access(real, os.X_OK) or not self._guard.allows_file(real):  # noqa: PTH113
            return False
        if not self._guard.holds(script) or is_of_system(real):
            return True
        beside = _modules_of(Path(script))
        is_found = "/" not in name and place is not None and not self._guard.holds(os.path.dirname(place))  # noqa: PTH120
        return is_found or (beside is not None and Path(real).is_relative_to(beside))

    def given(self) -> None:
        """Take the file that an interpreter is given, and the project around it."""
        words = self._asked.words
        runs = program(Running(0, words, self._asked.cwd, self._asked.path, ""), self._asked.which)
        if runs is not None and runs.file:
            self._take_script(runs.file, is_node=runs.language == "node")
        elif runs is None:
            for word in words[1:]:
                if Path(word).suffix in CODE and os.path.isfile(self._placed(word)):  # noqa: PTH113
                    self._take_script(self._placed(word), is_node=Path(word).suffix in _OF_NODE)

    def _placed(self, name: str) -> str:
        return os.path.normpath(os.path.join(self._asked.cwd, name))  # noqa: PTH118

    def _take(self, *folders: str, otherwise: str) -> None:
        """Show whole folders as far as they may be shown; else the one file."""
        allowed = [one for one in folders if self._guard.allows(one)]
        self.found.update(one for one in (allowed or [otherwise]) if not is_of_system(one))

    def _take_program(self, file: str) -> None:
        """Take a program with what lies around it: its environment, its packages, its interpreter's library."""
        if is_of_system(file):
            return
        path = Path(file)
        environment = next((one for one in path.parents if (one / "pyvenv.cfg").is_file()), None)
        if environment is not None:
            self._take(str(environment), otherwise=file)
            self.found.update(one for one in _beside(environment) if self._guard.allows(one))
            return
        if (modules := _modules_of(path)) is not None:
            self._take(str(modules), otherwise=file)
            return
        prefix = path.parent.parent
        if path.parent.name == "shims" or (path.parent.name == "bin" and (prefix / "lib").is_dir()):
            whole = self._guard.allows(str(prefix))
            # Where the prefix is more than an interpreter's (~/.local), what it needs of it.
            self.found.update([str(prefix)] if whole else [file, *(str(one.parent) for one in sites_of(prefix))])
            return
        self.found.add(file)
        if path.name == "uvx":
            self.found.update(str(one) for one in [path.with_name("uv")] if one.is_file())

    def _take_script(self, file: str, *, is_node: bool) -> None:
        """Take a script with its folder; one for Node.js with the packages and settings that it looks for above it."""
        for place in links(file):
            if (modules := _modules_of(Path(place))) is not None:
                self._take(str(modules), otherwise=place)
                continue
            self._take(str(Path(place).parent), otherwise=place)
            for folder in Path(place).parents if is_node else ():
                self.found.update(
                    str(one)
                    for one in (folder / "node_modules", folder / "package.json")
                    if one.exists() and self._guard.allows(str(one)) and not is_of_system(str(one))
                )


def links(file: str) -> Iterator[str]:
    """Give a file and what it leads to, link by link, each as an absolute path; nothing where there is no file."""
    for _ in range(_MOST_LINKS):
        if not os.path.lexists(file):
            return
        yield file
        # A folder on the way may be a link too: the file is shown under both names.
        real = os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))  # noqa: PTH118, PTH119, PTH120
        if real != file:
            yield real
        if not os.path.islink(real):  # noqa: PTH114
            return
        file = os.path.normpath(os.path.join(os.path.dirname(real), os.readlink(real)))  # noqa: PTH115, PTH118, PTH120


def _shebang(file: str) -> Iterator[str]:
    """Give the programs that a script's first line names: the interpreter, and behind `env` the one it looks for."""
    try:
        with regular(Path(file)) as opened:
            line = opened.readline(_FIRST_LINE)
    except (OSError, ValueError):
        return
    words = os.fsdecode(line[2:]).split() if line.startswith(b"#!") else []
    if words:
        yield words[0]
        if words[0].endswith("/env"):
            yield from _of_env(words[1:])


def _of_env(words: Sequence[str]) -> Iterator[str]:
    """Give the program that `env` starts; nothing behind an option that may take a word of its own."""
    for word in words:
        name = word.removeprefix("-S").removeprefix("--split-string=")
        if name and not name.startswith("-") and "=" not in name:
            yield name
            return
        if name and "=" not in name and name not in {"-", "-i", "-v", "--split-string", "--ignore-environment"}:
            return


def _modules_of(path: Path) -> Path | None:
    """Give the outermost `node_modules` that a file is in: packages find each other in it."""
    return next((one for one in reversed(path.parents) if one.name == "node_modules"), None)


def _beside(environment: Path) -> Iterator[str]:
    """Give the folders outside of an environment that its packages are really in: those under development."""
    for site in sites_of(environment):
        for note in (*site.glob("*.pth"), *site.glob("__editable__*_finder.py")):
            text = _text(note)
            named = text.splitlines() if note.suffix == ".pth" else _PLACE.findall(text)
            yield from (one.strip() for one in named if one.startswith("/") and Path(one.strip()).is_dir())


def _text(path: Path) -> str:
    try:
        with regular(path) as file:
            return file.read(_MOST_TEXT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
