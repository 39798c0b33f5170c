"""Secrets among the words of a command line: which words may hold one, and how the line may be shown.

A guess by names (`--api-key`, `Authorization:`, `-k`) and by looks. It finds what people usually write and not every
secret; a secret that came out of the environment is masked for certain, elsewhere (`Filled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from driftwatch.config.hiding import is_secret_word, looks_secret, without_references
from driftwatch.config.secret import MASK, Filled, Unresolved, hidden, shown
from driftwatch.config.urls import mask_url
from driftwatch.config.words import safe

ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
HEADER = re.compile(r"([A-Za-z0-9-]+):\s*(.*)", re.DOTALL)

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s]+")
_NO_SECRET = re.compile(r"|bearer|basic|token|apikey|true|false|yes|no|on|off|none|null|auto", re.IGNORECASE)
_PASSWORD = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^\s/\\:=@,.]{6,}")
_OPTION = re.compile(r"--?[A-Za-z][A-Za-z0-9._-]*")
_PATH = re.compile(r"[./~]|[A-Za-z]:\\")
_CONTAINERS = {"docker", "podman", "nerdctl"}
_RUNNERS = {"npx", "pnpx", "bunx", "npm", "pnpm", "yarn", "bun", "uvx", "uv", "pipx", "deno"}
_SHORTEST = 4
_RUN = {"exec", "x", "dlx", "run", "tool"}
_RUNNER_TAKES = {"-p", "--package", "--python", "--from", "--with", "--registry"}


class Exposed(NamedTuple):
    """One word that may hold a secret in plain text: how it may be shown, what is hidden then, what gave it away."""

    shown: str
    hidden: tuple[str, ...]
    by: str


def masked(command: str, words: Sequence[str]) -> tuple[str, ...]:
    """Give the arguments of a program; each that may hold a secret is a `Filled` that knows how it may be shown."""
    pairs = zip(words, _walk(command, words), strict=True)
    return tuple(_as_shown(word, found) if found else word for word, found in pairs)


def masked_line(line: str) -> str:
    """Give a command whose arguments were (wrongly) written into it, to be shown without what may be secret."""
    found = _in_line(shown(line)) if re.search(r"\s", line) else None
    return _as_shown(line, found) if found else line


def exposed(command: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Give the index of each argument that may hold a secret in plain text, and what gave it away, in words."""
    for index, found in enumerate(_walk(command, words)):
        if found is not None:
            yield index, found.by


def of_runner(command: str, words: Sequence[str]) -> int:
    """Give how many leading arguments are those of a package runner, for which -p and -t mean something else."""
    program = re.split(r"[/\\]", shown(command))[-1].lower().partition(".")[0]
    if program in _CONTAINERS:
        return len(words)
    at = 0
    while program in _RUNNERS and at < len(words) and (words[at].startswith("-") or words[at] in _RUN):
        at += 2 if words[at] in _RUNNER_TAKES else 1
    return at


def follows_secret_option(option: str, value: str, *, runs: bool) -> bool:
    """Say whether `value` after `option` may be a secret: by the option's name, or after -k, -p and -t by its looks.

    `runs` is for the options of a package runner.
    """
    if _NO_SECRET.fullmatch(without_references(value).strip()):
        return False
    if option == "-k":
        return _PATH.match(value) is None
    if option in {"-p", "-t"}:
        return not runs and (value == MASK or _PASSWORD.fullmatch(value) is not None)
    return option.startswith("-") and is_secret_word(option)


def _walk(command: str, words: Sequence[str]) -> Iterator[Exposed | None]:
    runs, before = of_runner(command, words), ""
    for number, word in enumerate(map(shown, words)):
        yield _in_word(before, word, runs=number < runs)
        before = word if word.startswith("-") and "=" not in word else ""


def _in_word(before: str, word: str, *, runs: bool) -> Exposed | None:
    option, equals, value = word.partition("=")
    if equals and _OPTION.fullmatch(option):
        found = _in_value(option, value, runs=runs)
        return found._replace(shown=f"{option}={found.shown}") if found else None
    if word.startswith("-"):
        return _by_looks(word)
    return _in_value(before, word, runs=runs)


def _in_value(option: str, value: str, *, runs: bool) -> Exposed | None:
    if follows_secret_option(option, value, runs=runs):
        return Exposed(MASK, (value,), f"the value of {safe(option, limit=40)}")
    header, assignment = HEADER.fullmatch(value), ASSIGNMENT.fullmatch(value)
    if header and is_secret_word(header[1]):
        return _named(header, ": ", f"the header {safe(header[1], limit=40)}")
    if assignment and is_secret_word(assignment[1]) and not re.search(r"\s", value):
        return _named(assignment, "=", f"the value of {safe(assignment[1], limit=40)}")
    if _URL.fullmatch(value):
        return _in_url(value)
    return _in_line(value) if re.search(r"\s", value) else _by_looks(value)


def _named(match: re.Match[str], between: str, by: str) -> Exposed | None:
    name, value = match.groups()
    if _NO_SECRET.fullmatch(without_references(value).strip()):
        return None
    return Exposed(f"{name}{between}{MASK}", tuple(dict.fromkeys([value, value.split()[-1]])), by)


def _in_url(url: str) -> Exposed | None:
    user = url.partition("://")[2].partition("/")[0].rpartition("@")[0]
    pairs = [pair.partition("=") for pair in url.partition("?")[2].partition("#")[0].split("&")]
    given = [value for name, _, value in pairs if is_secret_word(name) or looks_secret(without_references(value))]
    if ":" in user or user == MASK or looks_secret(without_references(user)):
        given.append(user.partition(":")[2] or user)
    literal = [value for value in given if without_references(value)]
    return Exposed(mask_url(url), tuple(literal), "the URL") if literal else None


def _in_line(line: str) -> Exposed | None:
    """Look at the words of a whole command line in one argument, as after `sh -c`."""
    pieces, found, before = re.split(r"(\s+)", line), list[Exposed](), ""
    for number, piece in enumerate(pieces[::2]):
        if (one := _in_word(before, piece, runs=False)) is not None:
            pieces[2 * number] = one.shown
            found.append(one)
        before = piece if piece.startswith("-") and "=" not in piece else ""
    text = "".join(pieces)
    if not found or looks_secret(without_references(text).replace(MASK, "")):
        return _by_looks(line)
    return Exposed(text, tuple(piece for one in found for piece in one.hidden), found[0].by)


def _by_looks(word: str) -> Exposed | None:
    return Exposed(MASK, (word,), "it") if word == MASK or looks_secret(without_references(word)) else None


def _as_shown(word: str, found: Exposed) -> Filled:
    if isinstance(word, Unresolved):
        return word.show(found.shown)
    # Short pieces are everywhere: to hide them from messages would make those unreadable, and this is but a guess.
    pieces = [piece for piece in found.hidden if len(piece) >= _SHORTEST]
    return Filled(str.__str__(word), shown=found.shown, hidden=(*hidden(word), *pieces))


def mask_command(given: dict[str, Any]) -> None:
    """Let the `command` and `args` of a table know how they may be shown; wrong types are left to the schema."""
    command, args = given.get("command"), given.get("args")
    if isinstance(command, str):
        given["command"] = masked_line(command)
        if isinstance(args, list | tuple) and all(isinstance(arg, str) for arg in args):
            given["args"] = masked(command, args)
