"""Chat assistants, app directories and office suites: what each does with the hints of a tool."""

from __future__ import annotations

from driftwatch.judge.hosts.base import ASKS, SURVEY, Act, Hints, Host, Odd, Sure, reader_runs


def _reader_may_run(hints: Hints) -> Act:
    return Act("may leave out the question", 2) if hints.read_only else ASKS


def _eligible(hints: Hints) -> Act:
    return Act("may use it for company knowledge", 2) if hints.read_only else Act("does not use it", 0)


def _three_explicit(hints: Hints) -> Act:
    if None in (hints.read_only, hints.destructive, hints.open_world):
        return Act("refuses a submission with this tool", 0)
    return Act("accepts a submission with this tool", 1)


def _not_destructive(hints: Hints) -> Act:
    return _let_through() if hints.destructive is False else Act("blocks its calls", 0)


def _not_open_world(hints: Hints) -> Act:
    return _let_through() if hints.open_world is False else Act("blocks its calls", 0)


def _let_through() -> Act:
    return Act("lets its calls through", 1)


def _claude_connectors(hints: Hints) -> Act | None:
    if hints.destructive and hints.read_only:
        return None
    if hints.destructive:
        return Act("always asks", 0)
    return Act("may run it without asking", 2) if hints.read_only else ASKS


def _unattended(hints: Hints) -> Act:
    if hints.destructive:
        return Act("refuses it when nobody watches", 0)
    return Act("lets it run when nobody watches", 1)


def _per_task(hints: Hints) -> Act:
    if hints.read_only:
        return Act("lets one approval stand for all tasks", 2)
    return Act("asks anew in each task", 1)


CODEX_APPS = "openai/codex codex-rs/connectors/src/app_tool_policy.rs @ca466061"

ASSISTANTS: tuple[Host, ...] = (
    Host(
        "chatgpt-developer-mode", "ChatGPT", "developer mode", _reader_may_run, Odd.UNKNOWN, "stored page of 2026",
        "https://developers.openai.com/apps-sdk/reference", Sure.DOCUMENTED, 1,
        also=("https://developers.openai.com/api/docs/guides/developer-mode",),
        note="A tool without the hint counts as one that writes.",
    ),
    Host(
        "chatgpt-company-knowledge", "ChatGPT", "company knowledge", _eligible, Odd.UNKNOWN, "2 October 2026",
        "https://developers.openai.com/plugins/build/mcp-server", Sure.DOCUMENTED, 3,
        note="Concerns tools other than search and fetch.",
    ),
    Host(
        "openai-directory", "OpenAI app directory", "review", _three_explicit, Odd.ABSENT, "2 October 2026",
        "https://developers.openai.com/plugins/deploy/submission-errors", Sure.DOCUMENTED, 4,
        also=("https://developers.openai.com/plugins/deploy/app-review",),
        note="Wrong values are a reason to reject as well. idempotentHint is optional.",
    ),
    Host(
        "codex-apps-destructive", "Codex", "apps with destructive_enabled = false", _not_destructive, Odd.UNKNOWN,
        "@ca466061, 2 October 2026", CODEX_APPS, Sure.SURVEYED, 3, note="Off by default.",
    ),
    Host(
        "codex-apps-open-world", "Codex", "apps with open_world_enabled = false", _not_open_world, Odd.UNKNOWN,
        "@ca466061, 2 October 2026", CODEX_APPS, Sure.SURVEYED, 3, note="Off by default.",
    ),
    Host(
        "openai-responses", "OpenAI Responses API", "read_only filter", reader_runs, Odd.UNKNOWN, "2 October 2026",
        "https://developers.openai.com/api/docs/guides/tools-connectors-mcp", Sure.DOCUMENTED, 3,
        note="Only where a developer wrote require_approval.never with read_only; the default asks about every call.",
    ),
    Host(
        "claude-connectors", "Claude", "connectors", _claude_connectors, Odd.UNKNOWN, "2 October 2026",
        "https://claude.com/docs/connectors/building/review-criteria", Sure.DOCUMENTED, 2,
        note="The criteria of the directory; they name no surface. Both hints at once: not said.",
    ),
    Host(
        "claude-desktop-auto", "Claude Desktop", "auto mode", reader_runs, Odd.ABSENT, "2.9939.4, Linux", SURVEY,
        Sure.SURVEYED, 1,
    ),
    Host(
        "claude-desktop-watchers", "Claude Desktop", "watchers", _unattended, Odd.ABSENT, "2.9939.4, Linux", SURVEY,
        Sure.SURVEYED, 2,
    ),
    Host(
        "cowork-teams", "Claude Cowork", "team and enterprise", _per_task, Odd.UNKNOWN, "2 October 2026",
        "support.claude.com, articles 13455879 and 13345190", Sure.DOCUMENTED, 3,
        note="With “Always allow for connector tools” off, which is the default.",
    ),
    Host(
        "m365-agents", "Microsoft 365 Copilot", "agents", reader_runs, Odd.UNKNOWN, "2 October 2026",
        "learn.microsoft.com, pages plugin-mcp-apps and plugin-confirmation-prompts", Sure.DOCUMENTED, 2,
        note="After the question at the first use. The other three hints are documented as unsupported.",
    ),
    Host(
        "gemini-enterprise", "Gemini Enterprise", "custom actions", reader_runs, Odd.UNKNOWN, "October 2026", SURVEY,
        Sure.SURVEYED, 3,
    ),
)  # fmt: skip
"""Rows of assistants, directories and suites."""
