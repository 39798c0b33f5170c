"""A comment on a pull request: what happened, the worst places, what they mean, what to do; the rest collapsed. Pure.

With the details collapsed it fits on one screen, however much changed. It never exceeds what GitHub takes: details that
do not fit are left out whole, and it says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from driftwatch.judge.rules import RULES
from driftwatch.model import Finding, Severity
from driftwatch.model.amounts import many
from driftwatch.report.advice import advice, section
from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import excerpts, sentence
from driftwatch.report.finding import SURE
from driftwatch.report.headline import counts, happened, headline, in_order, place_words, verdict, worst_words
from driftwatch.report.hostwords import acts_of
from driftwatch.report.markdown.safe import fenced, in_html, name, prose
from driftwatch.report.subject import Fails, Judged, facts
from driftwatch.report.text import NOTHING, hidden_words

ROOM = 65_000
"""Characters of the whole, in UTF-16: GitHub takes 65,536 of a comment, and a caller may add a line of its own."""

ROWS = 8
"""Places in the table; the rest is counted."""

RULES_TOLD = 3
"""Rules of which it is said outside the details what they mean and what to do."""

HOSTS_TOLD = 3
_NAMES = 3
"""Names of items in one row of the table; the rest is counted."""
_ROW = 150
_MEANING = 320
_PLACES = 20
"""Places of a wave that the details list."""


@dataclass(slots=True)
class _Page:
    """What is written so far, and how much room is left."""

    left: int
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Write lines, whatever room is left."""
        self.lines += lines
        self.left -= sum(_size(line) + 1 for line in lines)

    def fits(self, lines: Sequence[str], *, spare: int = 0) -> bool:
        """Say whether lines fit, with some room to spare."""
        return sum(_size(line) + 1 for line in lines) + spare <= self.left


def _size(text: str) -> int:
    """Count characters as the strictest reader does: in UTF-16."""
    return len(text) + sum(char > "\uffff" for char in text)


def to_markdown(judged: Sequence[Judged], fails: Fails, *, room: int = ROOM) -> str:
    """Write the comment: at most `room` characters, of which there must be 20,000."""
    ranked = in_order(judged)
    page = _Page(room)
    page.add(*_opening(ranked, fails), "")
    rows = [(one, finding) for one in ranked for finding in one.report.findings]
    rows.sort(key=lambda row: row[1].order)
    page.add(*_table(rows, servers=len(ranked) > 1), *_unseen(ranked), *_meaning([finding for _, finding in rows]))
    page.add(*_going_on(ranked))
    _details(page, ranked)
    return "\n".join(page.lines) + "\n"


def _opening(ranked: Sequence[Judged], fails: Fails) -> Iterator[str]:
    """Give the first line, and what was compared where it is one server."""
    found = sorted((finding for one in ranked for finding in one.report.findings), key=lambda one: one.order)
    mark = f"{found[0].severity.value.upper()}: " if found else ""
    first = f" {prose(clipped(sentence(worst_words(found[0])), _ROW))}" if found else ""
    yield f"**{mark}{prose(clipped(sentence(headline(ranked)), 2 * _ROW))}**{first}"
    number = sum(fails(finding) for finding in found)
    rows = facts(ranked[0]) if len(ranked) == 1 else ()
    said = "; ".join(f"{what} {prose(clipped(sentence(words), _ROW))}" for what, words in rows)
    bad = f"{many(number, 'finding')} {'reaches' if number == 1 else 'reach'} the severity that fails the check."
    parts = [*([f"{said[:1].upper()}{said[1:]}."] if said else []), *([bad] if number else [])]
    yield from ("", " ".join(parts)) if parts else ()
    if ranked and not found and not any(one.trouble for one in ranked):
        yield from ("", NOTHING)


def _table(rows: Sequence[tuple[Judged, Finding]], *, servers: bool) -> Iterator[str]:
    """Give the worst places, one a row; info only where there is nothing else."""
    worth = [row for row in rows if row[1].severity > Severity.INFO] or list(rows)
    if not worth:
        return
    yield f"| severity |{' server |' if servers else ''} what | where |"
    yield f"|---|{'---|' if servers else ''}---|---|"
    for judged, finding in worth[:ROWS]:
        sure = f" ({SURE[finding.confidence]})" if SURE[finding.confidence] else ""
        server = f" {name(judged.subject.name)} |" if servers else ""
        what = prose(clipped(sentence(happened(finding)), _ROW))
        yield f"| **{finding.severity.value}**{sure} |{server} {what} | {_where(finding)} |"
    left = len(rows) - min(len(worth), ROWS)
    if left:
        yield f"| | {'| ' if servers else ''}and {many(left, 'more finding')}, in the details | |"


def _where(finding: Finding) -> str:
    sort, names = place_words(finding)
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    listed = ", ".join(name(one, 60) for one in names[:_NAMES])
    at = f" {name(finding.pointer, 80)}" if finding.pointer else ""
    return " ".join(part for part in (sort, f"{listed}{more}{at}".strip()) if part)


def _unseen(ranked: Sequence[Judged]) -> Iterator[str]:
    """Say what could not be looked at, where that is not the first line already."""
    unseen = [one for one in ranked if one.trouble] if len(ranked) > 1 else []
    if unseen:
        yield ""
        yield "**Could not be looked at**"
        yield ""
    for one in unseen[:ROWS]:
        yield f"- {name(one.subject.name)}: {prose(clipped(sentence(one.trouble), _MEANING))}"
    if len(unseen) > ROWS:
        yield f"- and {len(unseen) - ROWS} more"


