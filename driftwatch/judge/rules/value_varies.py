"""A value is another one in lists of the same release.

What it does
    Finds a text, a default or another plain value that was a different one in lists that driftwatch saw of the same
    release: same server name and version, same protocol, same way of being reached, and nothing else changed. From the
    second change on it stands for what other rules would say anew of that place each time, up to medium. What they hold
    to be worse, and what a text asks of a model or hides in it, is always told by itself.

Why it matters
    Some servers write a date, a path or a set without an order into a text at every start. Told each time, that drowns
    what matters. It can also be a server that shows different things on purpose, so a person decides.

Example
    first   {"formats": {"default": "csv, json, xml"}}
    second  {"formats": {"default": "json, xml, csv"}}

What to do
    Read a few of the values (driftwatch history). Where only a date, a number, an id, a path or the order of a list
    differs, driftwatch diff prints the lines that declare the place volatile: paste them when this is how the server
    is. Where words differ it proposes nothing: ask why one release says different things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from driftwatch.judge import pointer as at
from driftwatch.judge.behaviour import COMPANIONS, OSCILLATING
from driftwatch.judge.facts import Facts, Place, Steps, Varied
from driftwatch.judge.rules.base import GROUP_FROM, Action, Area, Context, Rule
from driftwatch.judge.varied import ORDER, SHAPES, VALUE, proposes
from driftwatch.model import Change, Confidence, Finding, Item, Severity, worst_of

REPEATING = frozenset(
    {
        "description-changed",
        "title-changed",
        "instructions-changed",
        "schema-default",
        "schema-cosmetic",
        "schema-changed",
        "output-schema-changed",
        "icon-changed",
        "meta-changed",
        "other-changed",
    }
)
"""Rules that say no more than that a value reads otherwise: said once, it need not be said again at every look."""

_WHOLE = {ORDER: "the order of a list", VALUE: "a number"}

OFTEN = 3
"""Changes from which on a place is told of also while it shows what is approved, so that it is not told anew."""


def check(context: Context) -> Iterator[Finding]:
    """Give one finding for each place that varied, or for many alike; the next value there is no news."""
    known = {found.place: found for found in context.facts.varied}
    if not known:
        return
    again = repeating(context.facts.varied)
    repeated = _by_place(finding for finding in context.found if repeats(finding, again))
    changes = {(change.kind, change.key, change.occurrence, change.pointer): change for change in context.changes}
    items = {item.place: item for item in context.live.items}
    grave = _grave(context.found)
    told = [
        _finding(items[place[:3]], found, changes.get(place), repeated[place], proposed=proposed)
        for place, found in known.items()
        if place[:3] in items and (context.baseline is None or place in changes or found.changes >= OFTEN)
        for proposed in [proposes(found) and not _is_grave(place, grave)]
        if proposed or found.changes > 1
    ]
    alike: dict[Hashable, list[Finding]] = defaultdict(list)
    for one in told:
        alike[one.kind, one.severity, one.confidence, one.category, one.pointer.rpartition("/")[2]].append(one)
    for members in alike.values():
        yield from [_together(members)] if len(members) >= GROUP_FROM else members


def _grave(found: Iterable[Finding]) -> frozenset[Place]:
    """Give the places inside items with a finding of medium or above, the marked ones of it as well."""
    return frozenset(
        (*_place(finding)[:3], pointer)
        for finding in found
        if finding.severity >= Severity.MEDIUM
        for pointer in (finding.pointer, *(span.pointer for span in finding.spans))
        if pointer
    )


def _is_grave(place: Place, grave: frozenset[Place]) -> bool:
    """Say whether a place, or what it is part of, has such a finding: nothing there may become noise."""
    return any((*place[:3], pointer) in grave for pointer in (place[3], *at.parents(place[3])))


def _finding(item: Item, found: Varied, change: Change | None, repeated: list[Finding], *, proposed: bool) -> Finding:
    """Say of one place that it varies. What tells it from others is the place; the values are there to be read."""
    sure = Confidence.HIGH if found.changes >= OFTEN else Confidence.MEDIUM if found.changes > 1 else Confidence.LOW
    times = "once" if found.changes == 1 else f"{found.changes} times"
    shape = found.shape if proposed else ""
    finding = RULE.finding(
        item,
        found.place[3],
        f"This value became another one {times} within one release ({found.values} different values).{_advised(shape)}",
        severity=max(RULE.severity, worst_of(repeated)),
        confidence=sure,
        category=shape,
    )
    values = (change.before, change.after) if change is not None else (None, None)
    place = ((finding.item, finding.pointer),)
    return replace(finding, before=values[0], after=values[1], places=place, parts=(finding.fingerprint,))


def _advised(shape: str, *, many: bool = False) -> str:
    """Say what alone differs and what to do then; words that differ are to be read and not to be waved through."""
    if not shape:
        return " More differs than a date, a number, an id or an order, so read it."
    what = _WHOLE.get(shape) or f"a {shape} in the text"
    return f" What differs is {what}. If the server is like that, declare the place{'s' * many} volatile."


def _together(members: Sequence[Finding]) -> Finding:
    """Tell once of many places that vary in the same way, with the first as an example."""
    ordered = sorted(members, key=lambda one: one.places)
    names_of = tuple(sorted({one.item for one in ordered}))
    return replace(
        ordered[0],
        item=names_of[0] if len(names_of) == 1 else "",
        items=names_of if len(names_of) > 1 else (),
        message=f"{len(ordered)} values became others within one release.{_advised(ordered[0].category, many=True)}",
        places=tuple(place for one in ordered for place in one.places),
        parts=tuple(part for one in ordered for part in one.parts),
        occurrence=0,
    )


def repeating(varied: Iterable[Varied]) -> frozenset[Place]:
    """Give the places whose single changes need not be told again."""
    return frozenset(found.place for found in varied if found.changes > 1)


def repeats(finding: Finding, places: Collection[Place]) -> bool:
    """Say whether a finding only says again that one of these places reads otherwise."""
    if finding.rule not in REPEATING or finding.items or finding.places or finding.severity > Severity.MEDIUM:
        return False
    return _place(finding) in places


def news(found: Sequence[Finding], facts: Facts) -> list[Finding]:
    """Give what is found without what this rule stands for: repetitions, and a going to and fro of such values only.

    Values are dates, numbers, ids, orders and the like. Words that come and go are told as a going to and fro.
    That goes on being told when anything worse flips or was told of, which is what hides behind a value that varies.
    """
    places = repeating(facts.varied)
    rest = [finding for finding in found if not repeats(finding, places)]
    told = facts.flapping.worst if facts.flapping is not None and facts.steps is Steps.VALUES else Severity.INFO
    now = worst_of([finding for finding in rest if finding.rule not in {OSCILLATING, *COMPANIONS}])
    words = any(not found.shape for found in facts.varied)
    if words or facts.steps is Steps.UNKNOWN or max(now, told) >= Severity.MEDIUM:
        return rest
    return [finding for finding in rest if finding.rule != OSCILLATING]


def _by_place(findings: Iterable[Finding]) -> dict[Place, list[Finding]]:
    found: dict[Place, list[Finding]] = defaultdict(list)
    for finding in findings:
        found[_place(finding)].append(finding)
    return found


def _place(finding: Finding) -> Place:
    return (finding.kind, finding.item, finding.occurrence, finding.pointer)


RULE = Rule(
    id="value-varies",
    title="A value is another one in lists of the same release",
    area=Area.BEHAVIOUR,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
    categories=(*SHAPES, ORDER, VALUE),
    last=True,
)
