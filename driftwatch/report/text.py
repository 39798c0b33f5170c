"""A report as text for people: a summary first, then every item with its findings, worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from driftwatch.model import Confidence, Finding, Kind, Report, Severity, worst_of
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import excerpts, sentence, value_text
from driftwatch.report.lines import Line, Piece, Style, paint, wrap
from driftwatch.report.shape import count

KIND_WORDS = {
    Kind.SERVER: "server",
    Kind.TOOL: "tool",
    Kind.PROMPT: "prompt",
    Kind.RESOURCE: "resource",
    Kind.RESOURCE_TEMPLATE: "resource template",
    Kind.LAUNCH: "launch",
    Kind.ENTRY: "entry",
}

SURE = {Confidence.HIGH: "", Confidence.MEDIUM: "likely", Confidence.LOW: "perhaps"}
"""How a confidence reads beside a rule; high is the rule and is not said."""

ITEMS_SHOWN = 8
"""Names shown of a finding that groups several items; the rest is counted."""

_RULE_COLUMN = 10
_INDENT = " " * (2 + _RULE_COLUMN)


def to_text(
    report: Report,
    *,
    colour: bool,
    width: int = 80,
    show: Severity = Severity.INFO,
    advice: Callable[[Finding], str] | None = None,
    full: bool = False,
) -> str:
    """Give a report for a terminal, `width` cells wide, ending in a line feed.

    Findings below `show` are counted and not shown. `advice` gives what to do about a finding, empty for nothing.
    With `full` no text, name or list of names is cut.
    """
    findings = tuple(
        finding for finding in sorted(report.findings, key=lambda one: one.order) if finding.severity >= show
    )
    lines = [*wrap([Piece(summary(report.findings), _headline(report))], width=width)]
    for group in _groups(findings):
        lines += [(), *_group(group, colour=colour, width=width, full=full)]
    lines += _hidden(len(report.findings) - len(findings), show)
    lines += _advice(findings, advice, width=width) if advice is not None else []
    lines += _notes(report, width=width)
    return "".join(paint(line, colour=colour) + "\n" for line in lines)


def summary(findings: Sequence[Finding]) -> str:
    """Say in one line how much was found: `2 high, 1 medium, 4 low; worst: high`."""
    if not findings:
        return "Nothing found."
    counts = ", ".join(f"{number} {severity}" for severity, number in count(findings).items() if number)
    return f"{counts}; worst: {worst_of(findings).value}"


def severity_style(severity: Severity) -> Style:
    """Give the style that a severity is written in."""
    return Style[severity.name]


def _headline(report: Report) -> Style:
    """Give the style of the summary line."""
    return Style.GOOD if report.worst is None else Style.STRONG


def _groups(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Put findings about the same items together, the group with the worst finding first."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind.value, *(finding.items or (finding.item,))), []).append(finding)
    return list(groups.values())


def _group(findings: Sequence[Finding], *, colour: bool, width: int, full: bool) -> Iterator[Line]:
    """Give the lines of one item: its name, then its findings."""
    yield from wrap(_heading(findings[0], full=full), width=width, rest="  ")
    seen: set[tuple[str, str]] = set()
    for finding in findings:
        value = (finding.pointer, value_text([finding.before, finding.after]))
        yield from finding_lines(finding, colour=colour, width=width, again=value in seen, full=full)
        seen.add(value)


def _heading(finding: Finding, *, full: bool) -> list[Piece]:
    """Name the item, or the items, that a finding is about."""
    word = KIND_WORDS[finding.kind]
    if len(finding.items) > 1:
        most = len(finding.items) if full else ITEMS_SHOWN
        names = ", ".join(shown(name, _limit(name, 100, full=full)) for name in finding.items[:most])
        more = f" and {len(finding.items) - most} more" if len(finding.items) > most else ""
        return [Piece(f"{len(finding.items)} {word}s ", Style.QUIET), Piece(names + more, Style.STRONG)]
    if finding.kind in {Kind.SERVER, Kind.LAUNCH} and not finding.item:
        return [Piece(word, Style.STRONG)]
    name = finding.item or next(iter(finding.items), "")
    words = shown(name, _limit(name, 200, full=full)) or "(without a name)"
    return [Piece(f"{word} ", Style.QUIET), Piece(words, Style.STRONG)]


def _limit(text: str, limit: int, *, full: bool) -> int:
    """Give how much of a name is shown."""
    return len(text) if full else limit


def finding_lines(
    finding: Finding, *, colour: bool, width: int, again: bool = False, full: bool = False
) -> Iterator[Line]:
    """Give the lines of one finding: severity, rule and place; what happened; before and after.

    `again` says that the same before and after stand just above: they are left out, unless there is a span to mark.
    """
    sure = SURE[finding.confidence]
    place = shown(finding.pointer, _limit(finding.pointer, 300, full=full))
    head = [
        Piece(finding.severity.value.upper().ljust(_RULE_COLUMN), severity_style(finding.severity)),
        Piece(finding.rule, Style.STRONG),
        *([Piece(f" ({sure})", Style.QUIET)] if sure else []),
        *([Piece("  "), Piece(place, Style.QUIET)] if finding.pointer else []),
    ]
    yield from wrap(head, width=width, first="  ", rest=_INDENT)
    yield from wrap([Piece(sentence(finding.message))], width=width, first=_INDENT, rest=_INDENT)
    for excerpt in excerpts(finding, colour=colour, full=full) if finding.spans or not again else ():
        yield from wrap(excerpt, width=width, first=_INDENT, rest=f"{_INDENT}  ")


def _hidden(number: int, show: Severity) -> list[Line]:
    """Say how many findings are not shown."""
    if not number:
        return []
    what = "1 finding" if number == 1 else f"{number} findings"
    return [(), (Piece(f"{what} below {show.value} not shown.", Style.QUIET),)]


def _advice(findings: Sequence[Finding], advice: Callable[[Finding], str], *, width: int) -> Iterator[Line]:
    """Say once for every rule what to do about it, by its worst finding."""
    worst: dict[str, Finding] = {}
    for finding in findings:
        known = worst.setdefault(finding.rule, finding)
        worst[finding.rule] = max(known, finding, key=_weight)
    texts = {rule: text for rule, finding in worst.items() if (text := advice(finding))}
    if texts:
        yield ()
        yield (Piece("What to do", Style.STRONG),)
    for rule, text in texts.items():
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
