"""What several items of a kind are called, wherever a person reads it."""

from __future__ import annotations

import pytest

from driftwatch.judge.judge import compare_snapshots
from driftwatch.judge.snapshot import take
from driftwatch.model import Kind

NOUNS = {
    Kind.SERVER: "servers",
    Kind.TOOL: "tools",
    Kind.PROMPT: "prompts",
    Kind.RESOURCE: "resources",
    Kind.RESOURCE_TEMPLATE: "resource templates",
    Kind.LAUNCH: "launches",
    Kind.ENTRY: "entries",
    Kind.PROMPT_BODY: "prompt bodies",
}


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_has_a_plural(kind: Kind) -> None:
    assert kind.nouns == NOUNS[kind]


def test_a_wave_of_entries_is_counted_in_plain_words() -> None:
    before = {"entries": [{"name": name, "command": name, "settings": {"x": 1}} for name in "abcd"]}
    after = {"entries": [{"name": name, "command": name, "settings": {"x": 2}} for name in "abcd"]}

    said = [one.message for one in compare_snapshots(take(before), take(after)).findings]

    assert any("entries" in one for one in said)
    assert not any("entrys" in one for one in said)
