"""Which findings a line of the policy is about: globs over what a finding says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from driftwatch.judge.globs import ANY, fits
from driftwatch.model import Finding


def places_of(finding: Finding) -> Iterator[tuple[str, str]]:
    """Give every place that a finding speaks of, as (item, pointer)."""
    yield from finding.places or ((item, finding.pointer) for item in finding.items or (finding.item,))


@dataclass(frozen=True, slots=True)
class Where:
    """Which findings, each part a glob: rule id, name of the item, JSON Pointer inside it, category."""

    rule: str = ANY
    item: str = ANY
    pointer: str = ANY
    category: str = ANY

    def meets_all(self, finding: Finding) -> bool:
        """Say whether every place of a finding is meant: what takes weight away must not take it from others."""
        return self._is_meant(finding) and all(self._fits(*place) for place in places_of(finding))

    def meets_any(self, finding: Finding) -> bool:
        """Say whether some place of a finding is meant: what adds weight must not miss one in a group."""
        return self._is_meant(finding) and any(self._fits(*place) for place in places_of(finding))

    def _is_meant(self, finding: Finding) -> bool:
        return fits(self.rule, finding.rule) and fits(self.category, finding.category)

    def _fits(self, item: str, pointer: str) -> bool:
        return fits(self.item, item) and fits(self.pointer, pointer)
