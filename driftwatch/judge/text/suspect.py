"""What the learned opinion says of gained text: stretch by stretch, so that rules are borne out or doubted by it.

On its own it is told from `SURE` (`FRESH`) on, always with the words that it rests on. Below, it only weighs with what
a rule saw in the same stretch.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from driftwatch.judge.text import landmarks
from driftwatch.judge.text.base import TextContext
from driftwatch.judge.text.concepts import heard
from driftwatch.judge.text.harmless import is_sourced
from driftwatch.judge.text.known import Known, known
from driftwatch.judge.text.learned import Opinion, opinion, windows
from driftwatch.judge.text.normalise import Folded, fold
from driftwatch.judge.text.sentences import sentences
from driftwatch.judge.text.signals import base
from driftwatch.judge.text.understand import understand
from driftwatch.judge.text.views import View
from driftwatch.judge.text.visible import visible
from driftwatch.judge.text.weigh import Seen
from driftwatch.model import Confidence, Severity, Span

LEARNED: Final = "learned"
"""How the ids of what the opinion says begin."""
SURE: Final = 0.88
"""From this chance on it is medium on its own: of hard honest twins fewer than one in twenty reach it."""
FRESH: Final = 0.70
"""The same for an item that nobody approved: nothing vouches for it, and it has no honest form to be an edit of."""
UNDONE: Final = 0.93
"""The same for what a disguise hid: undoing one that is none makes odd texts."""
TURNED: Final = 0.50
"""The same for a sentence that forbade or quoted it: losing that is half of the proof."""
CERTAIN: Final = 0.95
"""From this chance on it is high on its own."""
_SHOWN: Final = 60
_FEWEST: Final = 6
"""A stretch of fewer words (ideographs) is not told by itself: too little stands in it to be sure."""
_ALONE: Final = 0.5
"""From this chance on a sentence of a stretch is held to be one of those that make it suspect."""
_EXPLAINED: Final = 8
"""So many stretches of one text are explained word by word."""
_IN_ADDRESSES: Final = "percent encoding"
"""A disguise that addresses have by nature."""
_NEXT: Final = 40
"""An example is announced so many characters before its address at most."""

_ASKS: Final = {
    base.OVERRIDE: ("set aside what it was told before", ()),
    base.SECRECY: ("keep something from the user", ()),
    base.CREDENTIALS: ("read secrets or files", ("SECRETFILE", "CREDENTIAL", "DOTFILE")),
    base.EXFILTRATION: ("send data somewhere", ()),
    base.STEERING: ("use or avoid other tools", ()),
    base.CONTEXT: ("hand over the conversation", ("CONVERSATION", "TALK", "SYSPROMPT")),
    base.ROLE: ("take the text for somebody else's message", ()),
    base.AUTHORITY: ("bow to an authority", ()),
    base.EXECUTION: ("run code or commands", ("SHELL", "EXEC+COMMAND")),
    base.CONFIRMATION: ("go on without asking", ()),
    base.TRIGGERS: ("act when something happens", ()),
    base.PERSISTENCE: ("keep to it later and elsewhere", ()),
    base.REPORTING: ("report what is not so", ()),
}
"""What each category asks of a model, and the concepts in a tool's purpose that excuse it."""


@dataclass(frozen=True)
class Stretch:
    """Some gained sentences: where they stand in the original and in the view, and what is thought of them."""

    place: tuple[int, int]
    inside: tuple[int, int]
    said: str
    held: Opinion


def stretches(
    view: View,
    folded: Folded,
    places: Sequence[tuple[int, int]],
    context: TextContext,
    facts: Known,
    *,
    turned: bool = False,
) -> list[Stretch]:
    """Weigh the sentences of a view that stand at `places`, in order.

    `folded` is the view's text. Addresses that are known, or announced as examples, are left out; so is every address
    where encoded parts of one were undone, as its words are no sentence about the rest. `turned`: the sentences forbade
    or quoted before what they say now.
    """
    if not places:
        return []
    text = _blanked(view.text, folded, facts, every=_IN_ADDRESSES in view.how)
    sure = TURNED if turned else UNDONE if view.how else FRESH if context.fresh else SURE
    out: list[Stretch] = []
    explained = 0
    for start, end in windows(places, text):
        held = opinion(text[start:end], least=sure, explain=explained < _EXPLAINED)
        explained += bool(held.category)
        out.append(Stretch(view.origin(start, end), (start, end), text[start:end], held))
    return out


