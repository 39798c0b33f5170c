"""What a running process runs: its command line, and the file or module that an interpreter was given."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*[a-z]?", re.IGNORECASE)
_NODE = re.compile(r"node(?:js)?|bun", re.IGNORECASE)
_PYTHON_TAKES = "WX"
_NODE_TAKES = frozenset(
    {"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file", "--title"}
)
_NODE_CODE = frozenset({"-e", "--eval", "-p", "--print", "-i", "--interactive"})
_MOST = 65536
"""Bytes of a command line or an environment that are read."""


@dataclass(frozen=True, slots=True)
class Running:
    """One process of a server: how far from the one that was started, its words, folder, search path and file."""

    depth: int
    words: tuple[str, ...]
    cwd: str = ""
    path: str = ""
    exe: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """What an interpreter runs: a file (absolute), a module of Python, or code it was handed, and then neither.

    `prefix` is where the interpreter lives.
    """

    language: str
    file: str = ""
    module: str = ""
    prefix: str = ""


def running(pid: int, depth: int) -> Running | None:
    """Read one process; None when it is gone or belongs to somebody else."""
    place = Path(f"/proc/{pid}")
    try:
        words = _split(_read(place / "cmdline"))
        cwd = os.fspath((place / "cwd").readlink())
        variables = _split(_read(place / "environ"))
        exe = os.fspath((place / "exe").readlink())
    except OSError:
        return None
    path = next((one.partition("=")[2] for one in variables if one.startswith("PATH=")), "")
    return Running(depth, tuple(words), cwd, path, exe) if words else None


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST)


def _split(data: bytes) -> list[str]:
    return [os.fsdecode(word) for word in data.rstrip(b"\0").split(b"\0")] if data.strip(b"\0") else []


def program(process: Running, which: Callable[[str, str], str | None]) -> Program | None:
    """Say what a process runs, None where that is not known; `which(command, path)` finds programs."""
    first, rest = process.words[0], process.words[1:]
    name = first.rpartition("/")[2] or first
    # A process may call itself something else, as npm does: then its words say nothing.
    is_itself = bool(_PYTHON.fullmatch(name) or _NODE.fullmatch(name))
    if not is_itself:
        name = process.exe.rpartition("/")[2]
    if _PYTHON.fullmatch(name):
        file, module = _of_python(rest)
    elif _NODE.fullmatch(name):
        file, module = _of_node(rest), ""
    else:
        return None
    if not file and not module and not (is_itself and rest):
        return None
    found = os.path.join(process.cwd, first) if "/" in first else which(first, process.path) or process.exe  # noqa: PTH118
    language = "python" if _PYTHON.fullmatch(name) else "node"
    placed = os.path.normpath(os.path.join(process.cwd, file)) if file else ""  # noqa: PTH118
    return Program(language, placed, module, os.path.dirname(os.path.dirname(os.path.normpath(found))))  # noqa: PTH120


def _of_python(words: Sequence[str]) -> tuple[str, str]:
    """Give the file or the module of a Python command line (see `python --help`)."""
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            return ("" if word == "-" else word), ""
        if word.startswith("--"):
            if word == "--check-hash-based-pycs":
                next(rest, None)
            continue
        for at, letter in enumerate(word[1:], 2):
            if letter == "m":
                return "", word[at:] or next(rest, "")
            if letter == "c":
                return "", ""
            if letter in _PYTHON_TAKES:
                if not word[at:]:
                    next(rest, None)
                break
    return "", ""


def _of_node(words: Sequence[str]) -> str:
    """Give the file of a command line of Node.js or Bun."""
    rest = iter(words)
    for word in rest:
        if word in _NODE_CODE:
            return ""
        if word in _NODE_TAKES:
            next(rest, None)
        elif word == "--":
            return next(rest, "")
        elif not word.startswith("-") and word != "run":
            return word
    return ""
