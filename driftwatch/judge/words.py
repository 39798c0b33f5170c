"""Word lists that say what a tool does, in several languages, and how to read them off a name or a sentence.

Our own lists. A name speaks by its first verb: `get_delete_log` reads, `deleteLog` does not. A sentence speaks by
what it says the tool does; a denial beside the word ("does not delete") takes it back.
"""

from __future__ import annotations

import re

from driftwatch.judge.names import word_set, words

READS = word_set("""
    get list read search find fetch query describe show view count check validate verify preview diff explain
    lookup look inspect analyze analyse browse compare summarize summarise status info is has help scan stat
    stats head tail grep resolve retrieve ask calculate compute convert parse test estimate detect audit monitor
    watch suche suchen lese lesen liste zeige zeigen hole holen pruefe prüfe lire lister chercher afficher
    obtenir buscar leer listar obtener mostrar ler mostra cerca leggi elenca zoek lees toon
    hämta visa sök hent vis søg søk hae näytä etsi olvas keres mutat caută arată citește lihat cari baca tampilkan
    xem tìm đọc göster ara oku listele pokaż szukaj czytaj pobierz zobraz najdi čti показать найти прочитать список
    δείξε βρες διάβασε показати знайти прочитати
""")

DESTROYS = word_set("""
    delete remove destroy drop purge wipe erase truncate uninstall unlink revoke terminate kill overwrite
    discard trash nuke prune deprovision decommission rm rmdir unpublish evict loesche lösche loeschen löschen
    entferne entfernen ueberschreibe überschreibe ueberschreiben überschreiben vernichte supprimer supprime
    effacer efface détruire detruire écraser ecraser retirer eliminar elimina borrar borra destruir sobrescribir
    quitar excluir exclui apagar apaga remover sobrescrever eliminare cancellare cancella rimuovere rimuovi
    sovrascrivere distruggere verwijder verwijderen wis wissen overschrijven usuń usun usuwa skasuj sil kaldır
    temizle radera удалить удаляет удали стереть очистить перезаписать уничтожить видалити очистити стерти
    entleere entleeren vernichten smazat smaž odstranit odstraň vymazat slet slette slett fjern fjerne tuhoa poista
    töröl töröld törlés eltávolít șterge sterge hapus padam xóa xoá διαγραφή διέγραψε διαγράφει изтрий изтриване
    obriši izbriši wyczyść nadpisz üzerine
""")

MAYBE_DESTROYS = word_set("""
    archive clear reset close cancel disable expire rollback revert clean empty leeren vider vaciar
""")
"""Words that name a thing as often as a deed: they count only at the head of a name that holds no reading verb."""

WRITES = word_set("""
    refund withdraw wire ban suspend mute unsubscribe subscribe schedule restart reboot shutdown launch enqueue
    reject lock unlock attach detach import sync migrate rotate mark label pin fork rebase replace inject
    eject flush upgrade downgrade patch
    create update write set add insert edit modify rename move append put patch upsert save send publish upload
    assign grant approve merge deploy execute install invite transfer pay buy purchase register enable restore
    submit erstelle erstellen aktualisiere aktualisieren schreibe schreiben aendere ändern sende senden
    speichern hinzufuegen créer creer cree modifier écrire ecrire envoyer ajouter enregistrer crear actualizar
    escribir enviar modificar agregar guardar criar atualizar escrever salvar adicionar creare aggiornare
    scrivere inviare modificare aggiungere maak wijzig schrijf verzend verstuur opslaan создать обновить
    записать отправить изменить добавить створити надіслати змінити додати skapa skicka ändra spara opret gem
    opprett lagre luo lähetä muuta tallenna létrehoz küld módosít ment creează trimite modifică salvează buat kirim
    ubah simpan tạo gửi sửa lưu oluştur gönder değiştir kaydet yaz utwórz wyślij zmień zapisz dodaj vytvoř odešli
    uprav ulož přidej δημιούργησε στείλε άλλαξε αποθήκευσε създай изпрати промени запази napravi pošalji
""")

