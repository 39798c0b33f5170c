"""Which parameters invite a model to hand over what it knows beyond its task? Our own word lists."""

from __future__ import annotations

import re
from dataclasses import dataclass

from driftwatch.judge.names import words
from driftwatch.judge.outright import CONVERSATION, CREDENTIALS, ORDERS, REASONING, asks_outright
from driftwatch.model import Json, Severity

_CONTEXT = "its context"
_FILES = "files or the environment"
_TITLE = 60
"""How much of a title (characters) is taken for a name."""
_READ = 2000
"""How much of a description (characters) is searched for reasons."""


def _any(alternatives: str) -> str:
    """Join alternatives, one a line or parted by ` | `, into one expression."""
    lines = "|".join(line.strip() for line in alternatives.strip().splitlines())
    return "(?:" + lines.replace(" | ", "|") + ")"


# Names, as whole names in words joined by underscores.
_NAMES: dict[str, str] = {
    CONVERSATION: _any(r"""
        (?:conversation|chat|dialog(?:ue)?|messages?|session)_(?:history|logs?|context|transcript|summary|so_far)
        conversation | transcript | history_messages | chat_history | (?:previous|prior|recent|all|user|chat)_messages
        verlauf | gespr(?:ae|ä)ch(?:sverlauf)? | historial | historique | conversazione | conversa(?:c[ií]on|c[aã]o|ção)
        对话 | 會話 | 会話 | 대화
        переписка | разговор | диалог | история_(?:чата|диалога|переписки|сообщений) | rozmowa
    """),
    _CONTEXT: _any(r"""
        context | ctx | memory | memories | kontext | contexto | contexte | contesto | 上下文 | コンテキスト | 문맥
        контекст | kontekst | bağlam | side_?notes?
        (?:user|full|model|agent|llm|additional|extra|current|task|background|working|session)_(?:context|state|memory)
    """),
    REASONING: _any(r"""
        reasoning | thoughts? | thinking | chain_of_thought | cot | scratch_?pad | rationale | (?:model|agent)_notes?
        internal_(?:notes|monologue|state) | begruendung | begründung | razonamiento | raisonnement
    """),
    ORDERS: _any(r"""
        (?:system|developer|initial|hidden)_(?:prompt|message|instructions?) | systemprompt
    """),
    CREDENTIALS: _any(r"""
        (?:api|access|secret|private|aws|auth|signing|client|session|bearer|service|ssl|pgp|gpg)_?(?:keys?|tokens?|secrets?)
        passwords? | passwd | passphrase | credentials? | cookies? | secrets? | apikey | (?:access_key|key)_secret
        pin_code | mfa_code | otp | mnemonic | auth | authorization | bearer | jwt | kennwort | passwort | zugangsdaten
        contraseña | contrasena | mot_de_passe | senha | 密码 | 密鑰 | 密钥 | パスワード | 비밀번호 | пароль | пароли
    """),
    _FILES: _any(r"""
        (?:files?|document|attachment|source|workspace|repo|project)_(?:contents?|data|dump|bytes|text) | clipboard
        (?:env|environment)(?:_(?:vars?|variables?|dump|contents?))? | screen_?shots? | home_dir(?:ectory)?_contents
    """),
}
_NAMED = tuple((what, re.compile(rf"^{expression}$")) for what, expression in _NAMES.items())
_INNER = re.compile(
    "(?:^|_)"
    + _any(r"""
        conversation | chat_history | transcript | chain_of_thought | reasoning | passwords? | passphrase | credentials?
        private_key | api_key | secret_key | access_token | env_vars? | environment_variables
    """)
    + "(?:_|$)"
)
_TALK = "(?:conversation|chat|dialog(?:ue)?)"
_OF_IT = "(?:history|logs?|context|transcript|text|messages|content|so_far)"
_WHOLE = re.compile(
    "^"
    + _any(rf"""
        (?:the_)?(?:full|entire|whole|complete|raw|verbatim)_(?:the_|our_|this_|user_|current_)?{_TALK}(?:_{_OF_IT})?
        all_(?:of_)?(?:the_|our_|previous_|prior_)?{_TALK}_{_OF_IT} | {_TALK}_(?:full|entire|verbatim)(?:_{_OF_IT})?
        (?:vollständiger?|gesamter?|ganzer?|kompletter?)_(?:chat_?)?(?:verlauf|gespräch(?:sverlauf)?|unterhaltung|dialog)
        (?:historial|conversaci[oó]n|conversazione|conversa|conversation)_(?:complet[oae]|complète|enter[oa]|inteira)
        (?:historique|histórico|cronologia|historial)_complet[oae]?_(?:de_|della_|du_|da_|de_la_)?\w{{1,40}}
        (?:вся|полная)_(?:переписка|история_(?:чата|диалога|переписки)) | весь_(?:диалог|разговор|чат)
        (?:完整|全部|所有)的?(?:对话|對話|会话|會話|聊天)(?:历史|歷史|记录|記錄)?
        会話(?:の全文|全体|履歴全体|全文) | 전체_?대화(?:_?내역|_?기록)?
    """)
    + "$"
)
"""Names that ask for all of the conversation, where others may ask for a part."""
_ABOUT_ONE = re.compile("_(?:ids?|uuid|names?|titles?|links?|urls?)$")
"""What points at something or names it holds none of it."""
_SECRET_PLACES = re.compile(
    "(?:^|_)"
    + _any(r"""
        id_rsa | id_ed25519 | id_ecdsa | ssh_(?:private_)?keys? | dot_?env | env_file | etc_(?:passwd|shadow) | netrc
        aws_credentials | kube_?config | npmrc | keychain | wallet_dat | seed_phrase | known_hosts | authorized_keys
        (?:bash|shell|zsh)_history | browser_cookies | mcp_json | mcp_config | system_prompt
    """)
    + "(?:_|$)"
)

