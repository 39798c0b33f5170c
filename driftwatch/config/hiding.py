"""Out of a host's strings: placeholders become `${NAME}`, and literal secrets become variables that a person must set.

What comes out is in driftwatch's own spelling: `${NAME}` is a variable, `$${` is a plain `${`.
A value is copied only when it plainly is no secret; a word too many to set is better than a token in a second file.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from driftwatch.config.secret import escape
from driftwatch.config.words import quoted

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_REFERENCE = re.compile(r"\$\{\w+\}", re.ASCII)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HARMLESS = re.compile(
    r"|true|false|yes|no|on|off|none|null|auto|\d{1,5}|stdio|https?|sse|debug|info|warn|warning|error|trace|silent|"
    r"development|production|staging|test|dev|prod|utf-?8|[a-z]{2}[-_][A-Z]{2}(\.UTF-8)?|localhost|127\.0\.0\.1",
    re.IGNORECASE,
)
_SECRET_WORDS = {
    *(
        "key",
        "apikey",
        "token",
        "secret",
        "password",
        "passwd",
        "pwd",
        "pass",
        "passphrase",
        "credential",
        "credentials",
    ),
    *("auth", "authorization", "bearer", "pat", "dsn", "jwt", "cookie", "session", "pin", "sig", "signature", "code"),
}
_KNOWN_TOKEN = re.compile(
    r"\b(sk|pk|rk)[-_]\w{8}|\bgh[pousr]_\w{8}|github_pat_|glpat-|\bxox[a-z]-|\bAKIA[0-9A-Z]{8}|\bAIza\w{8}|\beyJ[\w-]{8}|"
    r"whsec_|\bnpm_\w{8}|\bhf_\w{8}|\bntn_\w{8}|\blin_api_|://[^/\s@]+@"
)
_NAMED_VALUE = re.compile(
    # Possessive, and only from a word's start: linear on any text.
    r"""(?<![A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]*+)(?:["']?\s*+=|["']\s*+:|:\s)\s*+["']?[^\s$"'&/]"""
)
_RUN = re.compile(r"(?<!sha256:)(?<![A-Za-z0-9#@])[A-Za-z0-9]{16,}")
_SCHEMES = {"", "bearer", "basic", "token", "apikey"}
_ALWAYS_SET = frozenset({"PATH", "HOME", "USER", "SHELL", "LANG", "PWD"})
_NOT_TO_GIVE = _ALWAYS_SET | {"LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_OPTIONS"}
_FOLDER = ("WORKSPACE_FOLDER", "the folder of the project (the host's ${workspaceFolder})")
_EDITOR_WORDS = {"workspaceFolderBasename", "workspaceRoot", "file", "fileDirname", "cwd", "execPath", "relativeFile"}


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that must be set where driftwatch is started. `holds` says what to put into it."""

    name: str
    holds: str


def variable_part(text: str) -> str:
    """Give `text` as part of a variable's name: capitals, digits and _."""
    return re.sub(r"[^A-Z0-9]+", "_", text.upper()).strip("_") or "VALUE"


def is_secret_word(name: str) -> bool:
    """Say whether something of that name (`--api-key`, `apiKey`, `X_TOKEN`) usually holds a secret."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    last = re.split(r"[^a-z0-9]+", words.strip("-_"))[-1]
    return last in _SECRET_WORDS


def looks_secret(text: str) -> bool:
    """Say whether a literal looks like a credential, or holds one under a name such as `apiKey: …` or `TOKEN=…`."""
    if _KNOWN_TOKEN.search(text) or any(is_secret_word(name) for name in _NAMED_VALUE.findall(text)):
        return True
    runs = _RUN.findall(text)
    return any((re.search(r"\d", run) and re.search(r"[A-Za-z]", run)) or len(run) >= 32 for run in runs)


def is_harmless(text: str) -> bool:
    """Say whether a value is a plain setting (a switch, a small number, a log level) that no one would keep secret."""
    return _HARMLESS.fullmatch(text) is not None


def without_references(text: str) -> str:
    """Give what is literal in a string that is already in driftwatch's spelling."""
    return _REFERENCE.sub("", text)


@dataclass
class Names:
    """The variables of one import: a name stands for one thing only."""

    taken: set[str]
    given: dict[tuple[str, ...], str] = field(default_factory=dict)

    @classmethod
    def beside(cls, texts: str) -> Names:
        """Start with the names that the host's own file refers to, so that none of them is given out."""
        return cls({*_NOT_TO_GIVE, *re.findall(r"\$\{(?:env:)?([A-Za-z_]\w*)", texts)})

    def give(self, wish: str, *what: str) -> str:
        """Give the variable for `what`: the one given before, or one named as wished, numbered when that is taken."""
        if what not in self.given:
            base = wish if _NAME.fullmatch(wish) else f"MCP_{wish}"
            name, number = base, 2
            while name in self.taken:
                name, number = f"{base}_{number}", number + 1
            self.taken.add(name)
            self.given[what] = name
        return self.given[what]


@dataclass
class Hider:
    """Turns the strings of one server into driftwatch's spelling, and remembers what a person has to set."""

    server: str
    names: Names
    inputs: Collection[str] = ()
    variables: list[Variable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def spell(self, raw: str) -> str:
        """Turn the placeholders of `raw` into `${NAME}`; all else stays as it reads."""
        pieces, at = [], 0
        for match in _PLACEHOLDER.finditer(raw):
            pieces += [self._literal(raw[at : match.start()]), self._placeholder(match.group(1))]
            at = match.end()
        return "".join([*pieces, self._literal(raw[at:])])

    def hide(self, raw: str, key: str, holds: str) -> str:
        """Give the spelling of a value that may be secret: a literal one becomes a variable unless plainly harmless."""
        if "$${" in raw:  # A $ right before a reference cannot be spelled.
            return self.variable(key, holds)
        before = len(self.variables)
        text = self.spell(raw)
        literal = without_references(text)
        if text != literal:
            more = is_secret_word(key) and literal.strip().lower() not in _SCHEMES
            if not more and not looks_secret(literal):
                return text
            del self.variables[before:]  # One variable holds the whole value, those inside it are not needed.
            return self.variable(key, holds)
        harmless = is_harmless(raw) and (not raw or not is_secret_word(key))
        return text if harmless else self.variable(key, holds)

    def hide_suspicious(self, raw: str, key: str, holds: str) -> str:
        """Give the spelling of a value that is hardly secret: it becomes a variable only when it looks like one."""
        return self.variable(key, holds) if "$${" in raw or looks_secret(_PLACEHOLDER.sub("", raw)) else self.spell(raw)

    def variable(self, key: str, holds: str) -> str:
        """Give a reference to a variable of this server, to be set by a person."""
        wish = f"{variable_part(self.server)}_{variable_part(key)}"
        return self._reference(self.names.give(wish, self.server, key, holds), f"{holds}, for {self.server}")

    def _reference(self, name: str, holds: str) -> str:
        if name not in _ALWAYS_SET and all(variable.name != name for variable in self.variables):
            self.variables.append(Variable(name, holds))
        return f"${{{name}}}"

    def _literal(self, text: str) -> str:
        if "${" in text:
            self.notes.append("a ${ without an end, or with another inside, was kept as plain text: check it")
        return escape(text)

    def _placeholder(self, inner: str) -> str:
        kind, colon, rest = inner.partition(":")
        if inner in {"/", "pathSeparator"}:
            return "/"
        if inner == "userHome":
            return "${HOME}"
        if kind == "workspaceFolder":
            return self._reference(self.names.give(_FOLDER[0], "fill in", inner), _FOLDER[1])
        if kind == "input" and colon:
            known = "" if rest in self.inputs else ", which the file does not describe"
            name = self.names.give(f"INPUT_{variable_part(rest)}", "input", rest)
            return self._reference(name, f"what the host asks you for as {quoted(rest)}{known}")
        name = rest if kind == "env" and colon else kind
        if _NAME.fullmatch(name) and name not in _EDITOR_WORDS and (kind == "env" or not colon or rest.startswith("-")):
            if colon and rest.startswith("-"):
                self.notes.append(
                    f"the host has a value of its own for {name} when it is not set; driftwatch needs it set"
                )
            return self._reference(name, "the same as for the host, which reads it from its environment")
        wish = f"FILL_IN_{variable_part(inner)}"
        return self._reference(self.names.give(wish, "fill in", inner), f"what {quoted('${' + inner + '}')} means")
