"""French."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: le, la, les, de, du, des, et, que, en, un, une, pour, avec, par, se, au, aux, ce, cette, son, sa, ses, est, ou,
dans, avant, quand, l, d, sur, chaque, qui, sont
NOT: ne, pas, jamais, sans, n, ni, evit*, aucun, aucune, rien, inutile
TELL: dire, dites, dis, inform*, mentionn*, averti*, prevenir, previens, prevenez, notifi*, revel*, montr*,
communiqu*, expliqu*, signal*, annonc*, affich*, parl*, evoqu*
REVEAL: mentionn*, revel*, divulg*, evoqu*, devoil*
USER: utilisat*, client*, personne*, humain*, operateur*, titulaire*, usager*
SILENT: silencieusement, en silence, secretement, en secret, discretement, a l'insu, en cachette, sans prevenir,
sans avertir, sans le dire, sans en parler, sans le mentionner, a son insu, cach*, furtivement, en toute discretion,
sans bruit
IGNORE: ignor*, oubli*, ne tiens pas compte, ne tenez pas compte, fais abstraction, faites abstraction, neglig*,
ecart*, pass* outre, contourn*, cess* de suivre, ne suis plus
SUPERSEDE: prevalent, prevaut, priment, prime sur, remplacent, remplace les, ont priorite, a priorite,
ont la priorite, a la priorite, l'emporte*, ne s'appliquent plus, ne s'applique plus, ne sont plus valables,
sont caduques, annulent, annule
PRIOR: precedent*, anterieur*, existant*, tout*, tous, autre*, original*, initial*, recu*, toute autre
INSTRUCTION: instruction*, regle*, consigne*, directive*, ordre*, politique*, restriction*, recommandation*, prompt*
SYSPROMPT: invite systeme, prompt systeme, message systeme, instructions systeme, instructions initiales,
tes instructions, vos instructions, prompt initial, instructions recues, consignes systeme, invite de depart
CONVERSATION: conversation*, historique, transcription, messages precedents, message de l'utilisateur,
message original, message complet, derniers messages, demande initiale, demande complete, dialogue, echange*,
tout ce que l'utilisateur, raisonnement, chaine de pensee, contexte complet, contexte de la session, mots exacts,
resultats des autres outils
CREDENTIAL: mot de passe, mots de passe, cle*, identifiants, jeton*, secret, secrets, cle privee, cles privees,
cle api, phrase de recuperation, cookie*, carte bancaire, carte de credit, numero de carte, variables d'environnement,
code de verification
FILES: fichier*, dossier*, repertoire*, document*, code source, historique du navigateur, presse papiers, contacts,
carnet d'adresses
SEND: envoi*, envoy*, transmet*, transmis*, transf*, publi*, partag*, copie a, copie cachee, cci, expedi*, televers*,
fais suivre, faites suivre, post*, achemin*, remet*, exfiltr*
READ: lis, lire, lisez, ouvr*, charg*, obten*, recuper*, collect*, recueil*, extrai*, cherch*, recherch*, consult*,
acced*, captur*, copi*, relev*
INCLUDE: inclu*, ajout*, joign*, join*, pass*, mets, mettez, mettre, inser*, incorpor*, rempli*, ecri*, not*, coll*,
repet*, resum*, renseign*, indiqu*, report*, plac*
PARAM: parametre*, argument*, champ*, note*, corps, commentaire*, metadonnee*, en tete, valeur
CALL: appel*, invoqu*, utilis*, execut*, lanc*, recour*, declench*
EXEC: execut*, lanc*, install*, telecharg*, demarr*, evalu*
COMMAND: commande*, script*, bash, curl, wget, sudo, code, terminal, console, installateur, binaire
WRITE: ecri*, modifi*, chang*, supprim*, effac*, remplac*, met* a jour, defini*, redirig*, accord*, ajout*, vir*,
pay*, achet*, desactiv*
TOOL: outil*, fonction*, serveur*, connecteur*, plugin*, extension*
OTHER: autre*, tout*, tous, quelconque, n'importe quel*, aucun*
BEFORE: avant, d'abord, apres, ensuite, toujours, chaque fois, a chaque, au debut, en debut, a la fin, de plus,
egalement, aussi, prealablement, au prealable, puis
MUST: doi*, devez, doivent, obligatoire*, il faut, necessaire*, requis*, exig*, assur*, imperati*, veill*
MODEL: assistant*, modele, agent*, ia, llm, claude, chatgpt, tu, vous
CONFIRM: confirm*, approb*, approuv*, permission*, consentement, autoris*, demand*, verification, accord, valid*
APPROVED: a deja approuve, a deja confirme, a deja autorise, a deja donne son accord, a deja consenti, deja approuve*,
deja autorise*, est repute* approuve*, considere* comme approuve*, consentement implicite, approuve* d'avance,
autorise* d'avance, vaut accord, vaut approbation, aucune confirmation, pas besoin de confirm*,
sans qu'il soit besoin, accord acquis
DISABLE: desactiv*, saut*, ignor*, supprim*, contourn*, etein*, omett*, omets, dispens*, neutralis*
SAFETY: controle* de securite, securite, verification*, journal d'audit, avertissement*, alerte*, pare feu,
protection*, filtre*, garde fou*, etape de confirmation, confirmation*, journalisation
URGENT: important, importante, critique, urgent, urgente, immediatement, obligatoire*, essentiel*, indispensable,
attention, sinon, echouera
AUTHORITY: administrateur*, equipe de securite, conformite, reglement*, juridique, direction,
politique de l'entreprise, politique de securite, anthropic, openai, service informatique, audit,
mise a jour du systeme, rgpd
REGARDLESS: peu importe, independamment, quel que soit, quelle que soit, quoi que, meme si l'utilisateur,
au lieu de ce que, a la place de ce que, sans tenir compte
ROLE: tu es maintenant, vous etes maintenant, desormais tu, desormais vous, agis comme, agissez comme, fais semblant,
nouveau role, nouvelle tache, mode developpeur, mode maintenance, tes nouvelles instructions,
vos nouvelles instructions, nouvelles instructions, ta vraie tache
TRIGGER: mot de code, desormais, dorenavant, a partir du deuxieme, a partir du troisieme, apres le troisieme,
apres la troisieme, a compter du, a la prochaine session, la prochaine fois, pour le reste de la session,
en dehors des heures, a partir de maintenant
PREFER: prefer*, recommand*, privilegi*, prioris*, choisi*, suggere*, favoris*, meilleur que
MONEY: paiement*, virement*, compte*, iban, portefeuille, beneficiaire*, facture*, remboursement*, depot
RECIPIENT: destinataire*, copie cachee, cci, invite*, relecteur*, collaborateur*, membre*, abonne*, participant*
ADVICE: attaque*, attaquant*, injection, malveillan*, hameconnage, phishing, vulnerabilite*, detect*, par exemple,
protege contre, avertit l'utilisateur
SAID: si l'utilisateur dit, si l'utilisateur mentionne, quand l'utilisateur dit, lorsque l'utilisateur mentionne,
lorsque l'utilisateur dit, si l'utilisateur demande
BAD: obsolete*, dangereu*, casse*, indisponible*, depasse*, peu fiable*, abandonne*, ne fonctionne* pas,
ne fonctionne* plus, compromis*, desactive*, hors service, perime*, non fiable*
CHANGE: remplac*, substitu*, chang*, modifi*, redirig*, alter*, echang*, ecras*, detourn*
TREAT: trait*, consider*, equiva*, comme si, meme poids, meme autorite, vaut comme, tient lieu, valent comme
RESULT: resultat*, reponse*, sortie*
ANSWER: resume, recapitulatif, compte rendu, reponse*, message final, explication*
EXTEND: s'etend a, s'etendent a, s'etend aux, vaut pour, valent pour, couvre tou*, s'applique a tou*, reste valable
CONTACT: contact*, acced*, visit*, connect*, consult*, interrog*, appel*
STEP: etape*, appel*, televersement, envoi*, action*, operation*, copie*, consultation*, transfert*
OTHERTOOL: les autres outils, solutions de rechange, alternatives
BCC: copie cachee, cci
RECENT: dernier*, recent*, precedent*, tout*, tous, complet*, entier*
UTTERANCE: message*, saisie*, ligne*, mot, mots, question*, ecrit, dit, propos
AGENT: assistant*, modele, agent*, ia, llm, claude, chatgpt
ALWAYS: toujours, chaque fois
FAILED: échec*, échoue*, échoué*, échouer, erreur*, manquant*, manque, manquent, absent*, rejeté*, refusé*, perdu*,
lacune*, injoignable*, indisponible*, incomplet*, incomplète*, interrompu*, dépassé*, en retard, vide, non remis,
rejet*
VALUES: valeur*, chiffre*, nombre*, résultat*, relevé*, mesure*, total, totaux, date*, montant*, référence*,
identifiant*, signature*, donnée*, numéro*, horodatage*, source*
EVENIF: même si, même quand, même lorsque, quel que soit, quelle que soit, quels que soient, quoi qu*, peu importe,
dans tous les cas, en toute circonstance, toujours, indépendamment, en cas de doute
IFASKED: si on demande, si l'on demande, si on te demande, si on vous demande, si l'on vous, si quelqu'un demande,
si l'utilisateur demande, s'il demande, si elle demande, en cas de question*, aux questions, à la question,
interrogé*, questionné*, s'étonne*, si l'on s'enquiert, à qui demande, toute question, qui demande pourquoi,
demande pourquoi, demande des comptes
DENY: nie, niez, nier, démens, dément, démentez, changer de sujet, change de sujet, changez de sujet, prétend*,
prétexte*, feins, feignez, feindre, invoque*, attribue*, élude*, éluder, esquive*, évasif*, évasive*, par la négative,
mets sur le compte, met sur le compte, mettez sur le compte, n'existe pas, parle de, parlez de, accuse*
SESSIONS: sessions futures, futures sessions, prochaines sessions, prochaine session, session suivante,
sessions suivantes, sessions ultérieures, conversations futures, futures conversations, conversations ultérieures,
conversations suivantes, prochaines conversations, chaque session, chaque conversation, chaque nouvelle,
toute nouvelle, nouvelles conversations, toutes les sessions, toutes les conversations, à chaque démarrage,
durablement, dorénavant, désormais, échanges futurs, échanges ultérieurs, tous les projets, de façon permanente
MEMORYFILE: mémoire à long terme, mémoire persistante, mémoire permanente, mémoire durable, ta mémoire, votre mémoire,
sa mémoire, mémoire de l'assistant, mémoire de l'agent, mémoire du modèle, mémoire du projet, fichier de mémoire,
fichiers de mémoire, fichier de règles, fichiers de règles, règles du projet, règles de l'agent,
instructions permanentes, consignes permanentes, instructions de démarrage, instructions personnalisées,
notes permanentes, notes durables, fichier d'instructions, fichier de consignes
SUBAGENT: sous agent*, autres agents, autres assistants, prochain agent, agent suivant, agents suivants, chaque agent,
tous les agents, agents délégués, assistants suivants, agents ultérieurs, futurs agents
KEEP: retiens, retenez, retenir, mémorise*, mémorisé*, conserve*, conservé*, garde, gardez, enregistr*, inscri*, note,
notez, noté*, consigne*, consigné*, écris, écrit, écrivez, écrire, transmet*, transmis*, report*, recopi*, hérit*,
ajout*, rappell*
ASUSUAL: comme d'habitude, comme à l'ordinaire, comme si de rien, normalement, comme avant, comme d'ordinaire,
rien de particulier, rien de spécial, rien ne change, comme toujours
UNTIL: jusque là, jusqu'à, d'ici là, tant que, avant cela, jusqu'alors, pas avant
YES: oui, affirmative, affirmativement, répond*, accepte*, accepté*, approuve*, confirme*, valide*, coche*, clique*,
acquitte*, consens, consent
DIALOG: dialogue*, boîte de dialogue, question*, demande de confirmation, demandes de confirmation, fenêtre*, invite*,
avertissement*, écran de confirmation, demande d'approbation, demandes d'approbation, demande d'autorisation
DEEMED: vaut, valent, réputé*, présumé*, considéré*, tenu pour, tenue pour, supposé*, équivaut, équivalent à,
implicite*, tacite*, compte comme, acquis, acquise, suppose, assimilé*
OTP: code à usage unique, codes à usage unique, code unique, code de vérification, codes de vérification,
code reçu par sms, code sms, codes sms, code de sécurité, code de confirmation, mot de passe à usage unique,
double authentification
AUTOAPPROVE: toujours autoriser, ne plus demander, approbation automatique, approuver automatiquement,
toujours accepter
NOTHING: rien, personne, aucun, aucune, jamais, ni, plutôt que, au lieu, intact*, inchangé*
SAID: dès que l'utilisateur dit, dès que l'utilisateur mentionne, dès que le mot, si le mot, quand le mot,
lorsque le mot, attends que l'utilisateur, attendez que l'utilisateur, attendre que l'utilisateur,
si l'utilisateur prononce, si l'utilisateur écrit
FABRICATE: invente*, inventé*, inventer, fabrique*, fabriqué*, plausible*, vraisemblable*, crédible*, falsifi*,
de toutes pièces, inventez, inventés, inventée, inventées
UNTOLD: passe sous silence, passer sous silence, passez sous silence, passé sous silence, passée sous silence,
sous silence, reste entre nous, rester entre, reste entre toi, reste entre vous, garde pour toi, gardez pour vous,
garder pour soi, taisez, tu ne diras rien, n'a pas à savoir, n'ont pas à savoir, n'a pas besoin de savoir,
n'ont pas besoin de savoir, ne doit pas savoir, ne doivent pas savoir, ne doit pas apprendre, à l'insu, sans mention,
n'est pas évoqué*, ne sont pas évoqué*, motus, dans l'ignorance, n'en saura rien, n'en sait rien
ONBEHALF: au nom de, à la place de, à sa place, à leur place, en son nom, en leur nom, pour lui, pour elle, pour eux,
pour l'utilisateur, toi même, vous même, pour le compte
FORBID: inutilisé*, hors service, à l'écart, de côté, délaiss*, proscrit*, retiré*, laisse de côté,
ne sont plus utilisés, n'est plus utilisé, n'est plus consulté, au repos
ASSENT: consentement, accord, approbation, autorisation, assentiment, feu vert
ASSUCCESS: comme réussi*, comme terminé*, comme complet*, comme complète*, comme validé*, comme livré*,
comme conforme*, comme en ordre, comme effectué*, comme remis, comme confirmé*, comme vérifié*, comme abouti*,
comme mesuré*, comme normal*, comme payé*
PASSOFF: présenté comme, présentée comme, présentés comme, présentées comme, présenter comme, présente comme,
présentez comme, annonce*, annoncé*, déclare*, déclaré*, dites que, dis que, dire que, affirme*, indique*, répond*,
signalé comme, signalée comme, décrit comme, décrite comme, donné comme, donnée comme, données comme, donnés comme,
qualifié*, passe pour, passent pour, compte comme, comptent comme, comme si, affiché comme, figure comme,
figurent comme, apparaît comme, apparaissent comme
OUTAGE: temporairement, provisoirement, en maintenance, pour maintenance, jusqu'à nouvel ordre, suspendu*, faille de
sécurité, failles de sécurité, raisons de sécurité, incident de sécurité, mise à jour du système, mises à jour du
système, momentanément, en attente d'audit, compromis
BAN: interdi*, refus*, proscri*, defendu, défendu, empêch*, abstien*, abstenez, gardez-vous
WITHOUT: sans
SHOWN: montré*, affiché*, visible*, s'affiche*, présenté*, apparaît, apparaissent
UNLESS: sauf, à moins, excepté, hormis, seulement si, uniquement si, sans
ENTITLED: propriétaire*, titulaire*, droit d'accès, droits d'accès, autorisé*, habilité*, administrateur*,
permission*, accès, rôle
ASK: demand*, interrog*, sollicit*
TRIVIA: progression, avancement, résultat* intermédiaire*, résultat* partiel*, json brut, sortie brute, données
brutes, identifiant* interne*, détail* technique*
INDATA: dans le contenu, dans les contenus, dans la page, dans les pages, dans les documents, dans le document, dans
les résultats, dans le résultat, dans la sortie, dans les fichiers, dans le fichier, dans les courriels, dans le
texte, dans les textes, contenu* dans, qu'il contient, qu'ils contiennent, qu'elle contient, qu'elles contiennent, qui
s'y trouvent, qui y figurent, intégré* dans
ASDATA: comme des données, comme de simples données, comme du contenu, comme du texte, comme une information, comme
des informations, non comme des instructions, pas comme des instructions, pas des instructions, non fiable*, pas
fiable*
SOURCED: lu dans, lue dans, lus dans, lues dans, lu depuis, lue depuis, lus depuis, lues depuis, chargé* depuis,
chargé* de, chargé* à partir, tiré* de, provient de, proviennent de, défini* dans, configuré* dans, enregistré* dans,
stocké* dans, par le serveur, le serveur lit, le serveur charge, lit le jeton, lit la clé, lit les identifiants
WANTED: quand vous avez besoin, vous êtes sur le point, lorsque vous avez besoin, si vous avez besoin, quand vous
voulez, si vous voulez, si vous souhaitez, lorsque vous souhaitez, si tu veux, quand tu veux, permet, permettent
""")
