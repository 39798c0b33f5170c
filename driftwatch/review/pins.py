"""Packages with a version in files that build or start things: compose files, Dockerfiles, lists of packages. Pure.

They are read line by line as far as a pin needs it, since nothing here may depend on what else such a file can say.
What is not read so is no pin: anchors and merged keys of YAML, a version in a variable that the file does not set.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from driftwatch.config.packages import Asked, asked, normal

_SKIPPED: Final = frozenset({"node_modules", ".git", "vendor", ".venv", "venv"})
_COMPOSE: Final = re.compile(r"(?:docker-)?compose[\w.-]*\.ya?ml|[\w-]+\.compose\.ya?ml")
_DOCKER: Final = re.compile(r"(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?|[\w.-]+\.(?:Dockerfile|dockerfile)")
_REQUIREMENTS: Final = re.compile(r"requirements[\w.-]*\.(?:txt|in)|constraints[\w.-]*\.txt")
_KEY: Final = re.compile(r"(\s*)(?:- +)?(image|command|entrypoint)\s*:\s*(.*)")
_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::?[-?]([^}]*))?\}|\$(\w+)")
_EXACT: Final = re.compile(r"[v=]?\d[0-9A-Za-z.+_-]*")
_REQUIRED: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]{0,200}\])?\s*===?\s*([^\s;,#\\]+)")
_NPM_SPEC: Final = re.compile(r"(?<![\w@/.-])(@[\w.-]+/[\w.-]+|[a-z][\w.-]*)@(\d[\w.+-]*)(?![\w/@])")
_IMAGE: Final = re.compile(r"([\w.-]+(?::\d+(?=/))?(?:/[\w.-]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?")
_LONGEST: Final = 10_000
"""Characters of a line, or of an instruction, that are read."""
_WORD: Final = re.compile(r"[a-z0-9]+")
_LIBRARIES: Final = frozenset(
    {"mcp", "@modelcontextprotocol/sdk", "fastmcp", "mcp-types", "@modelcontextprotocol/inspector"}
)
"""Packages with which servers and clients are made, and that are none."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A package at a version. `words` start it as a server where the file does that, and are empty where not."""

    ecosystem: str
    name: str
    version: str
    file: str
    line: int
    words: tuple[str, ...] = ()


def may_pin(path: str) -> bool:
    """Say whether a file of a repository is one of those that are read here, by its path alone."""
    place = PurePosixPath(path)
    if _SKIPPED.intersection(place.parts):
        return False
    kinds = (_COMPOSE, _DOCKER, _REQUIREMENTS)
    return place.name == "package.json" or any(kind.fullmatch(place.name) for kind in kinds)


def pins_of(path: str, text: str) -> tuple[Pin, ...]:
    """Give the pins of a file; what cannot be read in it is left out."""
    name = PurePosixPath(path).name
    if name == "package.json":
        found = _of_package_json(path, text)
    elif _COMPOSE.fullmatch(name):
        found = _of_compose(path, text)
    elif _REQUIREMENTS.fullmatch(name):
        found = _of_requirements(path, text)
    else:
        found = _of_dockerfile(path, text)
    return tuple(dict.fromkeys(found))


def version_of(one: Asked) -> str:
    """Give the version that a package is asked for, pinned or not: of an image its tag or digest. Empty for none."""
    if one.version:
        return one.version
    if one.ecosystem == "oci":
        match = _IMAGE.fullmatch(one.spec)
        return (match[3] or match[2] or "") if match else ""
    return one.spec[len(one.name) + 1 :] if one.name and one.spec.startswith(f"{one.name}@") else ""


def is_server(name: str) -> bool:
    """Say whether a package calls itself an MCP server: a guess, for what nothing else in the repository names."""
    words = set(_WORD.findall(name.lower()))
    return name not in _LIBRARIES and bool({"mcp", "modelcontextprotocol"} & words)


def _lines(text: str) -> list[str]:
    """Give the lines of a file; one that no person wrote is empty."""
    return [line if len(line) <= _LONGEST else "" for line in text.splitlines()]


def _of_package_json(path: str, text: str) -> Iterator[Pin]:
    try:
        shape = json.loads(text)
    except (ValueError, RecursionError):
        return
    for key in ("dependencies", "devDependencies", "optionalDependencies"):
        listed = shape.get(key) if isinstance(shape, dict) else None
        for name, version in listed.items() if isinstance(listed, dict) else ():
            if isinstance(version, str) and _EXACT.fullmatch(exact := version.lstrip("^~")):
                yield Pin("npm", name, exact.lstrip("v="), path, _line(text, f'"{name}"'))


