"""A title says something else than the name.

What it does
    Finds a tool whose title says that it reads while its name says that it deletes or changes, or the other way round.
    Both are read by the same word lists as for hints, in several languages.

Why it matters
    A person sees the title and allows a reader; the model sees the name and has a tool that deletes. Several hosts show
    the title alone where they ask.

Example
    before  {"name": "delete_draft", "title": "Delete draft"}
    after   {"name": "delete_draft", "title": "Read draft"}

What to do
    Find out which of the two is true, and do not allow the tool by its title.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from driftwatch.judge import words
from driftwatch.judge.hints import annotations_of
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Confidence, Finding, Item, Kind, Severity

_READ = 400
"""How much of a title (code points) is read: no honest one is longer."""


def check(context: Context) -> Iterator[Finding]:
    """Give every title that disagrees with the name and did not before."""
    for look in context.looks(Kind.TOOL):
        earlier = {(one.pointer, one.title, one.named) for one in _odd(look.before)}
        for one in _odd(look.after):
            if (one.pointer, one.title, one.named) not in earlier:
                message = (
                    f"By its title {show(one.title)} the tool {one.titled}, by its name {show(look.after.key)} it "
                    f"{one.named}. Hosts show the one to people and the other to the model."
                )
                yield RULE.finding(look.after, one.pointer, message, severity=one.severity, after=one.title)


class _Odd(NamedTuple):
    """A title that disagrees: where it stands, what it says, what it has the tool do, what the name has it do."""

    pointer: str
    title: str
    titled: str
    named: str
    severity: Severity


def _odd(item: Item | None) -> Iterator[_Odd]:
    """Give the titles of an item that disagree with its name."""
    if item is None or not isinstance(item.raw, dict):
        return
    annotations = annotations_of(item)
    inner = annotations.get("title") if isinstance(annotations, dict) else None
    for pointer, title in (("/title", item.raw.get("title")), ("/annotations/title", inner)):
        if isinstance(title, str) and title:
            found = _disagrees(item.key, title[:_READ])
            if found is not None:
                yield _Odd(pointer, title, *found)


def _disagrees(name: str, title: str) -> tuple[str, str, Severity] | None:
    if words.name_reads(title):
        if words.name_destroys(name):
            return "reads", "destroys", Severity.MEDIUM
        if words.name_writes(name):
            return "reads", "changes something", Severity.LOW
    elif words.name_reads(name) and (deed := words.name_destroys(title)) and deed not in name.casefold():
        # The log of what was deleted has the word in both.
        return "destroys", "reads", Severity.LOW
    return None


RULE = Rule(
    id="title-disagrees",
    title="A title says something else than the name",
    area=Area.NAMES,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    confidence=Confidence.MEDIUM,
)
