"""The rule entry-sealed."""

from __future__ import annotations

from entry_kit import entries, entry
from rule_kit import example, found, places

RULE = "entry-sealed"


def test_a_masked_value_that_changed_is_low() -> None:
    assert places(found(RULE, *example(RULE))) == [("low", "notes", "/sealed/args")]
    assert found("other-changed", *example(RULE)) == []


def test_a_masked_value_that_came_or_went_is_info() -> None:
    without, sealed = entries(entry()), entries(entry(sealed={"env": "12"}))

    (came,), (went,) = found(RULE, without, sealed), found(RULE, sealed, without)

    assert (came.severity, went.severity) == ("info", "info")
    assert came.message.startswith("A masked value in the variables of the entry “notes” is new.")
    assert went.message.startswith("A masked value in the variables of the entry “notes” is gone.")


def test_every_part_is_named_also_where_all_seals_came_at_once_and_where_it_is_no_known_one() -> None:
    sides = entries(entry()), entries(entry(sealed={"args": "1", "env": "2", "oauth": "3"}))
    more = entries(entry(sealed={"args": "1", "env": "2", "oauth": "3", "x": "4"}))

    assert found(RULE, *sides)[0].message.startswith(
        "A masked value in the arguments, the variables and the setting “oauth” of the entry"
    )
    assert "in the setting “x” of" in found(RULE, sides[1], more)[0].message