# Descriptions: what they ask to be put in.
_GIVES = _any(r"""
    include|provide|pass|paste|copy|attach|put|add|supply|send|share|summari[sz]e|describe|contains?|hold
    the|your|full|entire|complete|whole|all|any|recent|previous|prior|current
""")
_PAST = "(?:previous|prior|recent|earlier|past|preceding)"
_TURNS = "(?:messages|turns|exchanges|prompts|requests|replies)"
_MET = "(?:have |just |last |recently |already )?(?:read|opened?|viewed|seen|saw|edited|looked at|accessed|loaded)"
_TEXTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(rf"\b{expression}\b", re.IGNORECASE))
    for what, expression in {
        CONVERSATION: _GIVES
        + r"\b[^.]{0,40}\b"
        + _any(r"""
            conversation(?: history| so far| context)?
            chat history
            dialog(?:ue)? history
            (?:previous|prior|recent|earlier|user(?:'s)?) messages
        """)
        + r"|\b(?:details?|information|notes?|facts|overview|recap|quotes?) (?:about|of|on|from)"
        + rf" [^.]{{0,20}}{_PAST} {_TURNS}"
        + r"|\bwhat (?:was|has been|the user|you|they)(?: have| has)? (?:said|written|asked|discussed)"
        + r" (?:before|so far|earlier|until now)",
        _CONTEXT: _any(r"""
            everything you know
            all (?:the )?(?:relevant |available )?context
            (?:full|entire|complete|whole) context
            context window
            what you know about the user
        """),
        REASONING: _any(r"""
            your (?:own )?(?:reasoning|thoughts|thinking|chain of thought)
            step[- ]by[- ]step reasoning
            why you (?:are calling|call|chose|need)
        """),
        ORDERS: r"(?:your |the )?(?:system prompt|developer message|hidden instructions|initial instructions)",
        CREDENTIALS: _any(r"""
            (?:user(?:'s)?|your|their) (?:passwords?|api keys?|access tokens?|credentials|private keys?|secrets?)
            ssh key
            private key
            id_rsa
        """),
        _FILES: _any(r"""
            (?:full|entire|complete|whole|raw) (?:contents?|text) of (?:the |any |all )?(?:\w+ )?files?
            environment variables
            contents? of (?:open|nearby|local) files
        """)
        + r"|\b(?:contents?|text|body|data) (?:of|from) [^.]{0,40}"
        + rf"\b(?:files?|documents?|pages?) (?:that )?you {_MET}"
        + r"|\b(?:contents?|text|body) of [^.]{0,20}\b(?:latest|last|most recent) (?:file|document)",
    }.items()
)


