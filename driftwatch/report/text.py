"""A report as text for people: a summary first, then every item with its findings, worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from driftwatch.judge.text.signals.base import UNEXAMINED
from driftwatch.model import Axis, Confidence, Finding, Kind, Report, Severity, worst_of
from driftwatch.model.amounts import many
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import sentence, value_text
from driftwatch.report.finding import finding_lines, limit_of
from driftwatch.report.legend import legend_lines
from driftwatch.report.lines import Line, Piece, Style, paint, wrap
from driftwatch.report.looked import Looked, looked_lines
from driftwatch.report.shape import count

ITEMS_SHOWN = 8
"""Names shown of a finding about several items; the rest is counted."""

ITEMS_QUIET = 3
"""The same for findings below medium, except of items that came or went."""

NOTHING = "That is no guarantee: known signs of trouble were looked for, and there are others."
"""What stands below a report without findings."""

NEAR = 8
"""How many findings above one are looked at for hosts that need not be named again."""

SECTIONS = ("Security", "Contract: what may break callers", "For the record")
"""How a report keeps what it found apart, where it has more than one of them: by axis, and info last."""


def to_text(
    report: Report,
    *,
    colour: bool,
    width: int = 80,
    show: Severity = Severity.INFO,
    advice: Callable[[Finding], str] | None = None,
    full: bool = False,
    hidden: bool = False,
    explain: Looked | None = None,
) -> str:
    """Give a report for a terminal, `width` cells wide, ending in a line feed.

    Findings below `show` are counted and not shown. `advice` gives what to do about a finding, empty for nothing.
    With `full` no text, name or list of names is cut. How many findings the policy hides, and how bad they are,
    stands beside the counts; with `hidden` they stand at the end, each with the reason.
    With `explain` every span is shown in its sentence, and what was looked at stands at the end.
    """
    findings = tuple(
        finding for finding in sorted(report.findings, key=lambda one: one.order) if finding.severity >= show
    )
    by_item = partial(_by_item, colour=colour, width=width, full=full, explain=explain is not None)
    lines = [
        *wrap([Piece(summary(report.findings), _headline(report)), *_by_policy(report, listed=hidden)], width=width)
    ]
    sections = _sections(findings)
    for heading, members in sections.items():
        lines += [(), (Piece(heading, Style.HEADING),)] if len(sections) > 1 else []
        lines += by_item(members)
    lines += _below(len(report.findings) - len(findings), show)
    if report.hidden and hidden:
        lines += [(), (Piece("Hidden by policy", Style.HEADING),)]
        lines += by_item(report.hidden)
    marked = any(finding.spans for finding in findings)
    if explain is not None or marked:
        lines += legend_lines(lines, marks=marked and not colour, width=width)
    lines += _advice(findings, advice, width=width) if advice is not None else []
    if explain is not None:
        lines += looked_lines(report, explain, width=width)
    elif not report.findings:
        lines += wrap([Piece(NOTHING)], width=width)
    lines += _notes(report, width=width)
    return "".join(paint(line, colour=colour) + "\n" for line in lines)


def summary(findings: Sequence[Finding]) -> str:
    """Say in one line how much was found: `2 high, 1 medium, 4 low; worst: high`."""
    if not findings:
        return "Nothing found."
    counts = ", ".join(f"{number} {severity}" for severity, number in count(findings).items() if number)
    return f"{counts}; worst: {worst_of(findings).value}"


def _headline(report: Report) -> Style:
    """Give the style of the summary line."""
    return Style.GOOD if report.worst is None else Style.STRONG


def _sections(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """Keep the axes apart, the one with the worst finding first and security where both are as bad; info comes last."""
    sections: dict[str, list[Finding]] = {}
    for finding in findings:
        security, contract, record = SECTIONS
        axis = contract if finding.axis is Axis.CONTRACT else security
        sections.setdefault(record if finding.severity is Severity.INFO else axis, []).append(finding)
    return sections


def _by_item(findings: Sequence[Finding], *, colour: bool, width: int, full: bool, explain: bool) -> Iterator[Line]:
    """Give the lines of findings, those about the same items together."""
    for group in _groups(sorted(findings, key=lambda one: one.order)):
        yield ()
        yield from _group(group, colour=colour, width=width, full=full, explain=explain)


def _groups(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Put findings about the same items together, the group with the worst finding first."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind.value, *(finding.items or (finding.item,))), []).append(finding)
    return list(groups.values())


def _group(findings: Sequence[Finding], *, colour: bool, width: int, full: bool, explain: bool) -> Iterator[Line]:
    """Give the lines of one item: its name, then its findings."""
    yield from wrap(_heading(findings[0], full=full), width=width, rest="  ")
    seen = {_place_of(finding) for finding in findings if finding.spans and not explain}
    told: set[str] = set()
    for number, finding in enumerate(findings):
        above = findings[max(number - NEAR, 0) : number]
        again = _place_of(finding) in seen
        yield from finding_lines(
            finding, colour=colour, width=width, again=again, above=above, told=told, full=full, explain=explain
        )
        seen.add(_place_of(finding))


def _place_of(finding: Finding) -> tuple[str, str]:
    """Name a place and what changed there."""
    return finding.pointer, value_text([finding.before, finding.after])


def _heading(finding: Finding, *, full: bool) -> list[Piece]:
    """Name the item, or the items, that a finding is about."""
    word = finding.kind.noun
    if len(finding.items) > 1:
        brief = finding.severity is Severity.INFO or (finding.severity is Severity.LOW and finding.pointer)
        few = ITEMS_QUIET if brief else ITEMS_SHOWN
        most = len(finding.items) if full else few
        named = (shown(name, limit_of(name, 100, full=full)) or "(without a name)" for name in finding.items[:most])
        names = ", ".join(named)
        more = f" and {len(finding.items) - most} more" if len(finding.items) > most else ""
        return [Piece(f"{len(finding.items)} {finding.kind.nouns} ", Style.QUIET), Piece(names + more, Style.STRONG)]
    if finding.kind in {Kind.SERVER, Kind.LAUNCH} and not finding.item:
        return [Piece(word, Style.STRONG)]
    name = finding.item or next(iter(finding.items), "")
    words = shown(name, limit_of(name, 200, full=full)) or "(without a name)"
    return [Piece(f"{word} ", Style.QUIET), Piece(words, Style.STRONG)]


def _below(number: int, show: Severity) -> list[Line]:
    """Say how many findings are not shown."""
    if not number:
        return []
    return [(), (Piece(f"{many(number, 'finding')} below {show.value} not shown.", Style.QUIET),)]


def _by_policy(report: Report, *, listed: bool) -> list[Piece]:
    """Say how many findings the policy hides, how bad they are, and how to see them."""
    if not report.hidden:
        return []
    how = "they stand at the end" if listed else "--show-hidden shows them"
    return [Piece(f"{';' if report.findings else ''} {hidden_words(report.hidden)} ({how})", Style.QUIET)]


def hidden_words(findings: Sequence[Finding]) -> str:
    """Say how many findings the policy hides, and the worst of them: `2 hidden by policy, worst: high`."""
    return f"{len(findings)} hidden by policy, worst: {worst_of(findings).value}"


def _advice(findings: Sequence[Finding], advice: Callable[[Finding], str], *, width: int) -> Iterator[Line]:
    """Say once for every rule what to do about it, by its worst finding; what is for the record asks for nothing.

    What was not examined is another matter than what was found.
    """
    worst: dict[tuple[str, bool], Finding] = {}
    for finding in findings:
        if finding.severity is Severity.INFO:
            continue
        about = finding.rule, finding.category == UNEXAMINED
        worst[about] = max(worst.get(about, finding), finding, key=_weight)
    texts = dict.fromkeys((rule, text) for (rule, _), finding in worst.items() if (text := advice(finding)))
    if texts:
        yield ()
        yield (Piece("What to do", Style.STRONG),)
    for rule, text in texts:
        yield from wrap([Piece(f"{rule}: ", Style.QUIET), Piece(sentence(text))], width=width, first="  ", rest="    ")


def _weight(finding: Finding) -> tuple[int, int]:
    """Say how bad and how sure a finding is."""
    return finding.severity.rank, list(Confidence).index(finding.confidence)


def _notes(report: Report, *, width: int) -> Iterator[Line]:
    """Give the notes and the digests that were compared."""
    digests = [("baseline", report.baseline_digest), ("live", report.live_digest)]
    if report.notes or any(digest for _, digest in digests):
        yield ()
    for note in report.notes:
        yield from wrap([Piece("note: ", Style.QUIET), Piece(sentence(note))], width=width, rest="      ")
    for word, digest in digests:
        if digest:
            yield from wrap([Piece(f"{word} {digest}", Style.QUIET)], width=width)
