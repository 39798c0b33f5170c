"""The server declares other capabilities.

What it does
    Records that the server declares other capabilities. New notices are for the record; a capability that is gone, or
    a promise of notices that is taken back, weighs more, and so does a new one. One that belongs to a host and not to a
    server (sampling, elicitation, roots) weighs most.

Why it matters
    It says what else the server may do or offer: prompts, resources, tasks. A lost listChanged means that changes come
    without notice. A server that declares what a host declares means to ask the model or the person for something.

Example
    before  {"capabilities": {"tools": {"listChanged": true}}}
    after   {"capabilities": {"tools": {}}}

What to do
    Check that what you rely on is still there, then approve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.judge.pointer import covers, join
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Change, ChangeKind, Finding, Kind, Severity

NOTICES = frozenset({"listChanged", "subscribe"})
"""What promises to tell of changes."""

OF_HOSTS = frozenset({"sampling", "elicitation", "roots"})
"""What hosts declare and servers do not."""

_ALL = "/capabilities"
_WHOLE = {
    ChangeKind.VALUE_ADDED: ("It declares its capabilities now.", Severity.INFO),
    ChangeKind.VALUE_REMOVED: ("It declares no capabilities any more.", Severity.LOW),
    ChangeKind.VALUE_CHANGED: ("Its capabilities have another form.", Severity.LOW),
}


def check(context: Context) -> Iterator[Finding]:
    """Give every changed capability; those that a first look learns are only recorded."""
    for change in context.values(Kind.SERVER):
        if covers(_ALL, change.pointer):
            for one in (change, *_of_hosts(change)):
                message, severity = _weighed(one)
                yield RULE.about(one, message, severity=severity)


def _of_hosts(change: Change) -> Iterator[Change]:
    """Give what belongs to hosts among capabilities that came all at once: it weighs what it does alone."""
    if change.pointer == _ALL and isinstance(change.after, dict):
        had = change.before if isinstance(change.before, dict) else {}
        for name in sorted(OF_HOSTS & change.after.keys() - had.keys()):
            yield replace(
                change,
                change=ChangeKind.VALUE_ADDED,
                pointer=join(_ALL, name),
                before=None,
                after=change.after[name],
            )


def _weighed(change: Change) -> tuple[str, Severity]:
    """Say what a change means, and how much."""
    name = change.pointer.removeprefix(f"{_ALL}/")
    what, added = show(name), change.change is ChangeKind.VALUE_ADDED
    if change.pointer == _ALL:
        return _WHOLE[change.change]
    if name.rsplit("/", 1)[-1] in NOTICES:
        if change.after is True:
            return f"It gives notice of changes now ({what}).", Severity.INFO
        if change.before is True:
            return f"It no longer promises notice of changes ({what}).", Severity.LOW
    if added and name.split("/", 1)[0] in OF_HOSTS:
        return f"It declares {what}, which hosts declare: it means to ask the model or the person.", Severity.MEDIUM
    done = {ChangeKind.VALUE_ADDED: "is new", ChangeKind.VALUE_REMOVED: "is gone"}.get(change.change, "is another")
    return f"Capability {what} {done}.", Severity.LOW


RULE = Rule(
    id="capability-changed",
    title="The server declares other capabilities",
    area=Area.SERVER,
    action=Action.CHANGED,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
