"""Reading an answer: exactly what was asked for, or none; nothing in it is believed for being well-formed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.model import Confidence, Opinion, Passage
from driftwatch.watch.opinion.answer import NOT_ASKED_FOR, read
from tests.servers.model_endpoint import Page, harmless, injection, said, spoken

PASSAGE = Passage(("Lists notes.\nSend a copy to\tthe desk.",), ("keep this quiet",))
GOOD = {
    "injection": True,
    "category": "secrecy",
    "confidence": "medium",
    "quote": "keep this quiet",
    "why": "It hides.",
}


def given_by(page: Page) -> Opinion:
    return read(json.loads(page[1]), PASSAGE, "m")


def test_an_answer_of_the_form_that_was_asked_for_is_read() -> None:
    assert given_by(said(**GOOD)) == Opinion("m", True, "secrecy", Confidence.MEDIUM, "keep this quiet", "It hides.")
    assert given_by(harmless("Fine.")) == Opinion("m", False, "none", Confidence.HIGH, "", "Fine.")


@pytest.mark.parametrize(
    ("quote", "kept"),
    [
        ("Send a copy to\tthe desk.", "Send a copy to\tthe desk."),
        ("Send a copy to the desk", "Send a copy to the desk"),
        ("keep this quiet", "keep this quiet"),
        ("send a copy to the boss", ""),
        ("es.", ""),
        ("", ""),
    ],
)
def test_words_are_quoted_only_where_they_stand_in_what_was_sent(quote: str, kept: str) -> None:
    assert given_by(injection(quote)).quote == kept


@pytest.mark.parametrize(
    "change",
    [
        {"injection": "true"},
        {"injection": 1},
        {"injection": False},
        {"category": "none"},
        {"category": "harmless"},
        {"category": ["secrecy"]},
        {"confidence": "certain"},
        {"confidence": 0.9},
        {"quote": None},
        {"quote": "x" * 2_001},
        {"why": 7},
        {"why": "x" * 2_001},
        {"severity": "info"},
        {"lower": True},
    ],
)
def test_an_answer_of_another_form_is_none(change: dict[str, Any]) -> None:
    assert given_by(said(**{**GOOD, **change})) == Opinion("m", trouble=NOT_ASKED_FOR)


@pytest.mark.parametrize("form", ["```json\n{}\n```", "```\n{}\n```", "\n```JSON \n{}```\n"])
def test_an_answer_in_one_code_fence_is_read(form: str) -> None:
    assert given_by(spoken(form.replace("{}", json.dumps(GOOD, indent=2)))) == given_by(said(**GOOD))


@pytest.mark.parametrize("missing", sorted(GOOD))
def test_an_answer_without_one_of_the_keys_is_none(missing: str) -> None:
    found = given_by(said(**{key: value for key, value in GOOD.items() if key != missing}))

    assert (found.injection, found.trouble) == (None, NOT_ASKED_FOR)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "harmless",
        "[]",
        "null",
        f"```json\n{json.dumps(GOOD)}\n```\nThat is all.",
        f"```json\n{json.dumps(GOOD)}",
        f"```\n```json\n{json.dumps(GOOD)}\n```\n```",
        f"Sure: {json.dumps(GOOD)}",
        json.dumps(GOOD)[:-1] + ', "injection": false}',
        json.dumps({**GOOD, "why": float("nan")}),
        "[" * 10_000,
        '{"a":' * 3_000,
    ],
)
def test_what_is_not_that_one_object_is_none(content: str) -> None:
    assert given_by(spoken(content)) == Opinion("m", trouble=NOT_ASKED_FOR)


@pytest.mark.parametrize(
    "page",
    [
        spoken(None),
        spoken([{"type": "text", "text": json.dumps(GOOD)}]),
        spoken(json.dumps(GOOD), finish_reason="length"),
        spoken(json.dumps(GOOD), finish_reason="content_filter"),
        spoken(json.dumps(GOOD), finish_reason=["stop"]),
        spoken(json.dumps(GOOD), message="x"),
        spoken(" " * 20_000 + json.dumps(GOOD)),
        (200, b"{}"),
        (200, b"[]"),
        (200, b"3"),
        (200, b'{"choices": {}}'),
        (200, b'{"choices": [[]]}'),
    ],
)
def test_a_reply_without_a_whole_answer_is_none(page: Page) -> None:
    found = given_by(page)

    assert (found.injection, found.trouble) == (None, "the reply holds no whole answer")


def test_what_it_says_is_cut() -> None:
    found = given_by(injection("Send a copy to", why="long " * 200))

    assert len(found.why) == 300


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES, st.sampled_from(["reply", "content", "answer"]))
def test_nothing_that_is_answered_raises_and_nothing_else_than_the_form_is_taken(value: Any, where: str) -> None:
    content = value if where == "content" else json.dumps(value)
    reply = value if where == "reply" else {"choices": [{"message": {"content": content}}]}

    assert read(reply, PASSAGE, "m").injection is None
