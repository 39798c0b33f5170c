"""The rule catalogue: one file a rule, one line a rule here."""

from __future__ import annotations

from driftwatch.judge.rules import (
    annotations_first,
    capability_changed,
    description_changed,
    duplicate_name,
    gate_loosened,
    gate_tightened,
    header_mirrored,
    hidden_characters,
    hint_contradictory,
    hint_implausible,
    hint_loosened,
    hint_malformed,
    hint_restated,
    hint_undeclared,
    hint_widened,
    hint_withdrawn,
    icon_changed,
    instructions_changed,
    item_added,
    item_malformed,
    item_removed,
    item_renamed,
    list_emptied,
    meta_changed,
    name_collision,
    other_changed,
    output_schema_changed,
    parameter_added,
    parameter_removed,
    parameter_required,
    parameter_sink,
    protocol_changed,
    schema_changed,
    schema_cosmetic,
    schema_default,
    schema_malformed,
    schema_narrowed,
    schema_widened,
    server_renamed,
    text_injection,
    title_changed,
    version_changed,
)
from driftwatch.judge.rules.base import Rule

__all__ = ["RULES", "Rule", "rule"]

RULES: tuple[Rule, ...] = (
    hint_loosened.RULE,
    hint_widened.RULE,
    hint_withdrawn.RULE,
    hint_implausible.RULE,
    hint_malformed.RULE,
    hint_contradictory.RULE,
    hint_restated.RULE,
    hint_undeclared.RULE,
    annotations_first.RULE,
    gate_loosened.RULE,
    gate_tightened.RULE,
    item_added.RULE,
    item_removed.RULE,
    item_renamed.RULE,
    list_emptied.RULE,
    name_collision.RULE,
    duplicate_name.RULE,
    text_injection.RULE,
    hidden_characters.RULE,
    description_changed.RULE,
    title_changed.RULE,
    parameter_added.RULE,
    parameter_removed.RULE,
    parameter_required.RULE,
    parameter_sink.RULE,
    schema_widened.RULE,
    schema_narrowed.RULE,
    schema_changed.RULE,
    schema_default.RULE,
    schema_cosmetic.RULE,
    schema_malformed.RULE,
    header_mirrored.RULE,
    output_schema_changed.RULE,
    instructions_changed.RULE,
    server_renamed.RULE,
    version_changed.RULE,
    protocol_changed.RULE,
    capability_changed.RULE,
    icon_changed.RULE,
    meta_changed.RULE,
    item_malformed.RULE,
    other_changed.RULE,
)
"""All rules. The order is that of the catalogue; what rules find does not depend on it."""

_BY_ID = {entry.id: entry for entry in RULES}


def rule(rule_id: str) -> Rule:
    """Give a rule by its id; raises `KeyError` for an unknown one."""
    return _BY_ID[rule_id]
