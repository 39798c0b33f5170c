"""Editors and coding agents: what each does with the hints of a tool.

Facts are restated in our own words. Where a host's code is closed, a survey that unpacked it is the source.
"""

from __future__ import annotations

from driftwatch.judge.hosts.base import ASKS, RUNS, SURVEY, Act, Hints, Host, Odd, Sure, reader_runs


def _open_world_is_reviewed(hints: Hints) -> Act:
    if hints.open_world:
        return Act("lets you review the result before the model sees it", 1)
    return Act("gives the result to the model at once", 2)


def _codex_auto(hints: Hints) -> Act:
    if hints.destructive:
        return ASKS
    if hints.read_only or (hints.destructive is False and hints.open_world is False):
        return RUNS
    return ASKS


def _reader_in_parallel(hints: Hints) -> Act:
    if hints.read_only:
        return Act("runs several calls at once", 2)
    return Act("runs one call after the other", 1)


def _reader_in_plan_mode(hints: Hints) -> Act:
    if hints.read_only:
        return Act("lets it run while planning", 2)
    return Act("asks while planning, whatever you allowed before", 1)


def _repeats(hints: Hints) -> Act:
    if hints.read_only or hints.idempotent:
        return Act("may send a call again after a lost connection", 2)
    return Act("never sends a call twice by itself", 1)


def _claude_code_auto(hints: Hints) -> Act:
    if hints.destructive:
        return Act("keeps the question that a server's policy asks for", 1)
    return Act("lets a classifier decide instead of asking", 2)


def _cursor_reads(hints: Hints) -> Act:
    return RUNS if hints.read_only and not hints.destructive else Act("does not let it run", 0)


def _cursor_listed(hints: Hints) -> Act:
    if hints.read_only and not hints.destructive:
        return Act("lists it among the tools that read", 2)
    return Act("lists it among the tools that write", 1)


def _only_readers(hints: Hints) -> Act:
    return Act("lets the model use it", 2) if hints.read_only else Act("keeps it from the model", 0)


def _devin_plan(hints: Hints) -> Act:
    return Act("lets it run while planning", 2) if hints.read_only else Act("refuses it while planning", 0)


def _goose_smart(hints: Hints) -> Act:
    if hints.read_only is None:
        return Act("lets a model judge whether it only reads", 2)
    return Act(RUNS.words, 3) if hints.read_only else ASKS


def _gemini_plan(hints: Hints) -> Act:
    if hints.read_only:
        return Act("lets it run while planning, after asking", 1)
    return Act("refuses it while planning", 0)


def _docker_agent(hints: Hints) -> Act:
    return RUNS if hints.read_only and not hints.destructive else ASKS


def _eclipse(hints: Hints) -> Act:
    return RUNS if hints.read_only and hints.open_world is False else ASKS


_VSCODE = "microsoft/vscode src/vs/workbench/contrib/mcp/common/mcpLanguageModelToolContribution.ts @027907cb"
_CODEX = "openai/codex codex-rs/core/src/mcp_tool_call.rs @ca466061"
_CLAUDE_CODE = "https://code.claude.com/docs/en/mcp"
_GOOSE = "block/goose crates/goose/src/permission/permission_inspector.rs @05ee410a"

