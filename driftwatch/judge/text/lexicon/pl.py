"""Polish."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: i, w, na, nie, z, do, to, jest, się, że, o, dla, od, po, przy, oraz, lub, gdy, jeśli, przed, każdy, każdym,
który, która, są, ten, ta
NOT: nie, nigdy, bez, ani, unikaj, żaden, żadnej, żadnego, zabrania, nikomu
TELL: mów, powiedz, informuj*, poinformuj*, wspomina*, wspomnij, powiadam*, powiadom*, ujawnia*, pokazuj, pokaż,
wyświetla*, wyjaśnia*, zgłasza*, zdradza*
REVEAL: wspomina*, wspomnij, ujawnia*, zdradza*, wyjawia*
USER: użytkownik*, klient*, człowiek*, osob*, operator*, właściciel*
SILENT: po cichu, potajemnie, w tajemnicy, niezauważalnie, dyskretnie, ukryj, ukryw*, bez wiedzy, bez informowania,
skrycie, w tle, niepostrzeżenie, cichaczem
IGNORE: zignoruj*, ignoruj*, pomiń, zapomnij*, odrzuć, nie stosuj, obejdź, lekceważ*
SUPERSEDE: mają pierwszeństwo, ma pierwszeństwo, zastępuj*, uchyla*, nadrzędn*, nie obowiązuj*, tracą moc,
unieważnia*, są ważniejsze
PRIOR: poprzedni*, wcześniejsz*, dotychczasow*, powyższ*, istniejąc*, wszystki*, inn*, pierwotn*
INSTRUCTION: instrukcj*, reguł*, zasad*, wytyczn*, polece*, dyrektyw*, ogranicze*, polityk*, prompt*
SYSPROMPT: prompt systemowy, promptu systemowego, komunikat systemowy, instrukcje systemowe, instrukcji systemowych,
twoje instrukcje, początkowe instrukcje
CONVERSATION: rozmow*, konwersacj*, historia czatu, historię czatu, historię rozmowy, dialog*, poprzednie wiadomości,
wiadomość użytkownika, wiadomości użytkownika, pierwotne zapytanie, pełne zapytanie, wszystko co użytkownik,
tok rozumowania, cały kontekst, kontekst sesji, dosłownie
CREDENTIAL: hasł*, klucz*, poświadcze*, token*, sekret*, ciasteczk*, kart* kredytow*, numer karty,
zmienne środowiskowe, kod weryfikacyjny, dane logowania
FILES: plik*, katalog*, folder*, dokument*, kod źródłowy, historia przeglądarki, schowek, schowka, kontakty
SEND: wyślij*, wysyła*, prześlij*, przesyła*, przekaż*, przekazuj*, opublikuj*, udostępni*, kopię do, ukryta kopia,
wgraj*, załaduj na, dostarcz*
READ: przeczytaj*, czytaj*, odczyta*, otwórz*, pobierz*, zbierz*, zbiera*, wyodrębni*, znajdź*, skopiuj*, wczytaj*
INCLUDE: dołącz*, dodaj*, załącz*, przekaż*, wstaw*, umieść*, wpisz*, zapisz*, zapisuj*, podaj*, wypełni*, powtórz*,
streść*, podstawia*
PARAM: parametr*, argument*, pol*, notatk*, komentarz*, metadan*, nagłów*, wartoś*
CALL: wywoł*, użyj*, używa*, uruchom*, skorzystaj*, wykonaj*
EXEC: wykonaj*, uruchom*, zainstaluj*, pobierz*, odpal*
COMMAND: polecen*, skrypt*, bash, curl, wget, sudo, kod*, terminal*, konsol*, powłok*
WRITE: zapisz*, zmień*, usuń*, zastąp*, zaktualizuj*, ustaw*, przekieruj*, przyznaj*, dodaj*, przelej*, zapłać*, kup*,
wyłącz*
TOOL: narzędzi*, funkcj*, serwer*, wtyczk*, łącznik*
OTHER: inn*, wszystki*, każd*, dowoln*, pozostał*
BEFORE: przed, najpierw, potem, następnie, zawsze, za każdym razem, przy każdym, na początku, na końcu, także,
również, dodatkowo, po każdym, uprzednio
MUST: musi*, należy, obowiązkow*, konieczn*, wymaga*, trzeba, powinien, powinna, upewnij się, pilne
MODEL: asystent*, model*, agent*, ai, llm, claude, chatgpt, ty
CONFIRM: potwierdz*, zgod*, zezwole*, pozwole*, pytaj*, zapytaj*, pytani*, akceptacj*
APPROVED: już zatwierdzi*, już zaakceptowa*, już potwierdzi*, już wyrazi* zgodę, uznaje się za zatwierdz*,
uznaje się za zaakceptowan*, z góry zatwierdzon*, potwierdzenie nie jest wymagane, zgoda nie jest wymagana
DISABLE: wyłącz*, pomiń*, pomija*, wycisz*, obejdź*, dezaktywuj*
SAFETY: bezpieczeństw*, kontrol* bezpieczeństwa, dziennik* audytu, ostrzeże*, zapor*, weryfikacj* certyfikatu,
potwierdz*, zabezpiecze*
URGENT: ważne, krytyczn*, pilne, natychmiast, obowiązkow*, uwaga, w przeciwnym razie
AUTHORITY: administrator*, zespół bezpieczeństwa, zgodnoś*, regulamin*, przepis*, prawn*, zarząd*, polityk* firmy,
audyt*, oficjaln*, na polecenie, anthropic, openai
REGARDLESS: niezależnie, bez względu, nawet jeśli użytkownik, zamiast podan*, zamiast tego co
ROLE: jesteś teraz, od teraz jesteś, działaj jako, udawaj, nowa rola, nowe zadanie, tryb deweloperski,
tryb konserwacji, nowe instrukcje
TRIGGER: od teraz, odtąd, od drugiego, od trzeciego, po trzecim, w następnej sesji, następnym razem, do końca sesji,
poza godzinami
SAID: jeśli użytkownik powie, jeśli użytkownik wspomni, gdy użytkownik powie, gdy użytkownik wspomni,
jeśli użytkownik zapyta
PREFER: preferuj*, polecaj*, wybieraj*, wybierz*, rekomenduj*, sugeruj*, lepsz*
MONEY: płatnoś*, przelew*, kont*, rachun*, iban, portfel*, odbiorc*, faktur*, zwrot*
RECIPIENT: odbiorc*, ukryta kopia, uczestnik*, gość, recenzent*, subskrybent*, adresat*
ADVICE: atak*, wstrzyknięci*, złośliw*, phishing*, podatnoś*, wykrywa*, na przykład, chroni przed
BAD: przestarzał*, niebezpieczn*, zepsut*, niedostępn*, nie działa*, wyłączon*, wycofan*
CHANGE: zastąp*, zamień*, zmień*, podmień*, przekieruj*, podstaw*
TREAT: traktuj*, uznaj*, uznaje się, uważaj*, równoważn*, jak gdyby
RESULT: wynik*, odpowied*, wyjści*
ANSWER: podsumowani*, odpowied*, raport*, wyjaśnieni*
EXTEND: obowiązuje dla wszystkich, rozciąga się na, dotyczy wszystkich, pozostaje ważn*
CONTACT: skontaktuj*, połącz*, odwiedź*, zapytaj*
STEP: krok*, wywołani*, przesłani*, operacj*, działani*, kopi*
OTHERTOOL: inne narzędzia, innych serwerów, alternatyw*
BCC: ukryta kopia
RECENT: ostatni*, poprzedni*, wszystki*, cał*, pełn*
UTTERANCE: wiadomoś*, wpis*, słow*, pytani*, napisał*, powiedział*
AGENT: asystent*, model*, agent*, ai, llm, claude, chatgpt
ALWAYS: zawsze, za każdym razem
""")
