"""Which of two versions is newer, as the two ecosystems order them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from driftwatch.watch.supply.versions import is_newer, newest

NPM = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1"]
NPM += ["1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"]
PYTHON = [
    "1.0.dev1",
    "1.0a1.dev1",
    "1.0a1",
    "1.0a2",
    "1.0b1",
    "1.0rc1",
    "1.0",
    "1.0.post1.dev1",
    "1.0.post1",
    "1.1.dev1",
]
PYTHON += ["1.1", "1.10", "2025.1.2", "1!0.1"]


@pytest.mark.parametrize(("ecosystem", "ordered"), [("npm", NPM), ("pypi", PYTHON)])
def test_versions_come_in_the_order_of_the_specification(ecosystem: str, ordered: list[str]) -> None:
    assert [pair for pair in pairwise(ordered) if not is_newer(ecosystem, pair[1], pair[0])] == []
    assert [pair for pair in pairwise(ordered) if is_newer(ecosystem, *pair)] == []


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1"), ("1.0.0", "v1.0"), ("1.0-1", "1.0.post1"), ("1.0C1", "1.0rc1")]
)
def test_spellings_of_one_python_version_are_one(one: str, other: str) -> None:
    assert not is_newer("pypi", one, other)
    assert not is_newer("pypi", other, one)


@pytest.mark.parametrize("odd", ["", "latest", "1", "1.2", "1.2.x", "\u0661.2.3.", "9" * 5000, "1.0.0-"])
def test_what_is_no_version_is_never_newer(odd: str) -> None:
    assert not is_newer("npm", odd, "1.0.0")
    assert not is_newer("npm", "1.0.0", odd)


def test_the_newest_is_final_where_one_is() -> None:
    assert newest(["1.0", "2.0rc1", "1.5", "x"]) == "1.5"
    assert newest(["2.0rc1", "2.0rc2"]) == "2.0rc2"
    assert newest([]) == ""
