"""rules: the catalogue, and the documentation of one rule."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from driftwatch.cli.app import call_of
from driftwatch.cli.options import Format, Output
from driftwatch.errors import UsageError
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Rule
from driftwatch.model import Json

app = typer.Typer()


@app.command()
def rules(
    context: typer.Context,
    rule: Annotated[str | None, typer.Argument(metavar="[RULE]", help="Show the documentation of this rule.")] = None,
    output: Output = Format.TEXT,
) -> None:
    """List the rules, or show what one of them means and what to do about it."""
    terminal = call_of(context).terminal
    if rule is not None:
        one = _named(rule)
        if output is Format.JSON:
            terminal.json({"version": 1, **_json(one), "doc": one.doc})
        else:
            terminal.write(f"{_head(one)}\n\n{one.doc.strip()}\n")
    elif output is Format.JSON:
        terminal.json({"version": 1, "rules": [_json(one) for one in RULES]})
    else:
        terminal.table(("rule", "severity", "what it says"), [_row(one) for one in RULES])


def _named(name: str) -> Rule:
    """Find a rule.

    Raises:
        UsageError: there is none of that name.

    """
    found = next((rule for rule in RULES if rule.id == name.lower()), None)
    if found is not None:
        return found
    near = get_close_matches(name.lower(), [rule.id for rule in RULES], n=1)
    raise UsageError(
        f"There is no rule {name!r}.", hint=f"Did you mean {near[0]}?" if near else "See them all: driftwatch rules"
    )


def _head(rule: Rule) -> str:
    """Give the first lines of a rule's page."""
    return (
        f"{rule.id}: {rule.title}\nseverity {rule.severity}, confidence {rule.confidence} ({rule.area}, {rule.action})"
    )


def _row(rule: Rule) -> tuple[str, ...]:
    """Give the cells of one rule."""
    return (rule.id, rule.severity.value, rule.title)


def _json(rule: Rule) -> dict[str, Json]:
    """Give one rule for programs."""
    return {
        "id": rule.id,
        "title": rule.title,
        "area": rule.area,
        "action": rule.action,
        "severity": rule.severity.value,
        "confidence": rule.confidence.value,
    }
