"""Regular expressions of schemas, compared as languages and never run.

A pattern from a server may take a backtracking engine for ever. Here it becomes a small automaton, or nothing: look
around, back references, word boundaries, flags and Unicode properties are not understood, and neither is what needs
too many states. The dialect is that of ECMA-262 with the `u` flag, as JSON Schema has it: a match anywhere counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from driftwatch.judge.schema.work import Work

_LONGEST = 300
"""Patterns longer than this (characters) are not read."""
_STATES = 300
_PRODUCT = 600
"""How many pairs of states two patterns are compared by."""
_READ = 256
"""Texts longer than this (characters) are not matched."""
_LAST = 0x10FFFF
_DOT = ((0, 9), (11, 12), (14, 0x2027), (0x202A, _LAST))
_CLASSES = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": (
        *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
        *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
    ),
}
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_PLAIN = "^$\\.*+?()[]{}|/-"
_BEGIN, _END = "begin", "end"

Ranges = tuple[tuple[int, int], ...]


class _Beyond(Exception):  # noqa: N818 - no error: the pattern is not one that is understood
    """The pattern uses what is not understood, or is no pattern."""


@dataclass(eq=False)
class Automaton:
    """States by number. `moves` read one character; `free` read none, some only at the begin or the end of a text."""

    moves: list[list[tuple[Ranges, int]]] = field(default_factory=list)
    free: list[list[tuple[str, int]]] = field(default_factory=list)
    start: int = 0
    final: int = 0

    def state(self) -> int:
        """Add a state."""
        if len(self.moves) >= _STATES:
            raise _Beyond
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def closed(self, states: Iterable[int], *, begin: bool = False, end: bool = False) -> frozenset[int]:
        """Give all states that are reached without reading."""
        found, waiting = set(states), list(states)
        allowed = {"", *([_BEGIN] if begin else []), *([_END] if end else [])}
        while waiting:
            for needs, target in self.free[waiting.pop()]:
                if needs in allowed and target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    def first(self) -> frozenset[int]:
        """Give the states before anything is read."""
        return self.closed([self.start], begin=True)

    def step(self, states: frozenset[int], code: int) -> frozenset[int]:
        """Give the states after one more character. A match may begin anywhere, and stays one."""
        after = [
            target for one in states for ranges, target in self.moves[one] if any(a <= code <= b for a, b in ranges)
        ]
        kept = [self.final] if self.final in states else []
        return self.closed([*after, *kept, self.start])

    def accepts(self, states: frozenset[int], *, empty: bool = False) -> bool:
        """Say whether a text that ends in these states matches; `empty` when nothing was read."""
        return self.final in self.closed(states, begin=empty, end=True)


@lru_cache(maxsize=512)
def automaton(pattern: str) -> Automaton | None:
    """Give the automaton of a pattern; None for what is not understood."""
    if len(pattern) > _LONGEST:
        return None
    try:
        return _Parser(pattern).whole()
    except (_Beyond, IndexError, ValueError, OverflowError):
        return None


class _Parser:
    """Reads a pattern by recursive descent and builds states on the way. Each part gives its first and last state."""

    def __init__(self, pattern: str) -> None:
        self.text, self.at, self.made, self.depth = pattern, 0, Automaton(), 0

    def whole(self) -> Automaton:
        start, final = self.either()
        if self.at < len(self.text):
            raise _Beyond
        self.made.start, self.made.final = start, final
        return self.made

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self) -> str:
        self.at += 1
        return self.text[self.at - 1]

    def either(self) -> tuple[int, int]:
        self.depth += 1
        if self.depth > 12:
            raise _Beyond
        start, final = self.made.state(), self.made.state()
        while True:
            first, last = self.row()
            self.made.free[start].append(("", first))
            self.made.free[last].append(("", final))
            if self.peek() != "|":
                self.depth -= 1
                return start, final
            self.take()

    def row(self) -> tuple[int, int]:
        start = last = self.made.state()
        while self.peek() not in ("", "|", ")"):
            begin = self.at
            first, end = self.atom()
            low, high = self.times()
            if (low, high) != (1, 1):
                first, end = self.repeated(begin, first, end, low, high)
            self.made.free[last].append(("", first))
            last = end
        return start, last

    def repeated(self, begin: int, first: int, end: int, low: int, high: int | None) -> tuple[int, int]:
        """Lay out so many copies of an atom: it is read anew for each."""
        after = self.at
        copies = max(low, 1 if high is None else high)
        if copies > _STATES:
            raise _Beyond
        start = last = self.made.state()
        skips = []
        for number in range(copies):
            if number:
                self.at = begin
                first, end = self.atom()
            if number >= low:
                skips.append(last)
            self.made.free[last].append(("", first))
            last = end
        final = self.made.state()
        self.made.free[last].append(("", final))
        if high is None:
            self.made.free[end].append(("", first))
        for skip in skips:
            self.made.free[skip].append(("", final))
        self.at = after
        return start, final

    def times(self) -> tuple[int, int | None]:
        """Read how often: `*`, `+`, `?`, `{2,3}`; whether greedy or not is the same language."""
        sign = self.peek()
        found: tuple[int, int | None] = (1, 1)
        if sign in ("*", "+", "?"):
            self.take()
            found = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        elif sign == "{":
            close = self.text.index("}", self.at)
            low, comma, high = self.text[self.at + 1 : close].partition(",")
            if not low.isdecimal() or (high and not high.isdecimal()) or len(low + high) > 6:
                raise _Beyond
            self.at = close + 1
            found = (int(low), (int(high) if high else None) if comma else int(low))
            if found[1] is not None and found[1] < found[0]:
                raise _Beyond
        else:
            return found
        if self.peek() == "?":
            self.take()
        if self.peek() in ("*", "+", "?", "{"):
            raise _Beyond
        return found

    def atom(self) -> tuple[int, int]:
        sign = self.take()
        if sign == "(":
            return self.group()
        if sign in ("^", "$"):
            first, last = self.made.state(), self.made.state()
            self.made.free[first].append((_BEGIN if sign == "^" else _END, last))
            return first, last
        if sign in "*+?{})":
            raise _Beyond
        ranges = {".": _DOT}.get(sign) or self.one(sign)
        first, last = self.made.state(), self.made.state()
        self.made.moves[first].append((ranges, last))
        return first, last

    def one(self, sign: str) -> Ranges:
        if sign == "[":
            return self.several()
        return self.escaped() if sign == "\\" else ((ord(sign), ord(sign)),)

    def group(self) -> tuple[int, int]:
        if self.peek() == "?":
            self.take()
            if self.peek() in ("P", "<"):
                name = self.text[self.at : self.text.index(">", self.at) + 1]
                if name.startswith(("<=", "<!", "P=", "P>")):
                    raise _Beyond
                self.at += len(name)
            elif self.take() != ":":
                raise _Beyond
        inner = self.either()
        if self.take() != ")":
            raise _Beyond
        return inner

    def escaped(self) -> Ranges:
        sign = self.take()
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign.lower() in _CLASSES:
            return _others(_CLASSES[sign.lower()])
        code = _CONTROLS.get(sign)
        if sign in ("x", "u"):
            digits = 2 if sign == "x" else 4
            code = int(self.text[self.at : self.at + digits], 16)
            self.at += digits
        elif code is None:
            if sign not in _PLAIN and (sign.isalnum() or ord(sign) > 126):
                raise _Beyond
            code = ord(sign)
        return ((code, code),)

    def several(self) -> Ranges:
        """Read a class: `[a-z_]`, `[^/]`."""
        negated = self.peek() == "^"
        if negated:
            self.take()
        found: list[tuple[int, int]] = []
        while self.peek() != "]":
            first = self.member()
            if self.peek() == "-" and self.text[self.at + 1] != "]" and len(first) == 1 and first[0][0] == first[0][1]:
                self.take()
                last = self.member()
                if len(last) != 1 or last[0][0] != last[0][1] or last[0][0] < first[0][0]:
                    raise _Beyond
                first = ((first[0][0], last[0][0]),)
            found.extend(first)
        self.take()
        ranges = _merged(found)
        return _others(ranges) if negated else ranges

    def member(self) -> Ranges:
        sign = self.take()
        if sign == "\\" and self.peek() == "b":
            raise _Beyond
        return self.escaped() if sign == "\\" else ((ord(sign), ord(sign)),)


def _merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def _others(ranges: Ranges) -> Ranges:
    found, low = [], 0
    for first, last in _merged(ranges):
        if first > low:
            found.append((low, first - 1))
        low = last + 1
    return tuple([*found, (low, _LAST)] if low <= _LAST else found)


def matches(pattern: str, text: str, work: Work) -> bool | None:
    """Say whether a text matches; None when the pattern is not understood, or the text is long or not plain.

    Readers differ about line ends before `$`, and about which letters and digits of the world a class holds.
    """
    made = automaton(pattern)
    if made is None or len(text) > _READ or not (text.isascii() and (text.isprintable() or not text)):
        return None
    states = made.first()
    for char in text:
        work.spend(1 + len(states) // 8)
        states = made.step(states, ord(char))
    return made.accepts(states, empty=not text)


def between(inside: Sequence[str], outside: str | None, work: Work, at_least: int = 0) -> tuple[str | None, bool]:
    """Find a shortest text that all of `inside` match and `outside` does not, of some length at least.

    Gives the text, None when there is none, and whether that is certain. Patterns that are not understood are left
    out of `inside`: a text is then only a guess, and its absence is still certain.
    """
    known = [made for made in map(automaton, inside) if made is not None]
    refused = automaton(outside) if outside is not None else None
    if outside is not None and refused is None:
        return None, False
    certain = len(known) == len(inside)
    machines = [*known, *([refused] if refused is not None else [])]
    codes = _letters(machines)
    first = (tuple(made.first() for made in machines), 0)
    texts = {first: ""}
    waiting = [first]
    for states, length in waiting:
        text = texts[states, length]
        fits = [made.accepts(one, empty=not text) for made, one in zip(machines, states, strict=True)]
        if len(text) >= at_least and all(fits[: len(known)]) and not (refused is not None and fits[-1]):
            return text, certain
        if len(texts) > _PRODUCT:
            return None, False
        for code in codes:
            work.spend(1 + sum(map(len, states)) // 4)
            after = tuple(made.step(one, code) for made, one in zip(machines, states, strict=True))
            following = (after, min(length + 1, at_least))
            if following not in texts:
                texts[following] = text + chr(code)
                waiting.append(following)
    return None, True


def _letters(machines: Sequence[Automaton]) -> list[int]:
    """Give one character of each region that some pattern tells from others, such as people type where there is one."""
    edges = {0, _LAST + 1}
    for made in machines:
        for ranges in (ranges for moves in made.moves for ranges, _ in moves):
            edges |= {edge for low, high in ranges for edge in (low, high + 1)}
    ordered = sorted(edges)
    regions = [(low, high - 1) for low, high in pairwise(ordered)]
    return sorted((_typed(low, high) for low, high in regions), key=lambda code: (not 97 <= code <= 122, code))


def _typed(low: int, high: int) -> int:
    wanted = next((code for code in (97, 48, 65, 45, 95) if low <= code <= high), None)
    plain = next((code for code in range(max(low, 33), min(high, 126) + 1)), None)
    # Half of a surrogate pair is no character.
    return wanted or plain or (0xE000 if low <= 0xD800 and high >= 0xE000 else low)


def all_match(pattern: str, work: Work) -> bool:
    """Say whether every text matches for sure: an empty pattern, `.*`."""
    text, certain = between([], pattern, work)
    return text is None and certain


def includes(smaller: Sequence[str], larger: str, work: Work) -> bool:
    """Say whether every text that all of the smaller ones match is matched by the larger one, for sure."""
    if larger in smaller:
        return True
    text, certain = between(smaller, larger, work)
    return text is None and certain
