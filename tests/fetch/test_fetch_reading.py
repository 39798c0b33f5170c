"""Reading messages that no honest sender sends."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.watch.fetch.reading import CUT, LONGEST_POINTER, MOST_ODDITIES, UnreadableError, read

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(JSON)
def test_honest_json_is_read_as_it_is(value: object) -> None:
    reading = read(json.dumps(value).encode(), depth=64)

    assert reading.value == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_named_unreadable(data: bytes) -> None:
    with contextlib.suppress(UnreadableError):
        read(data, depth=8)


@pytest.mark.parametrize("depth", [1, 5, 64])
def test_exactly_the_deepest_level_is_kept(depth: int) -> None:
    data = b"[" * depth + b"]" * depth

    assert read(data, depth=depth).oddities == ()


@pytest.mark.parametrize("extra", [1, 100, 2_000, 200_000])
def test_what_is_below_the_deepest_level_becomes_a_digest(extra: int) -> None:
    reading = read(b"[" * (3 + extra) + b"]" * (3 + extra), depth=3)

    assert [(oddity.code, oddity.pointer) for oddity in reading.oddities] == [("too-deep", "/0/0/0")]
    assert reading.value[0][0][0][CUT].startswith("too-deep sha256:")


def test_brackets_in_strings_do_not_count_as_nesting() -> None:
    value = {"a": [']]]\\"[[[' * 100, {"b": "{" * 1000}]}

    assert read(json.dumps(value).encode(), depth=3).value == value


def test_nesting_without_end_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="nested without end"):
        read(b"[" * 400_000, depth=64)


def test_a_deep_text_with_many_escaped_quotes_is_read_in_linear_time() -> None:
    with pytest.raises(UnreadableError):
        read(b"[" * 5000 + b'"' + b'\\"' * 500_000, depth=64)


def test_a_key_that_occurs_twice_keeps_its_last_value_and_the_digest_of_the_first() -> None:
    one = read(b'{"a/b": 1, "a/b": 3}', depth=4)
    other = read(b'{"a/b": 2, "a/b": 3}', depth=4)

    assert one.value == other.value == {"a/b": 3}
    assert one.oddities[0].pointer == "/a~1b"
    assert one.oddities != other.oddities


def test_a_byte_order_mark_is_no_oddity() -> None:
    assert read(b"\xef\xbb\xbf{}", depth=1).value == {}


def test_long_integers_are_kept_as_they_are() -> None:
    assert read(b"1" + b"0" * 4000, depth=1).value == 10**4000


def test_a_message_of_a_million_empty_objects_is_refused_before_it_is_built() -> None:
    with pytest.raises(UnreadableError, match="more than 500000 values"):
        read(b"[" + b"{}," * 1_000_000 + b"{}]", depth=4)


def test_two_longer_integers_stay_different() -> None:
    first, second = (read(b"[1" + b"0" * 5000 + last + b"]", depth=1).value for last in (b"1", b"2"))

    assert first != second


def test_a_message_full_of_oddities_gives_a_bounded_number_of_them() -> None:
    reading = read(json.dumps(["\ud800"] * 10_000).encode(), depth=4)

    assert len(reading.oddities) == MOST_ODDITIES


def test_the_pointer_of_an_oddity_is_never_longer_than_a_reader_needs() -> None:
    long = "x" * 5 * LONGEST_POINTER
    data = json.dumps({"a": {long: ["\ud800", {"b": "\ud800"}]}}).encode()

    reading = read(data, depth=8)

    assert reading.value["a"][long] == ["\ud800", {"b": "\ud800"}]
    assert {(oddity.code, oddity.pointer) for oddity in reading.oddities} == {("lone-surrogate", "/a")}
