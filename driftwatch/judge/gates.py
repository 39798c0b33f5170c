"""Gates outside the annotations: one row each, so that a new one is one row.

Each row says where the gate is, what its values are from strict to loose, who honours it and where that is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import same
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Json, Severity


@dataclass(frozen=True)
class Gate:
    """One gate. `lets` turns the raw value (or `ABSENT`) into what a host lets pass because of it.

    Whatever is let pass now and was not before is a loosening, also where something else is no longer let pass.
    """

    path: tuple[str, ...]
    lets: Callable[[Json], frozenset[str]]
    honoured_by: str
    meaning: str
    loosened: Severity = Severity.HIGH

    @property
    def pointer(self) -> str:
        """Where the gate is inside a tool."""
        return at.join("", *self.path)


_NOTHING: frozenset[str] = frozenset()


def _only_true_is_strict(value: Json) -> frozenset[str]:
    return _NOTHING if value is True else frozenset({"unasked"})


def _task_support(value: Json) -> frozenset[str]:
    lets = {"optional": frozenset({"later"}), "required": frozenset({"later", "only later"})}
    return lets.get(value, _NOTHING) if isinstance(value, str) else _NOTHING


def _credentials(value: Json) -> frozenset[str]:
    """Read tool-level auth schemes: one that needs nothing opens the tool, no usable word about it says nothing."""
    schemes = value if isinstance(value, list) else []
    kinds = {
        scheme.get("type") for scheme in schemes if isinstance(scheme, dict) and isinstance(scheme.get("type"), str)
    }
    if "noauth" in kinds:
        return frozenset({"unsaid", "anyone"})
    return _NOTHING if kinds else frozenset({"unsaid"})


def _visible_to(value: Json) -> frozenset[str]:
    """Read who may see the tool in UI hosts; absent means everyone."""
    everyone = frozenset({"model", "app"})
    return everyone & {caller for caller in value if isinstance(caller, str)} if isinstance(value, list) else everyone


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


def loosened(gate: Gate, before: Json, after: Json) -> bool:
    """Say whether a gate in a tool's raw JSON lets something pass that it did not."""
    return bool(gate.lets(at.follow(after, gate.path)) - gate.lets(at.follow(before, gate.path)))


def moved(gate: Gate, before: Json, after: Json) -> bool:
    """Say whether the raw value of a gate is another one (or is there where it was not)."""
    was, now = at.follow(before, gate.path), at.follow(after, gate.path)
    if was is ABSENT or now is ABSENT:
        return was is not now
    return not same(was, now)
