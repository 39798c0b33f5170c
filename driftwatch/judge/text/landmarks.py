"""Things in a text that mean the same in every language: addresses, names of tools, files where secrets lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from driftwatch.judge.text.gate import Gated

ADDRESS: Final = "ADDRESS"
FOREIGN: Final = "FOREIGN"
SECRETFILE: Final = "SECRETFILE"
ACCOUNTNUMBER: Final = "ACCOUNTNUMBER"
SAMPLE: Final = "SAMPLE"
DOTFILE: Final = "DOTFILE"
SHELL: Final = "SHELL"
LATER: Final = "TRIGGER"
FIELD: Final = "PARAM"
WORDING: Final = "WORDING"
TEMPLATE: Final = "TEMPLATE"

_URL: Final = re.compile(r"\b(?:https?|wss?|ftp)://[^\s<>\"'`)\]}]{3,500}")
_MAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63}){1,4}")
_IP: Final = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")
_IP_SIGN: Final = re.compile(r"\.\d")
_HOST_SIGN: Final = re.compile(
    r"\.(?:com|net|org|io|dev|example|ru|cn|xyz|info|biz|top|site|online|co|me|app|cloud|test|invalid|onion)(?![\w-])"
)
_HOST: Final = re.compile(rf"(?<![\w.@/-])[a-z0-9-]{{1,63}}(?:\.[a-z0-9-]{{1,63}}){{0,4}}{_HOST_SIGN.pattern}")
_NAME: Final = re.compile(r"(?<![\w/.~@-])[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}(?![\w=])")
_QUOTED: Final = re.compile(r"[`'\"]([a-z][a-z0-9]{1,40}(?:[-_.:/][a-z0-9]{1,40}){1,6})(?:\(\))?[`'\"]")
_NAMED: Final = re.compile(
    r"(?:\b(?:tool|function|call|invoke|invoking|calling|plugin)|工具|ツール|调用|호출|도구) ?"
    r"[`'\"]([a-z][\w.:/-]{2,60})(?:\(\))?[`'\"]"
)
_FIELD: Final = re.compile(r"`([a-z][\w.-]{0,40})`")
_CALLED: Final = re.compile(
    r"[`'\"]([a-z][\w.:/-]{2,60})(?:\(\))?[`'\"][ \t]{0,2}(?:tool|function|mcp|plugin|工具|ツール|도구)"
)
_CAMEL: Final = re.compile(r"(?<![\w.])[a-z]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,6}(?![\w(]?\w)")
KEYFILE: Final = (
    r"\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.(?:ssh[/\\](?!config|known)[\w.*-]{1,60}|aws[/\\]credentials|gnupg[/\\])"
    r"|(?<![\w.])\.(?:netrc|pgpass|git-credentials)\b|/etc/shadow\b|/proc/self/environ|\bwallet\.dat\b"
)
"""Files that hold keys or passwords and nothing else."""
KEYFILE_LITERALS: Final = (
    *("id_", ".ssh", ".aws", ".gnupg", ".netrc", ".pgpass", ".git-", "/etc/shadow", "/proc/self", "wallet.dat"),
)
"""One of these stands in each of them."""
_SECRETFILE: Final = re.compile(
    rf"(?:~|\$home|%userprofile%|/root|/home/[^/\s]{{1,40}})?[/\\]?(?:{KEYFILE}"
    r"|\.(?:ssh(?![/\\\w])|gnupg|kube[/\\]config|docker[/\\]config\.json)"
    r"|(?<![\w.])\.(?:env(?!\.(?:example|sample|template|dist|tmpl)\b)(?:\.[a-z]{1,20})?|npmrc|pypirc|bash_history|zsh_history)\b"
    r"|/etc/(?:passwd|sudoers)\b|\bauthorized_keys\b|\blogin\.keychain\b)"
)
_TEMPLATE: Final = re.compile(
    r"(?<!\w)\.(?:env|npmrc|netrc|pypirc|pgpass|bashrc|profile)\.(?:example|sample|template|dist|tmpl)\b"
    r"|\b[\w-]{1,40}\.(?:ya?ml|json|toml|ini|cfg|env)\.(?:example|sample|template|dist|tmpl)\b"
)
"""A file that shows how a settings file is written, and holds no secret."""
_DOTFILE: Final = re.compile(
    r"(?:~|\$home|%userprofile%|/root|/home/[^/\s]{1,40})[/\\]\.[\w./\\-]{2,80}|(?<![\w/])/etc/[\w./-]{2,60}"
    r"|\bconfig/[\w-]{2,40}\.(?:ya?ml|json|toml|ini|env)\b|(?<![\w.])\.(?:bashrc|zshrc|profile|gitconfig)\b"
    r"|\bmcp\.json\b|\bclaude_desktop_config\b"
)
_SHELL: Final = re.compile(
    r"\b(?:(?:pip3?|npm|npx|uvx?|apt(?:-get)?|brew|cargo) (?:install|add|exec|run)\b|(?:curl|wget) -?\w|sudo \w"
    r"|chmod \+?[x0-7]|git config\b|(?:ba|z)?sh -c\b|python3? -c\b|echo \$|export [a-z_]{2,40}=|eval\("
    r"|os\.system\(|subprocess\.)|\s&&\s|\$\(\w|>> ?~/|--(?:extra-)?index-url"
)
_ACCOUNT: Final = re.compile(
    r"\b(?:[a-z]{2}\d{2}[a-z0-9]{11,30}|0x[0-9a-f]{40}|bc1[a-z0-9]{20,60})\b|(?<![\w.-])\d{8,20}(?![\w.-])"
)
_SAMPLE: Final = re.compile(
    r"\b(?:e\.g\.|for example\b|(?:usage )?examples? ?[:(]|such as\b|like ['\"`]|example usage\b|z\.\s?b\."
    r"|p\. ?ej\.|par exemple\b)|例如|例えば|예를 들"
)

_WORDING: Final = re.compile(r"[\"“«„「『][^\"”“»」』\n]{20,400}[\"”“»」』]|(?<!\w)'(?=\w)[^'\n]{20,400}'(?!\w)")
"""A sentence in quotation marks: words that somebody is to say."""

_HARMLESS_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "json-schema.org", "www.w3.org"})  # noqa: S104


@dataclass(frozen=True, slots=True)
class Landmark:
    """One such thing: its concept, the key that makes it the same elsewhere, and its offsets in folded text."""

    concept: str
    key: str
    start: int
    end: int


def addresses(text: str) -> Iterator[Landmark]:
    """Give URLs, e-mail addresses, IP addresses and host names of folded text, keyed by host or mailbox."""
    if "://" in text:
        for match in _URL.finditer(text):
            host = (
                re.split(r"[/?#]", match.group().split("://", 1)[1], maxsplit=1)[0].rsplit("@", 1)[-1].split(":", 1)[0]
            )
            if host not in _HARMLESS_HOSTS:
                yield Landmark(ADDRESS, host, match.start(), match.end())
    if "@" in text:
        for match in _MAIL.finditer(text):
            yield Landmark(ADDRESS, match.group(), match.start(), match.end())
    for pattern, sign in ((_IP, _IP_SIGN), (_HOST, _HOST_SIGN)):
        if sign.search(text):
            for match in pattern.finditer(text):
                if match.group() not in _HARMLESS_HOSTS:
                    yield Landmark(ADDRESS, match.group(), match.start(), match.end())


def label(key: str) -> str:
    """Give the word that a host is named for ("figma" of `api.figma.com`)."""
    parts = key.rsplit("@", 1)[-1].split(".")
    return parts[-2] if len(parts) > 1 else key


def names(text: str) -> Iterator[Landmark]:
    """Give identifiers that read like the names of tools."""
    if "_" in text:
        for match in _NAME.finditer(text):
            yield Landmark(FOREIGN, match.group(), match.start(), match.end())
    if not any(mark in text for mark in "`'\""):
        return
    for pattern in (_QUOTED, _CALLED, _NAMED):
        for match in pattern.finditer(text):
            yield Landmark(FOREIGN, match.group(1), match.start(1), match.end(1))


def camel_names(text: str) -> Iterator[Landmark]:
    """Give identifiers in camel case, from text as received; offsets hold for folded text where both are ASCII."""
    for match in _CAMEL.finditer(text):
        yield Landmark(FOREIGN, match.group().lower(), match.start(), match.end())


def others(text: str) -> Iterator[Landmark]:
    """Give files where secrets lie, account numbers, and words that announce an example."""
    for concept, pattern in _OTHERS:
        for match in pattern.finditer(text, text):
            yield Landmark(concept, match.group(), match.start(), match.end())


def samples(text: str) -> Iterator[Landmark]:
    """Give the words that announce an example, in order."""
    return (Landmark(SAMPLE, match.group(), *match.span()) for match in _ANNOUNCES.finditer(text, text))


_LATER: Final = re.compile(
    r"\b(?:after|every|from|on)[ _](?:the[ _])?\d{1,3}(?:st|nd|rd|th)?[ _]"
    r"(?:call|use|request|run|invocation|message|time)s?(?![a-z])"
)
_ANNOUNCES: Final = Gated(
    _SAMPLE, ("e.g.", "example", "such as", "like ", "b.", "ej.", "par exemple", "例如", "例えば", "예를 들")
)
_OTHERS: Final = (
    (FIELD, Gated(_FIELD, ("`",))),
    (LATER, Gated(_LATER, ("call", "use", "request", "run", "invocation", "message", "time"))),
    (SECRETFILE, Gated(_SECRETFILE, (
        *KEYFILE_LITERALS, ".kube", ".docker", ".env", ".npmrc", ".pypirc", "sh_history", "/etc/", "authorized_keys",
        "login.keychain",
    ))),
    (DOTFILE, Gated(_DOTFILE, (
        "/.", "\\.", "/etc/", "config/", "shrc", ".profile", ".gitconfig", "mcp.json", "claude_desktop_config",
    ))),
    (TEMPLATE, Gated(_TEMPLATE, (".example", ".sample", ".template", ".dist", ".tmpl"))),
    (ACCOUNTNUMBER, Gated(_ACCOUNT)),
    (WORDING, Gated(_WORDING, ('"', "“", "«", "„", "「", "『", "'"))),
    (SAMPLE, _ANNOUNCES),
    (SHELL, Gated(_SHELL, (
        "pip ", "pip3 ", "npm ", "npx ", "uv ", "uvx ", "apt ", "apt-get ", "brew ", "cargo ", "curl ", "wget ",
        "sudo ", "chmod ", "git config", "sh -c", "python -c", "python3 -c", "echo $", "export ", "eval(",
        "os.system(", "subprocess.", "&&", "$(", ">> ", ">>~", "index-url",
    ))),
)  # fmt: skip

PATTERNS: Final = (
    _URL,
    _MAIL,
    _IP,
    _IP_SIGN,
    _HOST,
    _HOST_SIGN,
    _NAME,
    _QUOTED,
    _CALLED,
    _NAMED,
    _FIELD,
    _LATER,
    _SECRETFILE,
    _ACCOUNT,
    _WORDING,
    _SAMPLE,
    _DOTFILE,
    _TEMPLATE,
    _SHELL,
    _CAMEL,
)
"""Every expression of this file, for the test that they take linear time."""
GATES: Final = tuple(gate for _, gate in _OTHERS)
"""Every gated expression of this file, for the test that its literals are in whatever it matches."""
