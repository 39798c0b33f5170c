"""VS Code: tools that are never approved automatically, and a tool set of what was approved."""

from __future__ import annotations

from collections.abc import Sequence

from driftwatch.report.handoff.base import PLAIN, Approved, Handoff, as_json, asked, named


def _full(server: str, names: Sequence[str]) -> list[str]:
    """Give the full reference names: VS Code writes a server's name in lower case."""
    return [f"{server.lower()}/{name}" for name in names]


def _settings(server: str, tools: Sequence[Approved]) -> str:
    return as_json({"chat.tools.eligibleForAutoApproval": dict.fromkeys(_full(server, asked(tools)), False)})


def _tool_set(server: str, tools: Sequence[Approved]) -> str:
    description = "The tools of this server that a person approved in driftwatch"
    return as_json({f"{server.lower()}-approved": {"tools": _full(server, named(tools)), "description": description}})


VSCODE = Handoff(
    id="vscode",
    name="VS Code (approval)",
    place="settings.json of the user or the workspace, or the policy ChatToolsEligibleForAutoApproval",
    does="Asks before the tools that are to be asked about run, whatever their hints say.",
    source="https://code.visualstudio.com/docs/agents/approvals",
    write=_settings,
    server=PLAIN,
    tool=PLAIN,
    notes=(
        "VS Code keeps what you allowed for good by itself and reads no list of it: the other tools need no line.",
        "A tool that was refused here is not held back by this fragment.",
    ),
)
VSCODE_TOOLS = Handoff(
    id="vscode-tools",
    name="VS Code (tool set)",
    place="a file NAME.toolsets.jsonc of your profile (command “Chat: Configure Tool Sets”)",
    does="Offers the model only the approved tools of this server where the tool set is chosen.",
    source="https://code.visualstudio.com/docs/agents/agent-tools",
    write=_tool_set,
    server=PLAIN,
    tool=PLAIN,
)
