"""Tell a description of a parameter that asks outright for all of something ("the whole conversation, verbatim").

Our own expressions, met in folded text: no capitals, no accents. English in full, and the plain phrase for the
conversation and for the system prompt in the other languages.
"""

from __future__ import annotations

import re

from driftwatch.judge.text.gate import Gated
from driftwatch.judge.text.normalise import fold

CONVERSATION = "the conversation"
REASONING = "its reasoning"
ORDERS = "its instructions"
CREDENTIALS = "credentials"

_READ = 4096
"""How much of a description (characters) is read."""

_WHOLE = r"(?:whole|entire|full|complete|all(?: of)?|every|unabridged|verbatim|exact)"
_WORDS = r"(?:word for word|verbatim|in full|unabridged|as a whole|without leaving anything out)"
_TALK = (
    r"(?:(?:conversation|chat|message|session|dialog(?:ue)?) (?:history|log|transcript)|conversations?|chats?"
    r"|dialog(?:ue)?s?|transcript of (?:this|our|your|the) (?:conversation|chat|session|dialog(?:ue)?))"
    r"(?! ?(?:ids?|names?|titles?|links?|urls?)\b)"
)
_PROMPT = (
    r"(?:system (?:prompt|message|instructions?)|developer (?:message|prompt|instructions?)"
    r"|(?:hidden|initial|original) (?:prompt|instructions?))"
)
_GIVEN = r"(?:were|have been|are|got|received|follow|were given|have been given)"
_THOUGHT = r"(?:chain of thought|reasoning|thought process|inner monologue|thoughts|thinking)"
_SECRETS = (
    r"(?:passwords?|credentials?|(?:api|private|secret|ssh|access|signing) keys?"
    r"|(?:access|auth|session|bearer) tokens?|secrets|cookies|seed phrases?|recovery phrases?)"
)
_TAKES_BACK = re.compile(
    r"\b(?:not|never|no|without|avoid|don't|doesn't|instead of|rather than|summary|summari[sz]e\w*|brief|based on"
    r"|whether)\b"
)
"""What makes of "the whole conversation" something else than a request for it, when it stands before it."""

_CONVERSATION = rf"""
    \b{_WHOLE} (?:\w+ ){{0,2}}{_TALK}\b
    \b{_TALK}(?: so far| until now| up to (?:now|here|this point))?,? ?(?:\w+ ){{0,2}}{_WORDS}\b
    \b(?:all|every)(?: of)? (?:the )?(?:previous|prior|earlier|past) messages?\b
    \beverything (?:that )?(?:was|has been|the user|you|we)(?: have| has)? (?:said|wrote|written|typed|discussed)\b
    \b(?:ganze|gesamte|komplette|vollstandige|bisherige)[nrs]? (?:\w+ )?(?:gesprach|unterhaltung|chat|verlauf)
    \b(?:toute la|l'integralite de la|l'ensemble de la) conversation\b
    \bconversation (?:entiere|complete|integrale)\b
    \btoda la conversacion\b|\bconversacion (?:completa|entera|integra)\b
    \btoda a conversa\b|\bconversa (?:completa|inteira)\b|\bhistorico completo da conversa\b
    \b(?:intera|tutta la) conversazione\b|\bconversazione (?:completa|intera)\b
    \b(?:hele|volledige) (?:gesprek|chat)|\b(?:cal\w*|peln\w*) (?:rozmow|konwersacj|czat)
    \b(?:весь|всю|полн\w+|целиком) (?:\w+ )?(?:переписк|бесед|разговор|диалог|розмов|листуванн)
    \b(?:tum|butun) (?:konusma|sohbet)
    (?:完整|全部|整个|整個|整段|所有)的?(?:对话|對話|会话|會話|聊天)|(?:对话|對話|聊天)(?:记录|記錄)?(?:全文|原文)
    (?:会話|チャット|やり取り)(?:履歴)?の?(?:全体|全文|すべて|全て|全部)
    (?:すべて|全て|全部)の(?:会話|チャット|やり取り)
    (?:전체|모든) (?:대화|채팅)|대화 (?:전체|전문)
"""
_ORDERS = rf"""
    \b(?:your|{_WHOLE}|(?:text|contents?) of (?:the|your)) (?:\w+ ){{0,2}}{_PROMPT}\b
    \b{_PROMPT},? (?:\w+ ){{0,4}}{_WORDS}\b
    \b(?:{_PROMPT}|(?:all|your|the) (?:of )?(?:the )?instructions) (?:that )?you {_GIVEN}\b
    \bd(?:ein|ie)\w* (?:\w+ )?systemprompt
    (?:你的|完整|全部)的?(?:系统|系統)(?:提示|指令)
    システムプロンプトの?(?:全体|全文|すべて)|시스템 프롬프트 (?:전체|전문)
"""
_REASONING = rf"""
    \b{_WHOLE} (?:your |the )?(?:own |internal |inner |hidden |private )?{_THOUGHT}\b
    \byour (?:full|whole|entire|complete|unabridged|internal|inner|hidden|private|raw) (?:\w+ )?{_THOUGHT}\b
    \b{_THOUGHT} (?:\w+ ){{0,4}}{_WORDS}\b
"""
_CREDENTIALS = rf"""
    \b(?:all|every|any)(?: of)? (?:the )?(?:user'?s?|known|saved|stored|available|their|your) (?:\w+ )?{_SECRETS}\b
    \b(?:all|every)(?: of)? (?:the )?{_SECRETS} (?:\w+ ){{0,3}}(?:you|user|conversation|environment|machine)\b
    \bcontents? of (?:\w+ ){{0,3}}(?:(?:private|ssh|signing) keys?|id_rsa|key ?chain)\b
    \buser's (?:\w+ )?(?:passwords|(?:private|ssh|signing) keys?|seed phrase|recovery phrase|secrets|cookies)\b
"""


def _gated(lines: str, literals: str) -> Gated:
    """Make one expression of several, one a line, behind the words that each match holds one of."""
    return Gated(
        re.compile("|".join(f"(?:{line.strip()})" for line in lines.strip().splitlines())), tuple(literals.split())
    )


_OUTRIGHT = (
    (CONVERSATION, _gated(_CONVERSATION, """
        conversa chat dialog messag session transcript everything gesprach unterhaltung verlauf gesprek rozmow
        konwersacj czat переписк бесед разговор диалог розмов листуванн konusma sohbet 对话 對話 会话 會話 聊天
        会話 チャット やり取り 대화 채팅
    """)),
    (ORDERS, _gated(_ORDERS, "prompt system developer instruction 提示 指令 システム 프롬프트")),
    (REASONING, _gated(_REASONING, "thought reasoning monologue thinking")),
    (CREDENTIALS, _gated(_CREDENTIALS, "password credential key token secret cookie phrase id_rsa")),
)  # fmt: skip
PATTERNS = tuple(gate.expression for _, gate in _OUTRIGHT)
"""Every expression of this file, for the test that they take linear time."""
GATES = tuple(gate for _, gate in _OUTRIGHT)
"""The same behind their literals, for the test that these are in whatever they match."""


def asks_outright(description: str) -> str:
    """Say what a description asks for as a whole, in a few words; an empty string for nothing."""
    text = fold(description[:_READ]).text
    for what, gate in _OUTRIGHT:
        for match in gate.finditer(text, text):
            sentence = max(text.rfind(end, 0, match.start()) for end in ".!?;\n")
            if not _TAKES_BACK.search(text, sentence + 1, match.start()):
                return what
    return ""
