"""What to do about a finding: a section of its rule's own documentation, milder where the finding is unsure."""

from __future__ import annotations

from driftwatch.judge.rules import RULES
from driftwatch.judge.text.signals.base import UNEXAMINED
from driftwatch.model import Confidence, Finding, Severity

HEADING = "What to do"

MILDER = {
    "text-injection": "Read the new text first, all of it. It may well be honest: this is a sign, not a proof. "
    "Approve it only when every sentence of it describes the tool and none tells a model what to do.",
}
"""What to do about findings of a rule that are not both severe and sure, where the rule's own advice is too strong."""


def advice(finding: Finding) -> str:
    """Give what to do about a finding: what its rule's documentation says, or something milder where that fits better.

    The second paragraph there is about what was not examined. Empty for a rule that is not (or no longer) there.
    """
    doc = next((one.doc for one in RULES if one.id == finding.rule), "")
    if finding.category == UNEXAMINED:
        return section(doc, HEADING, paragraph=1)
    certain = finding.severity >= Severity.HIGH and finding.confidence is Confidence.HIGH
    return MILDER[finding.rule] if finding.rule in MILDER and not certain else section(doc, HEADING)


def section(doc: str, heading: str, *, paragraph: int = 0) -> str:
    """Give a paragraph under a heading (a line of its own, or `Heading: text`) as one line of text, empty for none."""
    found: list[list[str]] = []
    inside = False
    for line in doc.splitlines():
        text = line.strip()
        head, colon, rest = text.strip("#* ").partition(":")
        if not inside:
            inside = head.strip("* ").casefold() == heading.casefold()
            found = [[rest.strip("* ")] if colon else []] if inside else []
        elif text:
            found[-1].append(text)
        elif any(found[-1]):
            found.append([])
    parts = found[paragraph] if paragraph < len(found) else []
    return " ".join(part for part in parts if part)
