"""Claude Code: permission rules."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import PLAIN, UNSPLIT, Approved, Handoff, allowed, as_json, asked


def _write(server: str, tools: Sequence[Approved]) -> str:
    def rules(names: Sequence[str]) -> list[str]:
        return [f"mcp__{server}__{name}" for name in names]

    return as_json({"permissions": {"allow": rules(allowed(tools)), "ask": rules(asked(tools))}})


CLAUDE_CODE = Handoff(
    id="claude-code",
    name="Claude Code",
    place=".claude/settings.json of a project, ~/.claude/settings.json, or the managed settings",
    does="Runs the allowed tools without asking and asks about the others, also in modes that otherwise ask less.",
    source="https://code.claude.com/docs/en/permissions",
    write=_write,
    server=UNSPLIT,
    tool=PLAIN,
    notes=("A tool that is in neither list is treated as your permission mode says.",),
)
