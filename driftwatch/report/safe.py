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

from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import sentence

_LOOK_ALIKES: Final = str.maketrans(
    {
        **dict.fromkeys("<＜﹤", "‹"),
        **dict.fromkeys(">＞﹥", "›"),
        **dict.fromkeys("`｀\u1fef", "ˋ"),
        **dict.fromkeys("*＊﹡", "∗"),
        **dict.fromkeys("~～", "∼"),
        **dict.fromkeys("|｜", "¦"),
        # Not the full-width ones: there are places that read them as mentions and hashtags too.
        **dict.fromkeys("@＠﹫", "(at)"),
        **dict.fromkeys("#＃﹟", "♯"),
        "[": "［",
        "]": "］",
        "$": "＄",
    }
)
"""Signs of mentions, channels, links, code, formulas and formatting, with their other widths, which some places fold
into one. `_` only counts outside words: see `_BROKEN_UP`."""

_BROKEN_UP: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    # _emphasis_, but not snake_case.
    (re.compile(r"(?<![^\W_])_|_(?![^\W_])"), "ˍ"),
    # Addresses, with or without a scheme: mailers and chats make links of `example.com` alone. A letter of another
    # script can carry marks that are no letters themselves, so whatever is not ASCII counts as part of a name.
    (re.compile(r":(?=//)"), "[:]"),
    (re.compile(r"(?<=[^\x00-/:-@\[-`{-\x7f])[.。．｡․﹒](?=[^\W\d_](?:[^\W\d_]|[^\x00-\x7f]))"), "[.]"),
    (re.compile(r"(?<=[0-9])\.(?=[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?![0-9]))"), "[.]"),
    # Schemes without slashes: `mailto:`, `tel:`, `javascript:` and whatever an app has made up.
    (re.compile(r"(?<=[A-Za-z][A-Za-z0-9+.-])[:：﹕︓](?=\S)"), "꞉"),
    # :bell: and the like.
    (re.compile(r":(?=[A-Za-z0-9_+'-]{1,64}:)"), "꞉"),
    # What stands for another sign once it is decoded: &#64; and &commat;
    (re.compile(r"[&＆﹠](?=[♯A-Za-z])"), "＆"),
    # {{ x }}, {% x %}, %{x}
    (re.compile(r"\{(?=[{%])|(?<=%)\{"), "｛"),
    (re.compile(r"(?<=[}%])\}"), "｝"),
)

PATTERNS: Final = tuple(pattern for pattern, _ in _BROKEN_UP)
"""Every expression that hostile text meets here."""


def defang(text: str, *, keep: Collection[str] = ()) -> str:
    """Give text on one line in which nothing rings, links, formats, hides or runs anywhere.

    `keep` names whole phrases of our own, such as a command to run, that stay as they are where they stand alone.
    """
    own = [re.escape(phrase) for phrase in sorted(keep, key=len, reverse=True) if phrase and phrase in text]
    # Alone: what is written right at one could make a link of its end.
    alone = rf"(?<![^\s(“])({'|'.join(own)})(?=$|[\s)”]|[.,;](?:\s|$))"
    parts = re.split(alone, text) if own else [text]
    return "".join(part if index % 2 else _blunt(sentence(part)) for index, part in enumerate(parts))


def defanged(text: str, limit: int) -> str:
    """Give text as `defang` does, about `limit` characters of it: what takes the place of one sign may be longer."""
    return clipped(defang(clipped(sentence(text), limit)), 2 * limit)


def _blunt(text: str) -> str:
    # Brackets of the server's first: those that are put in afterwards are ours.
    safe = text.translate(_LOOK_ALIKES)
    for pattern, instead in _BROKEN_UP:
        safe = pattern.sub(instead, safe)
    return safe
