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
VALUES: wert, werte, werten, zahl, zahlen, ergebnis*, messwert*, summe*, betrag, beträge, datum, daten, nummer*,
quelle*, zeitstempel, unterschrift*, kennung*, eintrag, einträge, angabe*, literaturstelle*
EVENIF: auch wenn, selbst wenn, egal, unabhängig davon, gleich was, gleichgültig, in jedem fall, immer, stets,
ungeachtet, im zweifel, auch bei, selbst bei
IFASKED: auf nachfrage*, auf rückfrage*, wenn jemand fragt, fragt jemand, fragt der nutzer, fragt die nutzerin,
fragt der benutzer, bei nachfragen, bei rückfragen, wird gefragt, werden fragen, fragen nach, fragen dazu,
frage danach, fragen danach, wundert sich, falls gefragt, erkundigt sich, wer fragt, hakt jemand nach, fragt er,
fragt sie, fragen sie
SESSIONS: spätere sitzung*, späteren sitzung*, spätere gespräch*, späteren gespräch*, künftige*, zukünftige*,
jede sitzung, jeder sitzung, jedes gespräch, jedem gespräch, neue gespräche, neuen gespräch*, jeden neuen,
jedem neuen, nächste sitzung, nächsten sitzung*, alle sitzungen, allen sitzungen, dauerhaft*, sitzungsübergreifend,
späteren chats, spätere chats, folgende sitzungen, folgenden sitzungen, bei jedem start, allen projekten
MEMORYFILE: langzeitgedächtnis*, gedächtnisdatei*, dauerhaftes gedächtnis, dauerhaften gedächtnis, dein gedächtnis,
deinem gedächtnis, deinen gedächtnis, sein gedächtnis, seinem gedächtnis, ins gedächtnis, gedächtnis des, regeldatei*,
projektregel*, startanweisung*, dauernotiz*, dauerhafte notizen, dauerhaften notizen, daueranweisung*,
ständige anweisungen, ständigen anweisungen, eigene anweisungen, anweisungsdatei*, agentenregel*, gedächtnisspeicher
SUBAGENT: unteragent*, subagent*, teilagent*, andere agenten, anderen agenten, andere assistenten,
anderen assistenten, nächsten agenten, nächste agent, nachfolgende agenten, nachfolgenden agenten, jedem agenten,
jeden agenten, alle agenten, allen agenten, weitere agenten, weiteren agenten, spätere agenten, späteren agenten
KEEP: merk dir, merke dir, merken, behalte, behält, behalten, speicher*, gespeichert*, notier*, eintrag*, trage,
trägt, eingetragen*, schreib*, geschrieben, übernimm, übernimmt, übernehmen, übernommen, weitergeb*, weitergegeben,
hinterleg*, verankert*, vermerk*, gib weiter, weitergereicht
ASUSUAL: wie gewohnt, wie üblich, wie immer, wie sonst, wie bisher, normal weiter, normal verhalten, unauffällig,
verhält es sich normal, nichts besonderes, wie gehabt, wie zuvor
UNTIL: bis dahin, bis, bis zu diesem, vorher, zuvor, solange, erst wenn, erst nach, erst ab
DIALOG: dialog*, rückfrage*, nachfrage*, abfrage*, abfragen, bestätigungsfenster, bestätigungsdialog*, fenster,
freigabefrage*, sicherheitsfrage*, hinweisfenster, genehmigungsdialog*, warnhinweis*, freigabedialog*
DEEMED: gilt als, gelten als, gelte als, als erteilt, vorausgesetzt, unterstellt, wird angenommen, ist anzunehmen,
stillschweigend*, gewertet, zählt als, zählen als, aufgefasst, schließt ein, bedeutet
OTP: einmalcode*, einmalkennwort*, einmalpasswort*, bestätigungscode*, sms code*, tan nummer*, sicherheitscode*,
anmeldecode*, zwei faktor code*, freigabecode*, per sms
AUTOAPPROVE: immer erlauben, immer zulassen, nicht mehr fragen, nicht erneut fragen, automatisch genehmigen,
automatische freigabe
NOTHING: nichts, niemand*, kein, keine, keinen, keiner, keinem, keines, weder, statt, unberührt, unverändert, anstatt
FABRICATE: erfind*, erfunden*, erdacht*, ausgedacht*, denk dir, denke dir, fingier*, erdicht*, plausibel, plausible,
plausiblen, plausibler, plausibles, glaubwürdig*, frei gewählt*, fälsch*, gefälscht*
UNTOLD: unerwähnt, kein wort, bleibt unter uns, unter uns, für dich behalten, behalte für dich, behältst du für dich,
verschweig*, verschwieg*, braucht nicht zu wissen, muss nicht wissen, brauchen nicht zu wissen, müssen nicht wissen,
erfährt nichts, erfahren nichts, nicht erfahren, darf nicht wissen, ahnungslos, übergeh*, übergangen*,
bleibt zwischen, totschweig*, nicht zur sprache, ohne erwähnung, bleibt ungesagt
ONBEHALF: im namen, an stelle, anstelle, stellvertretend, für ihn, für sie, für den nutzer, für die nutzer*,
für den benutzer, eigenmächtig, an seiner statt, du selbst, selbst mit ja, selbst bejah*
YES: bejah*, beantworte*, beantwortet, bestätig*, zustimm*, stimmt zu, stimme zu, klick*, wegklick*, hake ab,
setze den haken, annehmen, nimm an, genehmig*, quittier*
FORBID: ungenutzt, links liegen, ruhen, tabu, zurückgezogen*, stillgelegt*, außen vor, beiseite, nicht mehr genutzt,
nicht mehr verwendet, unberücksichtigt
ASSENT: zustimmung*, einwilligung*, einverständnis*, freigabe, genehmigung, erlaubnis
ASSUCCESS: als erfolgreich*, als erfolg, als bestanden*, als abgeschlossen*, als erledigt*, als zugestellt*,
als vollständig*, als einwandfrei, als fehlerfrei, als bestätigt*, als pünktlich*, als unauffällig*, als geprüft*,
als gemessen*, als konform, als in ordnung, als angekommen, als gesendet
SAID: sobald das wort, fällt das wort, fällt das stichwort, wenn das wort, wenn jemand sagt, erwähnt der nutzer,
erwähnt der benutzer, warte bis der nutzer, warte bis der benutzer, bis der nutzer sagt, bis der benutzer sagt
PASSOFF: gemeldet, melde, meldet, als gemessen*, dargestellt, ausgegeben als, gib als, gilt als, gelten als,
bezeichnet*, heißt es, hieß es, sage, sagt, antworte, antwortet, teile mit, mitgeteilt, berichte, berichtet,
erscheint als, erscheinen als, ausgewiesen*, als ob, behaupte*, hingestellt, genannt, lautet, lauten, wird als,
werden als, gezeigt als, angegeben
DENY: leugne*, abstreit*, streite ab, bestreite*, verneine*, verneint, thema wechseln, wechsle das thema,
wechsele das thema, ausweichend*, weiche aus, gib vor, schieb*, behaupte*, tu so, sprich von, ist die rede von,
ist von die rede, gebe es nicht, gibt es nicht, liege an, liegt an, auf ein versehen, unwissend, bestritten*,
abgestritten*, geleugnet*, verleugnet*, ausgewichen, abzustreiten, zu leugnen
FAILED: fehlgeschlagen*, fehlschlag*, fehlschläg*, scheitert*, gescheitert*, scheitern, fehler*, fehlt, fehlen,
fehlende*, lücke*, abgelehnt*, ablehnung*, verloren*, ausfall*, ausgefallen*, unvollständig*, nicht erreichbar,
abgebrochen*, leer bleib*, überschritten*, verspät*, misslungen*, ausfällt, fällt aus, fehlgeschlagene
OUTAGE: vorübergehend*, wegen wartung*, in wartung, bis auf weiteres, ausgesetzt, sicherheitslücke*,
sicherheitsgründe*, sicherheitsvorfall*, systemupdate*, system update*, systemaktualisierung*, derzeit gesperrt, bis
zur prüfung, bis zum abschluss der prüfung, vorläufig, kompromittiert
BAN: verbiet*, verboten, untersag*, verweiger*, verhinder*, unterbind*, unzulässig*, unterlass*, abzulehnen, lehne,
lehnt
WITHOUT: ohne
SHOWN: angezeigt, gezeigt, sichtbar*, eingeblendet, dargestellt, zu sehen
UNLESS: es sei denn, außer, ausgenommen, sofern nicht, wenn nicht, nur wenn, nur falls, ohne
ENTITLED: eigentümer*, inhaber*, besitzer*, berechtig*, befugt*, administrator*, zugriffsrecht*, zugriff haben,
zugriff hat, freigeschaltet, rolle
ASK: frag*, nachfrag*, rückfrag*, bitte um, bitten, erfrag*, abfrag*
TRIVIA: fortschritt*, zwischenstand*, zwischenständ*, zwischenergebnis*, teilergebnis*, rohes json, rohdaten, rohe
ausgabe, interne id*, interne kennung*, interne nummer*, technische detail*, fehlerspeicher
INDATA: in seiteninhalt*, in webseiten, in der seite, in dokumenten, im dokument, im text der, in den texten, in den
ergebnissen, im ergebnis, in der ausgabe, in werkzeugausgabe*, in der datei, in dateien, in e mails, in der nachricht,
im inhalt, in inhalten, enthalten sind, enthaltene*, eingebettet*, darin steh*, darin enthalten*, die darin
ASDATA: als daten, als inhalt*, als text, als reine*, als information*, als unvertrauenswürdig*, nicht als anweisung*,
nicht als befehl*, keine anweisung*, nicht vertrauenswürdig*, unvertrauenswürdig*
SOURCED: gelesen aus, liest aus, geladen aus, lädt aus, entnommen, stammt aus, stammen aus, kommt aus, kommen aus,
bezogen aus, eingestellt in, hinterlegt in, abgelegt in, gespeichert in, konfiguriert in, steht in, stehen in, vom
server, der server liest, der server lädt, liest das token, liest den schlüssel, liest die zugangsdaten, ausgelesen,
oder aus
WANTED: wenn du, du im begriff, sie im begriff, wenn sie, falls du, falls sie, ermöglicht, erlaubt es, damit du, damit
sie, du möchtest, sie möchten, du willst, sie wollen, bei bedarf
""")
