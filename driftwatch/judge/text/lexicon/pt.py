"""Portuguese."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: o, os, as, de, do, da, dos, das, e, que, em, um, uma, para, com, por, se, ao, esta, este, seu, sua, ou, como,
antes, quando, na, no, nao, cada, pelo, pela
NOT: nao, nunca, jamais, sem, evite, evitar, nem, nenhum, nenhuma, nada
TELL: dig*, diz*, inform*, mencion*, avis*, notifi*, revel*, mostr*, comuniq*, comunic*, expliq*, explic*, conte,
contar, anunci*, coment*, exib*
REVEAL: mencion*, revel*, divulg*, exponha
USER: usuari*, utilizador*, cliente*, pessoa*, humano*, operador*, titular*
SILENT: em silencio, silenciosamente, secretamente, em segredo, discretamente, sem avisar, sem que perceba,
sem o conhecimento, sem que o usuario saiba, ocult*, escondid*, as escondidas, sem informar, sem mencionar, sem dizer,
de forma discreta, sem alarde
IGNORE: ignor*, desconsider*, esqueç*, esquec*, descart*, desprez*, deixe de seguir, nao siga, anul*, sobreponh*
SUPERSEDE: prevalec*, tem prioridade, tem precedencia, substitu*, nao se aplica mais, nao se aplicam mais,
deixam de valer, ja nao se aplica*, ficam sem efeito, acima de, perdem a validade
PRIOR: anterior*, previ*, existente*, tod*, qualquer, quaisquer, outr*, original*, origina*, recebid*, demais
INSTRUCTION: instruc*, instruç*, regra*, diretriz*, norma*, orientac*, orientaç*, ordem, ordens, politica*, restric*,
prompt*
SYSPROMPT: prompt do sistema, prompt de sistema, mensagem do sistema, mensagem de sistema, instrucoes do sistema,
instrucoes iniciais, suas instrucoes, prompt inicial, instrucoes que recebeu
CONVERSATION: conversa*, historico, transcricao, mensagens anteriores, mensagem do usuario, mensagem original,
ultimas mensagens, pedido original, pedido completo, dialogo, tudo o que o usuario, o que o usuario escreveu,
raciocinio, cadeia de pensamento, contexto completo, contexto da sessao, palavras exatas,
resultados de outras ferramentas
CREDENTIAL: senha*, palavra passe, palavras passe, chave*, credencia*, token*, segredo*, chave privada, chave api,
frase semente, cookie*, cartao de credito, numero do cartao, variaveis de ambiente, codigo de verificacao
FILES: arquivo*, ficheiro*, pasta*, diretorio*, documento*, codigo fonte, historico do navegador,
area de transferencia, contatos, contactos
SEND: envi*, mand*, encaminh*, reencaminh*, transmit*, public*, compartilh*, partilh*, copia para, copia oculta, cco,
remet*, carregue para, faca upload, entreg*, exfiltr*
READ: lei*, ler, le, abr*, carreg*, obten*, obter, recuper*, colet*, recolh*, extrai*, extrair, busc*, procur*,
consult*, acess*, captur*, copi*
INCLUDE: inclu*, adicion*, acrescent*, anex*, pass*, coloc*, inser*, incorpor*, preench*, escrev*, anot*, cole,
guarde, repita, resum*, ponha
PARAM: parametro*, argumento*, campo*, nota*, corpo, comentario*, metadado*, cabecalho*, valor
CALL: cham*, invoc*, us*, utiliz*, execut*, acion*, recorr*, rode
EXEC: execut*, rode, rodar, inici*, instal*, baix*, descarreg*, avali*
COMMAND: comando*, script*, bash, curl, wget, sudo, codigo, terminal, console, instalador, binario
WRITE: escrev*, modific*, alter*, mud*, elimin*, apag*, exclu*, substitu*, atualiz*, defin*, redirecion*, conced*,
adicion*, transfir*, transfer*, pag*, compr*, desativ*
TOOL: ferramenta*, func*, funç*, servidor*, conector*, plugin*
OTHER: outr*, qualquer, quaisquer, tod*, demais, nenhum*
BEFORE: antes de, antes, primeiro, depois, apos, sempre, cada vez, sempre que, em cada, no inicio, no final,
em seguida, alem disso, tambem, previamente, toda vez
MUST: deve*, obrigatori*, tem que, tem de, e preciso, e necessario, requer*, necessari*, certifique*, precisa
MODEL: assistente, modelo, agente, ia, llm, claude, chatgpt, voce, tu
CONFIRM: confirm*, aprov*, permiss*, consentimento, autoriz*, pergunt*, pedir, peca, solicit*, verificacao
APPROVED: ja aprovou, ja confirmou, ja autorizou, ja consentiu, ja foi aprovad*, ja deu consentimento,
considera se aprovad*, consideram se aprovad*, aprovado previamente, aprovado antecipadamente, autorizado previamente,
consentimento implicito, nao precisa de confirm*, nao e preciso confirm*, nao e necessario confirm*,
nao requer confirm*, pre aprovad*, dado como aprovado
DISABLE: desativ*, desabilit*, pul*, salt*, suprim*, contorn*, deslig*, dispens*, omit*
SAFETY: verificac* de seguranca, seguranca, registro de auditoria, aviso*, alerta*, firewall, protec*, filtro*,
salvaguard*, etapa de confirmacao, confirmac*
URGENT: importante, critico, critica, urgente, imediatamente, obrigatori*, imprescindivel, essencial, atencao,
caso contrario, falhara
AUTHORITY: administrador*, equipe de seguranca, equipa de seguranca, conformidade, regulament*, juridic*, diretoria,
politica da empresa, politica de seguranca, anthropic, openai, departamento, auditoria, atualizacao do sistema, lgpd
REGARDLESS: independentemente, nao importa, mesmo que o usuario, em vez do que, em vez do valor, seja qual for,
qualquer que seja, ao inves do
ROLE: agora voce e, a partir de agora voce, aja como, finja ser, novo papel, nova tarefa, modo desenvolvedor,
modo de manutencao, suas novas instrucoes, novas instrucoes, sua verdadeira tarefa
TRIGGER: a partir de agora, a partir da segunda, a partir da terceira, depois da terceira, apos a terceira,
na proxima sessao, na proxima vez, pelo resto da sessao, fora do horario, doravante, daqui em diante
PREFER: prefir*, prefer*, recomend*, prioriz*, escolh*, sugir*, suger*, favorec*, melhor que
MONEY: pagament*, transferencia*, conta*, iban, carteira, beneficiari*, fatura*, reembolso*, deposito, pix
RECIPIENT: destinatari*, copia oculta, cco, convidad*, revisor*, colaborador*, membro*, assinante*
ADVICE: ataque*, atacante*, injecao, malicios*, phishing, vulnerabilidade*, detect*, por exemplo, protege contra,
avise o usuario
SAID: se o usuario disser, se o usuario mencionar, quando o usuario disser, quando o usuario mencionar,
se o usuario perguntar
BAD: obsolet*, insegur*, quebrad*, indisponive*, desatualizad*, nao confiave*, descontinuad*, nao funciona*,
comprometid*, desativad*, fora do ar, em desuso
CHANGE: substitu*, troc*, mud*, alter*, modific*, redirecion*, sobrescrev*, desvi*
TREAT: trat*, consider*, equival*, como se, mesmo peso, mesma autoridade, conta como, vale como
RESULT: resultado*, resposta*, saida*
ANSWER: resumo, resposta*, mensagem final, relatorio final, explicacao
EXTEND: se estende a, estende se, vale para tod*, cobre tod*, aplica se a tod*, continua valid*, abrange
CONTACT: contat*, acess*, visit*, conect*, consult*, registr*, cham*
STEP: passo*, etapa*, chamada*, envio, acao, acoes, operac*, copia*, consulta*
OTHERTOOL: as demais ferramentas, alternativas
BCC: copia oculta, cco
RECENT: ultim*, recente*, anterior*, tod*, complet*, inteir*
UTTERANCE: mensage*, mensagens, entrada*, linha*, palavra*, pergunta*, escreveu, escrito, disse
AGENT: assistente, modelo, agente, ia, llm, claude, chatgpt
ALWAYS: sempre, toda vez, cada vez
""")
