"""Secrets, filling in, durations, sizes, and words that are safe to show."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from driftwatch.config import units
from driftwatch.config.secret import Filled, Secret, Sources, escape, fill, hidden, shown
from driftwatch.config.urls import mask_database_url, mask_url
from driftwatch.config.words import closest, did_you_mean, path_of, quoted, safe


def sources(**environ: str) -> Sources:
    return Sources(environ, lambda path: path)


def test_a_secret_cannot_print_itself() -> None:
    secret = Secret("hunter2")

    assert str(secret) == repr(secret) == f"{secret}" == f"{secret:>3}" == "***"
    assert "hunter2" not in json.dumps({"a": secret}, default=str)
    assert not hasattr(secret, "__dict__")
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(secret)
    assert copy.deepcopy(secret) is copy.copy(secret) is secret


def test_a_secret_is_equal_by_value_only() -> None:
    assert Secret("é\ud800") == Secret("é\ud800")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
    assert Secret("a").reveal() == "a"


def test_what_was_filled_in_is_used_and_not_shown() -> None:
    text = fill("a ${X} b $${X} $", sources(X="hunter2"))

    assert text == "a hunter2 b ${X} $"
    assert shown(text) == "a ${X} b $${X} $"
    assert repr(text) == repr(shown(text))
    assert shown(copy.deepcopy(text)) == shown(text)
    assert shown("plain") == "plain"
    assert (hidden(text), hidden(copy.deepcopy(text)), hidden("plain")) == (("hunter2",), ("hunter2",), ())
    assert isinstance(text, Filled)


def test_a_value_that_was_filled_in_is_not_filled_again() -> None:
    assert fill("${A}", sources(A="${B}", B="x")) == "${B}"


@given(st.text())
def test_escaped_text_fills_to_itself(text: str) -> None:
    assert fill(escape(text), sources()) == text


@given(st.text(alphabet="${}AX ") | st.text())
def test_filling_gives_text_or_one_problem(text: str) -> None:
    try:
        fill(text, sources(A="v"))
    except PydanticCustomError as problem:
        assert problem.type == "problem"  # noqa: PT017 - either outcome is right


def test_the_variables_that_a_file_asks_for_are_remembered() -> None:
    known = sources(A="v")

    fill("${A}", known)
    known.variable("A")

    assert known.used == {"A"}


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (30, 30.0),
        (0.5, 0.5),
        ("500ms", 0.5),
        ("30s", 30.0),
        (" 5 m ", 300.0),
        ("1h30m", 5400.0),
        ("1d", 86400.0),
        ("1.5h", 5400.0),
        ("5", None),
        ("5 minutes", None),
        ("-5s", None),
        ("", None),
        ("٥s", None),
        (True, None),
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        ("1s" * 40, None),
    ],
)
def test_durations(written: object, seconds: float | None) -> None:
    assert units.seconds(written) == seconds


@pytest.mark.parametrize(
    ("written", "size"),
    [
        (65536, 65536),
        ("8MiB", 8 * 2**20),
        ("512 KiB", 512 * 1024),
        ("1GB", 10**9),
        ("100", 100),
        ("100B", 100),
        ("1kB", 1000),
        ("8mb", None),
        ("1.5MiB", None),
        (1.5, None),
        (True, None),
        ("", None),
    ],
)
def test_sizes(written: object, size: int | None) -> None:
    assert units.size(written) == size


@given(st.integers(1, 10**9))
def test_durations_and_sizes_read_back_as_they_are_said(number: int) -> None:
    assert units.size(units.say_size(number)) == number
    assert units.seconds(units.say_seconds(number // 1000)) == number // 1000


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("https://e.com/p?a=1&b&c=", "https://e.com/p?a=***&***&c=***"),
        ("https://u:p@e.com/", "https://***@e.com/"),
        ("https://e.com/p", "https://e.com/p"),
    ],
)
def test_urls_are_shown_without_what_may_be_secret(url: str, masked: str) -> None:
    assert mask_url(url) == masked


def test_a_database_url_is_shown_without_its_password() -> None:
    assert mask_database_url("postgresql://u:p@ss@h/d?x=1") == "postgresql://u:***@h/d?x=***"
    assert mask_database_url("postgresql://u:a/b?c@h/d") == "postgresql://u:***@h/d"
    assert mask_database_url("postgresql://u@h/d") == "postgresql://u@h/d"
    assert mask_database_url("sqlite:////srv/a.db") == "sqlite:////srv/a.db"


@given(st.text(alphabet=st.characters()) | st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Co", "Zl"])))
def test_nothing_that_is_made_safe_can_move_the_cursor(text: str) -> None:
    assert safe(text).isprintable()
    assert quoted(text).isprintable()
    assert path_of([text, 3, text]).isprintable()


def test_paths_read_like_the_file() -> None:
    assert path_of(["servers", "git", "args", 2]) == "servers.git.args[2]"
    assert path_of(["servers", "a.b", "url"]) == 'servers."a.b".url'
    assert path_of(["a" * 200]) == f'"{"a" * 79}…"'


def test_the_nearest_word_is_proposed() -> None:
    assert closest("log-levl", ["log_format", "log_level"]) == "log_level"
    assert closest("zzz", ["log_level"]) is None
    assert did_you_mean("urll", ["url"]) == "did you mean url?"
    assert did_you_mean("zzz", ["a", "b"]) == "known here: a, b"
    assert did_you_mean("zzz", []) == "there is nothing to choose from"


@given(st.text(alphabet=st.characters()), st.lists(st.text(alphabet=st.characters()), max_size=5))
def test_a_proposal_is_always_one_of_the_words(word: str, known: list[str]) -> None:
    near = closest(word, known)

    assert near is None or near in known
    assert did_you_mean(word, known).isprintable()
