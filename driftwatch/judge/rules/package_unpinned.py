"""The package that a command starts is not pinned.

What it does
    Finds, before anything is approved, a command that fetches a package or an image without naming one exact version,
    and says how to write the one that runs now.

Why it matters
    An approval holds for what ran when it was given. Without a pin the next start may run something that nobody has
    seen, and driftwatch learns of it only after it ran.

Example
    before  {"launch": {"command": "npx", "package": {"ecosystem": "npm", "asked": "tickets@1.2.0", "pinned": true}}}
    after   {"launch": {"command": "npx", "package": {"ecosystem": "npm", "asked": "tickets", "pinned": false}}}

What to do
    Write the exact version into the configuration of driftwatch and of every host that uses the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from driftwatch.judge.launches import fresh, table, text, texts
from driftwatch.judge.rules.base import Action, Area, Context, Rule, show
from driftwatch.model import Finding, Item, Kind, Severity


def check(context: Context) -> Iterator[Finding]:
    """Give every launch and entry, not seen before, whose package is not pinned."""
    for item in fresh(context):
        package = table(item.raw, "package")
        if package.get("pinned") is False:
            asked = show(package.get("asked"))
            message = f"It fetches {asked}, which is not pinned: any start may run something newer. {_pin(item)}"
            whose = f"Entry {show(item.key, 60)}: " if item.kind is Kind.ENTRY else ""
            yield RULE.finding(item, "/package/pinned", f"{whose}{message}", after=package.get("asked"))


def _pin(item: Item) -> str:
    """Say how to pin what runs now; without knowing that, what a pin looks like."""
    package = table(item.raw, "package")
    ecosystem, name, version = (text(package, key) for key in ("ecosystem", "name", "version"))
    if ecosystem == "oci":
        return f"Pin it by digest: {show(f'{name}@sha256:…')}."
    if not name:
        return "Pin it to a full commit hash, or run a copy of your own."
    mark = "==" if ecosystem == "pypi" and not _takes_at(item) else "@"
    prefix = "npm:" if text(package, "asked").startswith("npm:") else ""
    pin = show(f"{prefix}{name}{mark}{version or '<version>'}")
    return f"The version that runs now is written {pin}." if version else f"Pin it like this: {pin}."


def _takes_at(item: Item) -> bool:
    """Say whether a runner of Python packages takes `name@version` here; after an option it takes `name==version`."""
    runner = re.split(r"[/\\]", text(item.raw, "command"))[-1]
    options = texts(item.raw.get("args")) if isinstance(item.raw, dict) else []
    return runner.startswith("uv") and not any(word.partition("=")[0] in {"--from", "--with"} for word in options)


RULE = Rule(
    id="package-unpinned",
    title="The package that a command starts is not pinned",
    area=Area.SUPPLY,
    action=Action.ODD,
    severity=Severity.LOW,
    check=check,
    doc=__doc__,
)
