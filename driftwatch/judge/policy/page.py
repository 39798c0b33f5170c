"""The table of profiles as Markdown, for `docs/policy.md`: made from the same data that judges.

Run as a module (`python -m driftwatch.judge.policy.page docs/policy.md`) it writes the table into that file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from driftwatch.judge.policy.profiles import BALANCED_PROFILE, PROFILES, Raise, severity_under
from driftwatch.judge.rules import RULES

BEGIN, END = "<!-- profiles: begin (written by driftwatch.judge.policy.page) -->", "<!-- profiles: end -->"


def render() -> str:
    """Give what each profile is for and raises, and what each rule weighs in each of them."""
    lines = [BEGIN]
    for name, profile in PROFILES.items():
        lines += ["", f"**`{name}`**: {profile.what}", *([""] if profile.raises else [])]
        lines += [f"- {_words(one)}" for one in profile.raises]
    columns = list(PROFILES)
    lines += ["", f"| rule | area | axis | {' | '.join(columns)} |", "|---|---|---|" + "---|" * len(columns)]
    return "\n".join([*lines, *_rows(), "", END])


def _words(one: Raise) -> str:
    which = [f"`{rule}`" for rule in sorted(one.rules)]
    parts = [
        f"rules {', '.join(which)}" if which else "",
        f"areas {', '.join(sorted(one.areas))}" if one.areas else "",
        f"actions {', '.join(sorted(one.actions))}" if one.actions else "",
        f"categories {', '.join(sorted(one.categories))}" if one.categories else "",
    ]
    meant = "; ".join(part for part in parts if part) or "every finding above info"
    return f"at least **{one.at_least}**: {meant}, because {one.why}."


def _rows() -> Iterator[str]:
    for rule in RULES:
        weights = []
        for name in PROFILES:
            weight = severity_under(rule, rule.severity, name)
            raises = [one for one in PROFILES[name].raises if rule.id in one.rules and one.categories]
            more = f" ({', '.join(sorted(raises[0].categories))}: {raises[0].at_least})" if raises else ""
            raised = name != BALANCED_PROFILE and weight > rule.severity
            weights.append(f"**{weight}**" if raised else f"{weight}{more}")
        yield f"| [{rule.id}](rules.md#{rule.id}) | {rule.area} | {rule.axis} | {' | '.join(weights)} |"


def insert(document: str) -> str:
    """Give the document with the table between its two marks."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        message = "the document has no place for the profiles"
        raise ValueError(message)
    return head + render() + tail


def main(arguments: Sequence[str]) -> None:
    """Write the table into each file that is named."""
    for name in arguments:
        path = Path(name)
        path.write_text(insert(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
