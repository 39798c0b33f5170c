"""Elements of HTML, with every text escaped. Attributes hold words of ours only. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from driftwatch.judge.text.chars import UNSEEN

_VOID = frozenset({"meta"})
_ATTRIBUTE = re.compile(r"[A-Za-z0-9 #;:='/.,_-]*")
_EMOJI_STYLE = "\ufe0f"
"""The one invisible character that may follow an emoji as it is."""


class Markup(str):
    """HTML that was built here."""

    __slots__ = ()


def tag(name: str, *inside: str | None, **attributes: str) -> Markup:
    """Build an element; None is left out, and a trailing `_` of an attribute's name too.

    Raises:
        ValueError: an attribute holds what no word of ours does.

    """
    written = "".join(f' {key.rstrip("_")}="{_attribute(value)}"' for key, value in attributes.items() if value)
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    body = "".join(escaped(part) for part in inside if part is not None)
    return Markup(f"<{name}{written}>{body}</{name}>")


def joined(parts: Iterable[str | None], between: str = "") -> Markup:
    """Put parts one after the other."""
    return Markup(between.join(escaped(part) for part in parts if part is not None))


def escaped(text: str) -> Markup:
    """Give text as HTML. What does not show is shown here at the latest; HTML that was built here stays."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(UNSEEN.sub(_visible, text).replace("\r", "\\u{000D}"), quote=True))


def _visible(match: re.Match[str]) -> str:
    char = match.group()
    return char if char == _EMOJI_STYLE else f"\\u{{{ord(char):04X}}}"


def _attribute(value: str) -> str:
    if not _ATTRIBUTE.fullmatch(value):
        raise ValueError(f"not a word of ours: {value!r}")
    return value
