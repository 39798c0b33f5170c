r"""Text from servers inside Markdown: nothing in it links, rings, formats, hides or breaks out. Pure.

Words that are known to mean nothing stand as they are; every other word stands between backticks, where neither
Markdown nor GitHub nor GitLab reads anything. So nothing has to be replaced, and what is shown is exact.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from driftwatch.report.cut import clipped, shown
from driftwatch.report.excerpt import sentence

_LETTERS = r"[^\W\d_]+"
_PLAIN = re.compile(
    r"[(“‘\"']*"
    # A word of letters, or a number; not seven letters or more from a to f, which can name a commit.
    rf"(?:(?![a-f]{{7,}}\b){_LETTERS}(?:[-'’/](?![a-f]{{7,}}\b){_LETTERS})*|\d{{1,6}}(?:,\d{{3}})*"
    # A date, or a time.
    r"|\d{4}-\d\d-\d\d|\d\d:\d\d)"
    r"[)”’\"']*[.,;:!?…]?[)”’\"']*"
)
"""A word in which no reader of Markdown sees anything but a word."""
_EDGES = re.compile(r"([(“‘\"']*)(.*?)([)”’\"']*[.,;:!?…]?[)”’\"']*)", re.DOTALL)
"""What may stand around a span of code, and what must stand in it."""
_OPENED = {")": "(", "”": "“", '"': '"'}
"""What ends a bracket or a quotation, and what begins it."""
_SIGNS = frozenset({"→", "–", "—", "×", "·", "…", "“", "”"})
_COUNTED = re.compile(r"\d+[.)]")
"""What begins a list where it begins a line."""
_TICKS = re.compile("`+")
_PIPE = "\\u{007C}"
"""A bar parts the cells of a table even inside a span of code."""


def prose(text: str) -> str:
    """Give a sentence, with whatever of a server's it quotes, for a line, a list item or a cell of a table."""
    words = [word for word in sentence(text).split(" ") if word]
    parts: list[str] = []
    for number, (plain, run) in enumerate(groupby(words, key=_is_plain)):
        joined = " ".join(run)
        opens_list = number == 0 and _COUNTED.match(joined)
        parts.append(joined if plain and not opens_list else _edged(joined))
    return " ".join(parts)


def _edged(safe: str) -> str:
    """Put words into a span of code, but for the quotation marks and the full stop around them."""
    match = _EDGES.fullmatch(safe)
    before, inner, after = match.groups() if match is not None else ("", safe, "")
    while after[:1] in _OPENED and _is_open(inner, after[0]):
        inner, after = inner + after[0], after[1:]
    return f"{before}{_code(inner)}{after}" if inner.strip() else _code(safe)


def _is_open(text: str, end: str) -> bool:
    """Say whether a quotation or a bracket that ends so was begun inside of the text."""
    begin = _OPENED[end]
    return text.count(begin) % 2 == 1 if begin == end else text.count(begin) > text.count(end)


def name(text: str, limit: int = 100) -> str:
    """Give a server's own name, address or pointer as code on one line."""
    return _code(clipped(shown(text, limit), 2 * limit))


def _is_plain(word: str) -> bool:
    return word in _SIGNS or _PLAIN.fullmatch(word) is not None


def _code(safe: str) -> str:
    """Put text that is safe for one line between backticks that it cannot end."""
    text = safe.replace("|", _PIPE)
    if not text.strip():
        return "(empty)" if not text else "(blank)"
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(lines: Iterable[str], language: str) -> list[str]:
    """Put lines that are safe to show into a block that they cannot end."""
    body = list(lines)
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in body), 3)
    return [f"{fence}{language}", *body, fence]


def in_html(text: str) -> str:
    """Give a sentence for a line of HTML inside Markdown, such as a summary: as code where it is not plain words."""
    return " ".join(_in_html(word) for word in sentence(text).split(" ") if word)


def _in_html(word: str) -> str:
    return word if _is_plain(word) else f"<code>{html.escape(word)}</code>"


def _longest_run(text: str) -> int:
    return max(_runs(text), default=0)


def _runs(text: str) -> Iterator[int]:
    return (len(match.group()) for match in _TICKS.finditer(text))
