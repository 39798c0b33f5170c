"""A bounded part of the search: inputs that are kept, and some made of them, always the same. `make fuzz` goes on."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzz.targets import LARGEST, NAMES, corpus, derived, kept, target

DERIVED = 60


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_and_what_is_made_of_it_breaks_no_promise(name: str) -> None:
    one = target(name)

    for data in (*kept(name), *derived(name, DERIVED)):
        one(data)


@given(st.sampled_from(NAMES), st.binary(max_size=300))
@example(NAMES[0], b"")
def test_any_bytes_break_no_promise(name: str, data: bytes) -> None:
    target(name)(data)


def test_what_is_kept_is_small_and_belongs_to_a_target() -> None:
    files = [path for name in NAMES for path in corpus(name).iterdir()]

    assert all(0 < path.stat().st_size <= LARGEST for path in files)
    assert sum(path.stat().st_size for path in files) < 256 * 1024
    assert {path.name for path in corpus(NAMES[0]).parent.iterdir()} == set(NAMES)
