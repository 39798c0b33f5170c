"""Gateways, agent platforms and frameworks: what each does with the hints of a tool."""

from __future__ import annotations

from driftwatch.judge.hosts.base import ASKS, RUNS, SURVEY, Act, Hints, Host, Odd, Sure, reader_runs


def _n8n(hints: Hints) -> Act:
    if hints.read_only is False or hints.destructive:
        return Act("takes it for one that writes and asks", 1)
    if hints.read_only:
        return Act("takes it for one that reads and does not ask", 3)
    return Act("guesses from its name whether it reads", 2)


def _call_variant(hints: Hints) -> Act:
    if hints.destructive:
        return Act("wants it called as destructive and refuses other calls", 0)
    if hints.read_only is False:
        return Act("wants it called as one that writes", 1)
    return Act("lets it be called as one that reads", 2)


def _trusted_output(hints: Hints) -> Act:
    if hints.open_world is False:
        return Act("marks what it returns as trusted", 2)
    return Act("marks what it returns as untrusted", 1)


def _only_readers(hints: Hints) -> Act:
    return Act("shows it", 1) if hints.read_only else Act("hides it", 0)


def _safe_tools(hints: Hints) -> Act:
    if hints.read_only or (hints.destructive is False and hints.open_world is False):
        return Act("allows its calls", 1)
    return Act("denies its calls", 0)


def _only_readers_called(hints: Hints) -> Act:
    return Act("allows its calls", 1) if hints.read_only else Act("denies its calls", 0)


def _held_back(hints: Hints) -> Act | None:
    if hints.destructive is None:
        return None
    return Act("holds its calls for approval", 0) if hints.destructive else Act("lets its calls through", 1)


def _known_writers_asked(hints: Hints) -> Act | None:
    if hints.read_only and hints.destructive:
        return None
    return ASKS if hints.read_only is False or hints.destructive else RUNS


GATEWAYS: tuple[Host, ...] = (
    Host(
        "mcpproxy-calls", "mcpproxy-go", "strict calls", _call_variant, Odd.ABSENT, "@20a3e509, 22 August 2026",
        "smart-mcp-proxy/mcpproxy-go internal/contracts/intent.go @20a3e509", Sure.CODE, 2,
        note="Strict is the default.",
    ),
    Host(
        "mcpproxy-read-only", "mcpproxy-go", "read-only filter", _only_readers, Odd.ABSENT, "@20a3e509, 22 August 2026",
        "smart-mcp-proxy/mcpproxy-go internal/server/mcp_annotations.go @20a3e509", Sure.CODE, 3,
        note="Only where the filter is set.",
    ),
    Host(
        "mcpproxy-output", "mcpproxy-go", "output labels", _trusted_output, Odd.ABSENT, "@20a3e509, 22 August 2026",
        "smart-mcp-proxy/mcpproxy-go internal/server/mcp_annotations.go @20a3e509", Sure.CODE, 3,
    ),
    Host(
        "n8n", "n8n", "Instance AI", _n8n, Odd.ABSENT, "@bae76563", SURVEY, Sure.SURVEYED, 2,
        note="With the default settings.",
    ),
    Host(
        "hermes", "hermes-agent", "untrusted servers", reader_runs, Odd.ABSENT, "@0059a797",
        "NousResearch/hermes-agent tools/mcp_tool.py @0059a797", Sure.CODE, 3,
        note="By the design that the code states; a fully trusted server, the default, is not asked about.",
    ),
    Host(
        "toolhive", "toolhive", "safe tools policy", _safe_tools, Odd.UNKNOWN, "@e25de16c",
        "stacklok/toolhive pkg/authz/authorizers/annotations.go @e25de16c", Sure.SURVEYED, 2,
        note="The ready-made policy. A policy of your own may read any hint.",
    ),
    Host(
        "google-cloud", "Google Cloud managed MCP servers", "deny policy", _only_readers_called, Odd.UNKNOWN,
        "October 2026", SURVEY, Sure.SURVEYED, 3, note="Only where an administrator set the policy.",
    ),
    Host(
        "aws-proxy", "MCP Proxy for AWS", "read-only", _only_readers, Odd.UNKNOWN, "1.6.4", SURVEY, Sure.SURVEYED, 3,
    ),
    Host(
        "truefoundry", "TrueFoundry AI Gateway", "approval of destructive tools", _held_back, Odd.UNKNOWN,
        "October 2026", SURVEY, Sure.SURVEYED, 3, note="An absent hint is not documented.",
    ),
    Host(
        "trueforge", "TrueForge", "default approvals", _known_writers_asked, Odd.UNKNOWN, "October 2026", SURVEY,
        Sure.SURVEYED, 3,
    ),
    Host(
        "agentscope", "AgentScope", "", reader_runs, Odd.UNKNOWN, "October 2026", SURVEY, Sure.SURVEYED, 3,
        note="Your own rules go first.",
    ),
    Host(
        "pydantic-ai", "Pydantic AI harness", "read_only", _only_readers, Odd.UNKNOWN, "October 2026", SURVEY,
        Sure.SURVEYED, 3,
    ),
)  # fmt: skip
"""Rows of gateways, platforms and frameworks."""
