"""What to do about a finding: a section of its rule's own documentation, milder where the finding is unsure."""

from __future__ import annotations

from driftwatch.judge.rules import RULES
from driftwatch.model import Confidence, Finding, Severity

HEADING = "What to do"

MILDER = {
    "text-injection": "Read the new text first, all of it. It may well be honest: this is a sign, not a proof. "
    "Approve it only when every sentence of it describes the tool and none tells a model what to do.",
}
"""What to do about findings of a rule that are not both severe and sure, where the rule's own advice is too strong."""


def advice(finding: Finding) -> str:
    """Give what to do about a finding: what its rule's documentation says, or something milder where that fits better.

    Empty for a rule that is not (or no longer) there.
    """
    certain = finding.severity >= Severity.HIGH and finding.confidence is Confidence.HIGH
    if finding.rule in MILDER and not certain:
        return MILDER[finding.rule]
    return section(next((one.doc for one in RULES if one.id == finding.rule), ""), HEADING)


def section(doc: str, heading: str) -> str:
    """Give the paragraph under a heading (a line of its own, or `Heading: text`) as one line of text."""
    found: list[str] | None = None
    for line in doc.splitlines():
        text = line.strip()
        head, colon, rest = text.strip("#* ").partition(":")
        if found is None:
            if head.strip("* ").casefold() == heading.casefold():
                found = [rest.strip("* ")] if colon else []
        elif text:
            found.append(text)
        elif any(found):
            break
    return " ".join(part for part in found or () if part)
