"""Read what is new in a look, within a budget: a flood of text may cost no more than so much work, and hides nothing.

Short texts come before long ones, so that a huge one starves none of them. Of the short ones what changed in an
approved place comes first, then what came to an approved item, then new items. What is left over when the budget is
spent is not read, and that is told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, islice

from driftwatch.judge import pointer as at
from driftwatch.judge.context import Context, Heard, Look, Text, Unread
from driftwatch.judge.neighbours import Elsewhere
from driftwatch.judge.text import (
    Part,
    Signal,
    TextContext,
    Together,
    across,
    examined,
    says_nothing,
    size,
    together,
)
from driftwatch.judge.text.added import keys, stood
from driftwatch.judge.text.signals.base import HIDDEN
from driftwatch.judge.text.together import APART
from driftwatch.judge.texts import (
    APPROVED_UP_TO,
    NAMED,
    Approved,
    OwnNames,
    linked,
    names_of,
    purpose,
    texts,
    unreadable,
)
from driftwatch.model import Item, Json, Kind

BUDGET = 4 * 1024 * 1024
"""How many bytes are read in one look: every new text in all its readings, and what was approved of its item.

Ordinary texts have one reading. The largest honest server known sends less than a thirtieth of this.
"""
_DESCRIPTION = "description"
_NUMBERS = frozenset({"/serverInfo/version", "/protocolVersion"})
"""Where a number stands that was approved: no sentence goes on it."""
_STARTS = frozenset({Kind.ENTRY, Kind.LAUNCH})
"""The kinds of items that say how a server is started: no model reads more of them than a name."""
JOINT = BUDGET // 4
"""How much is read beside that to find what several texts of an item say together: a flood takes none of it away."""
_SHORT = 2048
"""How long (code points) a text may be to be read in its turn: longer ones wait, and are read by their size."""
_NOT_OF_LINKS = ("address.", "learned.")
"""Signals that the text of an address gives without saying anything."""
_BEHIND = 1 << 62
"""The number of what several texts say together: it comes behind what each says."""
_EACH = 32
"""What taking up a text costs, however short it is, in bytes."""


@dataclass(frozen=True)
class _Vouching:
    """What was approved of an item, as one text, and sentence by sentence as `keys` gives them."""

    known: str
    sentences: frozenset[tuple[str, bool]]

    @classmethod
    def of(cls, said: frozenset[str]) -> _Vouching:
        """Take the texts in order, as far as approved ones are taken into account."""
        kept: list[str] = []
        left = APPROVED_UP_TO
        for one in sorted(said):
            if left <= 0:
                break
            kept.append(one[:left])
            left -= len(one) + 1
        return cls("\n".join(kept), frozenset(key for one in kept for key in keys(one)))


@dataclass(frozen=True)
class _Page:
    """One item to judge, with what was approved of it."""

    look: Look
    own: OwnNames
    coined: OwnNames
    foreign: Elsewhere
    first: bool

    @property
    def fresh(self) -> bool:
        """Say whether nobody approved the item."""
        return self.look.before is None

    @cached_property
    def approved(self) -> Approved:
        """Every string of the approved form."""
        return Approved(self.look.before)

    @cached_property
    def _known(self) -> dict[frozenset[str], _Vouching]:
        return {}

    def vouching(self, text: Text) -> _Vouching:
        """Give the approved texts that vouch for one in such a place."""
        said = self.approved.beside(text)
        if said not in self._known:
            self._known[said] = _Vouching.of(said)
        return self._known[said]

    def new(self) -> Iterator[tuple[int, Text, str]]:
        """Give every string that the approved form does not have: its number, and what stood in its place before."""
        olds = {change.pointer: change.before for change in self.look.changes}
        for number, text in enumerate(texts(self.look.after.raw)):
            if (
                not self.approved.hold(text)
                and not says_nothing(text.said)
                and not unreadable(text, self.look.after.raw)
            ):
                yield number, text, _before(self.look, olds, text)

    def parts(self, most: int) -> tuple[list[Part], bool]:
        """Give the strings of the item, names and single words included; and whether new ones were left out.

        Where there are more than `most`, only new ones and what stands beside them are given. None where none is new.
        """
        every = list(islice(self._parts(), most + 1))
        if len(every) > most:
            every = list(islice(_beside_new(self._parts()), most + 1))
        found = every[:most]
        return ([] if all(part.approved for part in found) else found), len(every) > most

    def _parts(self) -> Iterator[Part]:
        olds = {change.pointer: change.before for change in self.look.changes}
        for text in texts(self.look.after.raw):
            held = self.approved.hold(text)
            if held and text.pointer in _NUMBERS:
                continue
            before = "" if held else _before(self.look, olds, text)
            yield Part(text.pointer, text.target, text.said, before, approved=held)

    def shows(self, signal: Signal, text: Text) -> bool:
        """Say whether a signal counts: how a server is started is no text for models, but it may hide something.

        That an address stands in a place for addresses is no news, and the learned opinion has learned from sentences.
        """
        if linked(text) and signal.id.startswith(_NOT_OF_LINKS):
            return False
        return signal.category == HIDDEN or self.look.after.kind not in _STARTS or text.pointer == "/name"

    @cached_property
    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The server's own names that the new text mentions: the approved ones, and the others."""
        said = [text.said for _, text, _ in self.new()]
        return self.own.within(said), self.coined.within(said)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The names of other servers' tools that the new text mentions, as they are spelled in it."""
        if not self.foreign:
            return frozenset()
        said = [text.said for _, text, _ in self.new()]
        return frozenset(one[start:end] for one in said for start, end, _ in self.foreign.mentioned(one))

    def context(self, text: Text) -> TextContext:
        """Say where a text stands and what it belongs to."""
        item, (own, coined) = self.look.after, self.names
        return TextContext(
            own,
            item.key,
            item.kind,
            text.pointer,
            purpose(self.look),
            target=text.target,
            known=self.vouching(text).known,
            coined=coined,
            elsewhere=self.elsewhere,
            first=self.first,
            fresh=self.fresh,
        )