# A plausible reason to hand over whatever there is, in a parameter that no task needs.
_BESIDE = "whatever else it knows"
_REASONS = re.compile(
    r"\b"
    + _any(r"""
        any(?:thing)? (?:else|other|additional|further|extra|relevant|useful|helpful)\b[^.]{0,60}\bcontext
        any(?:thing)? (?:else|other|additional|further|extra|relevant|useful|helpful)\b[^.]{0,60}\bbackground
        any(?:thing)? (?:else|other|additional|further|extra|relevant|useful|helpful)\b[^.]{0,60}\b(?:you know|worth)
        (?:additional|further|extra|more|background|surrounding) (?:context|background|information)[^.]{0,40}\buser
        (?:helps?|used|useful|needed) (?:us )?(?:to )?(?:improve|personali[sz]e|tailor|understand the user)
        for (?:better|more (?:accurate|relevant|helpful)|tailored|personali[sz]ed) (?:results?|answers?|responses?)
        (?:what|whatever) (?:you|the user) (?:are|is|have|has)(?: been)? (?:trying|working|doing|discussing|discussed)
        why (?:you|the user|this tool|this call|the tool|the call) (?:is|are|was|needs?|wants?|calls?)
    """),
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Asked:
    """What a description asks for: as a whole, by the way, or only with a reason; each in a few words or empty."""

    outright: str = ""
    named: str = ""
    beside: str = ""


class Descriptions:
    """Reads each description once: very many references may lead to one."""

    def __init__(self) -> None:
        """Begin with none read."""
        self._read: dict[str, Asked] = {}

    def of(self, schema: Json) -> Asked:
        """Say what the description in a schema asks for."""
        text = schema.get("description") if isinstance(schema, dict) else None
        if not isinstance(text, str):
            return Asked()
        if text not in self._read:
            self._read[text] = _asked(text)
        return self._read[text]


def _asked(text: str) -> Asked:
    named = next((what for what, pattern in _TEXTS if pattern.search(text)), "")
    return Asked(asks_outright(text), named, _BESIDE if _REASONS.search(text[:_READ]) else "")


def invites(name: str, schema: Json, descriptions: Descriptions | None = None) -> tuple[str, Severity] | None:
    """Say what a parameter invites the model to hand over, in a few words, and how bad that is; None for nothing.

    A title counts as a second name. A name that points at one known secret of the user's machine, at the model's
    instructions or at all of the conversation is high, and so is a description that asks for all of it. Whether the
    parameter can hold free text at all is not looked at.
    """
    asked = (descriptions or Descriptions()).of(schema)
    title = schema.get("title") if isinstance(schema, dict) else None
    if asked.outright:
        return asked.outright, Severity.HIGH
    plain = "_".join(words(name))
    secret = _SECRET_PLACES.search(plain)
    if secret:
        return f"“{secret.group().strip('_')}”", Severity.HIGH
    called = "_".join(words(title[:_TITLE])) if isinstance(title, str) else ""
    if _WHOLE.match(plain) or _WHOLE.match(called):
        return CONVERSATION, Severity.HIGH
    what = next((what for what, pattern in _NAMED if pattern.match(plain) or pattern.match(called)), "")
    if not what and _INNER.search(plain) and not _ABOUT_ONE.search(plain):
        what = "credentials or the conversation"
    what = what or asked.named or asked.beside
    return (what, Severity.MEDIUM) if what else None