MAYBE_WRITES = word_set("""
    post commit push run order book charge message mail notify reply comment email share
""")

READS_UNSPACED = (
    *("列出", "查询", "查詢", "获取", "獲取", "搜索", "查看", "读取", "讀取", "显示", "顯示"),
    *("一覧", "検索", "取得", "表示", "参照", "確認", "조회", "목록", "검색", "보기", "읽기"),
    *("عرض", "قراءة", "بحث", "הצג", "חפש", "קרא", "दिखाएं", "देखें", "खोजें", "แสดง", "ค้นหา", "อ่าน"),
)
"""Words of scripts that put no gaps between words, or that join them: looked for inside a name."""

DESTROYS_UNSPACED = (
    *("删除", "刪除", "移除", "清空", "覆盖", "覆蓋", "销毁", "擦除"),
    *("削除", "上書き", "消去", "破棄", "삭제", "제거", "덮어"),
    *("حذف", "امسح", "إزالة", "מחק", "מחיקה", "מחיקת", "הסר", "हटाएं", "हटाओ", "मिटाएं", "मिटाओ", "ลบ", "เขียนทับ"),
)
WRITES_UNSPACED = (
    *("发送", "發送", "创建", "建立", "更新", "修改", "写入", "寫入", "上传"),
    *("送信", "作成", "変更", "書き込", "전송", "생성", "수정"),
    *("إرسال", "إنشاء", "تعديل", "שלח", "צור", "עדכן", "भेजें", "बनाएं", "बदलें", "ส่ง", "สร้าง", "แก้ไข"),
)

PARAMETER_DESTROYS = word_set("""
    overwrite delete erase wipe destroy purge ueberschreiben überschreiben loeschen löschen supprimer écraser ecraser
    borrar eliminar sobrescribir apagar sobrescrever cancellare eliminare sovrascrivere verwijderen overschrijven
    удалить перезаписать
""")
"""Words that say at the head of a parameter's name that the tool can destroy. “Remove” and “drop” more often shape
what is returned."""

_DENIAL = re.compile(
    r"\b(not|never|no|without|cannot|can't|doesn't|don't|won't|nothing|neither|nor|instead of|rather than|unlike|"
    r"nicht|nie|kein\w*|ohne|sans|jamais|ne|pas|sin|nunca|sem|senza|non|mai|niet|zonder|не|без)\b[^.;:!?]{0,40}$",
    re.IGNORECASE,
)
_DESTROYING_DEED = re.compile(
    r"(?:^|[.!?;:\n]\s{0,8}|\b(?:and|then|will|also|permanently|irreversibly)\s+)"
    r"(deletes?|removes?|destroys?|drops?|purges?|wipes?|erases?|truncates?|overwrites?|revokes?|terminates?|discards?|uninstalls?"
    r"|löscht|entfernt|überschreibt|supprime|efface|écrase|elimina|borra|sobrescribe|exclui|apaga|cancella|rimuove|"
    r"sovrascrive|verwijdert|usuwa|siler|удаляет|стирает|перезаписывает|видаляє|изтрива|raderar|sletter|fjerner|"
    r"poistaa|törli|șterge|menghapus|xóa|smaže|odstraní|διαγράφει|briše|nadpisuje)\b",
    re.IGNORECASE,
)
_DESTRUCTIVE_WORD = re.compile(
    r"\b(overwrit(?:es|ing|ten)|irreversibl[ey]|cannot be undone|can't be undone|permanently (?:delet|remov|eras)\w+|"
    r"destructive(?! ?hint)|unwiderruflich|irréversible\w*|irreversible\w*)\b",
    re.IGNORECASE,
)
_WRITING_DEED = re.compile(
    r"(?:^|[.!?;:\n]\s{0,8}|\b(?:and|then|will|also)\s+)"
    r"(creates?|updates?|writes?|inserts?|modif(?:y|ies)|renames?|moves?|appends?|sends?|publish(?:es)?|uploads?|archives?|"
    r"transfers?|deploys?|installs?|executes?|charges?|changes?|closes?|cancels?|edits?|"
    r"erstellt|aktualisiert|schreibt|sendet|ändert|verschickt|crée|modifie|envoie|écrit|crea|actualiza|escribe|envía|modifica|"
    r"cria|atualiza|envia|escreve|aggiorna|scrive|invia|отправляет|создаёт|создает|изменяет|записывает|"
    r"створює|надсилає|skapar|skickar|ändrar|opretter|sender|luo|lähettää|muuttaa|létrehozza|elküldi|creează|trimite|"
    r"membuat|mengirim|mengubah|tạo|gửi|oluşturur|gönderir|değiştirir|tworzy|wysyła|zmienia|vytvoří|odešle|upraví|"
    r"maakt|verstuurt|wijzigt|schrijft|δημιουργεί|στέλνει|създава|изпраща)\s",
    re.IGNORECASE,
)
_OPEN_DEED = re.compile(
    r"\b(?:the (?:public )?(?:web|internet)|world wide web|any (?:url|website|web page)|"
    r"external (?:service|api|site|server)s?|"
    r"sends? (?:an? )?(?:e-?mail|sms|text message|webhook)s?|third[- ]party (?:service|api|server)s?)\b",
    re.IGNORECASE,
)


