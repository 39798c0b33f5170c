"""A title is another one.

What it does
    Records that a title or a display name is another: of an item, of its annotations, of a parameter, of the
    server. A title that only repeats the words of the name ("List tickets" for list_tickets) is for the record, and so
    is a short title inside a schema: libraries write both by themselves. First titles of several tools that have words
    of their names in common are told once, with all of the titles; one that has none stands by itself.

Why it matters
    A title is what a host shows to a person in the place of the name. A title that names another thing misleads
    whoever clicks.

Example
    before  {"title": "List tickets"}
    after   {"title": "Show tickets"}

What to do
    Check that the title still fits what the item does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from driftwatch.judge import pointer as at
from driftwatch.judge.names import word_set, words
from driftwatch.judge.places import is_title
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.judge.schema import INPUT, OUTPUT
from driftwatch.model import Change, ChangeKind, Finding, Json, Kind, Severity

_SCHEMA_SUFFIXES = word_set("arguments args params parameters input request output response result model schema")
"""What libraries append to a tool's name to make a title of its schema."""

_SHORT = 8
"""Words of a title that is no sentence yet."""

_SMALL = word_set("a an the of to as in on at for from by with and or tool prompt resource template")
"""Words in which a title may differ from the name that it repeats."""

REPEATS, KIN = "repeats-name", "like-name"


def check(context: Context) -> Iterator[Finding]:
    """Give every changed title."""
    for change in map(_inner, context.values()):
        if is_title(change):
            titles = [title for title in (change.before, change.after) if title is not None]
            category = _category(titles, change)
            quiet = category == REPEATS or (_in_schema(change) and all(map(_short, titles)))
            severity = Severity.INFO if quiet else Severity.LOW
            message = _message(change, repeats=category == REPEATS)
            yield RULE.about(change, message, severity=severity, category=category)


def _category(titles: Sequence[Json], change: Change) -> str:
    """Say whether all titles repeat the name, or have words of it in common at least."""
    name = _name(change)
    if not name or not titles or not all(map(_short, titles)):
        return ""
    if all(_repeats(title, name, change) for title in titles):
        return REPEATS
    named = frozenset(words(name)) - _SMALL
    return KIN if all(named & frozenset(words(title)) for title in titles) else ""


def _inner(change: Change) -> Change:
    """Give the change of the title where annotations came, went or were replaced as a whole, else the change itself."""
    if change.pointer != "/annotations":
        return change
    was, now = (value.get("title") if isinstance(value, dict) else None for value in (change.before, change.after))
    if was == now:
        return change
    kind = ChangeKind.VALUE_CHANGED
    if was is None or now is None:
        kind = ChangeKind.VALUE_ADDED if was is None else ChangeKind.VALUE_REMOVED
    return replace(change, change=kind, pointer="/annotations/title", before=was, after=now)


def _message(change: Change, *, repeats: bool) -> str:
    was, now = show(change.before), show(change.after)
    name = " Like the other, it repeats the name." if repeats else ""
    if change.change is ChangeKind.VALUE_CHANGED:
        return f"A title was {was} and is {now}.{name}"
    name = " that repeats the name" if repeats else ""
    came = change.change is ChangeKind.VALUE_ADDED
    return f"A title{name} was added: {now}." if came else f"A title{name} is gone: {was}."


def _in_schema(change: Change) -> bool:
    return change.pointer.startswith((f"/{INPUT}/", f"/{OUTPUT}/"))


def _short(title: Json) -> bool:
    return isinstance(title, str) and len(title.split()) <= _SHORT


def _repeats(title: str, name: str, change: Change) -> bool:
    """Say whether a title is the name of what bears it, in other letters or in another order."""
    said, named = (sorted(word for word in words(text) if word not in _SMALL) for text in (title, name))
    size = len(words(name))
    library = _of_schema_itself(change) and words(title)[:size] == words(name)
    return bool(said) and (said == named or (library and set(words(title)[size:]) <= _SCHEMA_SUFFIXES))


def _of_schema_itself(change: Change) -> bool:
    return change.pointer in (f"/{INPUT}/title", f"/{OUTPUT}/title")


def _name(change: Change) -> str:
    """Give the name of what bears a title: the parameter, or the item; nothing for what has none."""
    if _in_schema(change) and not _of_schema_itself(change):
        tokens = at.split(change.pointer)
        return tokens[-2] if tokens[-3:-2] == ["properties"] else ""
    return change.key if change.kind is not Kind.SERVER and not change.pointer.startswith("/arguments/") else ""


def _first_like_name(finding: Finding) -> bool:
    return finding.before is None and finding.category == KIN


def _together(wave: Finding, members: Sequence[Finding]) -> Finding:
    """Keep all first titles that are like names, each with the items that bear it."""
    if not _first_like_name(wave):
        return wave
    titles: dict[str, Json] = {}
    for member in members:
        titles.setdefault(str(member.after), []).append(member.item)
    return replace(wave, message=f"{len(wave.places)} titles were added.", after=titles)


RULE = Rule(
    id="title-changed",
    title="A title is another one",
    area=Area.TEXT,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    categories=(REPEATS, KIN),
    alike=_first_like_name,
    together=_together,
)
