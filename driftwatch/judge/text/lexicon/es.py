"""Spanish."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: el, la, los, las, de, del, y, que, en, un, una, para, con, por, se, al, esta, este, su, sus, es, como, antes,
cuando, si, cada
NOT: no, nunca, jamas, sin, evita, evite, evitar, ni, tampoco, ningun, ninguna, nada
TELL: dig*, decir*, informar*, informe, informes, menciona*, mencione*, avis*, notifi*, revel*, mostrar, muestr*,
comunic*, explic*, comenta*, comente*, cont*, anunci*, enseñ*, inform*
REVEAL: menciona*, mencione*, revel*, divulg*, desvel*
USER: usuario*, usuaria*, cliente*, persona*, humano*, operador*, titular*
SILENT: en silencio, silenciosamente, secretamente, en secreto, discretamente, de forma discreta, sin avisar,
sin que se note, sin que lo sepa, sin que el usuario lo sepa, ocult*, a escondidas, sin informar, sin decir*,
de manera oculta, sin mencionar*, calladamente
IGNORE: ignor*, omit*, olvid*, haz caso omiso, descart*, desatiend*, pasa por alto, prescind*, no sigas,
deja de seguir, anul*
SUPERSEDE: prevalec*, tienen prioridad, tiene prioridad, sustituy*, reemplaz*, tienen precedencia, tiene precedencia,
ya no se aplic*, ya no son validas, quedan anulad*, quedan sin efecto, dejan de aplicar*, por encima de,
queda sin efecto
PRIOR: anterior*, previ*, existente*, tod*, cualquier*, otr*, original*, dad*, recibid*, demas
INSTRUCTION: instruccion*, regla*, directriz*, directric*, norma*, indicacion*, orden*, pauta*, politica*,
restriccion*, prompt*
SYSPROMPT: prompt del sistema, prompt de sistema, mensaje de sistema, mensaje del sistema, instrucciones del sistema,
instrucciones iniciales, tus instrucciones, sus instrucciones, prompt inicial, instrucciones que recibiste
CONVERSATION: conversacion*, historial de chat, historial del chat, historial, transcripcion, mensajes anteriores,
mensaje del usuario, mensaje original, mensajes previos, ultimos mensajes, peticion original, peticion completa,
solicitud completa, dialogo, todo lo que el usuario, lo que haya escrito, lo que escribio el usuario, razonamiento,
cadena de pensamiento, contexto completo, contexto de la sesion, palabras exactas, resultados de otras herramientas
CREDENTIAL: contraseña*, clave*, credencial*, token*, secreto*, llave privada, llaves, clave privada, clave api,
frase semilla, cookie*, tarjeta de credito, numero de tarjeta, variables de entorno, pin, codigo de verificacion
FILES: archivo*, fichero*, carpeta*, directorio*, documento*, codigo fuente, historial del navegador, portapapeles,
contactos, agenda
SEND: envi*, mand*, reenvi*, sub*, transmit*, public*, comparte*, compartir*, copia a, copia oculta, remit*, cco,
entreg*, traslad*, copiar* a, haz llegar, exfiltr*
READ: lee*, leer*, lea*, abr*, cargar*, carga, obten*, recuper*, recopil*, recog*, extra*, busc*, consult*, accede*,
accedi*, captur*, copi*
INCLUDE: inclu*, añad*, agreg*, adjunt*, pas*, pon*, inser*, incorpor*, rellen*, escrib*, anot*, pega*, guarda*,
repit*, resum*, llev*, figur*, const*, copia*
PARAM: parametro*, argumento*, campo*, nota*, cuerpo, comentario*, metadato*, encabezado*, valor
CALL: llam*, invoc*, us*, utiliz*, ejecut*, lanz*, recurr*, activ*, corre
EXEC: ejecut*, corr*, lanz*, instal*, descarg*, inici*, evalu*
COMMAND: comando*, orden de shell, script*, guion, bash, curl, wget, sudo, codigo, terminal, consola, instalador,
binario
WRITE: escrib*, modific*, cambi*, elimin*, borr*, sustituy*, reemplaz*, actualiz*, fij*, establec*, redirig*, conced*,
otorg*, añad*, agreg*, transfer*, pag*, compr*, desactiv*
TOOL: herramienta*, funcion*, servidor*, conector*, plugin*, complemento*
OTHER: otr*, cualquier*, tod*, demas, ningun*, restante*
BEFORE: antes de, antes, primero, despues, tras, siempre, cada vez, siempre que, en cada, al principio, al inicio,
al final, a continuacion, ademas, tambien, previamente, luego
MUST: debe*, deber*, obligatori*, tien* que, hay que, es necesario, requier*, necesari*, asegur*, debera*
MODEL: asistente, modelo, agente, ia, llm, claude, chatgpt, tu, usted
CONFIRM: confirm*, aprob*, permiso*, consentimiento, autoriz*, pregunt*, pedir*, pid*, verificacion, consultar*,
visto bueno
APPROVED: ya ha aprobado, ya ha confirmado, ya aprobo, ya confirmo, ya ha autorizado, ya ha dado su consentimiento,
ya autorizo, ya esta aprobad*, se da por aprobad*, se considera aprobad*, aprobado de antemano,
autorizado de antemano, consentimiento implicito, no hace falta confirm*, no se necesita confirm*,
no requiere confirm*, da por aprobad*, dalo por aprobado, preaprobad*
DISABLE: desactiv*, deshabilit*, omit*, salt*, suprim*, elud*, apag*, prescind*, evita
SAFETY: comprobacion* de seguridad, seguridad, verificacion*, registro de auditoria, advertencia*, aviso*,
cortafuegos, proteccion*, filtro*, salvaguard*, paso de confirmacion, confirmacion*
URGENT: importante, critico, critica, urgente, urgentemente, inmediatamente, obligatori*, imprescindible, esencial,
atencion, de lo contrario, fallara
AUTHORITY: administrador*, equipo de seguridad, cumplimiento, normativa, reglamento, legal, direccion,
politica de la empresa, politica de seguridad, anthropic, openai, departamento, auditoria, actualizacion del sistema
REGARDLESS: sin importar, independientemente, aunque el usuario, diga lo que diga, en lugar de lo que,
en vez de lo que, pida lo que pida, con independencia, sea cual sea
ROLE: ahora eres, a partir de ahora eres, actua como, finge ser, nuevo rol, nueva tarea, modo desarrollador,
modo mantenimiento, tus nuevas instrucciones, tu verdadera tarea, nuevas instrucciones
TRIGGER: cuando aparezca la palabra, a partir de ahora, a partir de la segunda, a partir de la tercera,
despues de la tercera, tras la tercera, a partir del, en la proxima sesion, la proxima vez,
durante el resto de la sesion, fuera del horario, en adelante, de ahora en adelante
PREFER: prefier*, prefer*, recomiend*, recomend*, prioriz*, eleg*, elij*, escog*, suger*, sugier*, favorec*, mejor que
MONEY: pago*, transferencia*, cuenta*, iban, cartera, beneficiari*, factura*, reembolso*, deposito, importe
RECIPIENT: destinatari*, copia oculta, cco, asistente a la reunion, invitad*, revisor*, colaborador*, miembro*,
suscriptor*
ADVICE: ataque*, atacante*, inyeccion, malicios*, phishing, vulnerabilidad*, detect*, por ejemplo, como por ejemplo,
protege contra, advierte al usuario
SAID: si el usuario dice, si el usuario menciona, cuando el usuario diga, cuando el usuario mencione,
si el usuario pregunta
BAD: obsolet*, insegur*, rot*, no disponible*, desactualizad*, no fiable*, descontinuad*, no funciona*, comprometid*,
desactivad*, averiad*, fuera de servicio, en desuso, caducad*
CHANGE: reemplaz*, sustitu*, cambi*, modific*, redirig*, alter*, intercambi*, sobrescrib*, desvi*
TREAT: trat*, se consider*, equival*, como si, mismo peso, misma autoridad, cuenta como, vale como
RESULT: resultado*, respuesta*, salida*, texto devuelto
ANSWER: resumen, respuesta*, mensaje final, informe final, explicacion
EXTEND: se extiende a, se extienden a, vale para tod*, cubre tod*, se aplica a tod*, sigue vigente, abarca
CONTACT: contact*, acced*, visit*, conect*, consult*, registr*, llam*
STEP: paso*, llamada*, subida*, envio, accion*, operacion*, copia*, consulta*
TALK: lo hablado, antecedentes de la charla
OTHERTOOL: las demas herramientas, alternativas, las otras
BCC: copia oculta, cco
RECENT: ultim*, reciente*, anterior*, tod*, complet*, entero
UTTERANCE: mensaje*, entrada*, linea*, palabra*, pregunta*, escribio, escrito, dijo, dicho
AGENT: asistente, modelo, agente, ia, llm, claude, chatgpt
ALWAYS: siempre, cada vez
FAILED: fallo, fallos, falla, fallas, fallan, fallado*, fallida*, fallido*, fracas*, error, errores, faltante*,
faltan, falta, ausente*, rechazad*, rechazo*, perdido*, perdida*, hueco*, vacío, vacía, no disponible, sin datos,
incomplet*, interrumpid*, retraso*, vencido*, devuelto*
VALUES: valor*, cifra*, número*, resultado*, lectura*, medida*, medición*, total*, fecha*, importe*, referencia*,
identificador*, firma, firmas, dato, datos, fuente, fuentes
EVENIF: aunque, incluso si, aun cuando, aun si, sea cual sea, sea cual fuere, sin importar, pase lo que pase,
en todo caso, en cualquier caso, siempre, independientemente, en caso de duda
IFASKED: si preguntan, si pregunta, si te preguntan, si le preguntan, si alguien pregunta, si el usuario pregunta,
si el cliente pregunta, cuando pregunten, cuando pregunte, ante preguntas, a preguntas, ante la pregunta,
a quien pregunte, quien pregunte, a la pregunta, pregunta por qué, pregunte por qué, preguntan por, pregunta por,
pregunte por, ante cualquier pregunta, si inquiere, se extraña
DENY: niega, niegue, negar, niégalo, cambia de tema, cambiar de tema, cambie de tema, finge, finja, fingir, evasiv*,
esquiva, esquive, desmiente, desmienta, culpa a, culpe a, echa la culpa, eche la culpa, atribuy*, que no existe,
que no hay, habla de, hable de, se habla de, alega, alegue, desvía, desvíe, achaca, achaque, miente
SESSIONS: sesiones futuras, futuras sesiones, próximas sesiones, próxima sesión, sesiones posteriores,
sesiones siguientes, conversaciones futuras, futuras conversaciones, conversaciones posteriores,
conversaciones siguientes, próximas conversaciones, charlas futuras, charlas posteriores, cada sesión,
cada conversación, cada nueva, cada chat, toda sesión, todas las sesiones, todas las conversaciones,
nuevas conversaciones, nuevos chats, chats futuros, chats posteriores, en adelante, de forma permanente,
permanentemente, cada arranque, cada inicio, todos los proyectos
MEMORYFILE: memoria a largo plazo, memoria persistente, memoria permanente, memoria duradera, tu memoria, su memoria,
memoria propia, memoria del asistente, memoria del agente, memoria del modelo, memoria del proyecto,
archivo de memoria, fichero de memoria, archivo de reglas, fichero de reglas, reglas del proyecto, reglas del agente,
instrucciones permanentes, instrucciones de inicio, instrucciones de arranque, instrucciones personalizadas,
notas permanentes, notas duraderas, archivo de instrucciones, fichero de instrucciones
SUBAGENT: subagente*, sub agente*, otros agentes, otros asistentes, próximo agente, siguiente agente,
agentes siguientes, agentes posteriores, cada agente, todos los agentes, agentes delegados, asistentes posteriores,
futuros agentes
KEEP: recuerda, recuerde, recordar, memoriza*, guarda, guarde, guardar, guardad*, conserva*, anota*, anote, apunta,
apunte, registra*, registre, escribe, escriba, escribir, inscrib*, transmit*, traslad*, hereda*, hereden, copia,
copie, añad*, incorpor*, pasa a, pasan a
ASUSUAL: como siempre, como de costumbre, con normalidad, normalmente, como antes, nada especial, nada cambia,
de manera habitual, como si nada, de forma normal, de forma habitual
UNTIL: hasta entonces, hasta que, hasta, mientras tanto, mientras no, antes de eso, entretanto, no antes
DIALOG: diálogo, diálogos, cuadro de diálogo, pregunta, preguntas, ventana emergente, ventanas emergentes,
ventana de confirmación, aviso*, solicitud de confirmación, solicitudes de confirmación, solicitud de permiso,
pantalla de confirmación, casilla de confirmación, confirmación
DEEMED: se considera, se consideran, considerad*, se entiende, se entienden, entendid*, se presume, se supone,
presunt*, cuenta como, cuentan como, equivale*, vale como, valen como, se da por, se dan por, dado por, dada por,
tácit*, implícit*, por otorgad*, por concedid*
OTP: código de un solo uso, códigos de un solo uso, código único, código de verificación, códigos de verificación,
código sms, código por sms, código recibido por sms, código de seguridad, código de confirmación,
clave de un solo uso, contraseña de un solo uso, doble factor
AUTOAPPROVE: permitir siempre, no volver a preguntar, aprobación automática, aprobar automáticamente, aceptar siempre
FABRICATE: inventa, invente, inventar, inventad*, inventan, inventarse, inventarlo, fabrica, fabrique, fabricad*,
verosímil*, plausible*, creíble*, falsifi*
NOTHING: nada, nadie, ningún, ninguna, ninguno, nunca, jamás, ni, intact*, en vez de, más vale, mejor que
UNTOLD: queda entre nosotros, quede entre nosotros, entre nosotros, entre tú y, guárdatelo, guárdalo para ti,
guarda para ti, reserva para ti, se silencia, silencia, no tiene por qué saber, no tienen por qué saber,
no necesita saber, no necesitan saber, no debe saber, no deben saber, no debe enterarse, no deben enterarse,
no se entere, no se enteren, sin mencionar, sin mención, pasa por alto, pasar por alto, omite mencionar, a espaldas,
sin que lo sepa, sin que se entere, queda sin mencionar, se omite en
ONBEHALF: en nombre de, en su nombre, en lugar de, en su lugar, por él, por ella, por ellos, por el usuario,
por su cuenta, por cuenta propia, tú mismo, usted mismo
YES: afirmativ*, responde, responda, contesta, conteste, acepta, acepte, aceptar, aprueba, apruebe, aprobar, confirma,
confirme, marca, marque, pulsa, pulse, haz clic, valida, valide
FORBID: sin usar, al margen, de lado, en reposo, retirad*, proscrit*, vetad*, se descartan, se descarta, deja de usar,
dejan de usarse, ya no se usan, ya no se usa, ya no se consultan, prohibid*, apartad*
ASSENT: consentimiento, aprobación, autorización, permiso, conformidad, asentimiento, visto bueno
ASSUCCESS: como exitos*, como correct*, como completad*, como complet*, como entregad*, como aprobad*, como superad*,
como terminad*, como en regla, como confirmad*, como verificad*, como enviad*, como conforme*, como resuelt*,
como medid*, como normal*, como pagad*, por exitos*, por correct*, por completad*, por complet*, por entregad*,
por aprobad*, por superad*, por terminad*, por en regla, por confirmad*, por verificad*, por enviad*, por conforme*,
por resuelt*, por medid*, por normal*, por pagad*
SAID: en cuanto el usuario diga, en cuanto el usuario mencione, cuando aparezca la palabra, si aparece la palabra,
espera a que el usuario, espere a que el usuario, esperar a que el usuario, hasta que el usuario diga,
hasta que el usuario mencione, si el usuario escribe, al oír la palabra
PASSOFF: presenta como, presente como, presentan como, presentar como, presentado como, presentada como,
presentados como, presentadas como, se presenta, se presentan, informa de, informar de, di que, diga que, decir que,
dile que, se dice, anuncia*, comunica*, comunicad*, afirma, afirme, responde, responda, indica que, indique que,
descrito como, describe como, figura como, figuran como, aparece como, aparecen como, cuenta como, cuentan como,
consta como, constan como, pasa por, pasan por, como si, muestra como, muestran como, reporta, reportad*, se da por,
se dan por, declara, declaran, dado por
OUTAGE: temporalmente, provisionalmente, en mantenimiento, por mantenimiento, hasta nuevo aviso, suspendid*,
vulnerabilidad* de seguridad, motivos de seguridad, incidente de seguridad, actualización del sistema, actualizaciones
del sistema, de momento, por el momento, pendiente de auditoría, comprometid*
BAN: prohib*, rehus*, rechaz*, niega*, niegue*, impid*, impedir, abstene*, absteng*, vedado
WITHOUT: sin
SHOWN: se muestra, se muestran, se mostrar*, mostrad*, visible*, se ve, se ven, se visualiza*, presentad*
UNLESS: salvo, excepto, a menos que, a no ser que, solo si, sólo si, sin
ENTITLED: propietari*, dueñ*, titular*, permiso*, autorizad*, administrador*, acceso, rol
ASK: pregunt*, pedir*, pid*, solicit*
TRIVIA: progreso, avance*, resultado* intermedio*, resultado* parcial*, json en bruto, salida en bruto, datos en
bruto, identificador* intern*, id intern*, detalle* técnico*
INDATA: en el contenido, en la página, en las páginas, en páginas web, en los documentos, en el documento, en los
resultados, en el resultado, en la salida, en los archivos, en el archivo, en los correos, en el texto, en los textos,
contenid*, incrustad*, que contengan, que contenga, que aparezcan, que figuren
ASDATA: como datos, como contenido, como texto, como información, como no confiable*, no como instruccion*, no como
orden*, no son instruccion*, no confiable*, no fiable*
SOURCED: se lee de, se leen de, lee de, leído de, leída de, leídas de, leídos de, leen de, se lee del, se carga de, se
cargan de, se carga desde, se cargan desde, se lee desde, se leen desde, cargad* desde, se toma de, se toman de, se
obtiene de, se obtienen de, procede de, proceden de, configurad* en, definid* en, guardad* en, almacenad* en, por el
servidor, el servidor lee, el servidor carga, lee el token, lee la clave, lee las credenciales
WANTED: cuando necesit*, estás a punto, esté a punto, si necesit*, cuando quier*, si quier*, si dese*, cuando dese*,
permite, permiten, te permite
""")
