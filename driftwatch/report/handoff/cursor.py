"""Cursor: the list of tools that run without approval."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import Approved, Handoff, allowed, as_json


def _write(server: str, tools: Sequence[Approved]) -> str:
    return as_json({"mcpAllowlist": [f"{server}:{name}" for name in allowed(tools)]})


CURSOR = Handoff(
    id="cursor",
    name="Cursor",
    place="~/.cursor/permissions.json, or .cursor/permissions.json of a workspace",
    does="Runs the allowed tools without approval; every other tool is asked about.",
    source="https://cursor.com/docs/reference/permissions",
    write=_write,
    notes=(
        "The list takes the place of the one in the settings: merge in what else you allow.",
        "Cursor calls its allow-lists a convenience and no security boundary.",
    ),
)
