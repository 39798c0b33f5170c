"""The rule package-unpinned."""

from __future__ import annotations

from typing import Any

import pytest
from launch_kit import fetched, local, reached
from rule_kit import example, found, places, scanned

RULE = "package-unpinned"


def launch(command: str, *args: str, **package: Any) -> dict[str, Any]:
    return reached(local(command=command, args=list(args), package={"pinned": False, **package}))


def test_an_unpinned_package_is_low_and_told_at_first_sight_only() -> None:
    before, after = example(RULE)

    assert places(scanned(RULE, after)) == [("low", "", "/package/pinned")]
    assert scanned(RULE, before) == []
    assert found(RULE, before, after) == []


@pytest.mark.parametrize(
    ("seen", "pin"),
    [
        (launch("npx", "tickets-mcp", ecosystem="npm", name="tickets-mcp", version="1.2.0"), "“tickets-mcp@1.2.0”"),
        (launch("/bin/uvx", "tickets", ecosystem="pypi", name="tickets", version="2.0"), "“tickets@2.0”"),
        (launch("uvx", "--from", "tickets", "t", ecosystem="pypi", name="tickets", version="2.0"), "“tickets==2.0”"),
        (launch("pipx", "run", "tickets", ecosystem="pypi", name="tickets", version="2.0"), "“tickets==2.0”"),
        (launch("npx", "tickets-mcp", ecosystem="npm", name="tickets-mcp"), "“tickets-mcp@<version>”"),
        (launch("docker", "run", "t:1", ecosystem="oci", name="t", asked="t:1"), "“t@sha256:…”"),
        (launch("npx", "a/b", ecosystem="npm", asked="a/b"), "a full commit hash"),
    ],
)
def test_the_message_gives_the_pin_to_write(seen: dict[str, Any], pin: str) -> None:
    (finding,) = scanned(RULE, seen)

    assert pin in finding.message


def test_a_new_entry_of_a_hosts_file_is_told() -> None:
    entry = {"name": "tickets", **fetched("tickets-mcp", pinned=False)}

    assert places(found(RULE, {"entries": []}, {"entries": [entry]})) == [("low", "tickets", "/package/pinned")]
