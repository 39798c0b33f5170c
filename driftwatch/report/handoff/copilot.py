"""GitHub Copilot's cloud agent: the tools that it may use, all of them without asking."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import Approved, Handoff, allowed, as_json


def _write(server: str, tools: Sequence[Approved]) -> str:
    return as_json({"mcpServers": {server: {"tools": allowed(tools)}}})


COPILOT_AGENT = Handoff(
    id="copilot-agent",
    name="GitHub Copilot cloud agent",
    place="the MCP configuration in the settings of a repository",
    does="Lets the agent use the allowed tools only.",
    source="docs.github.com, page configure-mcp-servers",
    write=_write,
    notes=("This agent asks about nothing, so the tools that should be asked about are left out.",),
)
