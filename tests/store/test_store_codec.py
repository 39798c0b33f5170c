from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.model import Confidence, Era, Finding, Kind, Listing, Oddity, Page, Severity, Span
from driftwatch.store.codec import (
    PLAIN_DEPTH,
    pack,
    pack_findings,
    pack_listing,
    pack_oddities,
    unpack,
    unpack_findings,
    unpack_listing,
    unpack_oddities,
)


def nested(depth: int, leaf: Any = "leaf") -> Any:
    value = leaf
    for number in range(depth):
        value = {"down": value, "beside": [number]} if number % 2 else [value, {"a": 1}]
    return value


def told_apart(value: Any) -> list[str]:
    """Spell a value so that 1, 1.0 and True differ, NaN equals itself, and depth costs no stack."""
    said, waiting = [], [value]
    while waiting:
        top = waiting.pop()
        if isinstance(top, dict):
            said.append(f"object {list(top)!r}")
            waiting.extend(top.values())
        elif isinstance(top, list):
            said.append(f"array {len(top)}")
            waiting.extend(top)
        else:
            said.append(hex(top) if type(top) is int else repr(top))
    return said


@pytest.mark.parametrize(
    "value",
    [
        {"b": 1, "a": 1.0, "c": -0.0, "d": 1e300, "e": 10**40},
        [True, 1, 1.0, None, "", [], {}],
        [math.nan, math.inf, -math.inf],
        {"\ud800": "\udfff", "nul": "a\x00b", "pair": "\U0001f600", "bidi": "\u202e"},
        {"__proto__": {"__class__": 1}, "": 2},
        "just a string",
        None,
        [10**6000, -(10**6000), {"deep": 10**5000}],
        [[[{"keys": ["a"]}, {"length": 3}, {"hex": "0x1"}]]],
    ],
)
def test_a_value_comes_back_as_it_was_received(value: Any) -> None:
    assert told_apart(unpack(pack(value))) == told_apart(value)


@pytest.mark.parametrize("depth", [PLAIN_DEPTH - 2, PLAIN_DEPTH, PLAIN_DEPTH + 1, 20_000])
def test_depth_is_no_limit(depth: int) -> None:
    value = nested(depth, leaf={"keys": 1.0})

    assert told_apart(unpack(pack(value))) == told_apart(value)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(categories=None), max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(categories=None), max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES, st.booleans())
def test_any_value_comes_back_plain_or_flattened(value: Any, deep: bool) -> None:
    wrapped = nested(PLAIN_DEPTH + 1, leaf=value) if deep else value

    assert told_apart(unpack(pack(wrapped))) == told_apart(wrapped)


def test_findings_come_back_equal_in_every_field() -> None:
    full = Finding(
        rule="hidden-text",
        severity=Severity.CRITICAL,
        kind=Kind.RESOURCE_TEMPLATE,
        item="file:///{path}",
        pointer="/description",
        message="Hidden: \ud800",
        items=("a", "b"),
        confidence=Confidence.LOW,
        before=None,
        after={"x": [1.0, None]},
        spans=(Span("/description", 3, 9, decoded="say", target="key"), Span("", 0, 1)),
        category="hidden",
    )
    bare = Finding("r", Severity.INFO, Kind.SERVER, "", "", "m")

    assert unpack_findings(pack_findings((full, bare))) == (full, bare)
    assert unpack_findings(pack_findings(())) == ()


def test_a_finding_keeps_its_fingerprint() -> None:
    before = Finding("r", Severity.LOW, Kind.TOOL, "t", "/max", "m", before=1, after=1.0)

    [after] = unpack_findings(pack_findings((before,)))

    assert after.fingerprint == before.fingerprint


def test_no_oddities_take_no_room() -> None:
    odd = (Oddity("no-key"), Oddity("too-deep", "/a/b", "65"))

    assert pack_oddities(()) is None
    assert unpack_oddities(pack_oddities(())) == ()
    assert unpack_oddities(pack_oddities(odd)) == odd


def test_how_a_look_went_comes_back_equal_in_every_part() -> None:
    listing = Listing(
        era=Era.HANDSHAKE,
        protocol_version="2025-06-18",
        pages=(Page("tools/list", 1, 50, 60_000, "public"), Page("tools/list", 2, 1), Page("prompts/list", 0, 0)),
        asked=("roots/list", "sampling/createMessage \u202e\ud800"),
        noise_lines=3,
        received_bytes=10**12,
    )

    assert unpack_listing(pack_listing(listing)) == listing
    assert unpack_listing(None) is None


def test_a_freshness_of_thousands_of_digits_is_kept_too() -> None:
    listing = Listing(Era.MODERN, "2026-07-28", pages=(Page("tools/list", 1, 0, 10**5000),))

    assert unpack_listing(pack_listing(listing)) == listing
