"""Words for people: names and paths out of a file, shown so that they cannot write on the terminal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from driftwatch.errors import ConfigError
from driftwatch.model.amounts import many

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the configuration: where, what, and what to do about it."""

    path: str
    message: str
    hint: str

    def __str__(self) -> str:
        """Give `path: message — hint`, on one line, safe also where one of them quotes the file as it is."""
        line = f"{self.path}: {self.message} — {self.hint}"
        return safe(line, limit=len(line))


class InvalidConfigError(ConfigError):
    """The configuration has problems; `problems` holds every one of them."""

    def __init__(
        self,
        problems: Sequence[Problem],
        *,
        name: str = "The configuration",
        hint: str = "Nothing was started. Correct it, then run `driftwatch config check`.",
    ) -> None:
        """Take all problems (at least one), what the configuration is called, and what to do."""
        self.problems = tuple(problems)
        count = many(len(problems), "problem")
        lines = [f"{safe(name)} cannot be used: {count}.", *(f"  {problem}" for problem in problems)]
        super().__init__("\n".join(lines), hint=hint)


def safe(text: str, *, limit: int = 200) -> str:
    r"""Give `text` on one line, at most about `limit` characters, with everything that does not print escaped.

    Control, bidirectional, zero-width, private-use and unassigned characters and lone surrogates become `\u{…}`.
    """
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in cut)


def quoted(text: str, *, limit: int = 80) -> str:
    """Give `text` made safe, in double quotes."""
    return f'"{safe(text, limit=limit)}"'


def path_of(location: Iterable[str | int]) -> str:
    """Give a TOML-like path: `servers.git.args[2]`, with keys that are not bare in quotes."""
    path = ""
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
            continue
        key = step if _BARE_KEY.fullmatch(step) and len(step) <= 80 else quoted(step)
        path += f".{key}" if path else key
    return path


def closest(word: str, known: Iterable[str]) -> str | None:
    """Give the known word that `word` was most likely meant to be, or None when nothing is near."""
    by_plain = {_plain(option): option for option in known}
    near = difflib.get_close_matches(_plain(word[:80]), by_plain, n=1, cutoff=0.6)
    return by_plain[near[0]] if near else None


def did_you_mean(word: str, known: Sequence[str], *, otherwise: str = "") -> str:
    """Give a hint: the word that was likely meant, or else what there is to choose from."""
    near = closest(word, known)
    if near is not None:
        return f"did you mean {safe(near)}?"
    if otherwise:
        return otherwise
    shown = ", ".join(safe(option) for option in known[:20])
    return f"known here: {shown}" if shown else "there is nothing to choose from"


def _plain(word: str) -> str:
    return word.casefold().replace("-", "_")
