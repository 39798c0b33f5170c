"""TOML out of any text: strings, keys and comments that nothing in them can break out of."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from driftwatch.config.words import safe

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def string(text: str) -> str:
    """Give `text` as a basic string: what does not print is escaped, and a lone surrogate becomes U+FFFD."""
    return '"' + "".join(map(_char, text)) + '"'


def key(text: str) -> str:
    """Give `text` as a key, in quotes where it needs them."""
    return text if _BARE.fullmatch(text) else string(text)


def array(texts: Iterable[str]) -> str:
    """Give an array of strings on one line, or one string to a line when that would be long."""
    items = [string(text) for text in texts]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= 100 else "[\n" + "".join(f"  {item},\n" for item in items) + "]"


def comment(text: str) -> Iterator[str]:
    """Give `text` as comment lines: no character of it can end the comment or move the cursor."""
    for line in textwrap.wrap(safe(text, limit=1000), 100, break_on_hyphens=False) or [""]:
        yield f"# {line}".rstrip()


def _char(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
