"""The rule face-changed."""

from __future__ import annotations

import pytest
from face_kit import faces, other_face, poisoned
from rule_kit import example, found, hinted, tool

from driftwatch.judge.judge import compare
from driftwatch.model import Verdict

RULE = "face-changed"


def test_the_change_is_named_with_whose_list_it_is() -> None:
    finding = found(RULE, *example(RULE))[0]

    assert "“claude-code”" in finding.message
    assert (finding.item, finding.pointer) == ("list_tickets", "/description")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([tool()], [tool(description="List the tickets that are open.")]),
        ([tool()], poisoned([tool()])),
        ([hinted(readOnlyHint=True)], [hinted(readOnlyHint=False)]),
        ([tool(), tool("get_ticket")], [tool()]),
    ],
)
def test_it_weighs_what_the_same_change_weighs_in_an_ordinary_list(before: object, after: object) -> None:
    face = other_face(before, after, Verdict.DRIFTED, cause="credential")

    assert [one.severity for one in found(RULE, [], [], faces(face))] == [compare(before, after).worst]


def test_faces_that_stand_otherwise_are_not_told_here() -> None:
    for verdict in (Verdict.DIFFERS, Verdict.LEARNED):
        assert found(RULE, [], [], faces(other_face([tool()], [], verdict))) == []
