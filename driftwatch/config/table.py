"""The base of all tables of the schema: frozen, closed, with every problem found in one pass and no value echoed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard, get_args

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from driftwatch.config.secret import problem
from driftwatch.config.words import did_you_mean, quoted

_OTHER_WORDS = {
    "type": "transport",
    "token": "bearer",
    "authorization": "bearer",
    "environment": "env",
    "arguments": "args",
    "directory": "cwd",
    "disabled": "enabled",
    "name": "the table's own name, e.g. [servers.NAME]",
}
"""Words that the files of MCP hosts and of other tools use for the same thing."""


OR_LEAVE_OUT = ", or leave the key out"
"""How a hint ends where a key need not be there; where it must, that is left off."""

CONFLICT = "conflict"
"""The type of the errors that are about a key's company, whatever its own value is."""


class Conflict(NamedTuple):
    """Values that are each fine and do not go together: which key to name, what is wrong, what to do."""

    key: str
    message: str
    hint: str


class Table(BaseModel):
    """One table of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @classmethod
    def prepare(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Give the values to validate, made from those that were given."""
        return given

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:  # noqa: ARG003 - for subclasses to override
        """Give what does not go together. `given` is as it was written: any value may be of any type or missing."""
        yield from ()

    @model_validator(mode="wrap")
    @classmethod
    def _report_everything_at_once(cls, data: Any, handler: ModelWrapValidatorHandler[Any]) -> Any:
        """Look for conflicts even where single values are wrong, so that one pass reports all problems."""
        found: list[InitErrorDetails] = []
        made = None
        if isinstance(data, Mapping):
            data = cls.prepare(dict(data))
            found = [
                InitErrorDetails(type=_conflict(conflict.message, conflict.hint), loc=(conflict.key,), input=None)
                for conflict in cls.conflicts(data)
            ]
        try:
            made = handler(data)
        except ValidationError as error:
            lines = error.errors(include_url=False)
            # The input is dropped here, before anything can print it: it may be a secret under a misspelt key.
            found = [InitErrorDetails(type=cls._plain(line), loc=line["loc"], input=None) for line in lines] + found
        if found:
            raise ValidationError.from_exception_data(cls.__name__, found, hide_input=True)
        return made

    @classmethod
    def _plain(cls, line: ErrorDetails) -> PydanticCustomError:
        """Put an error of pydantic into plain words, which never repeat the value."""
        if line["type"] in {"problem", CONFLICT}:
            again = problem if line["type"] == "problem" else _conflict
            hint: str = line["ctx"]["hint"]
            field = cls.model_fields.get(str(line["loc"][0])) if len(line["loc"]) == 1 else None
            needed = field is not None and field.is_required()
            return again(line["ctx"]["message"], hint.removesuffix(OR_LEAVE_OUT) if needed else hint)
        last = str(line["loc"][-1]) if line["loc"] else ""
        if line["type"] == "extra_forbidden":
            return problem(f"unknown key {quoted(last)}", cls._meant(last))
        if line["type"] == "missing":
            missing = cls.model_fields.get(last)
            return problem("is missing", (missing.description if missing else "") or "add it")
        return problem(*_mistype(line))

    @classmethod
    def _meant(cls, key: str) -> str:
        known = list(cls.model_fields)
        other = _OTHER_WORDS.get(key.casefold())
        if other and (other in known or other.startswith("the ")):
            return f"here it is {other}"
        inner = [f"{name}.{key}" for name, table in tables_in(cls).items() if key in table.model_fields]
        return f"did you mean {inner[0]}?" if inner else did_you_mean(key, [name for name in known if name != "name"])


def same_header_twice(given: Mapping[str, Any]) -> Iterator[Conflict]:
    """Give the headers of a table that are there twice, also as a bearer."""
    headers = given.get("headers")
    names = [str(name).casefold() for name in headers] if isinstance(headers, Mapping) else []
    for name in sorted(name for name, count in Counter(names).items() if count > 1):
        yield Conflict("headers", f"the header {quoted(name)} is there twice", "keep one: case does not count")
    if given.get("bearer") and "authorization" in names:
        yield Conflict("bearer", "there is a bearer and an Authorization header", "keep one of them")


def _conflict(message: str, hint: str) -> PydanticCustomError:
    return PydanticCustomError(CONFLICT, "{message}", {"message": message, "hint": hint})


def tables_in(table: type[Table]) -> dict[str, type[Table]]:
    """Give the fields of `table` that are tables themselves."""
    kinds = {name: field.annotation for name, field in table.model_fields.items()}
    return {name: kind for name, kind in kinds.items() if _is_table(kind)}


def arrays_in(table: type[Table]) -> dict[str, type[Table]]:
    """Give the fields of `table` that are arrays of tables, each with what one of them holds."""
    parts = {name: get_args(field.annotation)[:1] for name, field in table.model_fields.items()}
    return {name: kind[0] for name, kind in parts.items() if kind and _is_table(kind[0])}


def _is_table(kind: object) -> TypeGuard[type[Table]]:
    return isinstance(kind, type) and issubclass(kind, Table)


def say_kind(value: object) -> str:
    """Give the TOML word for what `value` is, without its value."""
    kinds: dict[type, str] = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    kinds |= {list: "an array", tuple: "an array", dict: "a table"}
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "a date or a time")


_EXPECTED = {
    "model_type": ("a table", "write it as a [table] or as { key = value }"),
    "dict_type": ("a table", "write it as a [table] or as { key = value }"),
    "tuple_type": ("an array", 'write it as ["one", "two"]'),
    "int_type": ("an integer", "write a plain number, without quotes"),
    "bool_type": ("a boolean", "write true or false, without quotes"),
    "string_type": ("a string", 'write it in quotes: "…"'),
}
_BOUNDS = {
    "greater_than": ("gt", "must be more than"),
    "greater_than_equal": ("ge", "must be at least"),
    "less_than_equal": ("le", "must be at most"),
}


def _mistype(line: ErrorDetails) -> tuple[str, str]:
    kind, context = line["type"], line.get("ctx", {})
    if kind in _EXPECTED:
        wanted, hint = _EXPECTED[kind]
        return f"expected {wanted}, found {say_kind(line['input'])}", hint
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return f"{words} {context[name]}", "choose a number in that range"
    if kind in {"literal_error", "enum"}:
        return "is not one of the words that are known here", f"write one of {context['expected']}"
    return "is not a value that driftwatch can use", f"see docs/configuration.md ({kind})"
