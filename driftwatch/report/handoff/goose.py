"""goose: permissions of tools."""

from __future__ import annotations

import re
from collections.abc import Sequence

from driftwatch.report.handoff.base import PLAIN, UNSPLIT, Approved, Handoff, allowed, asked, quoted


def _write(server: str, tools: Sequence[Approved]) -> str:
    lists = {"always_allow": allowed(tools), "ask_before": asked(tools), "never_allow": list[str]()}
    lines = [line for key, names in lists.items() for line in _list(server, key, names)]
    return "\n".join(["user:", *lines]) + "\n"


def _list(server: str, key: str, names: Sequence[str]) -> list[str]:
    if not names:
        return [f"  {key}: []"]
    return [f"  {key}:", *(f"    - {quoted(f'{server}__{name}')}" for name in names)]


GOOSE = Handoff(
    id="goose",
    name="goose",
    place="~/.config/goose/permission.yaml (macOS, Linux) or %APPDATA%\\Block\\goose\\config\\permission.yaml",
    does="In the modes approve and smart approve: runs the allowed tools without asking and asks about the others.",
    source="https://block.github.io/goose/docs/guides/managing-tools/tool-permissions; "
    "block/goose crates/goose/src/config/permission.rs @0865f959",
    write=_write,
    server=re.compile(rf"(?=[a-z0-9_-]+\Z){UNSPLIT.pattern}"),
    tool=PLAIN,
    notes=(
        "Merge the lists into those that you have; all three must be there.",
        "The mode auto, the default, asks about nothing.",
    ),
)
