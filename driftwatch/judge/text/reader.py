"""Read a text in every view: as it stands, and with its disguises undone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final

from driftwatch.judge.text import surface
from driftwatch.judge.text.added import Gained, covers, merged
from driftwatch.judge.text.base import Hidden, TextContext
from driftwatch.judge.text.concepts import Hit
from driftwatch.judge.text.denied import allowed, bans, denials, is_quoted, quotations
from driftwatch.judge.text.gate import lower
from driftwatch.judge.text.hidden import hidden
from driftwatch.judge.text.known import Known, known, names_known
from driftwatch.judge.text.landmarks import samples
from driftwatch.judge.text.match import Match, Scene
from driftwatch.judge.text.messages import zero_width_message
from driftwatch.judge.text.normalise import Folded, fold
from driftwatch.judge.text.sentences import BLANK, sentences
from driftwatch.judge.text.signals import ENTRIES, PATTERNS
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.judge.text.suspect import Stretch, stretches, suspect, thought_of, thoughts
from driftwatch.judge.text.understand import settled, understand
from driftwatch.judge.text.views import SHOWN, View
from driftwatch.judge.text.weigh import SPANS, Seen, purposes
from driftwatch.judge.text.words import is_cjk
from driftwatch.model import Confidence, Severity, Span

PLAIN_DISGUISES: Final = frozenset(
    {
        "",
        "comment",
        "link title or image text",
        "HTML entities",
        "percent encoding",
        "punycode",
        "character escapes",
        "digits for letters",
        "picture in base64",
        "quoted-printable",
        "control characters",
        "hidden characters for spaces",
        "letters spaced out",
        "marks inside words",
        "one word to a line",
        "words broken at line ends",
        "words broken up",
        "words run together",
    }
)
"""Ways to write text that honest texts have as well; the other ways are a sign by themselves."""
_PROSE_WORDS: Final = 4
_PROSE_LETTERS: Final = 12
_ANNOUNCED: Final = 24
"""An example stands so many characters behind the words that announce it at most."""
_ASKING: Final = frozenset({"MUST", "ALWAYS"})
"""What takes the place of the word that forbade ("never send" → "always send")."""
_BAN_REACH: Final = 8.0
"""A word that forbids reaches so many words far."""


_Place = tuple[int, int, Gained | None]
"""A sentence of a view, and what was gained in it where the view is the text as it stands."""


@dataclass(frozen=True)
class Reader:
    """Reads one text against what it was; `parts` are the sentences that it gained, `readings` all ways to read it."""

    text: str
    old: str
    parts: tuple[Gained, ...]
    readings: tuple[View, ...]
    context: TextContext

    def read(self) -> Iterator[Seen]:
        """Give everything seen in what is new, in no certain order."""
        if not self.parts:
            return
        new = merged([span for part in self.parts for span in part.spans])
        yield from self._hidden(new)
        facts = known(self.old, self.context)
        for view in self.readings:
            if not view.changed or any(covers(new, *place) for place in view.changed):
                folded = fold(view.text)
                places = self._sentences(view)
                plain, unvouched = self._weighed(view, folded, places, new, facts)
                weighed = thoughts((*plain, *unvouched))
                said = (*self._patterns(view, new), *self._meanings(view, folded, places, new, facts))
                for one in (*said, *self._encoded(view, harmless=not said)):
                    yield _borne(one, weighed)
                yield from suspect(plain, view, self._spans)
                for one in suspect(unvouched, view, self._spans):
                    yield replace(one, excused=())
        yield from surface.seen(self.text, self.old, new, facts, self.context)

    def _weighed(
        self, view: View, folded: Folded, places: Sequence[_Place], new: list[tuple[int, int]], facts: Known
    ) -> tuple[list[Stretch], list[Stretch]]:
        """Give what the learned opinion says of what is new, and of what was approved as its opposite.

        The words of a sentence that only lost words were approved. Where they were approved for what the sentence
        forbade or quoted, nothing vouches for it.
        """
        turned = [(start, end) for start, end, part in places if part is not None and part.turned]
        plain = [
            (start, end)
            for start, end, part in places
            if (not (part.cut or part.turned) if part is not None else covers(new, *view.origin(start, end)))
        ]
        return (
            stretches(view, folded, plain, self.context, facts),
            stretches(view, folded, turned, self.context, names_known(facts, self.context), turned=True),
        )

    def _hidden(self, new: list[tuple[int, int]]) -> Iterator[Seen]:
        by_kind: dict[str, list[Hidden]] = {}
        for run in hidden(self.text):
            if covers(new, run.start, run.end):
                by_kind.setdefault(run.kind, []).append(run)
        had = {run.kind for run in hidden(self.old)} if by_kind else set()
        spelled = zero_width_message(self.text) if by_kind else ""
        for kind, group in by_kind.items():
            yield self._hidden_kind(kind, group, kind in had, spelled)

    def _hidden_kind(self, kind: str, group: list[Hidden], had: bool, spelled: str) -> Seen:
        level = max({run.level for run in group})
        decoded = "".join(run.decoded for run in group)
        if not decoded and level > Severity.LOW:
            decoded = spelled
        if decoded:
            level = Severity.HIGH
        elif had and level < Severity.HIGH:
            level = Severity.LOW
        count = sum(run.end - run.start for run in group)
        spans = tuple(self._span(run.start, run.end, run.decoded) for run in group[:SPANS])
        if decoded and not any(span.decoded for span in spans):
            spans = (replace(spans[0], decoded=decoded[:SHOWN]), *spans[1:])
        what = f"{count} hidden characters" if count > 1 else "a hidden character"
        why = f"It holds {what}: {group[0].name}."
        if decoded:
            why += " They spell a message that a person does not see."
        return Seen(f"hidden.{kind}", HIDDEN, level, Confidence.HIGH, spans, why)

    def _patterns(self, view: View, new: list[tuple[int, int]]) -> Iterator[Seen]:
        lowered = lower(view.text)
        for pattern in PATTERNS:
            for match in pattern.gate.finditer(view.text, lowered):
                place = view.origin(*match.span())
                if not covers(new, *place) or not _concerns(view, [place]) or self._approved(match.group()):
                    continue
                if pattern.test is None or pattern.test(match.group()):
                    yield Seen.of(pattern, self._spans(view, match.span()), view.how)

    def _approved(self, words: str) -> bool:
        """Say whether words stood in the approved text, and not only where it forbade something."""
        return words in self.old and (words in self._allowed or not any(words in one for one in self._forbidding))

    @cached_property
    def _forbidding(self) -> list[str]:
        return [self.old[start:end] for start, end in sentences(self.old) if denials(self.old[start:end])]

    @cached_property
    def _allowed(self) -> str:
        return allowed(self.old)

    def _meanings(
        self, view: View, folded: Folded, places: Sequence[_Place], new: list[tuple[int, int]], facts: Known
    ) -> Iterator[Seen]:
        hits = understand(view.text, folded, facts)
        starts = [hit.start for hit in hits]
        names = names_known(facts, self.context)
        for low, high, part in places:
            start, end = bisect_left(folded.offsets, low), bisect_left(folded.offsets, high)
            inside, least = hits[bisect_left(starts, start) : bisect_left(starts, end)], facts
            if part is not None and (part.cut or part.turned):
                # What it names was approved, what it now says of it was not.
                inside, least = _again(view.text, folded, start, end, names), names
            if not inside:
                continue
            gains = _Gains(view, folded, (start, end), new, least, part)
            for match in Scene(settled(inside), folded.text).matches(ENTRIES, gains.accept):
                seen = Seen.of(match.entry, self._spans(view, folded.origin(start, end)), view.how)
                if gains.turned(match):
                    # The approved text named it too, in order to forbid it: that is no purpose, and leaves no doubt.
                    seen = replace(seen, excused=(), firm=seen.firm or (part is not None and part.turned))
                yield seen

    def _encoded(self, view: View, *, harmless: bool) -> Iterator[Seen]:
        """Say that readable text was encoded at all: a description has no reason to, but to give an example.

        `harmless`: no rule saw anything in it.
        """
        if view.how in PLAIN_DISGUISES or not _is_prose(view.undone):
            return
        if harmless and all(self._is_announced(start) for start, _ in view.changed):
            return
        spans = self._pointed(view, view.changed, (0, len(view.text)))
        yield Seen(
            "hidden.encoded",
            HIDDEN,
            Severity.MEDIUM,
            Confidence.MEDIUM,
            spans,
            f"It holds text that was encoded: {view.how}.",
        )

    def _is_announced(self, at: int) -> bool:
        """Say whether what stands at a place is announced as an example."""
        before = fold(self.text[max(0, at - _ANNOUNCED) : at]).text
        return any(True for _ in samples(before))

    def _sentences(self, view: View) -> list[_Place]:
        """Give the sentences of a view to judge, with what was gained in each for the text as it stands."""
        if not view.how:
            return [(part.start, part.end, part) for part in self.parts]
        places = ((start, end, None) for start, end in sentences(view.text))
        return [place for place in places if _concerns(view, [view.origin(*place[:2])])]

    @cached_property
    def _fresh(self) -> list[tuple[int, int]]:
        """The gained sentences, as one stretch where no other sentence stands between them."""
        out: list[tuple[int, int]] = []
        for part in self.parts:
            if out and not self.text[out[-1][1] : part.start].strip(BLANK):
                out[-1] = (out[-1][0], part.end)
            else:
                out.append((part.start, part.end))
        return out

    def _spans(self, view: View, stretch: tuple[int, int]) -> tuple[Span, ...]:
        """Point at what a stretch of a view came from, as far as it is new."""
        return self._pointed(view, [view.origin(*stretch)], stretch)

    def _pointed(self, view: View, places: Sequence[tuple[int, int]], stretch: tuple[int, int]) -> tuple[Span, ...]:
        """Point at places as far as they are new, each with what a stretch of the view says there."""
        inside = (place for start, end in places for place in _clipped(self._fresh, start, end))
        spans = []
        for start, end in list(islice(inside, SPANS)) or places[:1]:
            low, high = view.found(start, end)
            said = view.around(max(low, stretch[0]), min(high, stretch[1])) if view.how else ""
            spans.append(self._span(start, end, said))
        return tuple(spans)

    def _span(self, start: int, end: int, decoded: str = "") -> Span:
        return Span(self.context.pointer, start, end, decoded[:SHOWN], self.context.target)


@dataclass(frozen=True)
class _Gains:
    """Tells whether what one sentence says is news."""

    view: View
    folded: Folded
    sentence: tuple[int, int]
    new: list[tuple[int, int]]
    facts: Known
    part: Gained | None

    def accept(self, match: Match) -> bool:
        """Take a match that rests on something new, or that the old form of the sentence did not meet."""
        places = [self.view.origin(*self.folded.origin(hit.start, hit.end)) for hit in match.hits]
        if not _concerns(self.view, places):
            return False
        if self.part is None:
            return any(covers(self.new, *place) for place in places)
        if not self.part.cut and any(self.part.touches(*place) for place in places):
            return True
        return bool(self.part.before) and not self._met(match, self.part.before)

    def turned(self, match: Match) -> bool:
        """Say whether the old sentence named all of it and did not ask for it ("must never send")."""
        if self.part is None or not self.part.before:
            return False
        named = purposes(self.part.before) | (_ASKING if self.part.turned else frozenset())
        everything = all(hit.concept in named for hit in match.hits)
        return self.part.cut or (everything and (self.part.turned or not self._met(match, self.part.before)))

    def _met(self, match: Match, before: str) -> bool:
        """Say whether the old sentence said the same. What it only quoted it did not say; a quotation may stay one."""
        start, end = self.sentence
        places = [(start + low, start + high) for low, high in quotations(self.folded.text[start:end])]
        quoted, turned = is_quoted(places, *_reach(match)), self.part is not None and self.part.turned
        return match.entry.id in _ids(before, self.facts, quoted=quoted, banned=not turned)


def _again(raw: str, folded: Folded, start: int, end: int, names: Known) -> list[Hit]:
    """Read one sentence of a text by itself; `start`..`end` lie in the folded text."""
    low, high = folded.offsets[start], folded.offsets[end]
    piece = Folded(folded.text[start:end], [at - low for at in folded.offsets[start : end + 1]])
    hits = understand(raw[low:high], piece, names)
    return [hit._replace(start=hit.start + start, end=hit.end + start) for hit in hits]


def _borne(one: Seen, weighed: Sequence[tuple[int, int, float]]) -> Seen:
    """Add what the learned opinion holds of the words that a rule saw something in."""
    chances = [chance for span in one.spans if (chance := thought_of(weighed, span)) is not None]
    return replace(one, chance=max(chances)) if chances else one


def _clipped(stretches: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give what of `start`..`end` lies in sorted, separate stretches."""
    for at in range(max(0, bisect_left(stretches, (start, -1)) - 1), len(stretches)):
        low, high = stretches[at]
        if low >= end:
            return
        if high > start:
            yield max(low, start), min(high, end)


