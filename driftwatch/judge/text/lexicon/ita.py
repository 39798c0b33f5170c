"""Italian."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: il, lo, la, gli, le, di, del, della, dei, e, che, in, un, una, per, con, da, si, al, alla, questo, questa, suo,
sua, nel, nella, prima, quando, ogni, sono, dell, all, l, non
NOT: non, mai, senza, evita*, ne, nessun*, niente, nulla
TELL: dire, di', dica, informa*, menziona*, avvis*, notific*, rivel*, mostra*, comunic*, spiega*, segnal*, annunci*,
parla*, cita*, raccont*
REVEAL: menziona*, rivel*, divulg*, svel*, cita*, accenn*
USER: utent*, client*, person*, umano, operator*, titolar*
SILENT: silenziosamente, in silenzio, segretamente, in segreto, discretamente, di nascosto, senza avvisare,
senza dirlo, senza informare, all'insaputa, a sua insaputa, nascost*, senza farlo notare, senza menzionarlo, nascond*
IGNORE: ignor*, trascur*, dimentic*, non tenere conto, scart*, tralasci*, smetti di seguire, non seguire, aggir*
SUPERSEDE: prevalgono, prevale, hanno la precedenza, ha la precedenza, hanno priorita, ha priorita, sostituiscono,
sostituisce, non si applicano piu, non si applica piu, non valgono piu, non vale piu, annullano, decadono
PRIOR: precedent*, anterior*, esistent*, tutt*, qualsiasi, altr*, original*, inizial*, ricevut*
INSTRUCTION: istruzion*, regol*, direttiv*, linee guida, indicazion*, ordin*, politic*, restrizion*, prompt*
SYSPROMPT: prompt di sistema, messaggio di sistema, istruzioni di sistema, istruzioni iniziali, tue istruzioni,
prompt iniziale, istruzioni ricevute
CONVERSATION: conversazion*, cronologia, trascrizione, messaggi precedenti, messaggio dell'utente,
messaggio originale, ultimi messaggi, richiesta originale, richiesta completa, dialogo, tutto cio che l'utente,
ragionamento, catena di pensiero, contesto completo, contesto della sessione, parole esatte,
risultati di altri strumenti
CREDENTIAL: password, parola d'ordine, chiav*, credenzial*, token, segret*, chiave privata, chiavi private,
chiave api, frase di recupero, cookie*, carta di credito, numero di carta, variabili d'ambiente,
variabili di ambiente, codice di verifica
FILES: file, cartell*, directory, document*, codice sorgente, cronologia del browser, appunti, contatti, rubrica
SEND: invi*, mand*, inoltr*, trasmett*, trasmess*, pubblic*, condivid*, copia a, copia nascosta, ccn, carica su,
spedi*, consegn*, gira a, esfiltr*
READ: legg*, apri*, carica*, ottien*, recuper*, raccogli*, raccogl*, estra*, cerca*, consult*, acced*, cattur*, copia*
INCLUDE: inclu*, aggiung*, alleg*, passa*, metti*, mettere, inseri*, incorpor*, compil*, scriv*, annot*, incoll*,
ripet*, riassum*, riport*
PARAM: parametr*, argoment*, camp*, nota, note, corpo, comment*, metadat*, intestazion*, valore
CALL: chiam*, invoc*, us*, utilizz*, esegu*, avvi*, ricorr*, richiam*
EXEC: esegu*, lanci*, installa*, scaric*, avvi*, valut*
COMMAND: comand*, script, bash, curl, wget, sudo, codice, terminale, console, installatore, binario
WRITE: scriv*, modific*, cambi*, elimin*, cancell*, sostitu*, aggiorn*, impost*, reindirizz*, conced*, aggiung*,
trasfer*, pag*, acquist*, disattiv*
TOOL: strument*, funzion*, server, connettor*, plugin
OTHER: altr*, qualsiasi, tutt*, nessun*, restant*
BEFORE: prima di, prima, dopo, sempre, ogni volta, ad ogni, a ogni, all'inizio, alla fine, poi, inoltre, anche,
preventivamente, per prima cosa, successivamente
MUST: dev*, dovr*, obbligatori*, bisogna, necessari*, richied*, occorre, assicur*, va fatto
MODEL: assistente, modello, agente, ia, llm, claude, chatgpt, tu
CONFIRM: conferm*, approv*, permess*, consenso, autorizz*, chied*, verific*, richiesta di conferma
APPROVED: ha gia approvato, ha gia confermato, ha gia autorizzato, ha gia acconsentito, gia approvat*,
gia autorizzat*, si considera approvat*, si intende approvat*, consenso implicito, approvat* in anticipo,
non serve conferma, non serve alcuna conferma, non e necessaria conferma, non occorre conferma, non richiede conferma,
pre approvat*, preapprovat*
DISABLE: disattiv*, disabilit*, salt*, sopprim*, aggir*, spegn*, omett*, bypass*
SAFETY: controll* di sicurezza, sicurezza, verific*, registro di controllo, avvis*, firewall, protezion*, filtr*,
salvaguard*, passaggio di conferma, conferm*
URGENT: importante, critico, critica, urgente, immediatamente, obbligatori*, essenziale, indispensabile, attenzione,
altrimenti, fallira
AUTHORITY: amministrator*, team di sicurezza, conformita, normativ*, regolament*, legale, direzione,
politica aziendale, politica di sicurezza, anthropic, openai, reparto, audit, aggiornamento di sistema, gdpr
REGARDLESS: indipendentemente, a prescindere, qualunque sia, qualunque cosa, anche se l'utente, invece di quello che,
al posto di quello, non importa cosa
ROLE: ora sei, d'ora in poi sei, agisci come, fingi di essere, nuovo ruolo, nuovo compito, modalita sviluppatore,
modalita manutenzione, tue nuove istruzioni, nuove istruzioni, il tuo vero compito
TRIGGER: d'ora in poi, da ora in poi, a partire dalla seconda, dalla terza, dopo la terza, a partire dal,
nella prossima sessione, la prossima volta, per il resto della sessione, fuori orario
PREFER: preferi*, raccomand*, consigli*, privilegi*, scegli*, sugger*, favori*, migliore di, meglio di
MONEY: pagament*, bonific*, conto, iban, portafoglio, beneficiari*, fattur*, rimbors*, deposito
RECIPIENT: destinatari*, copia nascosta, ccn, invitat*, revisor*, collaborator*, membr*, iscritt*, partecipant*
ADVICE: attacc*, aggressor*, injection, iniezione, malevol*, phishing, vulnerabilit*, rilev*, ad esempio, per esempio,
protegge da, avvisa l'utente
SAID: se l'utente dice, se l'utente menziona, quando l'utente dice, quando l'utente menziona, se l'utente chiede
BAD: obsolet*, insicur*, guast*, non disponibil*, superat*, inaffidabil*, dismess*, non funzionan*, non funziona,
compromess*, disattivat*, fuori servizio, deprecat*
CHANGE: sostitu*, cambi*, modific*, reindirizz*, alter*, scambi*, sovrascriv*, devi*
TREAT: tratt*, consider*, equival*, come se, stesso peso, stessa autorita, vale come
RESULT: risultat*, rispost*, output
ANSWER: riepilog*, riassunto, rispost*, messaggio finale, spiegazion*
EXTEND: si estende a*, si estendono a*, vale per tutt*, copre tutt*, si applica a tutt*, resta valid*
CONTACT: contatt*, acced*, visit*, connett*, consult*, interrog*, chiam*
STEP: passagg*, chiamat*, caricament*, invio, azion*, operazion*, copia, copie, consultazion*
OTHERTOOL: gli altri strumenti, alternative
BCC: copia nascosta, ccn
RECENT: ultim*, recent*, precedent*, tutt*, complet*, inter*
UTTERANCE: messagg*, righe, parole, domand*, scritto, detto, digitato
AGENT: assistente, modello, agente, ia, llm, claude, chatgpt
ALWAYS: sempre, ogni volta
""")
