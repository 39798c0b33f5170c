"""Rules: what is looked for, and how much each weighs here."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import UnknownIdError
from driftwatch.judge.policy import PROFILES, severity_under
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Action, Area, Rule
from driftwatch.model import Axis, Confidence, Severity
from driftwatch.web.access import Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Cursor, Limit, page_of
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Next, shape
from driftwatch.web.desk import TheDesk

router = part("rules", "/rules")

Id = Annotated[str, Path(max_length=80, description="Its id.", examples=["hint-loosened"])]


@shape
class RuleShape(TypedDict):
    """One rule."""

    id: Annotated[str, Field(examples=["hint-loosened"])]
    title: str
    area: Area
    action: Action
    axis: Axis
    severity: Severity
    """What it says unless a finding has a reason to say otherwise."""
    confidence: Confidence
    severity_here: Severity
    """The same under the profile of the configuration; lines of the policy may say otherwise of some findings."""
    profiles: dict[str, Severity]
    """The same under each profile."""
    categories: list[str]
    """The words by which its findings tell their sort."""


@shape
class WholeRuleShape(RuleShape):
    """One rule with its documentation."""

    doc: str


@shape
class RulesShape(TypedDict):
    """Some rules, by id."""

    entries: list[RuleShape]
    next: Next


@router.get("", response_model=RulesShape, operation_id="list_rules", summary="List rules")
def rules(request: Request, desk: TheDesk, _: Viewer, *, limit: Limit = USUAL, cursor: Cursor = "") -> Response:
    """Give the rules, by id."""
    profile = desk.settings.policy.profile
    shown, following = page_of("rules", RULES, cursor, limit, lambda one: one.id)
    return answer(request, {"entries": [rule_json(one, profile) for one in shown], "next": following})


@router.get(
    "/{rule}", response_model=WholeRuleShape, operation_id="get_rule", summary="Get a rule", responses=problems(404)
)
def rule(request: Request, desk: TheDesk, _: Viewer, rule: Id) -> Response:
    """Give one rule with its documentation."""
    found = next((one for one in RULES if one.id == rule), None)
    if found is None:
        raise UnknownIdError("There is no rule of that id.", hint="List them first.")
    body: WholeRuleShape = {**rule_json(found, desk.settings.policy.profile), "doc": found.doc}
    return answer(request, body)


def rule_json(rule: Rule, profile: str) -> RuleShape:
    """Write a rule."""
    return {
        "id": rule.id,
        "title": rule.title,
        "area": rule.area,
        "action": rule.action,
        "axis": rule.axis,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "severity_here": severity_under(rule, rule.severity, profile),
        "profiles": {name: severity_under(rule, rule.severity, name) for name in PROFILES},
        "categories": list(rule.categories),
    }