def listen(context: Context, budget: int = BUDGET) -> tuple[tuple[Heard, ...], Unread]:
    """Give every string that gained signals over the item's approved text, in the order of items; and what is unread.

    Text that only moved inside the item is not new; what a string says that the item said elsewhere before is not.
    """
    heard: dict[tuple[int, int], Heard] = {}
    left, length, items = 0, 0, dict[str, None]()
    opened: set[tuple[int, str]] = set()
    given = budget
    pages = _pages(context)
    for number, page, place, text, before in _in_turn(pages):
        item = page.look.after
        if budget <= 0:
            left, length = left + 1, length + len(text.said)
            items[_called(item)] = None
            continue
        vouching = page.vouching(text)
        if (number, vouching.known) not in opened:
            opened.add((number, vouching.known))
            budget -= size(vouching.known)
        survey = examined(text.said, before, page.context(text))
        budget -= survey.read + _EACH
        signals = tuple(signal for signal in survey.signals if page.shows(signal, text))
        signals = tuple(signal for signal in signals if not _moved(signal, text.said, vouching))
        if signals:
            heard[number, place] = Heard(item, text, before, signals, fresh=page.fresh)
    joint, apart = _joint(pages, heard, JOINT * max(given, 0) // BUDGET)
    heard.update(joint)
    several, not_held = _across(pages, given)
    heard.update({(len(pages), number): one for number, one in enumerate(several)})
    apart = tuple(dict.fromkeys((*apart, *not_held)))
    return tuple(heard[key] for key in sorted(heard)), Unread(left, length, tuple(items), apart)


def _joint(
    pages: Sequence[_Page], heard: Mapping[tuple[int, int], Heard], budget: int
) -> tuple[dict[tuple[int, int], Heard], tuple[str, ...]]:
    """Give what the texts of items say together, approved items first; and the items that were not read so wholly."""
    alone: dict[int, list[Heard]] = defaultdict(list)
    for (number, _), one in heard.items():
        alone[number].append(one)
    found: dict[tuple[int, int], Heard] = {}
    apart: list[str] = []
    for number, page in sorted(enumerate(pages), key=lambda one: one[1].fresh):
        if page.look.after.kind in _STARTS:
            continue
        parts, cut = page.parts(max(budget // _EACH, 0))
        budget -= _EACH * len(parts)
        for count, said in enumerate(_together(page, parts, alone[number])):
            if said.signals:
                found[number, _BEHIND + count] = _heard(page, said)
            if budget <= 0:
                cut = True
                break
            budget -= said.read
        if cut:
            apart.append(_called(page.look.after))
    return found, tuple(apart)


def _across(pages: Sequence[_Page], budget: int) -> tuple[list[Heard], tuple[str, ...]]:
    """Give what descriptions of several items of one kind say together, and the items that were not read so.

    Short ones come first here too. To look for loose ends costs little beside reading.
    """
    found: list[Heard] = []
    apart: list[str] = []
    groups: dict[Kind, list[tuple[_Page, Part]]] = defaultdict(list)
    for page in pages:
        item = page.look.after
        said = item.raw.get(_DESCRIPTION) if isinstance(item.raw, dict) and item.kind not in _STARTS else None
        text = Text(f"/{_DESCRIPTION}", "value", said if isinstance(said, str) else "")
        if text.said and not page.approved.hold(text):
            before = _before(page.look, {}, text)
            groups[item.kind].append((page, Part(at.join("", item.key, _DESCRIPTION), "value", text.said, before)))
    for every in groups.values():
        group = sorted(every, key=lambda one: len(one[1].said))
        spent = list(accumulate(size(part.said) + _EACH for _, part in group))
        most = bisect_right(spent, budget)
        budget -= spent[most - 1] if most else 0
        apart += [_called(page.look.after) for page, _ in group[most:]]
        one = _heard_across(group[:most]) if most > 1 else None
        found += [one] if one is not None else []
    return found, tuple(apart)


def _heard_across(group: Sequence[tuple[_Page, Part]]) -> Heard | None:
    first = group[0][0]
    context = replace(first.context(Text("", "value", "")), item="", purpose="", known="")
    said = across([part for _, part in group], context)
    if said is None or not said.signals:
        return None
    parts = tuple(Text(part.pointer, part.target, part.said) for part in said.parts)
    pages = {part.pointer: page for page, part in group}
    items = tuple(pages[part.pointer].look.after for part in parts)
    fresh = all(pages[part.pointer].fresh for part in parts)
    return Heard(items[0], Text("", "value", ""), "", said.signals, parts, fresh, items)


def _together(page: _Page, parts: Sequence[Part], heard: Sequence[Heard]) -> Iterator[Together]:
    """Give what the texts of an item say together and none of them alone."""
    if len(parts) < 2:
        return
    known = {(one.text.pointer, one.text.target, signal.id) for one in heard for signal in one.signals}
    yield from together(parts, page.context(Text("", "value", "")), known)


def _beside_new(parts: Iterable[Part]) -> Iterator[Part]:
    """Give the new parts, and of the approved ones those that stand near a new one."""
    waiting: deque[Part] = deque(maxlen=APART)
    after = 0
    for part in parts:
        if not part.approved:
            yield from waiting
            yield part
            waiting.clear()
            after = APART
        elif after:
            yield part
            after -= 1
        else:
            waiting.append(part)


def _heard(page: _Page, found: Together) -> Heard:
    parts = tuple(Text(part.pointer, part.target, part.said) for part in found.parts)
    return Heard(page.look.after, Text("", "value", ""), "", found.signals, parts, page.fresh)


def _pages(context: Context) -> list[_Page]:
    own, coined = _own_names(context)
    foreign = Elsewhere(context.facts.neighbours, [name for item in context.live.items for name in names_of(item)])
    first = context.baseline is None
    return [_Page(look, own, coined, foreign, first) for look in context.looks()]


def _in_turn(pages: Sequence[_Page]) -> Iterator[tuple[int, _Page, int, Text, str]]:
    """Give every new string with the number of its item and its own: the most telling first, long ones by size last.

    Of short ones nothing is kept, because a look may hold millions of them; approved items are gone through twice
    instead.
    """
    approved = [(number, page) for number, page in enumerate(pages) if page.look.before is not None]
    new = [(number, page) for number, page in enumerate(pages) if page.look.before is None]
    long: list[tuple[int, _Page, int, Text, str]] = []
    for turn, changed in ((approved, True), (approved, False), (new, False)):
        for number, page in turn:
            for place, text, before in page.new():
                if bool(before) is not changed:
                    continue
                if len(text.said) > _SHORT:
                    long.append((number, page, place, text, before))
                else:
                    yield number, page, place, text, before
    yield from sorted(long, key=lambda one: len(one[3].said))


def _own_names(context: Context) -> tuple[OwnNames, OwnNames]:
    """Give the names of the server's own: approved ones, and those of tools and prompts that nobody approved.

    A parameter that nobody approved gives none: its name is free to choose. In a scan all names count as approved.
    """
    approved = {name for item in (context.baseline or context.live).items for name in names_of(item)}
    called = {item.key for item in context.live.items if item.key and item.kind in NAMED}
    return OwnNames(approved), OwnNames(called - approved)


def _before(look: Look, olds: dict[str, Json], text: Text) -> str:
    if text.target == "key" or look.before is None:
        return ""
    old = olds[text.pointer] if text.pointer in olds else at.get(look.before.raw, text.pointer, None)
    return old if isinstance(old, str) else ""


def _called(item: Item) -> str:
    """Name an item for a message; one without a name by what it is."""
    return item.key or f"the {item.kind.noun}"


def _moved(signal: Signal, said: str, vouching: _Vouching) -> bool:
    """Say whether all that a signal points at stood elsewhere in the item before, sentence by sentence."""
    return stood(said, ((span.start, span.end) for span in signal.spans), vouching.sentences)