def name_destroys(name: str) -> str:
    """Give the word in a name that says the tool destroys, or nothing."""
    return _first_deed(name, DESTROYS, MAYBE_DESTROYS) or _inside(name, DESTROYS_UNSPACED)


def name_writes(name: str) -> str:
    """Give the word in a name that says the tool changes something, or nothing."""
    return (
        _first_deed(name, DESTROYS | WRITES, MAYBE_DESTROYS | MAYBE_WRITES)
        or _inside(name, DESTROYS_UNSPACED)
        or _inside(name, WRITES_UNSPACED)
    )


def name_reads(name: str) -> bool:
    """Say whether the first deed in a name is a reading one."""
    return any(word in READS for word in words(name)) and not name_writes(name)


def parameter_destroys(name: str) -> str:
    """Give the word by which a parameter's name says that the tool can destroy, or nothing."""
    head = next(iter(words(name)), "")
    return head if head in PARAMETER_DESTROYS else ""


def text_destroys(text: str) -> str:
    """Give the words in a text that say the tool destroys or overwrites, or nothing."""
    return _claim(_DESTROYING_DEED, text) or _claim(_DESTRUCTIVE_WORD, text) or _contained(text, DESTROYS_UNSPACED)


def text_writes(text: str) -> str:
    """Give the words in a text that say the tool changes something, or nothing. Only its first sentence is read."""
    head = re.split(r"(?<=[.!?。])\s|\n", text.strip(), maxsplit=1)[0]
    return text_destroys(head) or _claim(_WRITING_DEED, head + " ") or _contained(head, WRITES_UNSPACED)


def text_reaches_out(text: str) -> str:
    """Give the words in a text that say the tool reaches outside, or nothing."""
    return _claim(_OPEN_DEED, text)


def _first_deed(name: str, deeds: frozenset[str], doubtful: frozenset[str]) -> str:
    parts = words(name)
    for word in parts:
        if word in READS:
            return ""
        if word in deeds:
            return word
    if parts and parts[0] in doubtful and not READS & set(parts):
        return parts[0]
    return ""


def _inside(name: str, needles: tuple[str, ...]) -> str:
    """Give the deed in a name whose words run together, unless it begins with one that reads."""
    first = min((name.find(word) for word in READS_UNSPACED if word in name), default=len(name))
    deed = _contained(name, needles)
    return deed if deed and name.find(deed) < first else ""


def _contained(text: str, needles: tuple[str, ...]) -> str:
    return next((needle for needle in needles if needle in text), "")


def _claim(pattern: re.Pattern[str], text: str) -> str:
    for match in pattern.finditer(text):
        if not _DENIAL.search(text[max(0, match.start() - 60) : match.start(match.lastindex or 0)]):
            return match.group(match.lastindex or 0).strip()
    return ""
