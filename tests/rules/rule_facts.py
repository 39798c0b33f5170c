"""What is known beside the lists in the examples of the rules that look beyond them: one entry a rule."""

from __future__ import annotations

from driftwatch.judge.facts import Facts

FACTS: dict[str, Facts] = {}
