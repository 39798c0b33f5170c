"""Reading hostile text: any text gives an answer, whose spans lie in the text, and which shows safely."""

from __future__ import annotations

from driftwatch.judge.text import Part, TextContext, across, examined, hidden, together, visible
from driftwatch.judge.text.chars import UNSEEN
from driftwatch.model import Kind
from tests.fuzz.drawn import Drawn


def one(data: bytes) -> None:
    """Examine one text over what it was before, alone and beside another one."""
    drawn = Drawn(data)
    sort = drawn.below(4)
    before = drawn.text() + drawn.text() if sort else ""
    after = {1: drawn.text, 2: drawn.rest}.get(sort, lambda: before + drawn.text() + drawn.text() + drawn.text())()
    context = TextContext(
        frozenset({drawn.text(), "read_note"}), drawn.text(), kind=drawn.pick(tuple(Kind)), pointer="/description",
        purpose=drawn.text(), known=drawn.text(), elsewhere=frozenset({"send_mail"}),
    )  # fmt: skip
    found = examined(after, before, context)
    assert examined(after, before, context) == found
    assert list(found.signals) == sorted(
        found.signals, key=lambda one: (-one.severity.rank, one.spans[0].start, one.id)
    )
    for signal in found.signals:
        assert signal.spans
        assert not UNSEEN.search(signal.why.replace("\ufe0f", "")), signal
        for span in signal.spans:
            assert 0 <= span.start <= span.end <= len(after), (span, len(after))
    assert examined(after, after, context).signals == ()
    for text in (before, after):
        shown = visible(text)
        assert not UNSEEN.search(shown.replace("\ufe0f", ""))
        assert shown.isprintable() or "\n" not in shown
        hidden(text)
    _several(drawn, after, before, context)


def _several(drawn: Drawn, after: str, before: str, context: TextContext) -> None:
    """Read texts as one, as rules read the fields of an item."""
    parts = [
        Part(f"/{number}", drawn.pick(("value", "key")), said, before if number == 0 else "", approved=number == 3)
        for number, said in enumerate((after, drawn.text(), drawn.text(), drawn.text(), drawn.text()))
    ]
    said = {(part.pointer, part.target): len(part.said) for part in parts}
    for found in (*together(parts, context, ()), across(parts, context)):
        for signal in found.signals if found is not None else ():
            assert signal.spans
            for span in signal.spans:
                assert 0 <= span.start <= span.end <= said[span.pointer, span.target], (signal, said)
