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
""")