def _is_prose(said: str) -> bool:
    """Say whether text has several words, or so many letters of a script that has no gaps between words."""
    return len(said.split()) >= _PROSE_WORDS or sum(map(is_cjk, said)) >= _PROSE_LETTERS


def _concerns(view: View, places: Sequence[tuple[int, int]]) -> bool:
    """Say whether what was found rests on something that only this view shows."""
    return not view.changed or any(covers(view.changed, *place) for place in places)


@lru_cache(maxsize=64)
def _ids(sentence: str, facts: Known, *, quoted: bool, banned: bool) -> frozenset[str]:
    """Give the entries that an old sentence already met; what it quotes or forbids only where that is asked for."""
    folded = fold(sentence)
    hits = settled(understand(sentence, folded, facts))
    marked = [] if quoted else quotations(folded.text)
    forbidden = [] if banned else bans(hits)

    def said(match: Match) -> bool:
        place = min(hit.place for hit in match.hits)
        ban = any(0 <= place - other <= _BAN_REACH for other in forbidden)
        return not ban and not is_quoted(marked, *_reach(match))

    return frozenset(match.entry.id for match in Scene(hits, folded.text).matches(ENTRIES, said))


def _reach(match: Match) -> tuple[int, int]:
    """Give where a match begins and ends in the folded text."""
    return min(hit.start for hit in match.hits), max(hit.end for hit in match.hits)
