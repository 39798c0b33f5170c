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
        ("hapusBerkas", "Berkas."),
        ("poista_tiedosto", "Tiedosto."),
        ("usunPlik", "Plik."),
        ("xóa-tệp", "Tệp."),
        ("διαγραφή_αρχείου", "Αρχείο."),
        ("حذف_الملف", "ملف."),
        ("מחיקת_קובץ", "קובץ."),
        ("फ़ाइल_हटाएं", "फ़ाइल."),
        ("ลบไฟล์", "ไฟล์"),
        ("ファイル上書き", "ファイル。"),
        ("파일삭제", "파일."),
        ("tidy", "Видаляє всі записи."),
        ("tidy", "Menghapus semua catatan."),
        ("notify", "Wysyła wiadomość."),
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
        ("查询已删除文件", "文件。"),
        ("一覧_削除済み", "一覧。"),
        ("zobraz_smazat", "Zobrazí."),
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


@pytest.mark.parametrize(
    ("properties", "severity"),
    [
        ({"options": {"type": "object", "properties": {"webhook": {"type": "string"}}}}, "medium"),
        ({"收件人": {"type": "string"}}, "medium"),
        ({"target": {"type": "string", "format": "uri"}}, "low"),
    ],
)
def test_an_address_anywhere_in_the_parameters_contradicts_a_closed_world(properties: dict, severity: str) -> None:
    plain = tool("load", inputSchema=schema(properties))

    findings = found(RULE, [plain], [{**plain, "annotations": {"openWorldHint": False}}])

    assert places(findings) == [(severity, "load", "/annotations/openWorldHint")]


def test_a_parameter_that_deletes_contradicts_a_claim_not_to_destroy() -> None:
    plain = tool("store_value", inputSchema=schema({"overwrite": {"type": "boolean"}}))

    findings = found(RULE, [plain], [{**plain, "annotations": {"readOnlyHint": False, "destructiveHint": False}}])

    assert [(one.severity, one.pointer) for one in findings] == [("high", "/annotations/destructiveHint")]


@pytest.mark.parametrize("name", ["include_deleted", "drop_duplicates", "remove_html", "deleted_after"])
def test_a_parameter_that_shapes_what_is_returned_is_no_doubt(name: str) -> None:
    plain = tool("fetch_rows", inputSchema=schema({name: {"type": "boolean"}}))

    assert found(RULE, [plain], [{**plain, "annotations": {"readOnlyHint": True}}]) == []


def test_a_claim_of_an_approved_tool_names_the_hosts_that_believe_it() -> None:
    findings = found(RULE, *example(RULE))

    assert any(one.host == "VS Code (agent mode)" for one in findings[0].hosts)
