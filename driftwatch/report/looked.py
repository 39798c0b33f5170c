"""What was looked at: how much there was to read, what of it was not read, and that nothing found proves nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from driftwatch.judge.bounded import bounded
from driftwatch.judge.context import Context, Look
from driftwatch.judge.diff import differences
from driftwatch.judge.intake import named
from driftwatch.judge.snapshot import LISTS
from driftwatch.judge.text import says_nothing
from driftwatch.judge.text.lengths import window
from driftwatch.judge.text.signals.base import UNEXAMINED
from driftwatch.judge.texts import Approved, texts, unreadable
from driftwatch.model import Json, Kind, Report, Snapshot
from driftwatch.model.amounts import many
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import NAME, sentence
from driftwatch.report.languages import without_words
from driftwatch.report.lines import Line, Piece, Style, wrap

NO_GUARANTEE = (
    "That nothing is found in a text is no guarantee that it is harmless: known ways of speaking to a model are looked "
    "for, and there are others. Read what is new before you approve it."
)

_LEFT = 8
"""So many of what was not read is told one by one."""

_FOREIGN = (
    "The words of these languages are not known here: texts in them are read for signs that need no language, and by "
    "the learned opinion, and both see less."
)

_SECTIONS = {
    Kind.SERVER: "server information and instructions",
    **{kind: kind.nouns for kind, _ in LISTS.values() if kind not in {Kind.ENTRY, Kind.PROMPT_BODY}},
}
"""What a server is asked for."""


@dataclass(frozen=True)
class Looked:
    """How much text there was to judge. `characters` are code points; property names are texts too.

    `new` of the `texts` are not in the approved form of their item (in a scan: all of them), and `quiet` of those hold
    nothing that could speak: plain property names, addresses, numbers. `absent` are the sections that were not there,
    `ignored` the keys beside them that nothing is made of. `twice` counts the keys that stand twice in one object.
    `unread` of the new characters lie in the middle of texts that are too long. `foreign` counts the new texts that are
    in a language whose words are not known here, by what tells it.
    """

    texts: int
    characters: int
    new: int
    new_characters: int
    quiet: int
    absent: tuple[str, ...]
    scanned: bool
    ignored: tuple[str, ...] = ()
    twice: int = 0
    unread: int = 0
    foreign: tuple[tuple[str, int], ...] = ()


def looked(baseline: Snapshot | None, live: Snapshot, *, ignored: Sequence[str] = ()) -> Looked:
    """Count what a comparison (or without a baseline a scan) of two snapshots has to read.

    `ignored` are the keys that were given beside the live lists and that nothing was made of.
    """
    *before, after = bounded(*([] if baseline is None else [baseline]), live)
    found = differences(before[0], after) if before else ()
    new: list[tuple[str, bool]] = []
    for look in Context(before[0] if before else None, after, (), found).looks():
        new += _new(look)
    sizes = [len(text.said) for item in after.items for text in texts(item.raw)]
    asked = {} if Kind.ENTRY in live.sections else _SECTIONS
    beside = [oddity.detail for item in live.items for oddity in item.oddities if oddity.code == "ignored-key"]
    foreign = Counter(language for said, speaks in new if speaks and (language := without_words(said)))
    return Looked(
        texts=len(sizes),
        characters=sum(sizes),
        new=len(new),
        new_characters=sum(len(said) for said, _ in new),
        quiet=sum(not speaks for _, speaks in new),
        absent=tuple(word for kind, word in asked.items() if kind not in live.sections),
        scanned=baseline is None,
        ignored=(*ignored, *beside),
        twice=sum(oddity.code == "duplicate-key" for item in live.items for oddity in item.oddities),
        unread=sum(cut.right - cut.left for said, _ in new if (cut := window(said)).cut),
        foreign=tuple(sorted(foreign.items())),
    )


def _new(look: Look) -> Iterator[tuple[str, bool]]:
    """Give every string that the approved form did not show, and whether there is anything to read in it."""
    approved = Approved(look.before)
    for text in texts(look.after.raw):
        if not approved.hold(text):
            yield text.said, not (says_nothing(text.said) or unreadable(text, look.after.raw))


def looked_json(counts: Looked) -> dict[str, Json]:
    """Give the same for programs. It is documented in `docs/python.md`."""
    return {
        "mode": "scan" if counts.scanned else "compare",
        "texts": counts.texts,
        "characters": counts.characters,
        "new_texts": counts.new,
        "new_characters": counts.new_characters,
        "nothing_to_read": counts.quiet,
        "unread_characters": counts.unread,
        "absent": list(counts.absent),
        "ignored": list(counts.ignored),
        "duplicate_keys": counts.twice,
        "no_word_list": dict(counts.foreign),
    }


def looked_lines(report: Report, counts: Looked, *, width: int) -> Iterator[Line]:
    """Say what was looked at, what was not, and that nothing found proves nothing."""
    yield ()
    yield (Piece("What was looked at", Style.STRONG),)
    for word, words in _rows(report, counts):
        pieces = [Piece(f"{word}: ", Style.QUIET), Piece(sentence(words))]
        yield from wrap(pieces, width=width, first="  ", rest="    ")
    yield from wrap([Piece(NO_GUARANTEE)], width=width, first="  ", rest="  ")


def _rows(report: Report, counts: Looked) -> Iterator[tuple[str, str]]:
    whole = f"{many(counts.texts, 'text')} with {many(counts.characters, 'character')}"
    new = f"{many(counts.new, 'new text')} with {many(counts.new_characters, 'character')}"
    those = "of them" if counts.scanned else "of the new ones"
    said = [f"{whole}, names of properties included." if counts.scanned else f"{new}, of {whole} in all."]
    if counts.quiet:
        said.append(f"In {counts.quiet:,} {those} there is nothing to read (plain names, addresses).")
    unread = [one for one in (*report.findings, *report.hidden) if one.category == UNEXAMINED]
    left = [one.message for one in unread if not one.item]
    left += [
        f"A part of {shown(one.pointer)} of {shown(one.item, NAME)}; its finding says why."
        for one in unread
        if one.item
    ]
    if counts.unread:
        left.append(f"{many(counts.unread, 'character')} in the middle of texts that are too long to be read whole.")
    yield "read", " ".join([*said, *(["But not all of it:"] if left else [])])
    yield from (("not read", words) for words in left[:_LEFT])
    if len(left) > _LEFT:
        yield "not read", f"And {len(left) - _LEFT} more."
    if counts.foreign:
        which = "; ".join(f"{language} ({number:,})" for language, number in counts.foreign)
        yield "no word list", f"{which}. {_FOREIGN}"
    if counts.absent:
        yield "absent", f"{', '.join(counts.absent)}; not in what was given."
    if counts.ignored:
        yield "ignored", f"{named(counts.ignored)}; no known host shows it to a model."
    if counts.twice:
        yield (
            "twice",
            f"{many(counts.twice, 'value')} under a key that comes again; what stands in them was read as well.",
        )
