"""Turn an approved snapshot into a host's allow-list. Pure.

What may run unasked is decided from what the approved tool says of itself, and only on the safe side: a tool that does
not spell out that it only reads, or says so against its own words, is asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from driftwatch.errors import UsageError
from driftwatch.judge import pointer as at
from driftwatch.judge.gates import GATES
from driftwatch.judge.hints import GRAVE, Reading, annotations_of, dangers, declared, malformed
from driftwatch.judge.plausible import doubts
from driftwatch.model import Item, Kind, Severity, Snapshot
from driftwatch.report.handoff.base import LONGEST, Approved, Fragment, Handoff

_SPELLING = "its name holds characters that the form cannot carry safely"
_LENGTH = "its name is longer than the {most} characters that the form carries"
_TWINS = "another tool has the same name but for its case"


def hand_off(snapshot: Snapshot, server: str, form: Handoff) -> Fragment:
    """Give the tools of an approved snapshot in the form of a host that knows the server as `server`.

    Raises:
        UsageError: the server's name cannot stand in the form, or no tool can.

    """
    if not form.server.fullmatch(server):
        raise UsageError(
            f"The form of {form.name} cannot carry the server name {server!r} safely.",
            hint="Give the name that the host knows the server by, in letters, digits and hyphens: --as NAME",
        )
    tools = snapshot.of(Kind.TOOL)
    refused = dict(_refused(tools, form))
    kept = [tool for tool in _approved(tools) if tool.name not in refused]
    if not kept:
        raise UsageError(
            f"There is no approved tool to hand to {form.name}.",
            hint=f"Refused: {len(refused)}. See what was approved: driftwatch show" if refused else "",
        )
    return Fragment(form, form.write(server, kept), tuple(kept), tuple(sorted(refused.items())))


def _refused(tools: Iterable[Item], form: Handoff) -> Iterable[tuple[str, str]]:
    """Give the names that cannot stand in a form with the reason."""
    names = {tool.key for tool in tools}
    folded = Counter(name.casefold() for name in names)
    for name in names:
        if not form.tool.fullmatch(name):
            is_long = len(name) > LONGEST and all(form.tool.fullmatch(part) for part in (name[:LONGEST], *_pairs(name)))
            yield name, _LENGTH.format(most=LONGEST) if is_long else _SPELLING
        elif folded[name.casefold()] > 1:
            yield name, _TWINS


def _pairs(name: str) -> set[str]:
    """Give each character of a name behind a letter: a form carries the one when it carries the other."""
    return {f"x{char}" for char in name}


def _approved(tools: Iterable[Item]) -> list[Approved]:
    """Give each name once, to be asked about when any tool of that name is."""
    reasons: dict[str, str] = {}
    for tool in tools:
        reasons[tool.key] = reasons.get(tool.key) or why_ask(tool)
    return [Approved(name, reasons[name]) for name in sorted(reasons)]


def why_ask(tool: Item) -> str:
    """Say why a tool should not run unasked, in a few words; an empty string where nothing speaks against it."""
    annotations = annotations_of(tool)
    if malformed(annotations):
        return "a hint of it is neither true nor false"
    if dangers(annotations, Reading.SPEC) & GRAVE:
        said = declared(annotations).get("readOnlyHint")
        return "it says that it writes" if said is False else "it does not say that it only reads"
    if declared(annotations).get("destructiveHint") is True:
        return "it says that it only reads and that it destroys"
    found = doubts(tool)
    if found:
        return f"its {found[0].where} contradicts its hints"
    return "it asks for a question at every call" if _forced(tool) else ""


def _forced(tool: Item) -> bool:
    """Whether a gate outside the hints asks for a question: one that lets nothing pass."""
    gates = (gate for gate in GATES if gate.kind is Kind.TOOL and gate.loosened is Severity.HIGH)
    return any(at.follow(tool.raw, gate.path) is True for gate in gates)
