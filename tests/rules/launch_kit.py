"""Launches, and the findings of one rule about two of them: as a server's own, and as entries of a host's file."""

from __future__ import annotations

from typing import Any

from rule_kit import found

from driftwatch.model import Finding

ONE, OTHER = (f"sha256:{digit * 64}" for digit in "12")


def local(**fields: Any) -> dict[str, Any]:
    """Make the launch of a program."""
    return {"transport": "stdio", "command": "tickets-server", "args": ["--readonly"], "env": [], **fields}


def fetched(asked: str = "tickets-mcp@1.2.0", *, pinned: bool = True, **package: Any) -> dict[str, Any]:
    """Make the launch of an npm package."""
    told = {"ecosystem": "npm", "name": "tickets-mcp", "asked": asked, "pinned": pinned, "version": "1.2.0"}
    return local(command="npx", args=["-y", asked], package={**told, "digest": ONE, **package})


def remote(url: str = "https://tickets.example/mcp", **fields: Any) -> dict[str, Any]:
    """Make the launch of a server with a URL."""
    return {"transport": "http", "url": url, "headers": ["Authorization"], **fields}


def reached(launch: dict[str, Any]) -> dict[str, Any]:
    """Make the document of a server that shows nothing and was reached so."""
    return {"tools": [], "launch": launch}


def judged(rule: str, before: dict[str, Any], after: dict[str, Any]) -> list[Finding]:
    """Give what a rule finds in a launch that changed; an entry of a host's file must be judged the same."""
    launches = found(rule, reached(before), reached(after))
    entries = found(rule, {"entries": [{"name": "tickets", **before}]}, {"entries": [{"name": "tickets", **after}]})
    assert [(one.severity, one.pointer) for one in entries] == [(one.severity, one.pointer) for one in launches]
    return launches


def weighed(rule: str, before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    """Give severity and pointer of each finding."""
    return [(one.severity.value, one.pointer) for one in judged(rule, before, after)]
