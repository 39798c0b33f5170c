"""Gates outside the annotations: one row each, so that a new one is one row.

Each row says where the gate is, what its values are from strict to loose, who honours it and where that is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Json, Severity


@dataclass(frozen=True)
class Gate:
    """One gate. `looseness` turns the raw value (or `ABSENT`) into a number: higher asks less of a host."""

    path: tuple[str, ...]
    looseness: Callable[[Json], int]
    honoured_by: str
    meaning: str
    loosened: Severity = Severity.HIGH

    @property
    def pointer(self) -> str:
        """Where the gate is inside a tool."""
        return at.join("", *self.path)


def _only_true_is_strict(value: Json) -> int:
    return 0 if value is True else 1


def _task_support(value: Json) -> int:
    return {"optional": 1, "required": 1}.get(value, 0) if isinstance(value, str) else 0


def _credentials(value: Json) -> int:
    """Rate tool-level auth schemes: one that needs nothing opens the tool, no word about it says nothing."""
    if not isinstance(value, list) or not value:
        return 1
    kinds = {scheme.get("type") for scheme in value if isinstance(scheme, dict) and isinstance(scheme.get("type"), str)}
    return 2 if "noauth" in kinds else 0


def _visible_to(value: Json) -> int:
    """Rate who may see the tool in UI hosts: the fewer callers, the stricter; absent means everyone."""
    if not isinstance(value, list):
        return 2
    return len({caller for caller in value if isinstance(caller, str)} & {"model", "app"})


GATES: tuple[Gate, ...] = (
    # Source: Claude Code documentation on MCP (only JSON true counts; other values are ignored).
    Gate(
        ("_meta", "anthropic/requiresUserInteraction"),
        _only_true_is_strict,
        "Claude Code",
        "a full approval prompt at every call",
    ),
    # Source: Cursor documentation names `_meta`; reports of its releases name annotations.
    Gate(("_meta", "cursor/requiresConfirmation"), _only_true_is_strict, "Cursor", "a prompt at every call"),
    Gate(("annotations", "cursor/requiresConfirmation"), _only_true_is_strict, "Cursor", "a prompt at every call"),
    # Source: specification 2025-11-25, tool execution: a call may go on as a task after it was answered.
    Gate(
        ("execution", "taskSupport"),
        _task_support,
        "hosts that run tasks",
        "that a call ends when it is answered",
        Severity.LOW,
    ),
    # Source: OpenAI's apps documentation on per-tool authentication.
    Gate(("securitySchemes",), _credentials, "ChatGPT", "that a caller signs in"),
    Gate(("_meta", "securitySchemes"), _credentials, "ChatGPT", "that a caller signs in"),
    # Source: MCP Apps extension, tool visibility.
    Gate(("_meta", "ui", "visibility"), _visible_to, "hosts with MCP Apps", "who may call it", Severity.MEDIUM),
    Gate(("_meta", "ui.visibility"), _visible_to, "hosts with MCP Apps", "who may call it", Severity.MEDIUM),
)


def looseness(gate: Gate, raw: Json) -> int:
    """Rate how loose a gate is in a tool's raw JSON."""
    return gate.looseness(at.follow(raw, gate.path))


def moved(gate: Gate, before: Json, after: Json) -> bool:
    """Say whether the raw value of a gate is another one (or is there where it was not)."""
    was, now = at.follow(before, gate.path), at.follow(after, gate.path)
    if was is ABSENT or now is ABSENT:
        return was is not now
    return bool(was != now) or type(was) is not type(now)
