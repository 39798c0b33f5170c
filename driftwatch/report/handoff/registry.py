"""Every form of hand-off, one line each."""

from __future__ import annotations

from driftwatch.report.handoff.base import Handoff
from driftwatch.report.handoff.claude_code import CLAUDE_CODE
from driftwatch.report.handoff.codex import CODEX
from driftwatch.report.handoff.copilot import COPILOT_AGENT
from driftwatch.report.handoff.cursor import CURSOR
from driftwatch.report.handoff.gateways import DOCKER, GRIDCTL, MCPPROXY, TOOLHIVE
from driftwatch.report.handoff.gemini_cli import GEMINI_CLI, GEMINI_CLI_POLICY
from driftwatch.report.handoff.goose import GOOSE
from driftwatch.report.handoff.openai_api import OPENAI_RESPONSES
from driftwatch.report.handoff.vscode import VSCODE, VSCODE_TOOLS

HANDOFFS: tuple[Handoff, ...] = (
    CLAUDE_CODE,
    VSCODE,
    VSCODE_TOOLS,
    CODEX,
    GEMINI_CLI,
    GEMINI_CLI_POLICY,
    GOOSE,
    CURSOR,
    COPILOT_AGENT,
    OPENAI_RESPONSES,
    MCPPROXY,
    GRIDCTL,
    TOOLHIVE,
    DOCKER,
)
"""All forms, in the order of the documentation."""


def named(name: str) -> Handoff | None:
    """Give the form of a host by its id, None where there is none."""
    return next((form for form in HANDOFFS if form.id == name.lower()), None)
