"""What a person may say along with a decision is bounded, whichever decision it is."""

from __future__ import annotations

import pytest

from driftwatch.errors import UsageError
from driftwatch.model import Actor
from driftwatch.review.said import NAME, NOTE, named, noted


def test_notes_and_names_lose_the_blanks_around_them_and_keep_the_rest() -> None:
    assert noted("  on it\n") == "on it"
    assert named(Actor(" ana ", "cli ana@desk")) == Actor("ana", "cli ana@desk")
    assert (len(noted("x" * NOTE)), len(named(Actor("x" * NAME, "")).name)) == (NOTE, NAME)


def test_a_note_that_is_too_long_is_refused_with_its_length() -> None:
    with pytest.raises(UsageError, match="The reason has 2,001 characters, and 2,000 are the most"):
        noted("x" * 2_001, "reason")


def test_a_name_that_is_too_long_is_refused_with_its_length() -> None:
    with pytest.raises(UsageError, match="The name has 201 characters, and 200 are the most"):
        named(Actor("x" * 201, ""))
