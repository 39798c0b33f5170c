"""What a finding proposes for the configuration, as the exact lines to paste."""

from __future__ import annotations

from collections.abc import Iterable
from glob import escape

from driftwatch.config.toml import string
from driftwatch.judge.varied import SHAPES
from driftwatch.model import Finding

PROPOSING = "value-varies"
"""The rule that proposes places as volatile."""

LONGEST = 300
"""Characters of a glob that the configuration takes."""

REASON = "say why it differs"
"""What a person is to write in the place of it."""

_HEADING = "To take these values for volatile, add to the configuration, each with a reason of your own:"


def volatile_lines(findings: Iterable[Finding], server: str) -> list[str]:
    """Give the lines that declare as volatile what these findings propose, a sentence before them; none for none.

    A place that may not be proposed has no category. The lines are TOML: nothing that a server names can end a string
    in it, and what is a glob in a name is escaped.
    """
    tables: list[str] = []
    for finding in findings:
        for item, pointer in finding.places or ((finding.item, finding.pointer),):
            if finding.rule == PROPOSING and finding.category:
                tables += ["", *_table(server, item, pointer, SHAPES.get(finding.category, ""))]
    return ["", _HEADING, *tables] if tables else []


def _table(server: str, item: str, pointer: str, pattern: str) -> list[str]:
    values = {"server": _glob(server), "item": _glob(item), "pointer": _glob(pointer), "pattern": pattern}
    lines = [f"{key} = {string(value)}" for key, value in values.items() if value]
    return ["[[policy.volatile]]", *lines, f"reason = {string(REASON)}"]


def _glob(text: str) -> str:
    """Write a name as a glob that matches it: what the configuration does not take becomes `?` or `*`."""
    whole = "".join(char if char.isprintable() else "?" for char in escape(text))
    # An escaped character takes three places, so that a hundred of any kind fit.
    return whole if len(whole) <= LONGEST else f"{_glob(text[: LONGEST // 3 - 1])}*"
