"""A command of driftwatch's as people may copy it into a shell: the one place that makes any with a value in it.

Names of witnesses, files, packages and people are chosen by others. A word of theirs is quoted for a POSIX shell, so
that the shell takes it for just that word. A word that is not shown as it is (it hides, turns or floods what stands
around it, or reads as our own escape) would be copied as another one: then the command is offered without it.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from typing import Final

PROGRAM: Final = "driftwatch"
_GROUPS: Final = frozenset(
    {"ahead", "alerts", "channels", "db", "deliveries", "lock", "servers", "silences", "token", "user", "witness"}
)
"""Commands of commands."""
_STACKED: Final = 5
"""So many combining marks in a row are shown; of more only the number is."""
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]|\\\\u\\{"
)
"""What Python calls printable and shows nothing all the same (see `judge.text.chars`), and what begins our escapes."""


def command(*words: str) -> str:
    """Give a command line of driftwatch's: `words` are what stands behind the program's name, each one argument.

    `shlex.split` gives the words back. Where one cannot be offered, what is left is how the command is used:
    `driftwatch import --help`.
    """
    if all(map(is_offered, words)):
        return " ".join([PROGRAM, *map(shlex.quote, words)])
    verbs = words[: 2 if words[0] in _GROUPS else 1]
    return " ".join([PROGRAM, *verbs, "--help"])


def is_offered(word: str) -> bool:
    """Say whether a word reads as it is, so that whoever copies it has it."""
    if word.isascii():
        return word.isprintable() and "\\u{" not in word
    return word.isprintable() and _UNSEEN.search(word) is None and not _is_flood(word)


def _is_flood(word: str) -> bool:
    stacked = 0
    for char in word:
        stacked = stacked + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if stacked > _STACKED:
            return True
    return False
