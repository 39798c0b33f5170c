"""A description reads otherwise.

What it does
    Records that a description reads otherwise: of a tool, a prompt, a resource, a parameter, at any depth. Another
    spacing of the same words is for the record only. Text that came with another part of a schema, such as a whole
    definition or an example, counts as well where the schema accepts the same. What the new text asks of a model is
    judged by text-injection.

Why it matters
    A description is what the model reads to decide when and how to call. Honest releases reword it often, so the
    change alone weighs little.

Example
    before  {"description": "List the open tickets of a project, newest first."}
    after   {"description": "Lists a project's open tickets, the newest first."}

What to do
    Read the difference, then approve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from driftwatch.judge.places import is_description
from driftwatch.judge.prose import respelled
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Change, ChangeKind, Finding, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every changed description, and every text that came with a schema which means the same."""
    for change in context.values():
        if is_description(change):
            yield RULE.about(change, _message(change), severity=_severity(change))
    for edit, text in respelled(context):
        if text and not is_description(edit.change):
            where = names(edit.joined) if edit.joined else show(edit.keyword, 40)
            message = f"New text came in {where}: {show(text)}. The schema accepts the same, but a model may read it."
            yield RULE.about(edit.change, message)


def _message(change: Change) -> str:
    if change.change is ChangeKind.VALUE_ADDED:
        return "A description was added."
    if change.change is ChangeKind.VALUE_REMOVED:
        return "A description is gone."
    if _squeezed(change.before) == _squeezed(change.after):
        return "Only the spacing of a description changed."
    came, went = _words(change.after) - _words(change.before), _words(change.before) - _words(change.after)
    return f"A description reads otherwise: words put in {came.total()}, taken out {went.total()}."


def _words(text: object) -> Counter[str]:
    return Counter(text.split()) if isinstance(text, str) else Counter()


def _severity(change: Change) -> Severity:
    return Severity.INFO if _squeezed(change.before) == _squeezed(change.after) else Severity.LOW


def _squeezed(text: object) -> object:
    return text.split() if isinstance(text, str) else text


RULE = Rule(
    id="description-changed",
    title="A description reads otherwise",
    area=Area.TEXT,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
