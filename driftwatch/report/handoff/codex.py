"""Codex: tools that are there at all, and how each is approved."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import Approved, Handoff, allowed, named, quoted


def _write(server: str, tools: Sequence[Approved]) -> str:
    table = f"mcp_servers.{quoted(server)}"
    lines = [
        f"[{table}]",
        f"enabled_tools = [{', '.join(quoted(name) for name in named(tools))}]",
        'default_tools_approval_mode = "prompt"',
    ]
    for name in allowed(tools):
        lines += ["", f"[{table}.tools.{quoted(name)}]", 'approval_mode = "approve"']
    return "\n".join(lines) + "\n"


CODEX = Handoff(
    id="codex",
    name="Codex",
    place="~/.codex/config.toml, or .codex/config.toml of a trusted project",
    does="Registers only the approved tools, runs the allowed ones without asking and asks about the others.",
    source="openai/codex codex-rs/config/src/mcp_types.rs @00b17c26; https://learn.chatgpt.com/docs/extend/mcp",
    write=_write,
    notes=("TOML takes a table once: put the two lines of the first table into the one that you have.",),
)
