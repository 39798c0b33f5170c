"""Gemini CLI: tools that are there at all, and rules of the policy engine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from driftwatch.report.handoff.base import Approved, Handoff, allowed, as_json, asked, named, quoted

_WITHOUT_UNDERSCORE = re.compile(r"[A-Za-z0-9.-]{1,64}")
"""The policy engine parts a tool's full name at the first underscore and warns of such server names."""


def _settings(server: str, tools: Sequence[Approved]) -> str:
    return as_json({"mcpServers": {server: {"includeTools": named(tools)}}})


def _policy(server: str, tools: Sequence[Approved]) -> str:
    rest = [*_rule(server, "deny", 100), f"denyMessage = {quoted('This tool was not approved.')}"]
    rules = (_rule(server, "allow", 200, allowed(tools)), _rule(server, "ask_user", 200, asked(tools)), rest)
    return "\n".join("".join(f"{line}\n" for line in rule) for rule in rules if rule)


def _rule(server: str, decision: str, priority: int, names: Sequence[str] | None = None) -> list[str]:
    """Give the lines of a rule about these tools, or about all of them; none for no tools."""
    if names is not None and not names:
        return []
    listed = [] if names is None else [f"toolName = [{', '.join(quoted(name) for name in names)}]"]
    return [
        "[[rule]]",
        f"mcpName = {quoted(server)}",
        *listed,
        f"decision = {quoted(decision)}",
        f"priority = {priority}",
    ]


GEMINI_CLI = Handoff(
    id="gemini-cli",
    name="Gemini CLI (tools)",
    place="~/.gemini/settings.json, or .gemini/settings.json of a project",
    does="Offers only the approved tools; whether each is asked about is for the policy (gemini-cli-policy).",
    source="google-gemini/gemini-cli docs/tools/mcp-server.md",
    write=_settings,
    notes=("excludeTools goes before includeTools. With trust: true nothing is asked.",),
)
GEMINI_CLI_POLICY = Handoff(
    id="gemini-cli-policy",
    name="Gemini CLI (policy)",
    place="~/.gemini/policies/NAME.toml, or the policies of the administrator",
    does="Runs the allowed tools without asking, asks about the others, and denies every tool that was not approved.",
    source="google-gemini/gemini-cli docs/reference/policy-engine.md @02773ea7",
    write=_policy,
    server=_WITHOUT_UNDERSCORE,
)
