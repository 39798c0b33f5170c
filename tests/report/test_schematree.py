"""Two schemas as one tree: every difference is in it, and each place says what it means."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.judge import pointer as at
from driftwatch.judge.canonical import same
from driftwatch.judge.pointer import ABSENT
from driftwatch.report.schematree import NODES, SchemaNode, State, meaning_words, schema_tree

LEAF = st.one_of(
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["string", "integer", ["string", "null"]])}),
    st.fixed_dictionaries({"enum": st.lists(st.sampled_from(["a", "b", 1]), max_size=2)}),
    st.fixed_dictionaries({"description": st.text(max_size=8), "maxLength": st.integers(0, 3)}),
    st.booleans(),
    st.sampled_from([None, 3, "x", [], {"$ref": "#/$defs/a"}, {"const": None}, {"default": 1}]),
)


def inside(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(st.sampled_from(["a", "b", "~/c", ""]), inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": named,
            "$defs": named,
            "required": st.lists(st.sampled_from(["a", "b", "z"]), max_size=3),
            "items": inner,
            "anyOf": st.lists(inner, max_size=2),
            "additionalProperties": inner,
            "title": st.text(max_size=4),
        },
    )


SCHEMAS = st.recursive(LEAF, inside, max_leaves=8)
SWAPPED = {State.ADDED: State.REMOVED, State.REMOVED: State.ADDED}


def place(tree: SchemaNode, pointer: str) -> SchemaNode:
    return next(node for node in tree.walk() if node.pointer == pointer)


@given(SCHEMAS, SCHEMAS)
def test_a_tree_shows_a_difference_exactly_where_there_is_one(before: Any, after: Any) -> None:
    tree = schema_tree(before, after)

    assert (tree.changes > 0) is not same(before, after)
    for node in tree.walk():
        assert (node.state is State.SAME) is (node.changes == 0)


@given(SCHEMAS, SCHEMAS)
def test_both_directions_show_the_same_places(before: Any, after: Any) -> None:
    there, back = schema_tree(before, after), schema_tree(after, before)

    states = sorted((node.lead, node.name, SWAPPED.get(node.state, node.state)) for node in there.walk())
    assert states == sorted((node.lead, node.name, node.state) for node in back.walk())


@given(SCHEMAS, SCHEMAS)
def test_every_node_holds_what_its_pointer_leads_to(before: Any, after: Any) -> None:
    for node in schema_tree(before, after).walk():
        side = before if node.after is ABSENT else after
        held = node.before if node.after is ABSENT else node.after
        assert at.get(side, node.pointer) is held


@given(SCHEMAS)
def test_a_schema_laid_over_itself_is_the_same_everywhere(schema: Any) -> None:
    assert all(node.itself is State.SAME for node in schema_tree(schema, schema).walk())


def test_a_parameter_that_came_says_what_it_takes() -> None:
    before = {"type": "object", "properties": {"path": {"type": "string"}}}
    after = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "context": {"type": "string", "description": "All of it."}},
        "required": ["context"],
    }

    tree = schema_tree(before, after, "/inputSchema")

    new = place(tree, "/inputSchema/properties/context")
    assert (new.state, new.was, new.now) == (State.ADDED, "", "string, required")
    assert [(fact.keyword, fact.state) for fact in new.facts] == [("description", State.ADDED)]
    assert place(tree, "/inputSchema/properties/path").state is State.SAME


def test_a_changed_limit_says_what_it_means_with_an_example() -> None:
    before = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    after = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 100}}}

    node = place(schema_tree(before, after), "/properties/limit")

    assert [(fact.keyword, fact.before, fact.after) for fact in node.facts] == [("maximum", ABSENT, 100)]
    assert meaning_words(node.meaning).startswith("takes less than before; gone, for example: ")
    assert meaning_words(node.meaning, returned=True).startswith("may be less than before; gone, for example: ")


def test_a_description_that_changed_means_the_same_and_comes_word_by_word() -> None:
    before = {"type": "string", "description": "One file."}
    after = {"type": "string", "description": "Every file."}

    tree = schema_tree(before, after)

    assert meaning_words(tree.meaning) == "takes the same values as before"
    assert [(one.was, one.text) for one in tree.facts[0].text.segments] == [
        ("removed", "One"),
        ("added", "Every"),
        ("same", " file."),
    ]


def test_what_became_required_is_a_change_of_the_parameter() -> None:
    before = {"properties": {"path": {"type": "string"}}}
    after = {**before, "required": ["path"]}

    node = place(schema_tree(before, after), "/properties/path")

    assert (node.state, node.was, node.now) == (State.CHANGED, "string", "string, required")


def test_a_change_that_no_line_tells_is_shown_as_it_was_received() -> None:
    before = {"required": ["a", "b"], "properties": {"a": {}, "b": {}}}
    after = {"required": ["b", "a"], "properties": {"a": {}, "b": {}}}

    tree = schema_tree(before, after)

    assert [(fact.keyword, fact.before, fact.after) for fact in tree.facts] == [("required", ["a", "b"], ["b", "a"])]


def test_a_huge_schema_is_laid_out_to_a_limit_and_says_where_it_ends() -> None:
    wide = {"properties": {f"p{number}": {"type": "string"} for number in range(NODES + 5)}}
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        deep = {"properties": {"in": deep}}

    assert schema_tree(wide, {**wide, "title": "new"}).deeper
    assert [node.deeper for node in schema_tree(deep, {**deep, "title": "x"}).walk()][-1]


def test_a_difference_below_the_limit_is_still_a_difference() -> None:
    def nested(end: dict[str, Any]) -> dict[str, Any]:
        for _ in range(30):
            end = {"properties": {"in": end}}
        return end

    tree = schema_tree(nested({"type": "string"}), nested({"type": "integer"}))

    last = list(tree.walk())[-1]
    assert (last.deeper, last.itself) == (True, State.CHANGED)
    assert last.facts[0].keyword == "properties"


def test_what_is_no_schema_is_shown_as_it_is() -> None:
    tree = schema_tree({"type": "object"}, ["no", "schema"])

    assert (tree.state, tree.now) == (State.CHANGED, "not a schema")
    assert tree.facts[-1].after == ["no", "schema"]


def test_hostile_names_stay_raw_in_the_data_and_are_safe_in_the_lines() -> None:
    tree = schema_tree({}, {"properties": {"\x1b[31mx": {"enum": ["\u202e"]}}})

    (child,) = tree.children
    assert child.name == "\x1b[31mx"
    assert child.now == 'one of "\\u{202E}"'