CODING: tuple[Host, ...] = (
    Host(
        "vscode-calls", "VS Code", "agent mode", reader_runs, Odd.TRUTHY, "@027907cb", _VSCODE, Sure.CODE, 1,
        note="A sandboxed server is not asked about; chat.tools.eligibleForAutoApproval = false brings the question "
        "back for one tool. destructiveHint and idempotentHint are not read.",
    ),
    Host(
        "vscode-results", "VS Code", "results", _open_world_is_reviewed, Odd.TRUTHY, "@027907cb", _VSCODE, Sure.CODE, 2,
        also=("https://code.visualstudio.com/updates/v1_106",),
    ),
    Host(
        "codex-auto", "Codex", "approval mode auto", _codex_auto, Odd.UNKNOWN, "@ca466061, 2 October 2026", _CODEX,
        Sure.CODE, 1, note="The default. Older releases ran a tool without any annotations unasked.",
    ),
    Host(
        "codex-writes", "Codex", "approval mode writes", reader_runs, Odd.UNKNOWN, "@ca466061, 2 October 2026",
        _CODEX, Sure.CODE, 2,
    ),
    Host(
        "codex-parallel", "Codex", "scheduling", _reader_in_parallel, Odd.UNKNOWN, "@ca466061, 2 October 2026",
        "openai/codex codex-rs/core/src/tools/handlers/mcp.rs @ca466061", Sure.SURVEYED, 3,
    ),
    Host(
        "claude-code-plan", "Claude Code", "plan mode", _reader_in_plan_mode, Odd.UNKNOWN, "2.1.287", SURVEY,
        Sure.SURVEYED, 1,
    ),
    Host(
        "claude-code-parallel", "Claude Code", "scheduling", _reader_in_parallel, Odd.UNKNOWN, "2.1.287",
        _CLAUDE_CODE, Sure.DOCUMENTED, 2, also=("https://code.claude.com/docs/en/agent-sdk/agent-loop", SURVEY),
    ),
    Host(
        "claude-code-retry", "Claude Code", "lost connections", _repeats, Odd.UNKNOWN, "page of 28 October 2026",
        _CLAUDE_CODE, Sure.DOCUMENTED, 2, also=("https://qiita.com/akihidem/items/e866bad5fed7ad166f93",),
        note="HTTP servers and connectors of claude.ai only, and once at most.",
    ),
    Host(
        "claude-code-auto", "Claude Code", "auto mode", _claude_code_auto, Odd.UNKNOWN, "2.1.287", SURVEY,
        Sure.SURVEYED, 3, note="Concerns questions that a policy supplied by the host asks for.",
    ),
    Host(
        "cursor-reads", "Cursor", "team policy reads", _cursor_reads, Odd.ABSENT, "3.23.12", SURVEY,
        Sure.SURVEYED, 2,
    ),
    Host(
        "cursor-settings", "Cursor", "settings", _cursor_listed, Odd.ABSENT, "3.23.12", SURVEY, Sure.SURVEYED, 3,
        note="One switch turns off all tools of a group.",
    ),
    Host(
        "cursor-ask", "Cursor", "ask mode", _only_readers, Odd.UNKNOWN, "17 March 2026",
        "https://github.com/sourcebot-dev/sourcebot/pull/1013", Sure.REPORTED, 3,
    ),
    Host(
        "devin-plan", "Devin CLI", "plan mode", _devin_plan, Odd.UNKNOWN, "3000.3.22", SURVEY, Sure.SURVEYED, 3,
        note="Whether later releases still do so is not known.",
    ),
    Host(
        "goose-smart-approve", "goose", "smart approve", _goose_smart, Odd.UNKNOWN, "@05ee410a", _GOOSE, Sure.CODE, 2,
        note="What you set for a tool goes first. The default mode asks about nothing and reads no hint.",
    ),
    Host(
        "goose-approve", "goose", "approve", reader_runs, Odd.UNKNOWN, "@05ee410a", _GOOSE, Sure.CODE, 3,
        note="A later copy (@591edd47) is reported to read the hint in smart approve only.",
    ),
    Host(
        "gemini-cli-plan", "Gemini CLI", "plan mode", _gemini_plan, Odd.ABSENT, "@5411f113, 21 August 2026",
        "google-gemini/gemini-cli packages/core/src/policy/policies/plan.toml @5411f113", Sure.CODE, 2,
        note="No other built-in rule reads a hint; a rule of yours may match any key of the annotations.",
    ),
    Host(
        "copilot-review", "GitHub Copilot", "code review", _only_readers, Odd.UNKNOWN, "October 2026",
        "docs.github.com, page configure-mcp-servers",
        Sure.DOCUMENTED, 2,
    ),
    Host(
        "copilot-cli", "GitHub Copilot CLI", "", reader_runs, Odd.TRUTHY, "1.0.63", SURVEY, Sure.SURVEYED, 3,
        note="Its documentation says that every call needs permission.",
    ),
    Host(
        "copilot-eclipse", "GitHub Copilot for Eclipse", "trust annotations", _eclipse, Odd.UNKNOWN, "pull request 218",
        "https://github.com/microsoft/copilot-for-eclipse/pull/218", Sure.DOCUMENTED, 3,
        note="Only with the setting that trusts tool annotations.",
    ),
    Host(
        "docker-agent", "Docker Agent", "balanced", _docker_agent, Odd.UNKNOWN, "October 2026", SURVEY,
        Sure.SURVEYED, 3, note="Also what it does when no mode is chosen.",
    ),
    Host(
        "qwen-code-retry", "Qwen Code", "lost connections", _repeats, Odd.UNKNOWN, "October 2026", SURVEY,
        Sure.SURVEYED, 3, note="In a trusted folder and for a trusted server only.",
    ),
)  # fmt: skip
"""Rows of editors and coding agents."""
