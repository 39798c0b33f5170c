"""Rules: what each of them finds and why that matters, and how it weighs here by the policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from driftwatch.config.policy import ANY, IgnoreConfig, Matched, PolicyConfig, expired
from driftwatch.config.routes import fits
from driftwatch.config.schema import Settings
from driftwatch.errors import UnknownIdError
from driftwatch.judge.policy import PROFILES, severity_under
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area, Rule
from driftwatch.model import Severity
from driftwatch.web.access import Viewer
from driftwatch.web.desk import TheDesk
from driftwatch.web.templates import page

router = APIRouter(prefix="/rules", include_in_schema=False, default_response_class=Response)

AREAS: Final = {
    Area.HINTS: "Hints",
    Area.GATES: "Gates before calls",
    Area.ITEMS: "Items that come and go",
    Area.NAMES: "Names",
    Area.TEXT: "Texts that a model reads",
    Area.SCHEMA: "Parameters and results",
    Area.SERVER: "The server itself",
    Area.BEHAVIOUR: "How it behaves",
    Area.CLOAKING: "Two faces",
    Area.LAUNCH: "How it is started",
    Area.SUPPLY: "Where its package comes from",
    Area.EXPECTATIONS: "What you expect of it",
    Area.FORM: "Form",
}
"""What the rules of each area are about."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the policy that is about some findings of a rule: what it says, of which of them, and why."""

    words: str
    where: tuple[tuple[str, str], ...]
    reason: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule with what it weighs under the profile in force. `lines` are those of the policy that touch it."""

    rule: Rule
    weighs: Severity
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule's documentation: a heading, and paragraphs; of an example its lines."""

    heading: str
    paragraphs: tuple[str, ...]
    is_example: bool = False


@router.get("")
def rules(request: Request, desk: TheDesk, _: Viewer) -> Response:
    """Show all rules by what they are about."""
    policy, now = desk.settings.policy, desk.clock()
    rows = [row_of(rule, policy, now) for rule in RULES]
    return page(
        request,
        "rules.html",
        groups=[(words, [row for row in rows if row.rule.area is area]) for area, words in AREAS.items()],
        total=len(rows),
        policy=policy,
        profile=PROFILES[policy.profile],
        over=expired(policy, now),
        expects=expecting(desk.settings),
    )


@router.get("/{rule_id}")
def rule(request: Request, desk: TheDesk, _: Viewer, rule_id: str) -> Response:
    """Show one rule with its documentation."""
    found = next((one for one in RULES if one.id == rule_id), None)
    if found is None:
        raise UnknownIdError("There is no such rule.", hint="See them all on the page of the rules.")
    policy = desk.settings.policy
    return page(
        request,
        "rule.html",
        row=row_of(found, policy, desk.clock()),
        area=AREAS[found.area],
        parts_of=documentation(found.doc),
        profile=policy.profile,
        profiles=[(name, severity_under(found, found.severity, name)) for name in PROFILES],
    )


def row_of(rule: Rule, policy: PolicyConfig, now: datetime) -> RuleRow:
    """Say what a rule weighs, and what the policy says of its findings."""
    return RuleRow(rule, severity_under(rule, rule.severity, policy.profile), tuple(_lines(rule, policy, now)))


def documentation(doc: str) -> list[Part]:
    """Take a rule's documentation apart. The first line, its title, is left out."""
    found: list[Part] = []
    for block in doc.strip().split("\n\n")[1:]:
        lines = block.split("\n")
        if not lines[0].startswith(" "):
            found.append(Part(lines.pop(0).strip(), ()))
        if not found:
            continue
        last = found[-1]
        is_example = last.heading == "Example"
        text = "\n".join(line.strip() for line in lines) if is_example else " ".join(line.strip() for line in lines)
        found[-1] = Part(last.heading, (*last.paragraphs, *([text] if text else [])), is_example)
    return found


def expecting(settings: Settings) -> list[str]:
    """Name the servers of which something is expected whatever was approved."""
    return [one.name for one in settings.servers if one.expect != type(one.expect)()]


def _lines(rule: Rule, policy: PolicyConfig, now: datetime) -> Iterator[Line]:
    for one in policy.severity:
        if fits(one.rule, rule.id) and one.rule != ANY:
            yield Line(f"weighs {one.severity.value}", _where(one), one.reason)
    for ignore in policy.ignore:
        if fits(ignore.rule, rule.id) and ignore.rule != ANY:
            yield Line(_ignored(ignore), _where(ignore), ignore.reason, _is_over(ignore, now))


def _where(line: Matched) -> tuple[tuple[str, str], ...]:
    names = ("rule", "server", "item", "pointer", "category")
    return tuple((name, getattr(line, name)) for name in names if getattr(line, name) != ANY)


def _ignored(line: IgnoreConfig) -> str:
    return f"alerts nobody until {line.expires:%Y-%m-%d %H:%M} UTC" if line.expires else "alerts nobody"


def _is_over(line: IgnoreConfig, now: datetime) -> bool:
    return line.expires is not None and line.expires <= now
