"""The version of the rule set moves with everything that says what is found, and with nothing else."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys

import pytest

import driftwatch.judge
from driftwatch.judge.judge import RULESET
from driftwatch.judge.ruleset import DATA, REVISION, constants, digest, spelled
from driftwatch.judge.text.lexicon import LEXICONS
from driftwatch.judge.text.signals import ENTRIES, PATTERNS

TELLS_NOTHING = {
    *("bounded", "inside", "recalled"),
    *(
        "align",
        "answered",
        "canonical",
        "catalogue",
        "composite",
        "context",
        "coverage",
        "diff",
        "edited",
        "expectations",
        "facts",
        "globs",
        "hosts",
        "hosts.page",
        "intake",
        "judge",
        "pointer",
        "policy",
        "policy.page",
        "policy.policy",
        "policy.where",
        "rules",
    ),
    *("rules.base", "ruleset", "snapshot", "text.visible"),
}
"""How values are read, laid side by side and shown: no word list, no signal. Their code is held by `REVISION`."""
HELD_BY_OTHERS = re.compile(r"text\.lexicon\.\w+|text\.signals(\.base)?")
"""What `lexicon` and the tables of signals gather."""


def test_the_version_names_its_revision_and_its_data() -> None:
    assert f"{REVISION}.{digest()[:8]}" == RULESET


def test_every_module_of_the_judge_with_constants_counts_or_is_known_to_tell_nothing() -> None:
    names = {module.name for module in pkgutil.walk_packages(driftwatch.judge.__path__, "driftwatch.judge.")}
    told = {name for name in names if any(constants(name))}

    short = {name.removeprefix("driftwatch.judge.") for name in told - set(DATA)}
    assert {name for name in short if not HELD_BY_OTHERS.fullmatch(name)} == TELLS_NOTHING


def test_every_term_and_every_signal_is_in_it() -> None:
    seen = {id(value) for module in DATA for _, value in constants(module)}

    assert id(LEXICONS) in seen
    for table in (ENTRIES, PATTERNS):
        spelling = "\0".join(spelled(table))
        assert all(entry.id in spelling and entry.why in spelling for entry in table)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b"), ("a", "c")),
        (("a", "b"), ("b", "a")),
        ({"a": ("b",)}, {"a": ("c",)}),
        ({"a": ("b",)}, {"a": (), "b": ()}),
        (frozenset({"a", "b"}), frozenset({"a", "c"})),
        (re.compile("a"), re.compile("a", re.IGNORECASE)),
        (1, 1.5),
        ((("a",), ("b",)), (("a", "b"),)),
    ],
)
def test_another_value_is_spelled_otherwise(one: object, other: object) -> None:
    assert list(spelled(one)) != list(spelled(other))


def test_it_is_the_same_in_every_process() -> None:
    command = [sys.executable, "-c", "from driftwatch.judge.judge import RULESET; print(RULESET)"]

    told = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True, timeout=60
        ).stdout.strip()
        for seed in ("1", "2")
    }

    assert told == {RULESET}


def test_a_module_is_told_by_its_full_name_even_where_a_function_bears_the_short_one() -> None:
    assert all(importlib.import_module(name).__name__ == name for name in DATA)
    assert dict(constants("driftwatch.judge.text.hidden"))["_NEAR"]