def _meaning(found: Sequence[Finding]) -> Iterator[str]:
    """Say of the worst rules what they mean, who acts otherwise, and what to do."""
    worst: dict[str, Finding] = {}
    for finding in found:
        if finding.severity > Severity.INFO:
            worst.setdefault(finding.rule, finding)
    told = list(worst.values())[:RULES_TOLD]
    docs = {rule.id: rule.doc for rule in RULES}
    meant = [(one, section(docs.get(one.rule, ""), "Why it matters")) for one in told]
    if any(why for _, why in meant):
        yield from ("", "**What it means**", "")
    for finding, why in meant:
        if why:
            yield f"- {name(finding.rule)}: {prose(_brief(why))}"
    acts = acts_of(effect for finding in found for effect in finding.hosts)
    if acts:
        shown = "; ".join(f"{prose(hosts)}: {prose(was)} → {prose(now)}" for hosts, was, now in acts[:HOSTS_TOLD])
        more = f"; and {many(len(acts) - HOSTS_TOLD, 'more way')}" if len(acts) > HOSTS_TOLD else ""
        yield f"- Hosts that act otherwise: {shown}{more}."
    steps = list(dict.fromkeys(text for one in told if (text := advice(one))))
    if steps:
        yield from ("", "**What to do**", "")
    yield from (f"- {prose(_brief(text))}" for text in steps)


def _brief(text: str) -> str:
    """Give the first sentences of a text of ours, as many as fit."""
    said = sentence(text)
    end = said.rfind(". ", 0, _MEANING)
    return said if len(said) <= _MEANING else said[: end + 1] if end > 0 else clipped(said, _MEANING)


def _going_on(ranked: Sequence[Judged]) -> Iterator[str]:
    """Give the commands that go on from here, those of the worst first."""
    commands = list(dict.fromkeys(command for one in ranked for command in one.subject.commands))[:RULES_TOLD]
    if commands:
        yield from ("", f"Go on with: {', '.join(name(command, 200) for command in commands)}")


_CUT = "Left out, because a comment takes no more: {}. The whole is in the other formats, and with `driftwatch diff`."
_SPARE = 400
"""Room kept for saying what was left out, and for the end of what is open."""


def _details(page: _Page, ranked: Sequence[Judged]) -> None:
    """Write everything, collapsed, a block for each server; what does not fit is left out from its end on."""
    left = 0
    for one in ranked:
        blocks = list(_blocks(one, alone=len(ranked) == 1))
        if not blocks:
            continue
        opening = ["", "<details>", f"<summary>{_summary(one, alone=len(ranked) == 1)}</summary>", ""]
        if not page.fits([*opening, *blocks[0]], spare=_SPARE):
            left += len(blocks)
            continue
        page.add(*opening)
        for block in blocks:
            if left or not page.fits(block, spare=_SPARE):
                left += 1
            else:
                page.add(*block)
        page.add("</details>")
    if left:
        page.add("", _CUT.format(many(left, "part") + " of the details"))


def _summary(judged: Judged, *, alone: bool) -> str:
    found = judged.report.findings
    what = f"All {many(len(found), 'finding')}, with before and after" if found else "What was looked at"
    return what if alone else in_html(clipped(sentence(f"{judged.subject.name}: {counts(found)}"), _ROW))


def _blocks(judged: Judged, *, alone: bool) -> Iterator[list[str]]:
    """Give the parts of one server's details; each stands for itself."""
    if judged.trouble:
        return
    if not alone:
        said = [f"- {what}: {prose(clipped(sentence(words), _MEANING))}" for what, words in facts(judged)]
        yield [prose(clipped(sentence(verdict(judged)), _MEANING)), "", *said, *([""] if said else [])]
    told: set[str] = set()
    for finding in judged.report.findings:
        yield list(_finding(finding, told))
    for note in judged.report.notes:
        yield [f"Note: {prose(clipped(sentence(note), _MEANING))}", ""]
    if judged.report.hidden:
        yield [f"**{hidden_words(judged.report.hidden).capitalize()}**", ""]
    for finding in judged.report.hidden:
        why = prose(clipped(sentence(finding.hidden), _MEANING))
        yield [f"- {finding.severity.value} {name(finding.rule)} {_where(finding)}: {why}", ""]


def _finding(finding: Finding, told: set[str]) -> Iterator[str]:
    """Give one finding: what, where, who acts otherwise, before and after."""
    sure = f" ({SURE[finding.confidence]})" if SURE[finding.confidence] else ""
    yield f"**{finding.severity.value.upper()}** {name(finding.rule)}{sure}, {_where(finding)}"
    yield ""
    yield prose(clipped(sentence(happened(finding)), 3 * _MEANING))
    yield ""
    for hosts, was, now in acts_of(finding.hosts)[:HOSTS_TOLD]:
        yield f"- {prose(hosts)}: {prose(was)} → {prose(now)}"
    if finding.hosts:
        yield ""
    lines = ["".join(piece.text for piece in line) for line in excerpts(finding, colour=False, told=told)]
    if lines and finding.severity > Severity.INFO:
        yield from fenced((line if line[:2] in ("+ ", "- ") else f"  {line}" for line in lines), "diff")
        yield ""
    if len(finding.places) > 1:
        for item, pointer in finding.places[:_PLACES]:
            yield f"- {name(item, 60)} {name(pointer, 80) if pointer else ''}".rstrip()
        if len(finding.places) > _PLACES:
            yield f"- and {len(finding.places) - _PLACES} more"
        yield ""
