"""The rule face-suspect."""

from __future__ import annotations

from face_kit import faces, other_face
from rule_kit import example, found, tool

from driftwatch.model import Verdict

RULE = "face-suspect"


def test_an_order_in_a_list_that_some_capabilities_get_is_told() -> None:
    finding = found(RULE, *example(RULE))[0]

    assert finding.severity >= "high"
    assert "capabilities" in finding.message


def test_an_honest_list_of_another_credential_is_not() -> None:
    subset = other_face([tool(), tool("get_ticket")], [tool()], Verdict.LEARNED, cause="credential")
    more = other_face([tool()], [tool(), tool("close_ticket")], Verdict.LEARNED, cause="credential")

    assert found(RULE, [], [], faces(subset, more)) == []
