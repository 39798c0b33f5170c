"""The rule meta-changed."""

from __future__ import annotations

from rule_kit import example, found, places, tool

RULE = "meta-changed"


def test_another_value_is_info() -> None:
    assert places(found(RULE, *example(RULE))) == [("info", "list_tickets", "/_meta/example.com~1tier")]


def test_gates_are_left_to_their_rules() -> None:
    assert found(RULE, [tool()], [tool(_meta={"anthropic/requiresUserInteraction": True})]) == []


def test_noise_in_the_meta_of_many_tools_is_one_finding() -> None:
    names = ["a", "b", "c", "d"]
    before, after = ([tool(name, _meta={"build": f"{name}{number}"}) for name in names] for number in (1, 2))

    (finding,) = found(RULE, before, after)

    assert (finding.severity, finding.items) == ("info", tuple(names))


def test_what_stands_beside_a_gate_is_no_gate() -> None:
    seen = {"visibility": ["model"]}

    assert found(RULE, [tool()], [tool(_meta={"ui": seen})]) == []
    beside = found(RULE, [tool()], [tool(_meta={"ui": {**seen, "resourceUri": "ui://page"}})])
    assert places(beside) == [("info", "list_tickets", "/_meta")]
    other = found(RULE, [tool(_meta={})], [tool(_meta={"ui": {"x": 1}})])
    assert places(other) == [("info", "list_tickets", "/_meta/ui")]


def test_a_long_value_is_cut_inside_its_brackets() -> None:
    meta = {"example.com/notes": "Kept by the team for the next release of the house.", "more": [1, 2, 3]}

    (finding,) = found(RULE, [tool()], [tool(_meta=meta)])

    assert '{"example.' in finding.message
    assert finding.message.endswith("…}.")
    assert finding.message.count("{") == finding.message.count("}")
