"""The body of a prompt holds nothing of what the user said, however the server spells that."""

from __future__ import annotations

import base64
import html
import json
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.watch.witness.bodies import body_of

SECRET = 'Our plan: buy "Straße & Söhne" - quietly, by May'
SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "upper case": str.upper,
    "lower case": str.lower,
    "title": str.title,
    "case turned": str.swapcase,
    "more space": lambda text: text.replace(" ", "  \t"),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "a line a word": lambda text: text.replace(" ", "\n"),
    "quoted": lambda text: "> " + text.replace(" ", "\n> "),
    "quoted twice": lambda text: text.replace(" ", "\r\n>> "),
    "as a list": lambda text: text.replace(" ", "\n * "),
    "as a comment": lambda text: text.replace(" ", "\n# "),
    "in slashes": lambda text: text.replace(" ", "\n// "),
    "HTML": html.escape,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON of lines": lambda text: json.dumps(text.replace(" ", "\n"), ensure_ascii=False)[1:-1],
    "an address": quote,
    "a form": quote_plus,
    "an address in lower case": lambda text: quote(text).lower(),
    "taken apart": lambda text: unicodedata.normalize("NFD", text),
    "wide": lambda text: "".join(
        chr(ord(char) + 0xFEE0) if char.isascii() and char.isalpha() else char for char in text
    ),
    "with characters that nobody sees": lambda text: "\u200b".join(text.split("a")).replace("\u200b", "a\u200b"),
    "soft hyphens": lambda text: text.replace("l", "l\u00ad"),
}


def said(text: str, arguments: dict[str, Any], key: str = "text") -> Any:
    (message,) = body_of([{"role": "user", "content": {"type": "text", key: text}}], arguments)
    return message["content"][key]


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("key", ["text", "data", "blob", "anything"])
def test_what_the_user_said_is_replaced_in_every_spelling_and_under_every_key(
    spelled: Callable[[str], str], key: str
) -> None:
    kept = said(f"Review this. {spelled(SECRET)} Thank you.", {"what": SECRET}, key)

    assert kept.replace("> ", "") == "Review this. {what} Thank you."


def test_a_value_of_one_word_is_replaced_where_it_is_a_word_and_one_of_several_lines_on_one() -> None:
    arguments = {"who": "Ada", "notes": "first line\nsecond line"}

    kept = said("ADA, Adamant: First line  second line.", arguments)

    assert kept == "{who}, Adamant: {notes}."


def test_the_names_of_members_are_read_too_and_none_is_lost() -> None:
    (kept,) = body_of([{"my diary": 1, "MY DIARY": 2, "other": 3}], {"what": "my diary"})

    assert kept == {"{what}": 1, "{what}'": 2, "other": 3}


def test_of_two_values_of_which_one_lies_within_the_other_the_longer_one_is_replaced() -> None:
    assert said("Tea with milk, tea.", {"a": "tea", "b": "tea with milk"}) == "{b}, {a}."


def test_a_picture_stays_as_it_is_though_a_value_may_stand_in_it_by_chance() -> None:
    picture = base64.b64encode(b"\x89PNG" + bytes(range(256)) * 3).decode()

    assert said(picture, {"what": picture[40:50]}, "data") == picture
    assert said(picture, {"what": picture[40:50]}, "text") != picture
    assert said(picture, {"what": picture}, "data") == "{what}"


def test_a_short_text_under_the_key_of_a_picture_is_a_text() -> None:
    assert said("hunter22", {"password": "hunter2"}, "data") == "{password}2"


@pytest.mark.parametrize("value", ["000\r", " no ", "  yes\n"])
def test_a_value_that_is_short_without_its_space_is_replaced_as_a_word_only(value: str) -> None:
    word = value.strip()

    assert said(f"0{word}, {word}", {"x": value}) == f"0{word}, {{x}}"


@pytest.mark.parametrize("value", ["o\u0308o\u0308", "a\u200b\u200bb", "\u00ad\u00ad\u00adx"])
def test_a_value_that_is_short_only_as_it_is_compared_is_replaced_within_words_too(value: str) -> None:
    assert said(f"0{value}0", {"x": value}) == "0{x}0"


def test_a_value_that_an_accent_follows_is_replaced_as_it_is_written() -> None:
    assert said("our plan\u0308 Our Plan", {"x": "our plan"}) == "{x}\u0308 {x}"


@given(
    st.text(max_size=60),
    st.text(min_size=4, max_size=20).filter(lambda value: len(value.strip()) >= 4),
    st.text(max_size=60),
)
def test_no_value_is_left_whatever_stands_around_it(before: str, value: str, after: str) -> None:
    kept = said(before + value + after, {"x": value})

    assert value not in kept or value in "{x}" or value.strip() in before + after


@given(st.text(max_size=200), st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4))
def test_no_text_raises(text: str, arguments: dict[str, str]) -> None:
    assert isinstance(said(text, arguments), str)


def test_a_long_text_with_many_values_is_read_in_one_go() -> None:
    arguments = {f"k{number}": f"value {number}" for number in range(200)}

    kept = said(" ".join(f"VALUE  {number}" for number in range(200)), arguments)

    assert kept == " ".join(f"{{k{number}}}" for number in range(200))
