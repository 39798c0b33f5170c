"""An entry of a host's file in a few lines: how its server is started or reached, and what else stands there."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.entries import how
from driftwatch.model import Finding, Json
from driftwatch.report.cut import shown

_NAMES = 8
"""Names shown of a list of them; the rest is counted."""
_NAME = 60
_OURS = "sealed"
"""Digests of what is masked: nothing to read."""


def gist(finding: Finding, raw: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Give what a person reads of a whole entry, as (what, text) that is safe to show; not what the message says."""
    said = how(raw)
    if said and said not in finding.message:
        yield "how", said
    if isinstance(raw.get("cwd"), str) and raw["cwd"]:
        yield "in the folder", shown(raw["cwd"])
    for key, word in (("env", "variables"), ("headers", "headers")):
        if names := _listed(raw.get(key)):
            yield word, names
    settings = raw.get("settings")
    if names := _listed(list(settings) if isinstance(settings, dict) else None):
        yield "settings", names
    if names := _listed(sorted(raw[_OURS]) if isinstance(raw.get(_OURS), dict) else None):
        yield "masked values in", names


def _listed(names: Json) -> str:
    """List names, empty where there are none."""
    found = [shown(name, _NAME) for name in names if isinstance(name, str)] if isinstance(names, list) else []
    more = f" and {len(found) - _NAMES} more" if len(found) > _NAMES else ""
    return ", ".join(found[:_NAMES]) + more
