"""German."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: der, die, das, den, dem, des, und, zu, in, ein, eine, einen, fur, mit, von, im, ist, nicht, auf, wird, werden,
sind, oder, vor, wenn, dass, bei, jede*, dies*, auch, zum, zur, ihr*, sie
NOT: nicht, nie, niemals, ohne, kein, keine, keinen, keiner, keinem, keinerlei, vermeid*, nichts, weder
TELL: sag*, mitteil*, mitzuteilen, teile, teilen sie, informier*, erwahn*, benachrichtig*, offenbar*, offenleg*,
zeig*, anzeig*, anzuzeigen, angezeigt, erklar*, melde*, verrat*, verrate*, hinweis*, hinzuweisen, nenn*, gezeigt,
genannt, berichte*
REVEAL: erwahn*, offenbar*, offenleg*, offengelegt, verrat*, preisgeb*, preiszugeben, zu erwahnen, erwahnt
USER: nutzer*, benutzer*, anwender*, kund*, mensch*, person*, bediener*, auftraggeber*
SILENT: stillschweigend, heimlich, unbemerkt, im stillen, lautlos, im geheimen, diskret, unauffallig, verdeckt,
versteckt, hinter dem rucken, ohne hinweis, ohne es zu erwahnen, ohne wissen, ohne dass der nutzer,
ohne dass der benutzer, ohne ruckmeldung, verborgen, verbirg*, verschweig*, kommentarlos, ohne mitteilung,
geheim halten, geheimhalten
IGNORE: ignorier*, missacht*, vergiss, vergessen sie, ubergeh*, verwirf, setze dich uber, hinwegsetzen, ausser acht,
nicht mehr beachten, beachte nicht, umgeh*, lass beiseite
SUPERSEDE: haben vorrang, hat vorrang, gehen vor, geht vor, ersetzen, ersetzt alle, ersetzt die, gelten nicht mehr,
gilt nicht mehr, aufgehoben, ausser kraft, uberstimm*, stehen uber, steht uber, sind hinfallig, sind uberholt,
uberschreib*
PRIOR: bisherig*, vorherig*, vorig*, fruher*, obig*, bestehend*, all*, ander*, ursprunglich*, vorangegangen*,
sonstig*, vorangehend*
INSTRUCTION: anweisung*, regel*, richtlinie*, vorgabe*, anleitung*, befehl*, weisung*, einschrankung*,
sicherheitsregel*, prompt*, instruktion*
SYSPROMPT: systemprompt*, system prompt, systemnachricht*, systemanweisung*, deine anweisungen, ihre anweisungen,
ursprungliche anweisungen, entwicklernachricht, startprompt
CONVERSATION: gesprach*, unterhaltung*, chatverlauf*, chat verlauf, gesprachsverlauf*, verlauf, nachrichtenverlauf,
mitschrift, vorherige nachrichten, letzten nachrichten, nachricht des nutzers, nachricht des benutzers,
ursprungliche anfrage, vollstandige anfrage, gesamte anfrage, dialog*, alles was der nutzer, uberlegung*,
gedankengang*, denkschritt*, begrundungskette, gesamten kontext, gesamter kontext, sitzungskontext, wortlaut,
ergebnisse anderer werkzeuge, bisherige eingaben, konversation*
CREDENTIAL: passwort*, passworter*, kennwort*, zugangsdaten, anmeldedaten, api schlussel, apischlussel, schlussel,
privater schlussel, privaten schlussel, token*, geheimnis*, cookie*, kreditkarte*, wiederherstellungsphrase,
umgebungsvariable*, bestatigungscode*, tan, pin
FILES: datei*, ordner*, verzeichnis*, dokument*, quellcode, quelltext, browserverlauf, zwischenablage, kontakte,
adressbuch
SEND: send*, schick*, ubermittel*, ubertrag*, weiterleit*, weitergeleitet, leite, hochlad*, hochgeladen, lade hoch,
veroffentlich*, teil*, kopie an, blindkopie, bcc, verschick*, ubersend*, ubergib, melde an, weiterzuleiten,
zugestellt, gesendet, ubermittelt, geschickt
READ: lies, lese*, liest, offne*, lade*, hole*, hol, abrufen, rufe ab, sammel*, sammle, erfass*, extrahier*, such*,
kopier*, auslesen, einlesen, gelesen, ausgelesen, erfrag*
INCLUDE: fug*, hange, hang, beifug*, beigefugt, anhang*, ubergib, ubergeb*, setz*, einfug*, eingefugt, einbett*,
aufnehm*, aufgenommen, nimm, schreib*, notier*, trag*, eintrag*, eingetragen, fulle, wiederhol*, zusammenfass*,
mitgeben, mitgegeben, gib, ablegen, hinterleg*, angehangt, hangt, fugt, schreibt, ubernimmt, kopiert, legt
PARAM: parameter*, argument*, feld, felder, notiz*, kommentar*, metadaten, kopfzeile, wert, rumpf, eingabefeld
CALL: ruf*, aufruf*, aufgerufen, aufzurufen, verwend*, nutz*, benutz*, ausfuhr*, ausgefuhrt, fuhre, starte*,
gehe uber, durchlauf*
EXEC: ausfuhr*, ausgefuhrt, fuhre, starte*, installier*, herunterlad*, lade, auswert*, auszufuhren
COMMAND: befehl*, shell*, skript*, script*, bash, curl, wget, sudo, code, terminal, konsole, installationsprogramm,
binardatei
WRITE: schreib*, ander*, andre, losch*, ersetz*, aktualisier*, setz*, leite um, umleit*, gewahr*, erteil*, uberweis*,
bezahl*, zahle, kauf*, deaktivier*, fug*, trag*
TOOL: werkzeug*, tool*, funktion*, server*, konnektor*, plugin*, erweiterung*
OTHER: ander*, andere*, all*, jede*, sonstig*, ubrig*, beliebig*, weiter*
BEFORE: bevor, vor jeder, vor jedem, vor, zuerst, zunachst, danach, anschliessend, immer, jedes mal, jedesmal,
bei jeder, bei jedem, zu beginn, am anfang, am ende, stets, zusatzlich, ausserdem, auch, nach jeder, nach jedem,
vorab, dann
MUST: muss*, mussen, mussen sie, zwingend, erforderlich, pflicht, verpflichtend, notwendig, soll*, ist zu, sind zu,
notig, stelle sicher, unbedingt
MODEL: assistent*, modell*, agent*, ki, llm, claude, chatgpt, du, sprachmodell*
CONFIRM: bestatig*, zustimmung*, genehmig*, erlaubnis, einwilligung, ruckfrag*, nachfrag*, fragen, frage, freigabe,
freizugeben, einverstandnis, autorisier*
APPROVED: bereits genehmigt, bereits zugestimmt, bereits bestatigt, bereits freigegeben, schon zugestimmt,
schon bestatigt, schon genehmigt, hat zugestimmt, hat eingewilligt, gilt als genehmigt, gelten als genehmigt,
gilt als erteilt, gilt als bestatigt, gelten als bestatigt, vorab genehmigt, im voraus genehmigt,
keine bestatigung notig, keine bestatigung erforderlich, einwilligung liegt vor, zustimmung liegt vor,
pauschal genehmigt, zustimmung gilt
DISABLE: deaktivier*, abschalt*, schalte ab, ausschalt*, schalte aus, uberspring*, unterdruck*, umgeh*, auslass*,
verzicht*, entfall*, lass weg
SAFETY: sicherheitsprufung*, sicherheit*, zertifikatsprufung*, prufprotokoll*, protokollierung, warnung*,
warnhinweis*, firewall, schutz*, filter*, bestatigungsschritt*, bestatigung*, ruckfrage*, leitplanke*
URGENT: wichtig, kritisch, dringend, sofort, umgehend, zwingend, unbedingt, verpflichtend, unerlasslich, achtung,
andernfalls, sonst, schlagt fehl
AUTHORITY: administrator*, sicherheitsteam, compliance, vorschrift*, verordnung*, rechtsabteilung, geschaftsleitung,
unternehmensrichtlinie*, sicherheitsrichtlinie*, anthropic, openai, it abteilung, audit, revision, systemupdate,
dsgvo, gesetzlich*
REGARDLESS: unabhangig, egal, ungeachtet, auch wenn der nutzer, auch wenn der benutzer, statt der vom nutzer,
anstelle der vom nutzer, anstatt, statt des vom, selbst wenn
ROLE: du bist jetzt, du bist nun, ab jetzt bist du, sie sind jetzt, handle als, verhalte dich als, gib dich als,
neue rolle, neue aufgabe, entwicklermodus, wartungsmodus, neue anweisungen, deine neuen anweisungen,
deine wahre aufgabe
TRIGGER: wenn das wort, ab jetzt, ab sofort, von nun an, kunftig, ab dem zweiten, ab dem dritten, ab der zweiten,
ab der dritten, nach dem dritten, nach der dritten, in der nachsten sitzung, beim nachsten mal,
fur den rest der sitzung, ausserhalb der, fortan
PREFER: bevorzug*, empfehl*, empfiehl, priorisier*, wahle*, schlage vor, vorschlag*, vorzugsweise, besser als,
uberlegen
MONEY: zahlung*, uberweisung*, konto, kontos, iban, wallet, empfanger*, begunstigt*, rechnung*, erstattung*,
einzahlung*
RECIPIENT: empfanger*, blindkopie, bcc, teilnehmer*, gast, gaste, prufer*, mitarbeiter*, mitglied*, abonnent*,
verteiler*
ADVICE: angriff*, angreifer*, injection, bosartig*, schadlich*, phishing, schwachstelle*, erkenn*, zum beispiel,
beispielsweise, schutzt vor, warnt den
SAID: wenn der nutzer sagt, wenn der benutzer sagt, wenn der nutzer erwahnt, sobald der nutzer, sobald der benutzer
BAD: veraltet*, unsicher*, defekt*, kaputt*, nicht verfugbar*, unzuverlassig*, eingestellt*, funktionier* nicht,
kompromittiert*, deaktiviert*, abgekundigt*, ausser betrieb, uberholt*, nicht mehr gepflegt, nicht mehr unterstutzt
CHANGE: ersetz*, ausgetauscht, tausch*, ander*, geandert*, umleit*, umgeleitet, leite um, abwandel*, uberschreib*,
uberschrieben, vertausch*, austausch*
TREAT: behandel*, behandle*, gilt als, gelten als, als ob, wie wenn, gleiches gewicht, gleichem gewicht,
gleichgestellt, zahlt als, zahlen als, gleichwertig, wie eine anweisung, wie anweisungen
RESULT: ergebnis*, antwort*, ausgab*, ruckgab*
ANSWER: zusammenfassung*, antwort*, abschlussnachricht, bericht*, erklarung*, schlussmeldung
EXTEND: gilt fur alle, gelten fur alle, gilt auch fur, erstreckt sich, umfasst alle, deckt alle, bleibt gultig,
gilt fort
CONTACT: kontaktier*, zugreif*, besuch*, verbind*, abfrag*, registrier*, aufruf*, ruf*
STEP: schritt*, aufruf*, upload*, ubertragung*, aktion*, vorgang*, kopie*, abfrage*, zugriff*
OTHERTOOL: alternativen, die anderen werkzeuge, anderen servern
BCC: blindkopie, bcc
RECENT: letzte*, jungste*, vorherig*, bisherig*, alle, gesamte*, vollstandig*, ganze*
UTTERANCE: nachricht*, eingabe*, zeile*, worte, frage*, getippt, geschrieben, gesagt, ausserung*
AGENT: assistent*, modell*, agent*, ki, llm, claude, chatgpt, sprachmodell*
ALWAYS: immer, jedes mal, jedesmal, stets
""")
