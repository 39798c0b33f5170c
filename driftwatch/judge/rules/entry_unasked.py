"""An entry lets tools run unasked.

What it does
    Finds a host's own setting, in the entry of a server, by which its tools run without a question: `trust` (Gemini
    CLI), `alwaysAllow` and `autoApprove` (Roo Code, Cline and hosts that follow them), `default_tools_approval_mode` of
    `approve` and `approval_mode` of `approve` for a tool (Codex). Told is what was not so in the approved file. A few
    more tools of an approved entry weigh less than all tools, or than a new entry, or one that is switched on, that
    brings its own permission.

Why it matters
    The question before a call is what stands between an injected order and your files. Hosts write these settings when
    you click "always allow"; a program that adds an entry can write them as well.

Example
    before  {"entries": [{"name": "notes", "settings": {"alwaysAllow": ["list_notes"]}}]}
    after   {"entries": [{"name": "notes", "settings": {"alwaysAllow": ["list_notes", "delete_note"]}}]}

What to do
    If you did not allow this in your host, take it out. Allow tools that only read, if any.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge import pointer as at
from driftwatch.judge.entries import is_off
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Finding, Item, Json, Kind, Severity
from driftwatch.model.amounts import noun

LISTS = ("alwaysAllow", "autoApprove")
"""Settings that list the tools which run unasked."""
SWITCHES = {"trust": True, "default_tools_approval_mode": "approve"}
"""Settings that let all tools run unasked when they have this value."""
ALL = ("*",)
"""All tools of an entry."""
MODE = ("approval_mode", "approve")
"""The setting of a single tool, below `tools`, and the value that lets it run unasked."""


def check(context: Context) -> Iterator[Finding]:
    """Give what new or changed entries let run unasked that they did not before."""
    for look in context.looks(Kind.ENTRY):
        known = look.before if look.before is not None and (is_off(look.after) or not is_off(look.before)) else None
        before = dict(_unasked(known)) if known is not None else {}
        for pointer, allowed in _unasked(look.after):
            more = tuple(one for one in allowed if one not in before.get(pointer, ()))
            if more:
                slight = context.baseline is None or (known is not None and more != ALL)
                yield RULE.finding(
                    look.after,
                    pointer,
                    _message(look.after, more),
                    severity=Severity.LOW if slight else None,
                    after=list(more),
                )


def _message(item: Item, allowed: tuple[str, ...]) -> str:
    which = "all of its tools" if allowed == ALL else f"the {noun(len(allowed), 'tool')} {names(allowed)}"
    return f"The entry {show(item.key)} lets {which} run without a question."


def _unasked(item: Item) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give each place that lets tools run unasked, with the tools; `*` is all of them."""
    settings = item.raw.get("settings") if isinstance(item.raw, dict) else None
    if not isinstance(settings, dict):
        return
    for key in LISTS:
        if listed := _texts(settings.get(key)):
            yield at.join("/settings", key), listed
    for key, value in SWITCHES.items():
        if type(settings.get(key)) is type(value) and settings[key] == value:
            yield at.join("/settings", key), ALL
    tools = settings.get("tools")
    for name, tool in tools.items() if isinstance(tools, dict) else ():
        if isinstance(tool, dict) and tool.get(MODE[0]) == MODE[1]:
            yield at.join("/settings/tools", name, MODE[0]), (name,)


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


RULE = Rule(
    id="entry-unasked",
    title="An entry lets tools run unasked",
    area=Area.GATES,
    action=Action.WIDENED,
    severity=Severity.MEDIUM,
    check=check,
    doc=__doc__,
    told=True,
)
