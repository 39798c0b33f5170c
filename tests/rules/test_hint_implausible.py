"""The rule hint-implausible."""

from __future__ import annotations

import pytest
from rule_kit import example, found, hinted, places, schema, tool

RULE = "hint-implausible"


def test_a_deleting_name_that_claims_to_read_is_high() -> None:
    findings = found(RULE, *example(RULE))

    assert places(findings) == [("high", "closeAndDeleteProject", "/annotations/readOnlyHint")]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("remove_user", "Users."),
        ("purgeCache", "Cache."),
        ("konto-löschen", "Konto."),
        ("supprimer_dossier", "Dossier."),
        ("eliminarUsuario", "Usuario."),
        ("удалить_файл", "Файл."),
        ("文件删除", "文件。"),
        ("sendMail", "Mail."),
        ("tidy", "Overwrites the file with what is given."),
        ("tidy", "Löscht alle Einträge."),
    ],
)
def test_names_and_texts_in_several_languages_contradict_a_read_only_claim(name: str, description: str) -> None:
    plain = tool(name, description=description)

    findings = found(RULE, [plain], [{**plain, "annotations": {"readOnlyHint": True}}])

    assert [one.severity for one in findings] == ["high"]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("list_deleted_files", "Lists the files that were deleted."),
        ("get_update_status", "Tells how far an update is."),
        ("search", "Searches. It does not delete or overwrite anything."),
        ("preview_delete", "Shows what a deletion would remove, without removing it."),
    ],
)
def test_readers_that_only_speak_of_writing_are_believed(name: str, description: str) -> None:
    plain = tool(name, description=description)

    assert found(RULE, [plain], [{**plain, "annotations": {"readOnlyHint": True}}]) == []


def test_a_text_that_says_overwrites_contradicts_a_claim_of_only_adding() -> None:
    plain = tool("store", description="Stores a value. Overwrites what was there.")

    findings = found(RULE, [plain], [{**plain, "annotations": {"readOnlyHint": False, "destructiveHint": False}}])

    assert [one.pointer for one in findings] == ["/annotations/destructiveHint"]


def test_an_address_parameter_contradicts_a_closed_world() -> None:
    plain = tool("load", inputSchema=schema({"targetUrl": {"type": "string"}}))

    findings = found(RULE, [plain], [{**plain, "annotations": {"openWorldHint": False}}])

    assert places(findings) == [("medium", "load", "/annotations/openWorldHint")]


def test_among_tools_annotated_for_the_first_time_the_implausible_one_stands_out() -> None:
    names = ["list_tickets", "get_ticket", "delete_ticket"]

    findings = found(RULE, [tool(name) for name in names], [hinted(name, readOnlyHint=True) for name in names])

    assert places(findings) == [("high", "delete_ticket", "/annotations/readOnlyHint")]