def thoughts(stretches: Sequence[Stretch]) -> list[tuple[int, int, float]]:
    """Give (start, end, chance) of stretches by their places in the original, in order; of one place the worst.

    What a cipher hid may stand in the original in another order, and all of a code stands at one place. Of a few words
    nothing is thought: they are too little to doubt a rule by.
    """
    worst: dict[tuple[int, int], float] = {}
    for one in stretches:
        if one.held.read > _FEWEST:
            worst[one.place] = max(worst.get(one.place, 0.0), one.held.chance)
    return [(*place, worst[place]) for place in sorted(worst)]


def thought_of(thoughts: Sequence[tuple[int, int, float]], span: Span) -> float | None:
    """Give the chance of the stretch that a span lies in."""
    at = bisect_right(thoughts, span.start, key=lambda one: one[0]) - 1
    return thoughts[at][2] if at >= 0 and span.start < thoughts[at][1] else None


def suspect(
    found: Sequence[Stretch], view: View, spans: Callable[[View, tuple[int, int]], tuple[Span, ...]]
) -> Iterator[Seen]:
    """Tell what is suspect by itself. `spans` points at a stretch of the view as far as it is new."""
    for one in found:
        if one.held.category and one.held.read >= _FEWEST and not _is_explained(one):
            marked = [spans(view, place) for place in _told(one)]
            yield _seen(one, tuple(span for some in marked for span in some), view.how)


def _is_explained(one: Stretch) -> bool:
    """Say whether what sounds like reading secrets only tells where the server finds its own."""
    if one.held.category != base.CREDENTIALS:
        return False
    folded = fold(one.said)
    nothing = known("", TextContext())
    hits = understand(one.said, folded, nothing)
    suspected = [
        [hit for hit in hits if start <= folded.origin(hit.start, hit.end)[0] < end] for start, end in _sentences(one)
    ]
    return all(is_sourced(heard(said)) for said in suspected)


def _told(one: Stretch) -> Iterator[tuple[int, int]]:
    """Give the sentences of a stretch that make it suspect: those that read so alone, or all where none does."""
    begin = one.inside[0]
    for start, end in _sentences(one):
        yield begin + start, begin + end


def _sentences(one: Stretch) -> list[tuple[int, int]]:
    """Give the same, as offsets into the stretch."""
    places = sentences(one.said)
    alone = [place for place in places if opinion(one.said[slice(*place)], explain=False).chance >= _ALONE]
    return alone or [(0, len(one.said))]


def _blanked(text: str, folded: Folded, facts: Known, *, every: bool) -> str:
    """Put spaces for addresses that are no news, or for every one."""
    kept: list[str] = []
    done = 0
    marks = landmarks.addresses(folded.text) if every else ()
    places = (folded.origin(mark.start, mark.end) for mark in marks) if every else _no_news(folded, facts)
    for start, end in sorted(places):
        if start >= done:
            kept.extend((text[done:start], " " * (end - start)))
            done = end
    return "".join((*kept, text[done:]))


def _no_news(folded: Folded, facts: Known) -> Iterator[tuple[int, int]]:
    """Give where addresses stand that are known, or announced as examples."""
    marks = list(landmarks.addresses(folded.text))
    announced = [sample.end for sample in landmarks.samples(folded.text)] if marks else []
    for mark in marks:
        at = bisect_right(announced, mark.start)
        if (at and mark.start - announced[at - 1] <= _NEXT) or facts.has(mark):
            yield folded.origin(mark.start, mark.end)


def _seen(one: Stretch, spans: tuple[Span, ...], how: str) -> Seen:
    """Put an opinion as something seen; its confidence is low, so that no rule takes it for decisive."""
    held = one.held
    named = ", ".join(f"“{_shown(one.said[start:end])}”" for start, end in held.phrases)
    most = f"; most by {named}" if named else ""
    asks, excused = _ASKS.get(held.category, ("do something else", ()))
    return Seen(
        f"{LEARNED}.{held.category}",
        held.category,
        Severity.HIGH if held.chance >= CERTAIN else Severity.MEDIUM,
        Confidence.LOW,
        spans,
        f"It reads like text that makes the model {asks}, going by texts that this was learned from{most}.",
        how,
        excused,
        learned=True,
        chance=held.chance,
    )


def _shown(phrase: str) -> str:
    """Give a server's words for a message: escaped, cut, and without the marks that would end the quotation."""
    return visible(phrase[:_SHOWN]).replace("“", "'").replace("”", "'")
