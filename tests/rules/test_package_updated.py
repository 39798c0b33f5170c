"""The rule package-updated."""

from __future__ import annotations

from typing import Any

import pytest
from launch_kit import ONE, OTHER, fetched, judged, local, weighed
from rule_kit import example, found, places

RULE = "package-updated"
AT = "/package/version"


def loose(**package: Any) -> dict[str, Any]:
    return fetched("tickets-mcp", pinned=False, **package)


def image(asked: str, digest: str, *, pinned: bool = False) -> dict[str, Any]:
    package = {"ecosystem": "oci", "name": "tickets", "asked": asked, "pinned": pinned, "digest": digest}
    return local(command="docker", args=["run", "-i", asked], package=package)


def test_an_update_that_nothing_forbids_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "", AT)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (fetched(), fetched(version="1.2.1", digest=OTHER), [("high", AT)]),
        (loose(version="1.3.0"), loose(version="1.2.0", digest=OTHER), [("medium", AT)]),
        (fetched(), fetched("tickets-mcp@1.3.0", version="1.3.0", digest=OTHER), [("info", AT)]),
        (
            loose(),
            {
                **loose(),
                "package": {"ecosystem": "npm", "name": "tickets-mcp", "asked": "tickets-mcp", "pinned": False},
            },
            [("low", AT)],
        ),
        (fetched(), fetched(digest=OTHER), []),
    ],
)
def test_what_runs_weighs_by_what_was_asked_for(
    before: dict[str, Any], after: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert weighed(RULE, before, after) == expected


def test_a_pin_that_does_not_hold_is_said_so() -> None:
    (finding,) = judged(RULE, fetched(), fetched(version="1.2.1", digest=OTHER))

    assert "is pinned" in finding.message
    assert "“1.2.0” → “1.2.1”" in finding.message


@pytest.mark.parametrize(
    ("asked", "severity"), [("tickets", "low"), ("tickets:latest", "low"), ("tickets:1.2.0", "medium")]
)
def test_a_tag_that_moved_weighs_by_what_it_promises(asked: str, severity: str) -> None:
    assert weighed(RULE, image(asked, ONE), image(asked, OTHER)) == [(severity, "/package/digest")]


def test_an_installed_package_that_no_command_names_is_judged_too() -> None:
    one, other, third = (
        local(package={"ecosystem": "pypi", "name": name, "version": version, "digest": ONE})
        for name, version in (("tickets", "1.0"), ("tickets", "1.1"), ("notes", "1.0"))
    )

    assert weighed(RULE, one, other) == [("low", AT)]
    assert weighed(RULE, one, third) == [("high", AT)]
    assert weighed(RULE, local(), one) == [("info", AT)]
