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
""")
