"""The one call: the signals that a text gives over what it was before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from driftwatch.judge.text import views
from driftwatch.judge.text.added import gained
from driftwatch.judge.text.base import Signal, TextContext
from driftwatch.judge.text.concepts import index
from driftwatch.judge.text.decode import Decoded, decodings
from driftwatch.judge.text.lengths import EXAMINED, about_length, unexamined, window
from driftwatch.judge.text.reader import Reader
from driftwatch.judge.text.weigh import weigh
from driftwatch.model import Span

_SHORTEST: Final = 16
"""A plain word of so many characters may be an encoded text."""


@dataclass(frozen=True)
class Examined:
    """The signals of a text, and how much was read for them, every reading of the text counted, in bytes of UTF-8."""

    signals: tuple[Signal, ...] = ()
    read: int = 0


def examined(after: str, before: str | None, context: TextContext) -> Examined:
    """Give the signals that `after` has and `before` has not, worst first; `before` None or "" means all is new.

    Total and pure: any text gives an answer, in time linear in its length. Nothing found is not a guarantee.
    """
    if after == before or says_nothing(after):
        return Examined()
    seen, old = window(after), window(before or "", 2 * EXAMINED).text
    text = seen.text
    parts = gained(old, text)
    decoded = decodings(text) if parts else Decoded((), whole=True)
    readings = (views.plain(text), *decoded.views) if parts else ()
    signals = [seen.placed(one) for one in weigh(Reader(text, old, parts, readings, context).read(), context)]
    signals += about_length(after, before or "", seen, parts, context)
    if not decoded.whole:
        signals.append(_undecoded(after, context))
    signals.sort(key=lambda signal: (-signal.severity.rank, signal.spans[0].start, signal.id))
    return Examined(tuple(signals), size(old) + sum(size(view.text) for view in readings))


def size(text: str) -> int:
    """Give the bytes of a text in UTF-8: what it takes to read one goes by them in every script."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def says_nothing(text: str) -> bool:
    """Say whether a text can give no signal: one plain word that no lexicon has, too short to hide another."""
    plain = len(text) < _SHORTEST and text.isascii() and text.isalnum()
    return not text or (plain and not index().knows(text.lower()))


def _undecoded(after: str, context: TextContext) -> Signal:
    """Say that more is encoded or disguised in a text than is undone."""
    span = Span(context.pointer, 0, len(after), target=context.target)
    why = "So much in it is encoded or disguised that only a part of that was undone and read."
    return unexamined(span, why, "size.undecoded", context)
