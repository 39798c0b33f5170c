"""A schema is spelled otherwise and means the same.

What it does
    Records a change of an input or output schema that means nothing for what is accepted: the dialect, an example,
    a reference written out or a definition moved, a union written as a list of types, a keyword spelled out at its
    default. It is told by meaning: both schemas were shown to accept the same values. What brings new text with it is
    told by description-changed instead.

Why it matters
    Upgraded libraries change these by the hundred. They are told apart by meaning, not by a list of names to skip.

Example
    before  {"anyOf": [{"type": "string"}, {"type": "null"}]}
    after   {"type": ["string", "null"]}

What to do
    Nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.prose import respelled
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every change that leaves what is accepted or returned as it was, and brings no new text."""
    for edit, text in respelled(context):
        if not text:
            what = names(edit.joined) if edit.joined else show(edit.keyword, 40)
            verb = "are" if edit.joined else "is"
            yield RULE.about(edit.change, f"{what} {verb} spelled otherwise; it means the same.")


RULE = Rule(
    id="schema-cosmetic",
    title="A schema is spelled otherwise and means the same",
    area=Area.SCHEMA,
    action=Action.MOOT,
    severity=Severity.INFO,
    check=check,
    doc=__doc__,
)
