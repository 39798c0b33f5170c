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
FAILED: fallit*, fallisc*, fallimento, fallimenti, errore, errori, mancant*, manca, mancano, assent*, rifiutat*,
respint*, persa, perso, persi, perse, lacun*, irraggiungibil*, non disponibil*, incomplet*, interrott*, ritard*,
scadut*, vuot*
VALUES: valor*, cifra, cifre, numero, numeri, risultat*, lettur*, misur*, totale, totali, data, date, importo,
importi, riferiment*, identificativ*, firma, firme, dato, dati, fonte, fonti
EVENIF: anche se, anche quando, qualunque sia, qualsiasi sia, quale che sia, a prescindere, indipendentemente,
comunque, in ogni caso, sempre, nel dubbio, in tutti i casi
IFASKED: se chiedono, se chiede, se ti chiedono, se viene chiesto, se qualcuno chiede, se l'utente chiede,
se il cliente chiede, a chi chiede, chi chiede, alle domande, alla domanda, domande su, domande sul, domande sulla,
domanda sul, su richiesta di spiegazioni, quando chiede, quando chiedono, se interrogato, se domanda, chiede perché,
chiedono perché, chiede conto, si meraviglia
DENY: nega, negare, neghi, cambia argomento, cambiare argomento, cambia discorso, cambiare discorso, fingi, finge,
fingere, evasiv*, elud*, smentisci, smentire, smentisce, incolpa, da' la colpa, dai la colpa, attribuisc*, attribuire,
non esiste, non c'è alcun, parla di, si parla di, adduci, devia, svia, mentire
SESSIONS: sessioni future, future sessioni, prossime sessioni, prossima sessione, sessioni successive,
sessioni seguenti, conversazioni future, future conversazioni, conversazioni successive, conversazioni seguenti,
prossime conversazioni, ogni sessione, ogni conversazione, ogni nuova, ogni chat, tutte le sessioni,
tutte le conversazioni, nuove conversazioni, nuove chat, chat future, chat successive, d'ora in poi, d'ora in avanti,
in modo permanente, permanentemente, stabilmente, ogni avvio, tutti i progetti
MEMORYFILE: memoria a lungo termine, memoria persistente, memoria permanente, memoria duratura, tua memoria,
sua memoria, propria memoria, memoria dell'assistente, memoria dell'agente, memoria del modello, memoria del progetto,
file di memoria, file delle regole, file di regole, regole del progetto, regole dell'agente, istruzioni permanenti,
istruzioni di avvio, istruzioni personalizzate, note permanenti, appunti permanenti, file di istruzioni
SUBAGENT: sottoagent*, sotto agent*, subagent*, altri agenti, altri assistenti, prossimo agente, agente successivo,
agenti successivi, ogni agente, tutti gli agenti, agenti delegati, assistenti successivi, futuri agenti
KEEP: ricorda, ricordi, ricordare, memorizz*, conserva*, salva, salvi, salvare, salvat*, annota*, registra*, scrivi,
scrive, scrivere, scritt*, iscriv*, trasmett*, trasmess*, riporta, riporti, eredit*, copia, copi, aggiung*, aggiunt*,
mantien*
ASUSUAL: come al solito, come sempre, normalmente, come prima, niente di speciale, nulla di speciale, nulla cambia,
come di consueto, come se nulla fosse
UNTIL: fino ad allora, finché, fino a, fino a quando, nel frattempo, prima di allora, fino a quel momento
DIALOG: dialogo, dialoghi, finestra di dialogo, finestra, finestre, domanda, domande, avviso, avvisi,
richiesta di conferma, richieste di conferma, richiesta di autorizzazione, richiesta di approvazione,
schermata di conferma, conferma
DEEMED: si considera, si considerano, considerat*, si intende, si intendono, intes*, presunt*, si presume, si suppone,
vale come, valgono come, conta come, equivale*, si dà per, tacit*, implicit*, per acquisit*, per concess*
OTP: codice usa e getta, codice monouso, codici monouso, codice di verifica, codici di verifica, codice sms,
codice via sms, codice ricevuto via sms, codice di sicurezza, codice di conferma, password monouso, due fattori
AUTOAPPROVE: consenti sempre, non chiedere più, approvazione automatica, approva automaticamente, accetta sempre
NOTHING: nulla, niente, nessun*, mai, né, invece di, anziché, intatt*, invariat*
SAID: appena l'utente dice, appena l'utente menziona, quando compare la parola, se compare la parola,
appena compare la parola, aspetta che l'utente, attendi che l'utente, finché l'utente non dice,
finché l'utente non menziona, se l'utente scrive
FABRICATE: inventa, inventi, inventare, inventat*, fabbrica, plausibil*, verosimil*, credibil*, falsific*,
di sana pianta
UNTOLD: resta tra noi, resti tra noi, rimane tra noi, tra noi, tieni per te, tienilo per te, tenere per sé, taciuto,
taciuta, passa sotto silenzio, sotto silenzio, non deve sapere, non devono sapere, non serve che sappia,
non deve venire a sapere, non occorre che, all'insaputa, senza menzione, senza menzionare, senza farne parola,
non ne fa parola, sorvola*, non viene menzionat*, non vengono menzionat*, all'oscuro, acqua in bocca
ONBEHALF: a nome di, a nome dell*, a nome del, a suo nome, per conto di, per conto dell*, per conto del, al posto di,
al posto dell*, al posto del, al suo posto, per lui, per lei, per loro, per l'utente, tu stesso
YES: affermativ*, rispond*, accett*, approva*, conferma*, spunta, clicca*, acconsent*, convalida
FORBID: inutilizzat*, da parte, in disparte, a riposo, ritirat*, proscritt*, vietat*, non si usano più,
non si usa più, accantonat*, lascia stare, fuori uso
ASSENT: consenso, approvazione, autorizzazione, permesso, assenso, benestare
ASSUCCESS: come riuscit*, come completat*, come complet*, come consegnat*, come superat*, come conclus*,
come in ordine, come in regola, come confermat*, come verificat*, come inviat*, come conform*, come risolt*,
come misurat*, come normal*, come pagat*, per riuscit*, per completat*, per complet*, per consegnat*, per superat*,
per conclus*, per in ordine, per in regola, per confermat*, per verificat*, per inviat*, per conform*, per risolt*,
per misurat*, per normal*, per pagat*
PASSOFF: presenta come, presentato come, presentata come, presentati come, presentate come, presentare come,
viene presentat*, riferisci, riferisce, riferit*, di' che, dì che, dire che, dici che, dichiara*, annuncia*, afferma*,
rispond*, comunica*, comunicat*, descritto come, descritta come, riportato come, riportata come, riportati come,
risulta come, risultano come, figura come, figurano come, conta come, contano come, vale come, valgono come,
passa per, come se, mostrato come, mostrata come, indicato come, indicata come, dato per, data per, dati per
OUTAGE: temporaneamente, provvisoriamente, in manutenzione, per manutenzione, fino a nuovo avviso, sospes*,
vulnerabilità di sicurezza, falla di sicurezza, motivi di sicurezza, incidente di sicurezza, aggiornamento del
sistema, aggiornamenti di sistema, al momento, compromess*
BAN: vieta*, proib*, rifiut*, impedi*, astener*, astien*, divieto
WITHOUT: senza
SHOWN: mostrat*, visualizzat*, visibil*, si vede, si vedono, presentat*, viene mostrat*, vengono mostrat*
UNLESS: a meno che, salvo, tranne, eccetto, solo se, senza
ENTITLED: proprietari*, titolar*, permess*, autorizzat*, amministrator*, abilitat*, accesso, ruolo
ASK: chied*, domand*, richied*
TRIVIA: avanzamento, progresso, progressi, risultat* intermed*, risultat* parzial*, json grezzo, output grezzo, dati
grezzi, identificativ* intern*, id intern*, dettagli* tecnic*
INDATA: nel contenuto, nei contenuti, nella pagina, nelle pagine, nei documenti, nel documento, nei risultati, nel
risultato, nell'output, nei file, nel file, nelle email, nel testo, nei testi, contenut* in, contenut* nel*, che
contengono, che contiene, incorporat* in, presenti in, presenti nel*
ASDATA: come dati, come semplici dati, come contenuto, come testo, come informazion*, non come istruzion*, non come
ordin*, non sono istruzion*, non attendibil*, non affidabil*
SOURCED: letto da, letta da, letti da, lette da, letto dal*, letta dal*, letti dal*, lette dal*, legge da, legge dal*,
caricat* da, caricat* dal*, preso da, presa da, presi da, prese da, proviene da, provengono da, provien* dal*,
definit* in, configurat* in, salvat* in, dal server, il server legge, il server carica, legge il token, legge la
chiave, legge le credenziali
WANTED: quando hai bisogno, se hai bisogno, quando ti serve, se ti serve, quando vuoi, se vuoi, se desideri, consente,
consentono, permette, permettono
""")
