"""A finding as a page tells it: plain words, safe to show, with what it means and what to do. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from driftwatch.judge.rules import RULES
from driftwatch.model import Confidence, Finding
from driftwatch.report.advice import advice, section
from driftwatch.report.cut import clipped, shown
from driftwatch.report.excerpt import excerpts, sentence
from driftwatch.report.finding import SURE
from driftwatch.report.headline import happened, place_words
from driftwatch.report.hostwords import acts_of
from driftwatch.report.lines import Style
from driftwatch.report.opinion import opinion_words

_SENTENCE: Final = 2_000
_NAME: Final = 100
_NAMES: Final = 12
_PLACES: Final = 50
_HOSTS: Final = 8
_STYLES: Final = {Style.REMOVED: "removed", Style.ADDED: "added", Style.MARK: "mark"}


@dataclass(frozen=True, slots=True)
class Told:
    """One finding in words that are safe to show.

    `sort` and `names` say what it is about; `acts` which hosts do what, and did what before (`acts_above`: all of that
    stands above). `lines` show before and after, each as (text, `removed`, `added`, `mark` or nothing). `means` and
    `to_do` are empty where they stand above.
    """

    finding: Finding
    sure: str
    said: str
    pointer: str
    sort: str
    names: tuple[str, ...]
    more_names: int
    acts: tuple[tuple[str, str, str], ...]
    acts_above: bool
    opinion: str
    hidden: str
    means: str = ""
    to_do: str = ""
    lines: tuple[tuple[tuple[str, str], ...], ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    more_places: int = 0

    @property
    def severity(self) -> str:
        """How bad it is."""
        return self.finding.severity.value


def tell(finding: Finding, *, values: bool = False) -> Told:
    """Tell one finding; with `values` also before and after."""
    (told,) = tell_all([finding], values=values)
    return told


def tell_all(
    findings: Sequence[Finding],
    *,
    values: Sequence[bool] | bool = False,
    advised: bool = True,
    said: set[tuple[str, str]] | None = None,
) -> list[Told]:
    """Tell findings in their order. What a rule means, and which hosts act otherwise, stands with the first of it.

    `values` says of all, or of each, whether before and after are shown; without `advised` no meaning is told. `said`
    is what of meanings stands on the page already; what is told here is added.
    """
    told: list[Told] = []
    said = set() if said is None else said
    known: set[tuple[str, str, str]] = set()
    each = [values] * len(findings) if isinstance(values, bool) else values
    for one, shows in zip(findings, each, strict=True):
        about, acts = (one.rule, advice(one)), tuple(acts_of(one.hosts, named=_HOSTS))
        row = _told(one, acts=acts, above=bool(acts) and known.issuperset(acts), values=shows)
        if advised and about not in said:
            row = replace(row, means=meaning(one.rule), to_do=about[1])
        told.append(row)
        said.add(about)
        known.update(acts)
    return told


def _told(finding: Finding, *, acts: tuple[tuple[str, str, str], ...], above: bool, values: bool) -> Told:
    sort, names = place_words(finding)
    places = finding.places if len(finding.places) > 1 else ()
    return Told(
        finding=finding,
        sure=SURE[finding.confidence],
        said=clipped(sentence(happened(finding)), _SENTENCE),
        pointer=shown(finding.pointer, _NAME),
        sort=sort,
        names=tuple(shown(name, _NAME) for name in names[:_NAMES]),
        more_names=max(0, len(names) - _NAMES),
        acts=acts,
        acts_above=above,
        opinion=clipped(sentence(opinion_words(finding)), _SENTENCE),
        hidden=clipped(sentence(finding.hidden), _SENTENCE),
        lines=tuple(_lines(finding)) if values else (),
        places=tuple((shown(item, _NAME), shown(pointer, _NAME)) for item, pointer in places[:_PLACES]),
        more_places=max(0, len(places) - _PLACES),
    )


def sure_words(findings: Sequence[Finding]) -> str:
    """Say how sure the worst of what was found is; empty for nothing found."""
    if not findings:
        return ""
    worst = max(one.severity for one in findings)
    surest = max((one.confidence for one in findings if one.severity is worst), key=list(Confidence).index)
    return {
        Confidence.HIGH: "That is certain.",
        Confidence.MEDIUM: "That is likely so, not certain: read it yourself.",
        Confidence.LOW: "That is a guess: read it yourself.",
    }[surest]


@cache
def meaning(rule: str) -> str:
    """Give why a rule matters, from its documentation; empty for a rule that is not there any more."""
    doc = next((one.doc for one in RULES if one.id == rule), "")
    return section(doc, "Why it matters")


def _lines(finding: Finding) -> Iterable[tuple[tuple[str, str], ...]]:
    for line in excerpts(finding, colour=True):
        yield tuple((piece.text, _STYLES.get(piece.style, "")) for piece in line)