def _of_requirements(path: str, text: str) -> Iterator[Pin]:
    for number, line in enumerate(_lines(text), 1):
        match = _REQUIRED.match(line.strip())
        if match is not None:
            yield Pin("pypi", normal(match[1]), match[2], path, number)


def _of_compose(path: str, text: str) -> Iterator[Pin]:
    lines = _lines(text)
    for number, line in enumerate(lines):
        match = _KEY.fullmatch(line)
        if match is None:
            continue
        indent, key, value = len(match[1]), match[2], _value(match[3])
        if key == "image":
            yield from _image(path, number + 1, value)
            continue
        words = _listed(value) if value else list(_items_below(lines[number + 1 :], indent))
        yield from _started(path, number + 1, words)


def _value(text: str) -> str:
    """Give a scalar of YAML without quotes and comment, with the defaults of its variables filled in."""
    said = text.strip()
    if said[:1] in {"'", '"'}:
        said = said[1:].partition(said[0])[0]
    elif said[:1] != "[":
        said = said.partition(" #")[0].strip()
    return _filled(said, {})


def _filled(text: str, known: dict[str, str]) -> str:
    """Fill in variables that have a value here; others stay."""
    return _VARIABLE.sub(lambda match: known.get(match[1] or match[3]) or match[2] or match[0], text)


def _listed(value: str) -> list[str]:
    """Read the words of a command: a list in brackets, or a line as a shell would split it."""
    if value.startswith("["):
        try:
            words = json.loads(value.partition(" #")[0])
        except (ValueError, RecursionError):
            words = [part.strip().strip("'\"") for part in value.strip("[] ").split(",")]
        return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    try:
        return shlex.split(value)
    except ValueError:
        return []


def _items_below(lines: Sequence[str], indent: int) -> Iterator[str]:
    """Give the items of a list that stands below a key."""
    for line in lines:
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        if not said.startswith("- ") or len(line) - len(line.lstrip()) < indent:
            return
        yield _value(said[2:])


def _image(path: str, line: int, image: str) -> Iterator[Pin]:
    """Give the pin of an image, with the command that starts it as a server if it says that it is one."""
    match = _IMAGE.fullmatch(image)
    if match is None or not (match[2] or match[3]):
        return
    words = ("docker", "run", "-i", "--rm", image) if is_server(match[1]) else ()
    yield Pin("oci", match[1], match[3] or match[2], path, line, words)


def _started(path: str, line: int, words: Sequence[str]) -> Iterator[Pin]:
    """Give the pins of a command."""
    for one in asked(words[0], words[1:]) if words else ():
        version = version_of(one)
        if one.name and version:
            yield Pin(
                one.ecosystem, one.name, version, path, line, tuple(words) if one.main and is_server(one.name) else ()
            )


def _of_dockerfile(path: str, text: str) -> Iterator[Pin]:
    known: dict[str, str] = {}
    for number, line in _instructions(text):
        word, _, rest = line.partition(" ")
        rest = _filled(rest.strip(), known)
        match word.upper():
            case "ARG" | "ENV":
                name, equals, value = rest.partition("=")
                known |= {name.strip(): _value(value)} if equals else {}
            case "FROM":
                images = [part for part in rest.split() if not part.startswith("--")]
                yield from _image(path, number, images[0]) if images else ()
            case "CMD" | "ENTRYPOINT":
                yield from _started(path, number, _listed(rest))
            case "RUN":
                yield from _installed(path, number, rest)


def _instructions(text: str) -> Iterator[tuple[int, str]]:
    """Give the instructions with the lines they begin at, continued ones joined."""
    start, held = 0, ""
    for number, line in enumerate(_lines(text), 1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        start = start or number
        held = f"{held} {said.removesuffix(chr(92)).strip()}".strip()
        if not said.endswith("\\") or len(held) > _LONGEST:
            yield start, held
            start, held = 0, ""


def _installed(path: str, line: int, command: str) -> Iterator[Pin]:
    """Give what a command of a Dockerfile installs at an exact version."""
    for match in _NPM_SPEC.finditer(command):
        yield Pin("npm", match[1], match[2], path, line)
    for match in re.finditer(rf"(?<![\w@/.-]){_REQUIRED.pattern}", command):
        yield Pin("pypi", normal(match[1]), match[2].strip("'\""), path, line)


def _line(text: str, word: str) -> int:
    return next((number for number, line in enumerate(text.splitlines(), 1) if word in line), 1)
