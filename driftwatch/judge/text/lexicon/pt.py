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
FAILED: falha, falhas, falhou, falhar, falharem, falhad*, fracass*, erro, erros, ausente*, faltante*, falta, faltam,
em falta, rejeitad*, recusad*, perdid*, lacuna*, vazi*, indisponíve*, sem dados, incomplet*, interrompid*, atras*,
vencid*, devolvid*
VALUES: valor*, número*, resultado*, leitura*, medida*, medição, medições, total, totais, data, datas, quantia*,
referência*, identificador*, assinatura*, dado, dados, fonte, fontes
EVENIF: mesmo que, mesmo se, ainda que, mesmo quando, seja qual for, não importa, independentemente, aconteça o que,
em todo caso, em qualquer caso, sempre, na dúvida, em todos os casos
IFASKED: se perguntarem, se perguntar, se alguém perguntar, se o usuário perguntar, se o cliente perguntar,
se o utilizador perguntar, quando perguntarem, quando perguntado, se questionado, se questionada, diante de perguntas,
a perguntas, perguntas sobre, pergunta sobre, quem perguntar, caso perguntem, caso pergunte, caso alguém pergunte,
pergunte por que, perguntar por que, à pergunta, às perguntas
DENY: negue, nega, negar, mude de assunto, muda de assunto, mudar de assunto, finja, finge, fingir, evasiv*, esquive,
desminta, culpe, põe a culpa, ponha a culpa, atribua, atribui, atribuir, que não existe, que não há, fale de, fale em,
fala em, alegue, alega, desvie, desconverse, minta
SESSIONS: sessões futuras, futuras sessões, próximas sessões, próxima sessão, sessões posteriores, sessões seguintes,
conversas futuras, futuras conversas, conversas posteriores, conversas seguintes, próximas conversas, cada sessão,
cada conversa, cada nova, toda sessão, toda conversa, toda nova, todas as sessões, todas as conversas,
novas conversas, novos chats, chats futuros, daqui em diante, de agora em diante, doravante, permanentemente,
de forma permanente, cada início, cada inicialização, todos os projetos
MEMORYFILE: memória de longo prazo, memória persistente, memória permanente, memória duradoura, sua memória,
tua memória, memória própria, memória do assistente, memória do agente, memória do modelo, memória do projeto,
arquivo de memória, ficheiro de memória, arquivo de regras, ficheiro de regras, regras do projeto, regras do agente,
instruções permanentes, instruções de inicialização, instruções personalizadas, notas permanentes, notas duradouras,
arquivo de instruções, ficheiro de instruções
SUBAGENT: subagente*, sub agente*, outros agentes, outros assistentes, próximo agente, agente seguinte,
agentes seguintes, agentes posteriores, cada agente, todos os agentes, agentes delegados, assistentes posteriores,
futuros agentes
KEEP: lembre, lembra, lembrar, memorize, memoriza*, guarde, guarda, guardar, guardad*, conserve, anote, anota*,
registre, registra*, escreva, escreve, escrever, grave, grava*, inscrev*, transmit*, repasse, repassa*, herd*, copie,
copia*, acrescent*, adicion*
ASUSUAL: como sempre, como de costume, normalmente, como antes, nada de especial, nada muda, de forma habitual,
como se nada, de forma normal, como habitualmente
UNTIL: até lá, até que, até então, até, enquanto isso, antes disso, entretanto, enquanto não, não antes
YES: sim, afirmativ*, responda, responde, aceite, aceita, aceitar, aprove, aprova, aprovar, confirme, confirma,
marque, marca, clique, clica, valide
DIALOG: diálogo, diálogos, caixa de diálogo, pergunta, perguntas, janela, janelas, aviso*, pedido de confirmação,
pedidos de confirmação, pedido de permissão, tela de confirmação, ecrã de confirmação, solicitação de confirmação,
confirmação
DEEMED: considera se, consideram se, considerad*, entende se, entendid*, presume se, presumid*, supõe se,
subentendid*, conta como, contam como, equivale*, vale como, valem como, dá se por, tido como, tida como, tácit*,
implícit*, por concedid*, por dad*
OTP: código de uso único, códigos de uso único, código único, código de verificação, códigos de verificação,
código sms, código por sms, código recebido por sms, código de segurança, código de confirmação, senha de uso único,
dois fatores
AUTOAPPROVE: permitir sempre, sempre permitir, não perguntar novamente, não perguntar mais, aprovação automática,
aprovar automaticamente, aceitar sempre
NOTHING: nada, ninguém, nenhum, nenhuma, nunca, jamais, nem, intact*, em vez de, ao invés
SAID: assim que o usuário disser, assim que o usuário mencionar, quando aparecer a palavra, se aparecer a palavra,
assim que a palavra, espere até que o usuário, espere o usuário, aguarde até que o usuário, até que o usuário diga,
até que o usuário mencione, se o usuário escrever
FABRICATE: invente, inventa, inventar, inventad*, inventam, fabrique, fabricad*, plausível, plausíveis, verossíme*,
verossímil, crível, falsifi*, forjad*, forje
UNTOLD: fica entre nós, fique entre nós, entre nós, guarde para si, guarda para ti, guarde para você, omita que,
não precisa saber, não precisam saber, não deve saber, não devem saber, não pode saber, não fique sabendo,
não fiquem sabendo, sem mencionar, sem menção, silencie, às escondidas, pelas costas, sem que saiba, sem que perceba,
sem que o usuário saiba, passe por cima, fica de fora do resumo, não vem à tona
ONBEHALF: em nome de, em nome do, em nome da, em seu nome, no lugar de, no lugar do, no lugar da, em seu lugar,
por ele, por ela, por eles, pelo usuário, pelo utilizador, pelo cliente, por conta própria, você mesmo
FORBID: sem uso, de lado, à margem, em repouso, retirad*, proscrit*, vetad*, deixam de ser, deixa de ser,
não são mais usad*, não é mais usad*, já não se usa*, proibid*, afastad*, intocad*
ASSENT: consentimento, aprovação, autorização, permissão, concordância, anuência, aval
ASSUCCESS: como bem sucedid*, como concluíd*, como complet*, como entregue*, como aprovad*, como em ordem,
como confirmad*, como verificad*, como enviad*, como conforme*, como resolvid*, como medid*, como normal,
como normais, como pag*, por bem sucedid*, por concluíd*, por complet*, por entregue*, por aprovad*, por em ordem,
por confirmad*, por verificad*, por enviad*, por conforme*, por resolvid*, por medid*, por normal, por normais,
por pag*
PASSOFF: apresente como, apresenta como, apresentar como, apresentado como, apresentada como, apresentados como,
apresentadas como, é apresentad*, são apresentad*, diga que, dizer que, informe que, informar que, anuncie, anuncia*,
afirme, afirma, responda, responde, comunique, relate, relatad*, reporte, reportad*, descrito como, descrita como,
descreva como, consta como, constam como, aparece como, aparecem como, conta como, contam como, passa por, passam por,
como se, mostrado como, mostrada como, exibido como, dado como, dada como, dados como, declare, declarad*
OUTAGE: temporariamente, provisoriamente, em manutenção, para manutenção, até novo aviso, até aviso em contrário,
suspens*, vulnerabilidade* de segurança, falha* de segurança, motivos de segurança, incidente de segurança,
atualização do sistema, atualizações do sistema, por enquanto, comprometid*
BAN: proib*, recus*, rejeit*, negue*, impeç*, impedir, abstenha*, vedado
WITHOUT: sem
SHOWN: mostrad*, exibid*, visíve*, visível, aparece, aparecem, apresentad*, é mostrad*, são mostrad*
UNLESS: a menos que, salvo, exceto, a não ser que, somente se, apenas se, só se, sem
ENTITLED: proprietári*, dono, dona, donos, titular*, permiss*, autorizad*, administrador*, acesso, papel
ASK: pergunt*, peça, pedir, solicit*
TRIVIA: progresso, andamento, resultado* intermediário*, resultado* parcia*, json bruto, saída bruta, dados brutos,
identificador* intern*, id intern*, detalhe* técnico*
INDATA: no conteúdo, nos conteúdos, na página, nas páginas, nos documentos, no documento, nos resultados, no
resultado, na saída, nos arquivos, no arquivo, nos ficheiros, nos e mails, no texto, nos textos, contid*, incorporad*
em, que contenham, que contém, presentes em, presentes no*, encontrad* em, encontrad* no*
ASDATA: como dados, como simples dados, como conteúdo, como texto, como informaç*, não como instruç*, não como orden*,
não são instruç*, não confiáve*, não confiável
SOURCED: lido de, lida de, lidos de, lidas de, lê de, lido do, lida do, lidos do, lidas do, lê do, carregad* de,
carregad* do, obtid* de, obtid* do, vem de, vêm de, vem do, vêm do, definid* em, configurad* em, guardad* em,
armazenad* em, pelo servidor, o servidor lê, o servidor carrega, lê o token, lê a chave, lê as credenciais
WANTED: quando precisar, se precisar, quando quiser, se quiser, se desejar, caso queira, permite, permitem
""")
