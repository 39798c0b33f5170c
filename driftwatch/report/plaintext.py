"""Reports of one or several servers as one text without colour. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from driftwatch.report.advice import advice
from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import sentence
from driftwatch.report.headline import headline, in_order, verdict
from driftwatch.report.lines import Piece, paint, wrap
from driftwatch.report.subject import Fails, Judged, facts
from driftwatch.report.text import to_text

WIDTH = 80
_LONGEST = 600


def to_plaintext(judged: Sequence[Judged], fails: Fails) -> str:  # noqa: ARG001 - all formats take the same
    """Write the reports one below the other, the worst first, each below what it is about."""
    parts = [] if len(judged) == 1 else ["".join(_lines(headline(judged)))]
    parts += [_one(one) for one in in_order(judged)]
    return "\n".join(parts)


def _one(judged: Judged) -> str:
    head = [*_lines(verdict(judged))]
    for what, words in facts(judged):
        head += _lines(f"{what}: {words}", first="  ")
    return (
        "".join(head)
        if judged.trouble
        else "".join([*head, "\n", to_text(judged.report, colour=False, width=WIDTH, advice=advice)])
    )


def _lines(text: str, *, first: str = "") -> Iterator[str]:
    for line in wrap([Piece(clipped(sentence(text), _LONGEST))], width=WIDTH, first=first, rest=f"{first}  "):
        yield paint(line, colour=False) + "\n"
