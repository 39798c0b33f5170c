"""rules: the catalogue, and the documentation of one rule."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import fill
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.options import Format, Output, Profile, Weights
from driftwatch.errors import UsageError
from driftwatch.judge.hosts import HOSTS
from driftwatch.judge.policy import PROFILES, severity_under
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area, Rule
from driftwatch.model import Json

app = commands()


@app.command()
def rules(
    context: typer.Context,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="Show the documentation of this rule.")] = None,
    output: Output = Format.TEXT,
    *,
    profile: Weights = None,
) -> None:
    """List the rules, or explain one of them; with a profile as they weigh in it."""
    weighs = (profile or Profile.BALANCED).value
    terminal = call_of(context).terminal
    if rule is not None:
        one = _named(rule)
        if output is Format.JSON:
            terminal.json({"version": 1, **_json(one), "doc": one.doc})
        else:
            terminal.write(
                f"{fill(_title(one), terminal.width)}\n{_dials(one, weighs)}\n\n{_page(one.doc, terminal.width)}\n"
            )
            terminal.write(_categories(one, terminal.width) + _hosts(one, terminal.width))
    elif output is Format.JSON:
        terminal.json({"version": 1, "rules": [_json(one) for one in RULES]})
    else:
        terminal.table(("rule", "usual severity", "what it says"), [_row(one, weighs) for one in RULES])


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


def _categories(rule: Rule, width: int) -> str:
    """Say by which words a line of a policy can tell a rule's findings apart."""
    if not rule.categories:
        return ""
    words = f"Categories, for a line of the policy: {', '.join(rule.categories)}"
    return f"\n{fill(words, width)}\n"


def _hosts(rule: Rule, width: int) -> str:
    """Say for a rule about hints or gates where to see who acts on them."""
    if rule.area not in (Area.HINTS, Area.GATES):
        return ""
    words = f"Findings of this rule name the hosts that act otherwise. {len(HOSTS)} are known: driftwatch hosts"
    return f"\n{fill(words, width)}\n"


def _title(rule: Rule) -> str:
    """Give the heading of a rule's page."""
    return f"{rule.id}: {rule.title}"


def _dials(rule: Rule, profile: str) -> str:
    """Say how bad and how sure a rule is unless a finding says otherwise, and what it is about."""
    severity = severity_under(rule, rule.severity, profile)
    return f"usual severity {severity}, confidence {rule.confidence} ({rule.area}, {rule.action})"


def _page(doc: str, width: int) -> str:
    """Fit a rule's documentation into the width: prose is filled anew, lines of examples stay lines."""
    pages: list[str] = []
    example = False
    for block in doc.strip().split("\n\n")[1:]:  # the first one is the title
        lines = block.split("\n")
        heading = [lines.pop(0)] if not lines[0].startswith(" ") else []
        example = heading == ["Example"] if heading else example
        stripped = [line.strip() for line in lines]
        parts = stripped if example else [" ".join(stripped)]
        rest = " " * (12 if example else 4)
        filled = [fill(part, width, initial_indent="    ", subsequent_indent=rest) for part in parts]
        pages.append("\n".join([*heading, *filled]))
    return "\n\n".join(pages)


def _row(rule: Rule, profile: str) -> tuple[str, ...]:
    """Give the cells of one rule."""
    return (rule.id, severity_under(rule, rule.severity, profile).value, rule.title)


def _json(rule: Rule) -> dict[str, Json]:
    """Give one rule for programs."""
    return {
        "id": rule.id,
        "title": rule.title,
        "area": rule.area,
        "action": rule.action,
        "severity": rule.severity.value,
        "confidence": rule.confidence.value,
        "axis": rule.axis.value,
        "categories": list(rule.categories),
        "profiles": {name: severity_under(rule, rule.severity, name).value for name in PROFILES},
    }
