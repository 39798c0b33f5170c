"""The catalogue is whole: files, registry, documentation, examples and tests are the same set."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_kit import DATA, example, found, scanned

from driftwatch.judge.catalogue import SECTIONS, render, sections
from driftwatch.judge.facts import NO_FACTS
from driftwatch.judge.rules import RULES, rule
from driftwatch.judge.rules.base import Rule

ROOT = Path(__file__).parents[2]
IDS = {one.id for one in RULES}
NO_RULE = {"__init__", "base"}
each_rule = pytest.mark.parametrize("one", RULES, ids=[one.id for one in RULES])


def test_rule_files_registry_examples_and_tests_are_one_set() -> None:
    files = {path.stem.replace("_", "-") for path in (ROOT / "driftwatch/judge/rules").glob("*.py")} - NO_RULE
    tests = {path.stem.removeprefix("test_").replace("_", "-") for path in Path(__file__).parent.glob("test_*.py")}
    examples = {path.name for path in DATA.iterdir()}

    assert files - {name.replace("_", "-") for name in NO_RULE} == IDS
    assert tests - {"rule-catalogue"} == IDS
    assert examples == IDS


def test_the_page_of_rules_is_current() -> None:
    assert (ROOT / "docs/rules.md").read_text() == render(), "write it anew: make docs"


@each_rule
def test_a_rule_documents_itself_in_four_sections(one: Rule) -> None:
    parts = sections(one)

    assert tuple(parts) == SECTIONS
    assert all(parts.values())


@each_rule
def test_a_rule_speaks_on_its_own_example(one: Rule) -> None:
    before, after = example(one.id)

    assert found(one.id, before, after) or scanned(one.id, after)


@each_rule
def test_a_rule_is_silent_when_nothing_changed_and_nothing_is_known_beside_the_lists(one: Rule) -> None:
    for side in example(one.id):
        assert found(one.id, side, side, NO_FACTS) == []


def test_a_rule_is_found_by_its_id() -> None:
    assert all(rule(one.id) is one for one in RULES)
    with pytest.raises(KeyError):
        rule("no-such-rule")


@each_rule
def test_every_category_is_a_plain_word_that_the_page_lists(one: Rule) -> None:
    page = render().partition(f"\n## {one.id}\n")[2].partition("\n## ")[0]

    assert len(set(one.categories)) == len(one.categories)
    assert all(f"`{category}`" in page for category in one.categories)
    assert not [category for category in one.categories if category != category.strip() or not category.isascii()]


@each_rule
def test_no_finding_has_a_category_that_its_rule_does_not_declare(one: Rule) -> None:
    before, after = example(one.id)

    assert all(finding.category in ("", *one.categories) for finding in found(one.id, before, after))
    assert all(finding.category in ("", *one.categories) for finding in scanned(one.id, after))
