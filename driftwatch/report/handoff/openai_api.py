"""OpenAI's Responses API: which tools a hosted server may offer, and which run without approval."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import Approved, Handoff, allowed, as_json, named


def _write(server: str, tools: Sequence[Approved]) -> str:
    unasked = {"never": {"tool_names": allowed(tools)}} if allowed(tools) else "always"
    return as_json({"type": "mcp", "server_label": server, "allowed_tools": named(tools), "require_approval": unasked})


OPENAI_RESPONSES = Handoff(
    id="openai-responses",
    name="OpenAI Responses API",
    place="the entry of the server in `tools` of a request",
    does="Offers only the approved tools, runs the allowed ones without approval and wants one for the others.",
    source="https://developers.openai.com/api/docs/guides/tools-connectors-mcp",
    write=_write,
)
