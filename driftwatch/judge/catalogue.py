"""The catalogue of rules as a page: written from the rules' own words, so that it cannot go stale."""

from __future__ import annotations

from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Action, Area, Rule

SECTIONS = ("What it does", "Why it matters", "Example", "What to do")
"""The sections that every rule's documentation has, in this order."""

_HEAD = """# Rules

Written from the rules' own documentation by `make docs`; `driftwatch rules ID` prints the same text.

A finding says what a rule thinks of one place. The severity in the table is the usual one: a single finding weighs
more or less where it has a reason to, such as what stands beside it. A channel gets medium and
above unless it is configured otherwise.
"""
_HOLES = """
Empty cells of this table are no oversight:

- hints, gates: one that is new on a new item belongs to that item (`item-added`, `hint-implausible`); one that is gone
  is withdrawn, loosened or tightened, whichever its readers make of it. A hint has no name of its own to change.
- items: what changes inside one is told by the rows below it. Loosened, widened and narrowed are said of what a schema
  or a gate lets through, not of a whole item.
- names: a new, lost or changed name is an item that came, went or was renamed; the rules here say what is odd about it.
- text: a text that is gone is a change of the text (`description-changed`); its meaning is judged by what it gained.
- schema: direction takes the place of "loosened"; what is spelled otherwise and means the same is `schema-cosmetic`.
- server: what the server says of itself exists once, so it changes, and neither comes nor goes; instructions that came
  or went are `instructions-changed`, and their words are read by the rules of text.
- behaviour, cloaking: they speak of looks, not of lists, so nothing is added, removed or renamed there.
- launch, supply: another program is a change, also where it asks for less. A server that went is no longer configured,
  which is your own doing; an entry of a host's file that went is `entry-removed`.
- expectations: an expectation holds or does not.
- form: whatever no rule speaks of is told by `other-changed`, so that no change goes unmentioned.
"""


def sections(rule: Rule) -> dict[str, str]:
    """Give the sections of a rule's documentation, each without its indentation."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rule.doc.splitlines():
        if line in SECTIONS:
            lines = found.setdefault(line, [])
        else:
            lines.append(line.removeprefix("    "))
    return {name: "\n".join(text).strip("\n") for name, text in found.items()}


def render() -> str:
    """Give the page as Markdown."""
    return "\n".join([_HEAD, _list(), "## By area and action\n", _grid(), _HOLES, *map(_section, RULES)])


def _list() -> str:
    rows = [f"| [`{rule.id}`](#{rule.id}) | {rule.title} | {rule.severity} | {rule.confidence} |" for rule in RULES]
    return "\n".join(["| rule | what it finds | usual severity | confidence |", "|---|---|---|---|", *rows, ""])


def _grid() -> str:
    actions = [action for action in Action if any(rule.action is action for rule in RULES)]
    rows = []
    for area in Area:
        cells = [
            ", ".join(f"`{rule.id}`" for rule in RULES if (rule.area, rule.action) == (area, action))
            for action in actions
        ]
        rows.append(f"| {area} | " + " | ".join(cells) + " |")
    head = "| area | " + " | ".join(actions) + " |"
    return "\n".join([head, "|---" * (len(actions) + 1) + "|", *rows])


def _section(rule: Rule) -> str:
    parts = sections(rule)
    dials = f"Usual severity {rule.severity}, confidence {rule.confidence}."
    lines = [f"## {rule.id}\n", f"{rule.title}. {dials}\n"]
    if rule.categories:
        lines.append(f"Categories: {', '.join(f'`{category}`' for category in rule.categories)}.\n")
    for name in SECTIONS:
        text = f"```\n{parts[name]}\n```" if name == "Example" else parts[name]
        lines.append(f"**{name}.**\n\n{text}\n" if name == "Example" else f"**{name}.** {text}\n")
    return "\n".join(lines)
