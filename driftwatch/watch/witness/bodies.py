"""What `prompts/get` gave, without what the user put in. Pure."""

from __future__ import annotations

import hashlib
import html
import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote, quote_plus

from driftwatch.model import Json

MOST_MESSAGES = 200
LONGEST_TEXT = 1 << 16
"""Code points of one text that are kept of a body."""

_SHORT: Final = 4
"""Values shorter than this are replaced as whole words only: a single letter stands everywhere."""

_LARGE: Final = frozenset({"data", "blob"})
"""Keys under which pictures, sounds and files stand."""

_LEAST: Final = 64
"""Characters that such a thing has at least: what is shorter is read as a text."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")

_EATEN: Final = tuple(">*#|/-\\")
"""With what a value begins that would be lost in a gap before it: there it is looked for as it is written."""

_GAP: Final = re.compile(r"(?:\s|\\[nrt])(?:[\s>*#|]|//|\\[nrt]|-(?=\s|\\[nrt]))*")
"""What parts words: white space, and with it what quotes, lists and comments have at the beginning of a line."""


def body_of(messages: list[Json], arguments: Json) -> list[Json]:
    """Give a prompt's messages with the values of its arguments replaced by `{name}`, and large values cut.

    So the user's words are not recorded where the server puts them in as they are, in other case or spacing, over
    several lines, or escaped for HTML, JSON or an address; and bodies of one prompt can be compared.
    """
    values = _Values(arguments if isinstance(arguments, dict) else {})
    return [_without(message, values) for message in messages[:MOST_MESSAGES]]


class _Values:
    """The values of the arguments, and what stands for them."""

    def __init__(self, arguments: Mapping[str, Json]) -> None:
        self._names: dict[str, str] = {}
        first: dict[str, str] = {}
        last: dict[str, str] = {}
        for name, value in arguments.items():
            for way in _ways(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)):
                plain = _Plain(way).text.strip()
                if len(bare := way.strip()) >= _SHORT:
                    # What is short only as it is compared would be looked for as a whole word.
                    early = bare.startswith(_EATEN) or len(plain) < _SHORT
                    (first if early else last).setdefault(bare, name)
                if plain:
                    self._names.setdefault(plain, name)
        # The longest first: one may lie within another.
        self._first, self._last = (sorted(some.items(), key=lambda one: -len(one[0])) for some in (first, last))
        longest = sorted(self._names, key=lambda value: (-len(value), value))
        self._pattern = re.compile("|".join(map(_one, longest)) or r"(?!)")

    def gone(self, text: str) -> str:
        """Give a text without them."""
        return _written(text, self._first, self._compared)

    def _compared(self, text: str) -> str:
        if not self._names or (text.isascii() and not self._pattern.search(_GAP.sub(" ", text).lower())):
            return self._left(text)  # Most texts by far: nothing has to be found again in them.
        plain, parts, at = _Plain(text), [], 0
        for found in self._pattern.finditer(plain.text):
            begins, ends = max(at, plain.begin(found.start())), plain.end(found.end())
            parts += [self._left(text[at:begins]), f"{{{self._names[found[0]]}}}"]
            at = max(begins, ends)
        return "".join([*parts, self._left(text[at:])])

    def _left(self, text: str) -> str:
        """Give a text without values that are not seen as it is compared, because of what stands at their ends."""
        return _written(text, self._last, str)

    def is_one(self, text: str) -> bool:
        """Say whether a text is one of them and nothing else."""
        return _Plain(text).text.strip() in self._names


class _Plain:
    """A text as it is compared: in one case, with one space between words, without characters that nobody sees.

    `begin` and `end` lead from it back into the text.
    """

    def __init__(self, text: str) -> None:
        """Take the text."""
        words: list[str] = []
        self._starts: list[int] = []
        self._places: list[tuple[int, int, bool]] = []
        """Of each word or gap where it stands in the text, and whether it is as long there."""
        size = 0
        for begins, ends, gap in _words(text):
            word = text[begins:ends]
            plain = " " if gap else _folded(word)
            words.append(plain)
            self._starts.append(size)
            self._places.append((begins, ends, not gap and len(plain) == len(word)))
            size += len(plain)
        self.text = "".join(words)

    def begin(self, at: int) -> int:
        """Give where in the text that begins which begins here. Of a word that is another length there, all goes."""
        number = bisect_right(self._starts, at) - 1
        begins, _, alike = self._places[number]
        return begins + at - self._starts[number] if alike else begins

    def end(self, at: int) -> int:
        """Give where in the text that ends which ends here."""
        number = bisect_right(self._starts, at - 1) - 1
        begins, ends, alike = self._places[number]
        return begins + at - self._starts[number] if alike else ends


def _written(text: str, values: Sequence[tuple[str, str]], between: Callable[[str], str]) -> str:
    """Replace values as they are written, longest first; `between` says what becomes of the text around them."""
    for value, name in values:
        if value in text:
            return f"{{{name}}}".join(_written(part, values, between) for part in text.split(value))
    return between(text)


def _words(text: str) -> Iterator[tuple[int, int, bool]]:
    at = 0
    for gap in _GAP.finditer(text):
        if at < gap.start():
            yield at, gap.start(), False
        yield gap.start(), gap.end(), True
        at = gap.end()
    if at < len(text):
        yield at, len(text), False


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    return "".join(char for char in folded if unicodedata.category(char) != "Cf")


def _ways(text: str) -> Iterator[str]:
    """Give a value as a body may hold it."""
    quoted = text.encode("utf-8", "replace")
    yield from (text, html.escape(text), quote(quoted), quote(quoted, safe=""), quote_plus(quoted))
    yield from (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])


def _without(value: Json, values: _Values) -> Json:
    def walk(one: Json, key: str = "") -> Json:
        if isinstance(one, str):
            if key in _LARGE and _is_large(one) and not values.is_one(one):
                return _cut(one) if len(one) > LONGEST_TEXT else one
            plain = values.gone(one)
            return plain if len(plain) <= LONGEST_TEXT else plain[:LONGEST_TEXT] + _cut(plain)
        if isinstance(one, dict):
            made: dict[str, Json] = {}
            for name, inner in one.items():
                plain = values.gone(name)
                while plain in made:
                    plain += "'"  # Two keys, of which each was another spelling of the same value.
                made[plain] = walk(inner, name)
            return made
        if isinstance(one, list):
            return [walk(inner) for inner in one]
        return one

    return walk(value)


def _is_large(text: str) -> bool:
    """Say whether this can be the base64 of a file. No text is read out of one."""
    return len(text) >= _LEAST and len(text) % 4 == 0 and _BASE64.fullmatch(text) is not None


def _one(value: str) -> str:
    spelled = re.escape(value)
    return spelled if len(value) >= _SHORT else rf"(?<!\w){spelled}(?!\w)"


def _cut(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"… {len(text)} characters in all, sha256:{digest}"
