"""Values that must not print: secrets, and strings that hold a piece of the environment."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn, Self

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from driftwatch.config.units import seconds
from driftwatch.config.words import quoted, safe
from driftwatch.errors import ConfigError

MASK = "***"
"""What is shown in place of anything secret."""

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CREDENTIAL_NAME = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._@+-]{1,255}")
_REFERENCE = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{")


def problem(message: str, hint: str) -> PydanticCustomError:
    """Give the one error that every check of the schema raises: what is wrong, and what to do."""
    return PydanticCustomError("problem", "{message}", {"message": message, "hint": hint})


def absent(message: str, hint: str) -> PydanticCustomError:
    """Give the problem of a value that is well named and not to be had: a variable not set, a file out of reach."""
    return PydanticCustomError("problem", "{message}", {"message": message, "hint": hint, "absent": True})


def words_of(error: PydanticCustomError) -> tuple[str, str]:
    """Give the message and the hint of what `problem` or `absent` made."""
    context = error.context or {}
    return str(context["message"]), str(context["hint"])


def _no_program(words: Sequence[str], seconds: float) -> str:  # noqa: ARG001 - what others take
    raise absent("no program is started here", "load the configuration from a file")


@dataclass(frozen=True)
class Sources:
    """Where values that are not in the file come from; handed to the schema as its validation context.

    `read` gives the text of a secret's file, and `run` what a program writes that may take so many seconds; both raise
    what `problem` or `absent` makes. `used` collects every variable asked for, and `given` what programs gave: each is
    started once. With `lenient`, a value that is absent becomes a placeholder: for what is read and never used; no
    program is started for that.
    """

    environ: Mapping[str, str]
    read: Callable[[str], str]
    used: set[str] = field(default_factory=set)
    lenient: bool = False
    run: Callable[[Sequence[str], float], str] = _no_program
    given: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False)

    def forgives(self, error: PydanticCustomError) -> bool:
        """Say whether a placeholder may stand for the value that this problem is about."""
        return self.lenient and bool((error.context or {}).get("absent"))

    def variable(self, name: str) -> str:
        """Give the value of an environment variable; an unset or empty one is a problem."""
        if not _ENV_NAME.fullmatch(name):
            raise problem(
                f"{quoted(name)} is not a name of an environment variable", "letters, digits and _ only, e.g. GIT_TOKEN"
            )
        self.used.add(name)
        value = self.environ.get(name, "")
        if not value:
            state = "empty" if name in self.environ else "not set"
            raise absent(f"the environment variable {safe(name)} is {state}", "set it where driftwatch is started")
        return value


class Filled(str):
    """A string as it is used, that knows how it may be shown. `repr` and JSON give the shown form.

    It is a plain string for everything else: only `repr`, `shown`, `hidden` and the schema's JSON know the difference.
    """

    __slots__ = ("__hidden", "__shown")
    __shown: str
    __hidden: tuple[str, ...]

    def __new__(cls, value: str, *, shown: str, hidden: Iterable[str] = ()) -> Self:
        """Take the value as it is used and as it may be shown, and the pieces in it that must not be shown."""
        made = super().__new__(cls, value)
        made.__shown = shown
        made.__hidden = tuple(hidden)
        return made

    @property
    def shown(self) -> str:
        """The form that may be shown."""
        return self.__shown

    @property
    def hidden(self) -> tuple[str, ...]:
        """The pieces that must not be shown."""
        return self.__hidden

    def __repr__(self) -> str:
        """Give the shown form."""
        return repr(self.__shown)

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Let copies know how they may be shown."""
        return (str.__str__(self),), {"shown": self.__shown, "hidden": self.__hidden}


