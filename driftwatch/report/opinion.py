"""What a second opinion said, in words. They are told as somebody else's, in quotation marks that they cannot close."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.judge.opinions import is_news
from driftwatch.judge.rules import second_opinion
from driftwatch.model import Finding, Opinion, Severity
from driftwatch.model.amounts import many
from driftwatch.report.cut import shown

MOST = 3
"""Opinions told where findings are not."""

_MODEL = 80
_SAID = 160
"""Characters shown of the model's name, and of what it quotes and says."""


def opinion_words(finding: Finding) -> str:
    """Say what a configured model said of a finding's text and what came of it, empty where none was asked."""
    opinion = finding.opinion
    if opinion is None:
        return ""
    who = f"A second opinion (model {_plain(opinion.model, _MODEL)})"
    if opinion.injection is None:
        return f"{who} was asked for and is not there: {_plain(opinion.trouble, _SAID)}."
    return f"{who} says: {_claim(opinion)}{_quotes(opinion)} {_came_of_it(finding, opinion)}"


def opinion_lines(findings: Sequence[Finding]) -> list[str]:
    """Say of the first few findings with an opinion what it is, each with the name of its item; the rest is counted."""
    found = [one for one in findings if one.opinion is not None]
    lines = [f"{_plain(one.item or one.kind.noun, _MODEL)}: {opinion_words(one)}" for one in found[:MOST]]
    left = len(found) - MOST
    return [*lines, f"and {many(left, 'more second opinion')}"] if left > 0 else lines


def _claim(opinion: Opinion) -> str:
    if not opinion.injection:
        return "nothing in it is an instruction to models."
    return f"an instruction to models ({_plain(opinion.category, _SAID)}); how sure it is: {opinion.confidence.value}."


def _quotes(opinion: Opinion) -> str:
    meant = f" It means {_quoted(opinion.quote)}." if opinion.quote else ""
    return f"{meant} Its own words: {_quoted(opinion.why)}." if opinion.why else meant


def _came_of_it(finding: Finding, opinion: Opinion) -> str:
    if opinion.was is not None:
        return f"That raised it from {opinion.was.value}."
    if finding.rule == second_opinion.RULE.id and finding.severity > Severity.INFO:
        return "That alone made this finding."
    if opinion.injection and not opinion.quote:
        return "It shows no words of the text that it means, so that raises nothing."
    if opinion.injection and not is_news(finding, opinion):
        return "The words that it means were approved, so that raises nothing."
    return "That raises nothing." if opinion.injection else "That lowers nothing."


def _quoted(text: str) -> str:
    return f"“{_plain(text, _SAID)}”"


def _plain(text: str, limit: int) -> str:
    """Make it safe for a line, and unable to end the quotation that it stands in."""
    return shown(text, limit).replace("“", "'").replace("”", "'")
