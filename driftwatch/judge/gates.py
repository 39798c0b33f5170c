"""Gates outside the hints: one row each, so that a new one is one row.

Each row says where the gate is, what it lets pass, its values from strict to loose, who honours it, what that host does
for a value, and where that is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import same
from driftwatch.judge.hosts.base import Sure
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Effect, Json, Kind, Severity


@dataclass(frozen=True)
class Gate:
    """One gate. `lets` turns the raw value (or `ABSENT`) into what a host lets pass because of it.

    Whatever is let pass now and was not before is a loosening, also where something else is no longer let pass.
    `acts` says in words what the host does for what it lets pass.
    """

    path: tuple[str, ...]
    lets: Callable[[Json], frozenset[str]]
    acts: Callable[[frozenset[str]], str]
    honoured_by: str
    meaning: str
    values: str
    source: str
    sure: Sure
    loosened: Severity = Severity.HIGH
    kind: Kind = Kind.TOOL

    @property
    def pointer(self) -> str:
        """Where the gate is inside an item."""
        return at.join("", *self.path)


_NOTHING: frozenset[str] = frozenset()
_MANY = 3
"""How many values of a list are named in an effect."""


def _only_true_is_strict(value: Json) -> frozenset[str]:
    return _NOTHING if value is True else frozenset({"unasked"})


def _only_true_is_loose(value: Json) -> frozenset[str]:
    return frozenset({"app"}) if value is True else _NOTHING


def _only_private_is_strict(value: Json) -> frozenset[str]:
    return _NOTHING if value == "private" else frozenset({"model"})


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


def _listed(value: Json) -> frozenset[str]:
    """Read a list of names; anything else holds none."""
    return frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else _NOTHING


def _sources(value: Json) -> frozenset[str]:
    """Read the origins that a page may reach, by what for: `connect https://api.example.org`."""
    parts = value.items() if isinstance(value, dict) else ()
    return frozenset(f"{_directive(key)} {origin}" for key, origins in parts for origin in _listed(origins))


def _directive(key: str) -> str:
    """Name what origins are for: `connectDomains` and `connect_domains` are `connect`."""
    return key.removesuffix("Domains").removesuffix("_domains")


def _granted(value: Json) -> frozenset[str]:
    """Read the abilities that a page asks for: each key with an object."""
    asked = value.items() if isinstance(value, dict) else ()
    return frozenset(name for name, wanted in asked if wanted is not None and wanted is not False)


def _asks_each_time(lets: frozenset[str]) -> str:
    return "asks as your settings say" if lets else "asks at every call, whatever your settings say"


def _ends_with_the_answer(lets: frozenset[str]) -> str:
    if "only later" in lets:
        return "lets every call go on after it was answered"
    return "may let a call go on after it was answered" if lets else "ends a call with its answer"


def _signs_in(lets: frozenset[str]) -> str:
    if "anyone" in lets:
        return "lets anyone call it"
    return "is told nothing about signing in" if lets else "has callers sign in"


def _shown_to(lets: frozenset[str]) -> str:
    who = [word for name, word in (("model", "the model"), ("app", "its app")) if name in lets]
    return f"lets {' and '.join(who)} call it" if who else "lets neither the model nor an app call it"


def _called_by_widget(lets: frozenset[str]) -> str:
    return "lets its widget call it without the model" if lets else "keeps it from its widget"


def _shown_to_model(lets: frozenset[str]) -> str:
    return "offers it to the model" if lets else "keeps it from the model"


def _hands_over(lets: frozenset[str]) -> str:
    return f"hands over your files in {_some(lets)}" if lets else "hands over no files"


def _reaches(lets: frozenset[str]) -> str:
    return f"lets its page reach {_some(lets)}" if lets else "lets its page reach nothing outside"


def _may_use(lets: frozenset[str]) -> str:
    return f"may let its page use {_some(lets)}" if lets else "lets its page use no device"


def _some(names: frozenset[str]) -> str:
    listed = sorted(name[:60] for name in names)
    return ", ".join(listed[:_MANY]) + (f" and {len(listed) - _MANY} more" if len(listed) > _MANY else "")


_CLAUDE_CODE = "https://code.claude.com/docs/en/mcp"
_CURSOR = "https://cursor.com/docs/api/origin/mcp"
_CHATGPT = "https://developers.openai.com/apps-sdk/reference"
_APPS = "modelcontextprotocol/ext-apps specification/2026-01-26/apps.mdx @1f847646"
_SURVEY = "s1300105/auth_gap docs/textbook/appendix-g-7.md (October 2026)"
_TASKS = "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks"

_ONLY_TRUE = "true; anything else"
_SCHEMES = "a list of schemes; no list; a list with noauth"
_ORIGINS = "no origins; some; more"

GATES: tuple[Gate, ...] = (
    Gate(
        ("_meta", "anthropic/requiresUserInteraction"), _only_true_is_strict, _asks_each_time, "Claude Code",
        "a full approval prompt at every call", _ONLY_TRUE, _CLAUDE_CODE, Sure.DOCUMENTED,
    ),
    Gate(
        ("_meta", "cursor/requiresConfirmation"), _only_true_is_strict, _asks_each_time, "Cursor",
        "a prompt at every call", _ONLY_TRUE, _CURSOR, Sure.DOCUMENTED,
    ),
    Gate(
        ("annotations", "cursor/requiresConfirmation"), _only_true_is_strict, _asks_each_time, "Cursor",
        "a prompt at every call", _ONLY_TRUE, _SURVEY, Sure.SURVEYED,
    ),
    Gate(
        ("execution", "taskSupport"), _task_support, _ends_with_the_answer, "hosts that run tasks",
        "that a call ends when it is answered", "forbidden or absent; optional; required", _TASKS, Sure.DOCUMENTED,
        Severity.LOW,
    ),
    Gate(
        ("securitySchemes",), _credentials, _signs_in, "ChatGPT", "that a caller signs in", _SCHEMES, _CHATGPT,
        Sure.DOCUMENTED,
    ),
    Gate(
        ("_meta", "securitySchemes"), _credentials, _signs_in, "ChatGPT", "that a caller signs in", _SCHEMES, _CHATGPT,
        Sure.DOCUMENTED,
    ),
    Gate(
        ("_meta", "ui", "visibility"), _visible_to, _shown_to, "hosts with MCP Apps", "who may call it",
        "a list of neither; app or model; both, or no list", _APPS, Sure.DOCUMENTED, Severity.MEDIUM,
    ),
    Gate(
        ("_meta", "ui.visibility"), _visible_to, _shown_to, "hosts with MCP Apps", "who may call it",
        "a list of neither; app or model; both, or no list", _APPS, Sure.REPORTED, Severity.MEDIUM,
    ),
    Gate(
        ("_meta", "openai/widgetAccessible"), _only_true_is_loose, _called_by_widget, "ChatGPT",
        "that only the model calls it", "anything else; true", _CHATGPT, Sure.DOCUMENTED, Severity.MEDIUM,
    ),
    Gate(
        ("_meta", "openai/visibility"), _only_private_is_strict, _shown_to_model, "ChatGPT",
        "that only its widget calls it", "private; anything else", _CHATGPT, Sure.DOCUMENTED, Severity.MEDIUM,
    ),
    Gate(
        ("_meta", "openai/fileParams"), _listed, _hands_over, "ChatGPT", "the parameters that may carry your files",
        "no names; some; more", _CHATGPT, Sure.DOCUMENTED, Severity.MEDIUM,
    ),
    Gate(
        ("_meta", "ui", "csp"), _sources, _reaches, "hosts with MCP Apps", "the origins that its page may reach",
        _ORIGINS, _APPS, Sure.DOCUMENTED, Severity.MEDIUM, Kind.RESOURCE,
    ),
    Gate(
        ("_meta", "ui", "permissions"), _granted, _may_use, "hosts with MCP Apps", "the devices that its page may use",
        "none; camera, microphone, geolocation, clipboardWrite", _APPS, Sure.DOCUMENTED, Severity.MEDIUM,
        Kind.RESOURCE,
    ),
    Gate(
        ("_meta", "openai/widgetCSP"), _sources, _reaches, "ChatGPT", "the origins that its page may reach", _ORIGINS,
        _CHATGPT, Sure.DOCUMENTED, Severity.MEDIUM, Kind.RESOURCE,
    ),
)  # fmt: skip


def loosened(gate: Gate, before: Json, after: Json) -> bool:
    """Say whether a gate in an item's raw JSON lets something pass that it did not."""
    return bool(gate.lets(at.follow(after, gate.path)) - gate.lets(at.follow(before, gate.path)))


def moved(gate: Gate, before: Json, after: Json) -> bool:
    """Say whether the raw value of a gate is another one (or is there where it was not)."""
    was, now = at.follow(before, gate.path), at.follow(after, gate.path)
    if was is ABSENT or now is ABSENT:
        return was is not now
    return not same(was, now)


def step(gate: Gate, before: Json, after: Json) -> str:
    """Say for a message what the host that honours a gate does otherwise, or that it does nothing otherwise."""
    told = effects(gate, before, after)
    if told:
        return f"{gate.honoured_by}: {told[0].was} → {told[0].now}"
    return f"Another value of {gate.path[-1]}; nothing changes for {gate.honoured_by}"


def effects(gate: Gate, before: Json, after: Json) -> tuple[Effect, ...]:
    """Say what the host that honours a gate did and does now; nothing where that is the same."""
    was, now = (gate.acts(gate.lets(at.follow(raw, gate.path))) for raw in (before, after))
    return (Effect(gate.honoured_by, was, now, gate.source),) if was != now else ()