class Unresolved(Filled):
    """A string whose variable is absent where that is forgiven. It reads as it stands in the file, and says why."""

    __slots__ = ("__hint", "__message")
    __message: str
    __hint: str

    def __new__(cls, value: str, *, shown: str, hidden: Iterable[str] = (), words: tuple[str, str]) -> Self:
        """Take the text as it stands in the file, how it may be shown, and message and hint of what is absent."""
        made = super().__new__(cls, value, shown=shown, hidden=hidden)
        made.__message, made.__hint = words
        return made

    @property
    def words(self) -> tuple[str, str]:
        """What is absent, and what to do about it."""
        return self.__message, self.__hint

    def show(self, text: str) -> Unresolved:
        """Give the same, shown in another way."""
        return Unresolved(str.__str__(self), shown=text, hidden=self.hidden, words=self.words)

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Let copies know what is absent."""
        arguments, named = super().__getnewargs_ex__()
        return arguments, {**named, "words": self.words}


def shown(text: str) -> str:
    """Give the form of a configuration string that may be shown: without what came out of the environment."""
    return text.shown if isinstance(text, Filled) else text


def hidden(text: str) -> tuple[str, ...]:
    """Give the pieces of a configuration string that must not be shown: what came out of the environment."""
    return text.hidden if isinstance(text, Filled) else ()


class Secret:
    """A value that cannot print itself: `str`, `repr`, f-strings and JSON all give `***`."""

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        """Take the value."""
        self.__value = str(value)

    def reveal(self) -> str:
        """Give the value. Only the rooms that send it over the wire or start a process may call this."""
        return self.__value

    def after(self, prefix: str) -> Secret:
        """Give the secret that is `prefix` and this one."""
        return Secret(prefix + self.__value)

    def __repr__(self) -> str:
        """Give `***`."""
        return MASK

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        """Give `***`, laid out as asked."""
        return format(MASK, spec)

    def __eq__(self, other: object) -> bool:
        """Compare in constant time."""
        if not isinstance(other, Secret):
            return NotImplemented
        mine, theirs = (secret.reveal().encode("utf-8", "surrogatepass") for secret in (self, other))
        return hmac.compare_digest(mine, theirs)

    def __hash__(self) -> int:
        """Hash the value; Python salts it in every process."""
        return hash(self.__value)

    def __copy__(self) -> Secret:
        """Give the same one: a secret is immutable."""
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Secret:
        """Give the same one: a secret is immutable."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: a pickle would carry the value."""
        message = "a Secret cannot be pickled"
        raise TypeError(message)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Accept a Secret, a string, or a table with one of `FORMS`; give `***` to JSON."""
        return core_schema.with_info_plain_validator_function(
            _read_secret, serialization=core_schema.plain_serializer_function_ser_schema(lambda _: MASK)
        )


class MissingSecret(Secret):
    """The place of a secret that is absent where that is forgiven: it has no value, and revealing it is an error."""

    __slots__ = ("words",)

    def __init__(self, words: tuple[str, str]) -> None:
        """Take message and hint of what is absent."""
        super().__init__("")
        self.words = words

    def reveal(self) -> NoReturn:
        """Raise `ConfigError`: there is nothing to reveal."""
        message, hint = self.words
        raise ConfigError(f"{message[:1].upper()}{message[1:]}.", hint=f"{hint[:1].upper()}{hint[1:]}.")

    def after(self, prefix: str) -> Secret:  # noqa: ARG002 - what is missing stays missing
        """Give the same one."""
        return self

    def __eq__(self, other: object) -> bool:
        """Be equal to nothing else: nobody knows the value."""
        return self is other

    def __hash__(self) -> int:
        """Hash the object."""
        return id(self)


def escape(text: str) -> str:
    """Give `text` such that `fill` gives it back unchanged."""
    return text.replace("${", "$${")


def fill(text: str, sources: Sources) -> str:
    """Replace every `${NAME}` by the environment variable and every `$${` by a plain `${`.

    A string with something filled in comes back as `Filled`, to be shown as it stands in the file; one for which
    something is absent, where that is forgiven, as `Unresolved`.
    """
    came_from_outside: list[str] = []
    missing: list[tuple[str, str]] = []

    def replace(match: re.Match[str]) -> str:
        if match.group() == "$${":
            return "${"
        if match.group(1) is None:
            raise problem("a ${ has no }", "write ${NAME} for an environment variable, $${ for a plain ${")
        try:
            came_from_outside.append(sources.variable(match.group(1)))
        except PydanticCustomError as error:
            if not sources.forgives(error):
                raise
            missing.append(words_of(error))
            return match.group()
        return came_from_outside[-1]

    filled = _REFERENCE.sub(replace, text)
    if missing:
        return Unresolved(text, shown=text, words=missing[0])
    return Filled(filled, shown=text, hidden=came_from_outside) if came_from_outside else filled


def _read_secret(value: object, info: ValidationInfo) -> Secret:
    if isinstance(value, Secret):
        return value
    if isinstance(value, Unresolved):
        return MissingSecret(value.words)
    if isinstance(value, str):
        return Secret(value)
    if not isinstance(value, Mapping):
        raise problem("is not a value that driftwatch can use", _HOW)
    kind = next((key for key in FORMS if key in value), "")
    more = value.keys() - {kind, *(("timeout",) if kind == "command" else ())}
    if not kind or more:
        raise problem(f"needs exactly one of {', '.join(FORMS)}, and has {_keys(value)}", _HOW)
    sources = info.context
    if not isinstance(sources, Sources):
        raise problem("there is no environment and no folder to look this up in", "load the configuration from a file")
    where = value[kind]
    for text in where if isinstance(where, list) else [where]:
        if isinstance(text, Unresolved):
            return MissingSecret(text.words)
    try:
        return Secret(FORMS[kind](where, value.get("timeout"), sources))
    except PydanticCustomError as error:
        if not sources.forgives(error):
            raise
        return MissingSecret(words_of(error))


def _keys(table: Mapping[Any, Any]) -> str:
    names = sorted(str(key) for key in table)
    return ", ".join(quoted(name, limit=40) for name in names[:5]) + (" …" if len(names) > 5 else "") or "none of them"


def _name(kind: str, where: object) -> str:
    if not isinstance(where, str) or not where:
        raise problem(f"{kind} does not hold a name", _HOW)
    return where


def _line(text: str, empty: str) -> str:
    """Give a secret without the line break that editors and programs put at its end."""
    text = text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")
    if not text:
        raise problem(empty, "write the secret into it, and nothing else")
    return text


def _from_file(path: object, _: object, sources: Sources) -> str:
    path = _name("file", path)
    return _line(sources.read(path), f"the file {quoted(shown(path))} is empty")


def _from_variable(name: object, _: object, sources: Sources) -> str:
    return sources.variable(_name("env", name))


def _from_credential(name: object, _: object, sources: Sources) -> str:
    """Give what the service manager handed over under this name (systemd.exec(5), LoadCredential=)."""
    name = _name("credential", name)
    if not _CREDENTIAL_NAME.fullmatch(name):
        raise problem(f"{quoted(name)} is not a name of a credential", "letters, digits and . _ @ + - only")
    folder = sources.environ.get("CREDENTIALS_DIRECTORY", "")
    if not folder:
        raise absent(
            f"the credential {name} is not there: no service manager gave any (CREDENTIALS_DIRECTORY is not set)",
            "start driftwatch as its systemd unit does, with LoadCredential= (docs/quickstart-systemd.md)",
        )
    try:
        return _from_file(f"{folder}/{name}", None, sources)
    except PydanticCustomError as error:
        if not (error.context or {}).get("absent"):
            raise
        raise absent(
            f"the credential {name} is not among those that the service was given",
            "put it where its LoadCredential= says, and start the service anew",
        ) from error


def _from_program(words: object, timeout: object, sources: Sources) -> str:
    """Give what a program writes; it is not started where nobody uses the secret."""
    hint = 'write command = ["pass", "show", "driftwatch/notes"]: the program and its arguments, without a shell'
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words) or not words[0]:
        raise problem("command does not hold a program with its arguments", hint)
    patience = _PATIENCE if timeout is None else seconds(timeout)
    if patience is None or not 0 < patience <= _LONGEST:
        raise problem("timeout is not a time of at most 60 seconds", 'write timeout = "5s"')
    if sources.lenient:
        named = quoted(shown(words[0]), limit=100)
        raise absent(f"the program {named} is only started by commands that need the secret", "use driftwatch run")
    known = tuple(str(word) for word in words)
    if known not in sources.given:
        empty = f"the program {quoted(shown(words[0]), limit=100)} gives nothing"
        sources.given[known] = _line(sources.run(words, patience), empty)
    return sources.given[known]


FORMS: Final[Mapping[str, Callable[[object, object, Sources], str]]] = {
    "env": _from_variable,
    "file": _from_file,
    "credential": _from_credential,
    "command": _from_program,
}
"""How a secret can be named in place of its value, and how each is had: from what the key holds, and from `timeout`."""

_HOW: Final = (
    'write "text", {env = "NAME"}, {file = "path"}, {credential = "name"} or {command = ["program", "argument"]}'
)
_PATIENCE: Final = 5.0
"""Seconds that a program has for giving a secret, where nothing else is said."""
_LONGEST: Final = 60.0


def under(base: Path, path: str) -> str:
    """Give a path that starts at a folder; what was filled into it stays hidden."""
    placed = str(base / path)
    if not isinstance(path, Filled):
        return placed
    shown_as = path.shown if placed == path else str(base / path.shown)
    return Filled(placed, shown=shown_as, hidden=hidden(path))
