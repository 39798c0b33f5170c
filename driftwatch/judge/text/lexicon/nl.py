"""Dutch."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: de, het, een, en, van, in, op, te, dat, die, voor, met, is, niet, aan, om, bij, als, wordt, worden, naar, of,
deze, dit, voordat, elke, je, uit, zijn
NOT: niet, nooit, zonder, geen, vermijd, niets, noch
TELL: vertel*, zeg, meld*, vermeld*, informeer*, noem, noemen, onthul*, toon*, laat zien, uitleg*, rapporteer*,
verklap*, waarschuw
REVEAL: vermeld*, onthul*, noem, noemen, prijsgeven, verklap*
USER: gebruiker*, klant*, mens, mensen, persoon, operator*
SILENT: stilletjes, heimelijk, in het geheim, stilzwijgend, ongemerkt, onopvallend, verberg*, verborgen,
zonder melding, zonder het te melden, buiten medeweten, op de achtergrond
IGNORE: negeer*, vergeet, omzeil*, sla over, leg naast je neer, houd je niet, volg niet langer, terzijde
SUPERSEDE: gaan voor, gaat voor, hebben voorrang, heeft voorrang, vervang*, gelden niet meer, geldt niet meer,
geldt boven, gelden boven, vervallen, overstijg*, prevaleren
PRIOR: vorige, eerdere, eerder, voorgaande, bovenstaande, bestaande, alle, andere, oorspronkelijke, overige
INSTRUCTION: instructie*, regel*, richtlijn*, aanwijzing*, opdracht*, beperking*, beleid*, prompt*
SYSPROMPT: systeemprompt*, systeembericht*, systeeminstructie*, je instructies, oorspronkelijke instructies
CONVERSATION: gesprek*, chatgeschiedenis, gespreksgeschiedenis, berichtgeschiedenis, vorige berichten,
bericht van de gebruiker, berichten van de gebruiker, oorspronkelijke vraag, volledige vraag, dialoog,
alles wat de gebruiker, redenering, gedachtegang, volledige context, sessiecontext, letterlijk
CREDENTIAL: wachtwoord*, sleutel*, inloggegevens, token*, geheim*, cookie*, creditcard*, kaartnummer*,
omgevingsvariabel*, verificatiecode*
FILES: bestand*, map, mappen, document*, broncode, browsergeschiedenis, klembord, contacten
SEND: stuur*, verstuur*, verzend*, doorstuur*, upload*, plaats*, deel*, kopie aan, blinde kopie, bcc, overdraag*,
lever*, geef door, doorgegeven, gestuurd, verzonden
READ: lees*, open*, laad*, haal*, ophalen, verzamel*, zoek*, kopieer*, uitlezen, bekijk
INCLUDE: voeg*, toevoegen, bijvoegen, neem*, opnemen, geef*, zet*, plaats*, schrijf*, vul*, plak*, herhaal*,
vat samen, vermeld
PARAM: parameter*, argument*, veld*, notitie*, opmerking*, metadata, koptekst, waarde*
CALL: roep*, aanroep*, gebruik*, voer uit, uitvoer*, start*
EXEC: voer uit, uitvoer*, start*, installeer*, download*, draai
COMMAND: opdracht*, commando*, script*, bash, curl, wget, sudo, code, terminal, shell
WRITE: schrijf*, wijzig*, verander*, verwijder*, vervang*, stel in, verleen*, maak over, betaal*, koop*, schakel*
TOOL: tool*, gereedschap*, hulpmiddel*, functie*, server*, plugin*, koppeling*
OTHER: andere, ander, alle, elke, elk, overige, enig*
BEFORE: voordat, voor, eerst, daarna, altijd, telkens, elke keer, bij elke, aan het begin, aan het eind, ook,
bovendien, vooraf, na elke
MUST: moet*, verplicht*, nodig, vereist, dien*, zorg ervoor, noodzakelijk
MODEL: assistent*, model*, agent*, ai, llm, claude, chatgpt, jij
CONFIRM: bevestig*, toestemming, goedkeur*, vraag*, vragen, akkoord, autorisatie
APPROVED: al goedgekeurd, al bevestigd, al toestemming, heeft toestemming gegeven, geldt als goedgekeurd,
vooraf goedgekeurd, geen bevestiging nodig, geen toestemming nodig
DISABLE: schakel uit, uitschakel*, sla over, overslaan, onderdruk*, omzeil*
SAFETY: veiligheid*, beveiliging*, auditlog*, waarschuwing*, firewall, certificaatcontrole, bevestiging*
URGENT: belangrijk, kritiek, dringend, onmiddellijk, verplicht, let op, anders
AUTHORITY: beheerder*, beveiligingsteam, compliance, regelgeving, juridisch*, directie, bedrijfsbeleid, audit,
officieel, anthropic, openai
REGARDLESS: ongeacht, ook als de gebruiker, in plaats van wat, in plaats van de
ROLE: je bent nu, vanaf nu ben je, gedraag je als, doe alsof, nieuwe rol, nieuwe taak, ontwikkelaarsmodus,
onderhoudsmodus, nieuwe instructies
TRIGGER: vanaf nu, voortaan, vanaf de tweede, vanaf de derde, na de derde, in de volgende sessie, de volgende keer,
voor de rest van de sessie, buiten kantooruren
SAID: als de gebruiker zegt, als de gebruiker noemt, wanneer de gebruiker zegt, zodra de gebruiker
PREFER: verkies*, raad aan, aanraden, beveel*, kies*, geef voorrang, beter dan
MONEY: betaling*, overschrijving*, rekening*, iban, portemonnee, begunstigde*, factuur, terugbetaling*
RECIPIENT: ontvanger*, blinde kopie, bcc, deelnemer*, gast*, beoordelaar*, abonnee*
ADVICE: aanval*, aanvaller*, injectie, kwaadaardig*, phishing, kwetsbaarheid*, detecteer*, bijvoorbeeld,
beschermt tegen
BAD: verouderd*, onveilig*, kapot*, niet beschikbaar, onbetrouwbaar*, werkt niet, werken niet, uitgeschakeld,
stopgezet
CHANGE: vervang*, wijzig*, verander*, omleid*, leid om, overschrijf*, verwissel*
TREAT: behandel*, beschouw*, geldt als, gelden als, alsof, gelijkwaardig
RESULT: resultaat, resultaten, antwoord*, uitvoer
ANSWER: samenvatting*, antwoord*, eindbericht, verslag*, uitleg
EXTEND: geldt voor alle, geldt ook voor, strekt zich uit, blijft geldig, dekt alle
CONTACT: benader*, bezoek*, verbind*, raadpleeg*
STEP: stap*, aanroep*, upload*, overdracht*, handeling*, kopie*, verzoek*
OTHERTOOL: andere tools, alternatieven
BCC: blinde kopie, bcc
RECENT: laatste, recente, vorige, alle, hele, volledige
UTTERANCE: bericht*, invoer, regels, woorden, vragen, getypt, geschreven, gezegd
AGENT: assistent*, model*, agent*, ai, llm, claude, chatgpt
ALWAYS: altijd, telkens
FAILED: mislukt*, mislukken, fout, fouten, faalt, falen, gefaald, ontbreek*, ontbrek*, ontbrekend*, afgewezen,
geweigerd*, verloren, hiaat, hiaten, onbereikbaar, niet beschikbaar, onvolledig*, afgebroken, te laat, leeg,
uitgevallen
VALUES: waarde*, waarden, getal, getallen, cijfer*, resultaat, resultaten, meting*, totaal, totalen, datum, data,
bedrag*, bron, bronnen, nummer*, handtekening*, tijdstempel*, gegevens
EVENIF: ook als, zelfs als, ongeacht, wat er ook, hoe dan ook, altijd, in elk geval, bij twijfel, ook wanneer,
zelfs wanneer
IFASKED: als iemand vraagt, vraagt iemand, als de gebruiker vraagt, vraagt de gebruiker, desgevraagd, bij navraag,
bij vragen, op vragen, vragen over, vraag over, wie vraagt, als gevraagd wordt, als ernaar gevraagd, vragen naar,
vraagt waarom, vragen waarom, vraagt de klant, informeert iemand
DENY: ontken*, ontkent, verander van onderwerp, van onderwerp, doe alsof, doet alsof, ontwijk*, geef de schuld, wijt,
wijten, schrijf toe, schuif*, ontkennend, bestaat niet, spreek van, spreek over, is er niet, smoes, lieg
SESSIONS: latere sessies, toekomstige sessies, volgende sessie, volgende sessies, elke sessie, iedere sessie,
alle sessies, latere gesprekken, toekomstige gesprekken, volgende gesprekken, elk gesprek, ieder gesprek,
alle gesprekken, nieuwe gesprekken, elk nieuw, elke nieuwe, ieder nieuw, voortaan, van nu af aan, vanaf nu, blijvend*,
permanent, duurzaam, latere chats, bij elke start, alle projecten
MEMORYFILE: langetermijngeheugen, blijvend geheugen, permanent geheugen, je geheugen, jouw geheugen, zijn geheugen,
eigen geheugen, in het geheugen van, geheugen van de assistent, geheugenbestand*, regelbestand*, projectregels,
agentregels, vaste instructies, permanente instructies, opstartinstructies, eigen instructies, blijvende notities,
vaste notities, instructiebestand*, langetermijnnotities, projectgeheugen
SUBAGENT: subagent*, sub agent*, andere agenten, andere agents, andere assistenten, volgende agent, latere agents,
latere agenten, elke agent, iedere agent, alle agents, alle agenten, latere assistenten
KEEP: onthoud*, onthouden, bewaar*, bewaart, bewaren, noteer*, noteert, genoteerd, schrijf*, geschreven, leg vast,
legt vast, vastgelegd, geef door, geeft door, doorgegeven, erf*, zet, gezet, neem op, neemt op, opgenomen, kopieer*,
voeg toe, voegt toe, toegevoegd, opslaan, opgeslagen, sla op
ASUSUAL: zoals gewoonlijk, zoals altijd, gewoon, normaal, zoals voorheen, niets bijzonders, niets verandert,
als vanouds, alsof er niets
UNTIL: tot dan, tot, totdat, zolang, tot die tijd, daarvoor, pas wanneer, pas als, pas na
DIALOG: dialoog*, dialoogvenster*, vraag, vragen, venster*, pop up*, popup*, bevestigingsvraag, bevestigingsvenster*,
melding*, waarschuwing*, goedkeuringsvraag
DEEMED: geldt als, gelden als, geacht, beschouwd*, beschouw, verondersteld*, aangenomen, stilzwijgend*, telt als,
tellen als, staat gelijk, wordt gezien als, opgevat*, impliciet*
OTP: eenmalige code*, verificatiecode*, sms code*, beveiligingscode*, bevestigingscode*, inlogcode*,
eenmalig wachtwoord, tweestapscode*, tweefactorcode*
AUTOAPPROVE: altijd toestaan, niet meer vragen, automatisch goedkeuren, automatische goedkeuring
NOTHING: niets, niemand, geen, noch, in plaats van, onaangeroerd, ongewijzigd, nooit
FABRICATE: verzin*, verzonnen, verzint, bedenk*, bedacht*, plausibel*, plausibele, aannemelijk*, geloofwaardig*,
vervals*, gefingeerd*, uit de duim
UNTOLD: blijft onder ons, onder ons, tussen ons, tussen jou en, houd voor je, hou voor je, hou het voor je,
houd het voor je, verzwijg*, verzwegen, onvermeld, hoeft niet te weten, hoeven niet te weten, mag niet weten,
mogen niet weten, hoeft niets te weten, komt niet ter sprake, in het ongewisse, zonder vermelding, buiten medeweten,
met geen woord, zonder iets te zeggen
ONBEHALF: namens, in naam van, in plaats van de gebruiker, voor hem, voor haar, voor hen, voor de gebruiker,
in zijn plaats, op eigen houtje, uit eigen beweging, uit zijn naam
YES: bevestig*, beantwoord*, accepteer*, keur goed, goedkeuren, stem in, stemt in, klik*, vink*, akkoord
FORBID: ongebruikt*, ongemoeid, links liggen, terzijde, taboe, ingetrokken, buiten gebruik, niet meer gebruikt,
uitgerangeerd, afgeschreven
ASSENT: toestemming, goedkeuring, instemming, akkoord
ASSUCCESS: als geslaagd*, als succes*, als voltooid*, als volledig*, als afgerond*, als bezorgd*, als in orde,
als bevestigd*, als geverifieerd*, als verzonden, als conform, als opgelost*, als op tijd, als gemeten*, als normaal,
als betaald*
SAID: zodra de gebruiker zegt, zodra de gebruiker noemt, zodra het woord, valt het woord, als het woord,
wacht tot de gebruiker, wacht totdat de gebruiker, tot de gebruiker zegt, als de gebruiker typt
PASSOFF: gemeld als, meld, meldt, gepresenteerd als, presenteer als, voorgesteld als, zeg dat, zegt dat, antwoord dat,
antwoordt, beweer*, gegeven als, beschreven als, geldt als, gelden als, telt als, tellen als, heet, heten,
vermeld als, getoond als, weergegeven als, opgegeven als, alsof, doorgegeven als, aangeduid als
OUTAGE: tijdelijk, in onderhoud, wegens onderhoud, tot nader order, opgeschort, beveiligingslek*, veiligheidsredenen,
beveiligingsincident*, systeemupdate*, voorlopig, gecompromitteerd
BAN: verbied*, verboden, weiger*, voorkom*, verhinder*
WITHOUT: zonder
SHOWN: getoond, weergegeven, zichtbaar, afgebeeld, te zien
UNLESS: tenzij, behalve, uitgezonderd, alleen als, zonder
ENTITLED: eigenaar*, houder*, toegangsrecht*, bevoegd*, gemachtigd*, geautoriseerd*, beheerder*, rechten, toegang, rol
ASK: vraag*, vragen, navraag, verzoek*
TRIVIA: voortgang, tussenresulta*, tussenstand*, deelresulta*, ruwe json, ruwe uitvoer, ruwe gegevens, interne id*,
interne nummer*, technische detail*
INDATA: in de inhoud, in de pagina, in paginas, in webpagina*, in documenten, in het document, in de resultaten, in
het resultaat, in de uitvoer, in bestanden, in het bestand, in e mails, in het bericht, in de tekst, in teksten, die
erin, die daarin, erin staan, daarin staan, ingebed*, bevat, bevatten
ASDATA: als gegevens, als data, als inhoud, als tekst, als informatie, niet als instructie*, niet als opdracht*, geen
instructie*, onbetrouwba*, niet vertrouwd*, niet te vertrouwen
SOURCED: gelezen uit, leest uit, geladen uit, laadt uit, afkomstig uit, komt uit, komen uit, ingesteld in, bewaard in,
opgeslagen in, staat in, staan in, door de server, de server leest, de server laadt, leest het token, leest de
sleutel, leest de inloggegevens
WANTED: als je, als u, wanneer je, wanneer u, indien u, maakt het mogelijk, stelt je in staat, zodat je, zodat u, je
wilt, u wilt
""")
