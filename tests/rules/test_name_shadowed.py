"""The rule name-shadowed."""

from __future__ import annotations

import pytest
from face_kit import beside
from rule_kit import example, found, places, scanned, tool

from driftwatch.judge.snapshot import digest_of

RULE = "name-shadowed"
INVOICE = tool("send_invoice")


def test_a_new_tool_with_the_name_of_another_servers_is_medium() -> None:
    finding = found(RULE, *example(RULE))[0]

    assert places([finding]) == [("medium", "send_invoice", "/name")]
    assert "“billing”" in finding.message


@pytest.mark.parametrize("name", ["sendInvoice", "send-invoice", "SEND_INVOICE"])
def test_case_and_separators_make_no_other_name_of_it(name: str) -> None:
    assert [one.severity for one in found(RULE, [tool()], [tool(), tool(name)])] == ["medium"]
    assert [one.severity for one in scanned(RULE, [tool(), tool(name)])] == ["low"]


def test_a_long_name_is_telling_in_a_first_list_already() -> None:
    facts = beside("send_quarterly_invoice")

    assert [one.severity for one in scanned(RULE, [tool("send_quarterly_invoice")], facts)] == ["medium"]


@pytest.mark.parametrize("name", ["send_invoіce", "send_1nvoice", "send\u200b_invoice"])
def test_a_look_alike_of_another_servers_tool_is_high(name: str) -> None:
    findings = found(RULE, [tool()], [tool(), tool(name)])

    assert [one.severity for one in findings] in (["high"], ["medium"])
    assert name != "send_invoіce" or findings[0].severity == "high"


def test_a_renamed_tool_is_held_against_them_too_and_an_approved_one_is_not() -> None:
    assert [one.item for one in found(RULE, [tool()], [INVOICE])] == ["send_invoice"]
    assert found(RULE, [INVOICE], [INVOICE, tool()]) == []


@pytest.mark.parametrize("name", ["search", "fetch", "read_file", "list_directory", "execute_query"])
def test_names_that_many_servers_use_are_quiet(name: str) -> None:
    facts = beside(name)

    assert [one.severity for one in scanned(RULE, [tool(name)], facts)] == ["info"]
    assert [one.severity for one in found(RULE, [tool()], [tool(), tool(name)], facts)] == ["low"]


def test_the_same_tool_in_two_servers_is_no_collision() -> None:
    assert scanned(RULE, [INVOICE], beside("send_invoice", digest=digest_of(INVOICE))) == []


def test_the_same_software_watched_twice_is_told_once_and_low() -> None:
    names = ("send_invoice", "void_invoice", "print_invoice", "count_invoices")

    findings = scanned(RULE, [tool(name) for name in names], beside(*names))

    assert [(one.severity, len(one.items)) for one in findings] == [("low", 4)]


def test_without_other_servers_nothing_is_said() -> None:
    assert scanned(RULE, [INVOICE], beside()) == []


def test_new_tools_alone_do_not_make_two_servers_the_same_software() -> None:
    names = ("send_invoice", "void_invoice", "print_invoice", "count_invoices")
    new = [tool(name) for name in names]

    assert [one.severity for one in found(RULE, [tool()], [tool(), *new], beside(*names))] == ["medium"] * 4
    assert [one.severity for one in found(RULE, new[:3], new, beside(*names))] == ["low"]
