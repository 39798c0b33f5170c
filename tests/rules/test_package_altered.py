"""The rule package-altered."""

from __future__ import annotations

from launch_kit import OTHER, fetched, judged
from rule_kit import example, found, places

RULE = "package-altered"


def test_other_files_under_the_same_version_are_high() -> None:
    assert places(found(RULE, *example(RULE))) == [("high", "", "/package/digest")]


def test_a_new_version_has_other_files_and_is_no_matter_of_this_rule() -> None:
    assert judged(RULE, fetched(), fetched(version="1.3.0", digest=OTHER)) == []


def test_files_that_are_not_known_on_one_side_say_nothing() -> None:
    assert judged(RULE, fetched(digest=""), fetched()) == []
