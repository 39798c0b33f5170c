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
FAILED: błąd*, błęd*, niepowodzen*, nieudan*, nie powiodł*, nie powiedzie, brak, brakuj*, odrzucon*, odmow*, utracon*,
zagubion*, luk, luki, lukę, nieosiągaln*, niedostępn*, niekompletn*, przerwan*, spóźnion*, opóźn*, pust*, nieobecn*
VALUES: wartoś*, liczb*, wynik*, odczyt*, pomiar*, sum, suma, sumę, dat, data, datę, kwot*, źródł*, numer*, podpis*,
identyfikator*, dane, danych
EVENIF: nawet jeśli, nawet gdy, niezależnie, bez względu, zawsze, w każdym przypadku, w razie wątpliwości, choćby,
cokolwiek, jakikolwiek
IFASKED: jeśli ktoś zapyta, gdy ktoś zapyta, jeśli zapyta, gdy zapyta, gdyby ktoś zapytał, zapytan*, na pytanie,
na pytania, pytania o, pytanie o, kto zapyta, jeśli użytkownik zapyta, gdy użytkownik zapyta, gdyby pytał*, pyta o,
pyta dlaczego, zapyta dlaczego, w razie pytań
DENY: zaprzecz*, zmień temat, zmienia temat, zmieniaj temat, udawaj, udaje, udawać, wymijając*, wykręć, wypieraj,
wyprzyj, zrzuć, zrzuca, przypisz, przypisuje, zwal, obwin*, nie istnieje, nie ma takiego, mów o, mówi się o,
powołaj się, przecząco
SESSIONS: kolejnych sesj*, kolejne sesje, następnej sesji, następnych sesj*, przyszłych sesj*, przyszłe sesje,
późniejszych sesj*, każdej sesji, każda sesja, każdą sesję, wszystkich sesj*, kolejnych rozm*, przyszłych rozm*,
następnych rozm*, późniejszych rozm*, każdej rozmow*, każdą rozmowę, każdej nowej, każdą nową, nowych rozm*,
wszystkich rozm*, odtąd, na stałe, na trwałe, trwale, od teraz, każdym uruchomieni*, wszystkich projekt*
MEMORYFILE: pamięci długotrwał*, pamięć długotrwał*, pamięci trwał*, trwałej pamięci, trwałą pamięć, swojej pamięci,
twojej pamięci, pamięci asystenta, pamięci agenta, pamięci modelu, pamięci projektu, pamięć asystenta, plik pamięci,
pliku pamięci, plik reguł, pliku reguł, plik z regułami, reguł projektu, reguły projektu, stałych instrukcji,
stałe instrukcje, instrukcji startow*, instrukcje startow*, własnych instrukcji, stałych notat*, trwałych notat*,
plik instrukcji, pliku instrukcji
SUBAGENT: subagent*, podagent*, pod agent*, innych agentów, innym agentom, inni agenci, innych asystentów,
innym asystentom, następny agent, następnego agenta, następnemu agentowi, kolejny agent, kolejnym agentom,
kolejnych agentów, każdy agent, każdego agenta, każdemu agentowi, wszystkim agentom, wszystkich agentów
KEEP: zapamiętaj, zapamięt*, zachowaj, zachow*, zapisz, zapisuj*, zapisać, zapisan*, zapisuje, dopisz, dopis*, wpisz,
wpis*, zanotuj, notuj*, przekaż, przekaz*, przekazuj*, dziedzicz*, dodaj*, dodaje, skopiuj, kopiuj*, utrwal*, umieść,
umieszcz*
ASUSUAL: jak zwykle, jak zawsze, normalnie, jak dotąd, jak dotychczas, nic szczególnego, nic się nie zmienia,
jak gdyby nigdy nic, tak jak przedtem
UNTIL: do tego czasu, do tego momentu, dopóki, dotąd, aż do, do chwili, przedtem, dopiero gdy, dopiero po
DIALOG: dialog*, okno dialog*, okienko, okno potwierdz*, okna potwierdz*, pytanie, pytania, monit*,
prośbę o potwierdzenie, prośba o potwierdzenie, prośby o zgodę, prośbę o zgodę, ostrzeżeni*, potwierdzeni*
DEEMED: uznaje się, uznaje za, uznawan*, uważa się, uważan*, przyjmuje się, domniem*, milcząc*, zakłada się,
liczy się jako, traktuje się, traktowan*, traktuj*, równa się, równoznaczn*, oznacza, poczytuje
OTP: kod jednorazow*, kodu jednorazow*, jednorazowy kod, jednorazowego kodu, jednorazowe hasło, kod weryfikacyjn*,
kodu weryfikacyjn*, kod sms, kodu sms, kod z sms*, kod bezpieczeństwa, kod potwierdzając*
AUTOAPPROVE: zawsze zezwalaj, nie pytaj ponownie, automatyczne zatwierdzanie, zatwierdzaj automatycznie
NOTHING: nic, nikt, nikogo, żaden, żadn*, nigdy, ani, zamiast, nietknięt*, bez zmian
FABRICATE: wymyśl*, zmyśl*, zmyślon*, wiarygodn*, prawdopodobn*, fabryk*, sfabrykow*, sfałszow*, fałszow*, fałszuj,
zmyśla, wyssan*
UNTOLD: zostaje między nami, między nami, między tobą a, zachowaj dla siebie, zatrzymaj dla siebie, przemilcz*,
przemilcza, pomiń milczeniem, milczeniem, nie musi wiedzieć, nie muszą wiedzieć, nie powinien wiedzieć,
nie powinni wiedzieć, nie może się dowiedzieć, nie mogą się dowiedzieć, nie dowie się, nie dowiedzą się, bez wzmianki,
bez wiedzy, ani słowa, ani słowem, w nieświadomości
ONBEHALF: w imieniu, w jego imieniu, w jej imieniu, w ich imieniu, zamiast użytkownika, za użytkownika, za niego,
za nią, za nich, na własną rękę, w zastępstwie, sam odpowiedz
YES: twierdząc*, odpowiedz, odpowiada, odpowiadaj, zaakceptuj, akceptuj*, zatwierdź, zatwierdz*, potwierdź,
potwierdza*, zaznacz*, kliknij, klika, zgódź, zgadza
FORBID: nieużywan*, na boku, pomijan*, wycofan*, odstawion*, zakazan*, nie są już używane, nie jest już używan*,
wyłączone z użycia, w spoczynku
ASSENT: zgoda, zgodą, zgody, zgodę, akceptacja, akceptację, aprobat*, zezwolenie
ASSUCCESS: jako udan*, jako pomyśln*, jako ukończon*, jako zakończon*, jako doręczon*, jako dostarczon*,
jako potwierdzon*, jako zweryfikowan*, jako wysłan*, jako zgodn*, jako zaliczon*, jako terminow*, jako zmierzon*,
jako kompletn*, jako prawidłow*, za udan*, za pomyśln*, za ukończon*, za zakończon*, za doręczon*, za dostarczon*,
za potwierdzon*, za zweryfikowan*, za wysłan*, za zgodn*, za zaliczon*, za terminow*, za zmierzon*, za kompletn*,
za prawidłow*
SAID: gdy tylko użytkownik, kiedy użytkownik powie, gdy użytkownik powie, jeśli użytkownik wspomni, gdy padnie słowo,
jeśli padnie słowo, kiedy padnie słowo, gdy pojawi się słowo, dopóki użytkownik nie, poczekaj aż użytkownik,
aż użytkownik powie, aż użytkownik wspomni
PASSOFF: przedstaw*, podaj jako, podawan*, podaje się, podane jako, zgłoś*, zgłaszan*, powiedz, mów, mówi się,
odpowiedz, odpowiada, oznajm*, twierdź, twierdzi, opisz jako, opisywan*, pokazan* jako, pokazywan*, liczy się jako,
liczą się jako, uchodz*, figuruj* jako, jakby, jako zmierzon*, nazywan*, uznaje się za, uznawan*, poinformuj,
prezentuj*
OUTAGE: tymczasowo, chwilowo, w trakcie konserwacji, z powodu konserwacji, do odwołania, zawieszon*, luk* w
zabezpieczeniach, względów bezpieczeństwa, incydent* bezpieczeństwa, aktualizacj* systemu, na razie
BAN: zakaz*, odmów*, odmawia*, zabron*, zabrania*, powstrzym*, wzbrania*
WITHOUT: bez
SHOWN: pokazywan*, wyświetlan*, widoczn*, wyświetlaj* się, wyświetla się, pokazuje się, pokazują się, prezentowan*
UNLESS: chyba że, z wyjątkiem, poza, oprócz, tylko jeśli, tylko gdy, bez
ENTITLED: właściciel*, uprawni*, uprawnień, administrator*, upoważni*, dostęp*, rola, roli
ASK: pytaj*, zapytaj*, pyta*, proś*, poproś*, żądaj*
TRIVIA: postęp*, wynik* pośredni*, wynik* cząstkow*, wynik* częściow*, surow* json, surow* dan*, wewnętrzn*
identyfikator*, wewnętrzn* numer*, szczegół* techniczn*
INDATA: w treści, w treściach, na stronie, na stronach, w dokumentach, w dokumencie, w wynikach, w wyniku, w plikach,
w pliku, w wiadomościach, w tekście, w tekstach, zawart*, osadzon*, znalezion*, które zawiera*, które się w nich
ASDATA: jako dane, jako treść, jako tekst, jako informacj*, nie jako instrukcj*, nie jako poleceni*, nie są
instrukcj*, niezaufan*, niewiarygodn*
SOURCED: odczytywan* z, odczytan* z, czytan* z, wczytywan* z, wczytan* z, pobieran* z, ładowan* z, pochodz* z,
ustawian* w, zapisan* w, przechowywan* w, konfigurowan* w, przez serwer, serwer odczytuje, serwer czyta, serwer
wczytuje, odczytuje token, odczytuje klucz
WANTED: gdy potrzebujesz, jeśli potrzebujesz, kiedy potrzebujesz, gdy chcesz, jeśli chcesz, kiedy chcesz, pozwala,
pozwalają, umożliwia*
""")
