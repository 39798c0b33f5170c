"""One finding as lines: how bad and where, what happened, which hosts act otherwise, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge.hosts import sentence as hosts_sentence
from driftwatch.judge.rules import RULES
from driftwatch.model import Confidence, Finding, Severity
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import excerpts, sentence, value_text
from driftwatch.report.explain import span_lines
from driftwatch.report.lines import Line, Piece, Style, wrap
from driftwatch.report.opinion import opinion_words

SURE = {Confidence.HIGH: "", Confidence.MEDIUM: "likely", Confidence.LOW: "perhaps"}
"""How a confidence reads beside a rule; high is the rule and is not said."""

ACTS_SHOWN = 3
"""How many ways to act otherwise are told, each with the first of the hosts that do so; the rest is counted."""

HOSTS_SHOWN = 3
"""Hosts named of those that act otherwise in one way."""

_TOLD = frozenset(rule.id for rule in RULES if rule.told)
"""Rules whose messages tell what a person reads of the values."""

_RULE_COLUMN = 10
_NARROW = 40
"""Cells below which a line has no room for that column before its words."""


def _indent(width: int) -> str:
    """Give what stands before everything but the first line of a finding."""
    return " " * (2 + _RULE_COLUMN if width >= _NARROW else 4)


def severity_style(severity: Severity) -> Style:
    """Give the style that a severity is written in."""
    return Style[severity.name]


def limit_of(text: str, limit: int, *, full: bool) -> int:
    """Give how much of a name is shown."""
    return len(text) if full else limit


def finding_lines(
    finding: Finding,
    *,
    colour: bool,
    width: int,
    again: bool = False,
    above: Sequence[Finding] = (),
    told: set[str] | None = None,
    full: bool = False,
    explain: bool = False,
) -> Iterator[Line]:
    """Give the lines of one finding.

    `told` are the disguised texts that stand above, and takes in those of this finding: each is told once.
    `again` says that another finding about the same items shows the same before and after: they are left out, unless
    there is a span to mark. So is what hosts do where one `above` tells it. Of what is for the record no values are
    shown but with `full`. With `explain` each span is shown in its sentence, below the values without marks.
    """
    yield from wrap(_head(finding, full=full), width=width, first="  ", rest=_indent(width))
    yield from _said(finding, width=width)
    if finding.opinion is not None:
        yield from wrap(
            [Piece(sentence(opinion_words(finding)))], width=width, first=_indent(width), rest=_indent(width)
        )
    yield from _host_lines(finding, above, width=width, full=full)
    if finding.hidden:
        why = [Piece("Hidden: ", Style.QUIET), Piece(sentence(finding.hidden))]
        yield from wrap(why, width=width, first=_indent(width), rest=_indent(width))
    spoken, marked, known = finding, finding.spans, set() if told is None else told
    if explain and marked:
        spoken = replace(finding, spans=(), before=finding.before or None)
    if spoken.spans or full or not (again or finding.severity is Severity.INFO or _tells_values(finding)):
        for excerpt in excerpts(spoken, colour=colour, full=full, told=known):
            yield from wrap(excerpt, width=width, first=_indent(width), rest=f"{_indent(width)}  ")
    if explain and marked:
        yield from span_lines(finding, colour=colour, width=width, indent=_indent(width), told=known, full=full)
    for item, pointer in finding.places if full else ():
        pieces = [Piece("at ", Style.QUIET), Piece(shown(item, len(item))), Piece(f"  {shown(pointer, len(pointer))}")]
        yield from wrap(pieces, width=width, first=_indent(width), rest=f"{_indent(width)}  ")


def _head(finding: Finding, *, full: bool) -> list[Piece]:
    """Give severity, rule, how sure it is, what the policy made of it, and the place."""
    remarks = [SURE[finding.confidence]] if SURE[finding.confidence] else []
    by_policy = (finding.opinion.was if finding.opinion else None) or finding.severity
    remarks += [f"{finding.ruled.value} by its rule, {by_policy.value} by policy"] if finding.ruled else []
    place = shown(finding.pointer, limit_of(finding.pointer, 300, full=full))
    others = len(finding.places) - 1 if len({pointer for _, pointer in finding.places}) > 1 else 0
    return [
        Piece(finding.severity.value.upper().ljust(_RULE_COLUMN), severity_style(finding.severity)),
        Piece(finding.rule, Style.STRONG),
        *([Piece(f" ({'; '.join(remarks)})", Style.QUIET)] if remarks else []),
        *([Piece("  "), Piece(place, Style.QUIET)] if finding.pointer else []),
        *([Piece(f" and {others} more places", Style.QUIET)] if others else []),
    ]


def _said(finding: Finding, *, width: int) -> list[Line]:
    """Give what happened, without the hosts that stand below."""
    message = finding.message.removesuffix(hosts_sentence(finding.hosts))
    return wrap([Piece(sentence(message))], width=width, first=_indent(width), rest=_indent(width))


def _host_lines(finding: Finding, above: Sequence[Finding], *, width: int, full: bool) -> Iterator[Line]:
    """Give the hosts that act otherwise, those together that do the same; for the record only with `full`."""
    if not finding.hosts:
        return
    acts: dict[tuple[str, str], list[str]] = {}
    for effect in finding.hosts:
        acts.setdefault((effect.was, effect.now), []).append(effect.host)
    known = {(effect.was, effect.now) for one in above for effect in one.hosts}
    brief = finding.severity is Severity.INFO and not full
    few = len(acts) if full else 0 if brief else ACTS_SHOWN
    new = {act: names for act, names in acts.items() if full or brief or act not in known}
    if len(new) < len(acts):
        yield from _again([name for act, names in acts.items() if act not in new for name in names], width=width)
    for (was, now), names in list(new.items())[:few]:
        most = len(names) if full else HOSTS_SHOWN
        pieces = [Piece(_named(names, most), Style.STRONG), Piece(f": {was} → {now}")]
        yield from wrap(pieces, width=width, first=_indent(width), rest=f"{_indent(width)}  ")
    left = sum(len(names) for names in list(new.values())[few:])
    if left:
        words = f"{left} {'more ' if few else ''}{'hosts act' if left > 1 else 'host acts'} otherwise"
        hint = f"; --full shows {'them' if left > 1 else 'it'}"
        yield from wrap([Piece(words + hint, Style.QUIET)], width=width, first=_indent(width), rest=_indent(width))


def _again(hosts: Sequence[str], *, width: int) -> Iterator[Line]:
    """Name the hosts that do what was told above for another finding: which of those they are must be said."""
    names = list(dict.fromkeys(hosts))
    pieces = [Piece(_named(names, HOSTS_SHOWN), Style.STRONG), Piece(": as above", Style.QUIET)]
    pieces += [Piece("; --full shows all", Style.QUIET)] if len(names) > HOSTS_SHOWN else []
    yield from wrap(pieces, width=width, first=_indent(width), rest=f"{_indent(width)}  ")


def _named(names: Sequence[str], most: int) -> str:
    """Name the first few and count the rest."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _tells_values(finding: Finding) -> bool:
    """Say whether the message already quotes all there is of before and after, or all that a person reads of it."""
    if finding.rule in _TOLD:
        return True
    values = [value for value in (finding.before, finding.after) if value is not None]
    return all(_quoted(value, finding.message) for value in values)


def _quoted(value: object, message: str) -> bool:
    text = value_text(value)
    return f"“{text}”" in message if isinstance(value, str) else f" {text}" in message.replace("(", " ")
