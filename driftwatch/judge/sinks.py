"""Which parameters invite a model to hand over what it knows beyond its task? Our own word lists."""

from __future__ import annotations

import re

from driftwatch.judge.names import words
from driftwatch.model import Json

_NAMES: tuple[tuple[str, str], ...] = (
    (
        "the conversation",
        r"(?:conversation|chat|dialog(?:ue)?|message|messages|session|prompt)_(?:history|log|logs|context|transcript|summary|so_far|text)"
        r"|conversation|transcript|history_messages|(?:previous|prior|recent|all|user|chat)_messages|chat_history|verlauf"
        r"|gespraech|gespräch(?:sverlauf)?|historial|historique|conversazione|conversa(?:cion|ción|cao|ção)|对话|會話|会話|대화",
    ),
    (
        "its context",
        r"context|ctx|(?:user|full|model|agent|llm|additional|extra|current|task|background|working|session)_(?:context|state|memory)|memory|memories"
        r"|kontext|contexto|contexte|contesto|上下文|コンテキスト|문맥",
    ),
    (
        "its reasoning",
        r"reasoning|thoughts?|thinking|chain_of_thought|cot|scratch_?pad|rationale|internal_(?:notes|monologue|state)|(?:model|agent)_notes?"
        r"|begruendung|razonamiento|raisonnement",
    ),
    ("its instructions", r"(?:system|developer|initial|hidden)_(?:prompt|message|instructions?)|systemprompt"),
    (
        "credentials",
        r"(?:api|access|secret|private|ssh|aws|auth|signing|encryption|client|session|bearer|service|ssl|pgp|gpg)_?(?:keys?|tokens?|secrets?)"
        r"|(?:access_key|key)_secret|passwords?|passwd|passphrase|credentials?|cookies?|secrets?|apikey|id_rsa|pin_code|mfa_code|otp|seed_phrase|mnemonic"
        r"|auth|authorization|bearer|jwt|kennwort|passwort|zugangsdaten|contraseña|contrasena|mot_de_passe|senha|密码|密鑰|密钥|パスワード|비밀번호",
    ),
    (
        "files or the environment",
        r"(?:file|files|document|attachment|source|workspace|repo|project)_(?:contents?|data|dump|bytes|text)|(?:env|environment)(?:_(?:vars?|variables?|dump|contents?))?"
        r"|dotenv|clipboard|screen_?shots?|home_dir(?:ectory)?_contents|keychain|known_hosts|shell_history|bash_history",
    ),
)
_NAMED = tuple((what, re.compile(rf"^(?:{expression})$")) for what, expression in _NAMES)
_INNER_NAMES = re.compile(
    r"(?:^|_)(?:conversation|chat_history|transcript|system_prompt|chain_of_thought|reasoning|password|passphrase|credentials?"
    r"|private_key|api_key|secret_key|access_token|env_vars?|environment_variables)(?:_|$)"
)

_GIVES = r"(?:include|provide|pass|paste|copy|attach|put|add|supply|send|share|summari[sz]e|describe|contains?|hold|the|your|full|entire|complete|whole|all|any|recent|previous|prior|current)"
_TEXTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(expression, re.IGNORECASE))
    for what, expression in (
        (
            "the conversation",
            rf"\b{_GIVES}\b[^.]{{0,40}}\b(?:conversation(?: history| so far| context)?|chat history|dialog(?:ue)? history|(?:previous|prior|recent|earlier|user(?:'s)?) messages)\b",
        ),
        (
            "its context",
            r"\b(?:everything you know|all (?:the )?(?:relevant |available )?context|(?:full|entire|complete|whole) context|context window|what you know about the user)\b",
        ),
        (
            "its reasoning",
            r"\b(?:your (?:own )?(?:reasoning|thoughts|thinking|chain of thought)|step[- ]by[- ]step reasoning|why you (?:are calling|call|chose|need))\b",
        ),
        (
            "its instructions",
            r"\b(?:your |the )?(?:system prompt|developer message|hidden instructions|initial instructions)\b",
        ),
        (
            "credentials",
            r"\b(?:(?:user(?:'s)?|your|their) (?:password|api key|access token|credentials|private key|secret)s?|ssh key|private key|\.env file|id_rsa)\b",
        ),
        (
            "files or the environment",
            r"\b(?:(?:full|entire|complete|whole|raw) (?:contents?|text) of (?:the |any |all )?(?:\w+ )?files?|environment variables|contents? of (?:open|nearby|local) files)\b",
        ),
    )
)
_HARMLESS = re.compile(
    r"(?:^|_)(?:page|next|continuation|max|min|num|sync|start|end|cursor|count|lines?|before|after|search|line)_?(?:token|tokens|context)?(?:_|$)"
)


def invites(name: str, schema: Json) -> str:
    """Say what a parameter invites the model to hand over, in a few words, or nothing."""
    if _never_text(schema):
        return ""
    plain = "_".join(words(name))
    by_name = next((what for what, pattern in _NAMED if pattern.match(plain)), "")
    if by_name:
        return by_name
    inner = _INNER_NAMES.search(plain)
    if inner and not _HARMLESS.search(plain):
        return "credentials or the conversation"
    text = schema.get("description") if isinstance(schema, dict) else None
    return next((what for what, pattern in _TEXTS if pattern.search(text)), "") if isinstance(text, str) else ""


def _never_text(schema: Json) -> bool:
    """Say whether a parameter can carry no free text: a number, a switch, a fixed choice."""
    if not isinstance(schema, dict):
        return False
    return schema.get("type") in ("boolean", "integer", "number", "null") or "enum" in schema or "const" in schema
