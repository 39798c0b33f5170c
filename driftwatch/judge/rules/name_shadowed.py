"""A tool has the name of another server's tool.

What it does
    Holds the name of every new tool against the tools that the other watched servers show now: the same but for case
    and separators, or only looking the same. The very same tool in two servers counts for nothing. Names that honest
    servers share all the time (`search`, `read_file`) weigh less, short names in a first list too. Where most of a
    server's names are those of one other, it is told once: that is mostly the same software, watched twice.

Why it matters
    Where a host puts the tools of all servers side by side, the model picks by name. A namesake takes calls, and what
    is in them, that were meant for the other server.

Example
    before  {"tools": [{"name": "list_tickets"}]}                               beside a server "mail" with send_invoice
    after   {"tools": [{"name": "list_tickets"}, {"name": "send_invoice"}]}     beside a server "mail" with send_invoice

What to do
    Find out why this server has a tool of that name. Do not let an agent have both servers before you know.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from driftwatch.judge.names import words
from driftwatch.judge.neighbours import Elsewhere, Namesake, is_everyday
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Confidence, Finding, Item, Kind, Severity
from driftwatch.model.amounts import noun

_TELLING = 3
"""From so many words on a name, if it is not all common ones, is hardly chosen twice by chance."""
_SISTER = 3
"""From so many shared names on two servers can be the same software."""


def check(context: Context) -> Iterator[Finding]:
    """Give every new name that is the name of another server's tool."""
    new = [look.after for look in context.looks(Kind.TOOL) if look.before is None or look.before.key != look.after.key]
    elsewhere = Elsewhere(context.facts.neighbours) if new else None
    if not elsewhere:
        return
    shared: dict[str, list[Item]] = defaultdict(list)
    alike: list[tuple[Item, Namesake]] = []
    for item in new:
        found = elsewhere.namesakes(item.key) if item.key else []
        for server in {one.server for one in found if one.exact}:
            shared[server].append(item)
        alike += [(item, one) for one in found[:1] if not one.exact]
    for item, other in alike:
        yield _look_alike(item, other)
    sisters = _sisters(context, elsewhere) if shared else frozenset()
    for server in sorted(sisters & set(shared)):
        yield from _sister(server, shared[server], elsewhere)
    for item in new:
        others = [one for one in elsewhere.namesakes(item.key) if one.exact and one.digest != item.digest]
        if item.key and others and not sisters & {one.server for one in others}:
            yield _namesake(item, others, first_sight=context.baseline is None)


def _sisters(context: Context, elsewhere: Elsewhere) -> frozenset[str]:
    """Give the servers that most of the approved names are shared with: new names make no server the same software."""
    known = (context.baseline or context.live).of(Kind.TOOL)
    count = Counter(
        server for item in known for server in {one.server for one in elsewhere.namesakes(item.key) if one.exact}
    )
    return frozenset(server for server, many in count.items() if many >= _SISTER and 2 * many >= len(known))


def _sister(server: str, items: list[Item], elsewhere: Elsewhere) -> Iterator[Finding]:
    """Say once that most names are those of one other server; nothing where the tools themselves are the same."""
    other = [item for item in items if not any(one.digest == item.digest for one in elsewhere.namesakes(item.key))]
    if other:
        yield Finding(
            rule=RULE.id,
            severity=Severity.LOW,
            kind=Kind.TOOL,
            item="",
            pointer="/name",
            message=f"{len(items)} tools have the names of tools of the server {show(server)}, as most tools here: "
            f"{names([item.key for item in items])}. That is mostly the same software, watched twice.",
            items=tuple(sorted(item.key for item in items)),
            confidence=RULE.confidence,
            before=server,
            category="same-software",
            axis=RULE.axis,
        )


def _look_alike(item: Item, other: Namesake) -> Finding:
    message = (
        f"The name {show(item.key)} looks the same as {show(other.name)}, a tool of the server {show(other.server)}. "
        "It is another one, and a model or a person may take it for that."
    )
    spelled = f"{other.server}: {other.name}"
    return RULE.finding(
        item, "/name", message, severity=Severity.HIGH, before=spelled, after=item.key, category="look-alike"
    )


def _namesake(item: Item, others: list[Namesake], *, first_sight: bool) -> Finding:
    servers = sorted({one.server for one in others})
    everyday = is_everyday(item.key)
    severity = Severity.INFO if everyday else Severity.LOW
    if not first_sight or (not everyday and len(words(item.key)) >= _TELLING):
        severity = Severity.LOW if everyday else RULE.severity
    what = noun(len(servers), "server")
    message = f"The tool {show(item.key)} has the name of a tool of the {what} {names(servers)}."
    message += (
        " It is a name that many servers use." if everyday else " A model that has both may call this one instead."
    )
    spelled = f"{others[0].server}: {others[0].name}"
    return RULE.finding(item, "/name", message, severity=severity, before=spelled, after=item.key, category="namesake")


RULE = Rule(
    id="name-shadowed",
    title="A tool has the name of another server's tool",
    area=Area.NAMES,
    action=Action.ODD,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    categories=("same-software", "look-alike", "namesake"),
    confidence=Confidence.MEDIUM,
)
