"""Text from servers as it may stand among people's messages: nothing in it means anything to the place it is sent to.

Chat services, mailers and pagers read text: they ring people for `@channel`, make links of bare addresses, run
`{{ templates }}` and hide what stands between `||`. Which of these a place knows differs and changes, so every sign
that any of them is known to read is replaced by one that looks like it, or is broken up where it can be seen. The
text stays readable and is no longer exact; the exact one is in the webhook's body and in `driftwatch diff`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from driftwatch.report.excerpt import sentence

_LOOK_ALIKES: Final = str.maketrans(
    {
        "<": "‹",
        ">": "›",
        "`": "ˋ",
        "*": "∗",
        "~": "∼",
        "|": "¦",
        "@": "＠",
        "[": "［",
        "]": "］",
        "#": "＃",
    }
)
"""Signs of mentions, channels, links, code and formatting. `_` only counts outside words: see `_BROKEN_UP`."""

_BROKEN_UP: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    # Addresses, with or without a scheme: mailers and chats make links of `example.com` alone.
    (re.compile(r":(?=//)"), "[:]"),
    (re.compile(r"(?<=[^\W_])[.。．｡](?=[^\W\d_]{2})"), "[.]"),
    (re.compile(r"\b(javascript|vbscript|data|mailto|tel|sms|file|magnet):", re.IGNORECASE), r"\1[:]"),
    # :bell: and the like.
    (re.compile(r":(?=[A-Za-z0-9_+'-]{1,64}:)"), "꞉"),
    # _emphasis_, but not snake_case.
    (re.compile(r"(?<![^\W_])_|_(?![^\W_])"), "ˍ"),
    # {{ x }}, {% x %}, {# x #}, ${x}, $(x)
    (re.compile(r"\{(?=[{%#])|(?<=\$)\{"), "｛"),
    (re.compile(r"(?<=[}%#])\}"), "｝"),
    (re.compile(r"\$(?=[({｛])"), "＄"),
)

PATTERNS: Final = tuple(pattern for pattern, _ in _BROKEN_UP)
"""Every expression that hostile text meets here."""


def defang(text: str, *, keep: Collection[str] = ()) -> str:
    """Give text on one line in which nothing rings, links, formats, hides or runs anywhere.

    `keep` names whole phrases of our own, such as a command to run, that stay as they are.
    """
    own = [re.escape(phrase) for phrase in sorted(keep, key=len, reverse=True) if phrase]
    parts = re.split(f"({'|'.join(own)})", text) if own else [text]
    return "".join(part if index % 2 else _blunt(sentence(part)) for index, part in enumerate(parts))


def _blunt(text: str) -> str:
    # Brackets of the server's first: those that are put in afterwards are ours.
    safe = text.translate(_LOOK_ALIKES)
    for pattern, instead in _BROKEN_UP:
        safe = pattern.sub(instead, safe)
    return safe
