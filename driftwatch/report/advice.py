"""What to do about a rule's findings: a section of the rule's own documentation."""

from __future__ import annotations

from driftwatch.judge.rules import RULES

HEADING = "What to do"


def advice(rule: str) -> str:
    """Give what the rule's documentation says to do, empty for a rule that is not (or no longer) there."""
    return section(next((one.doc for one in RULES if one.id == rule), ""), HEADING)


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
