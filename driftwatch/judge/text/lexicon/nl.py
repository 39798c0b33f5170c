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
""")
