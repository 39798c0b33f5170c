"""Every key of a configuration as data, and as the tables of `docs/configuration.md`.

Run as a module (`python -m driftwatch.config.reference docs/configuration.md`) it writes the tables into that file.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from driftwatch.config.build import ENVIRONMENT, NAMED, SECTIONS
from driftwatch.config.channels import KINDS
from driftwatch.config.secret import Secret
from driftwatch.config.table import Table, arrays_in, tables_in
from driftwatch.config.units import say_seconds, say_size
from driftwatch.config.values import Shape

BEGIN, END = "<!-- reference: begin (written by driftwatch.config.reference) -->", "<!-- reference: end -->"

_PLAIN_TYPES: dict[type, str] = {str: "string", int: "integer", bool: "boolean", Secret: "secret"}


@dataclass(frozen=True, slots=True)
class Key:
    """One key: `path` as in `servers.NAME.interval.floor`, and what may stand there, in words."""

    path: str
    type: str
    default: str
    description: str
    variable: str = ""
    """The environment variable that sets it instead of the file, if any."""
    kind: str = ""
    """The kind of channel that has it, where not every one does."""


def describe() -> tuple[Key, ...]:
    """Give all keys that a configuration may hold, in the order of the schema."""
    variables = {".".join(place): name for name, place in ENVIRONMENT.items()}
    found: list[Key] = []
    for section, table in SECTIONS.items():
        prefix = f"{section}.NAME" if section in NAMED else section
        keys = _keys(prefix, table, variables)
        found += map(_any_kind, keys) if section == "channels" else keys
        if section == "channels":
            found += _keys_of_kinds(prefix)
    return tuple(found)


def _any_kind(key: Key) -> Key:
    """Say of the key that names the kind which there are."""
    return replace(key, type=" or ".join(f'"{kind}"' for kind in KINDS)) if key.path.endswith(".kind") else key


def _keys_of_kinds(prefix: str) -> Iterator[Key]:
    """Give the keys that only one kind of channel has, kind by kind."""
    for kind, table in KINDS.items():
        for key in _keys(prefix, table, {}):
            if key.path.rpartition(".")[2] not in SECTIONS["channels"].model_fields:
                yield replace(key, kind=kind)


def _keys(prefix: str, table: type[Table], variables: Mapping[str, str]) -> Iterator[Key]:
    inner, several = tables_in(table), arrays_in(table)
    inherited = {f"servers.NAME.{part.partition('.')[2]}" for part in _paths("defaults", SECTIONS["defaults"])}
    own = {name: field for name, field in table.model_fields.items() if name not in {*inner, *several, "name"}}
    for name, field in own.items():
        path = f"{prefix}.{name}"
        default = "from `defaults`" if path in inherited else _default(field)
        yield Key(path, _type(field), default, field.description or "", variables.get(path, ""))
    for name, part in inner.items():
        yield from _keys(f"{prefix}.{name}", part, variables)
    for name, part in several.items():
        yield from _keys(f"{prefix}.{name}[]", part, variables)


def _paths(prefix: str, table: type[Table]) -> Iterator[str]:
    inner = tables_in(table)
    yield from (f"{prefix}.{name}" for name in table.model_fields if name not in inner)
    for name, part in inner.items():
        yield from _paths(f"{prefix}.{name}", part)


def _type(field: FieldInfo) -> str:
    shapes = [part.words for part in field.metadata if isinstance(part, Shape)]
    return shapes[0] if shapes else _type_words(field.annotation)


def _type_words(kind: Any) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if hasattr(kind, "__metadata__"):
        shapes = [part.words for part in kind.__metadata__ if isinstance(part, Shape)]
        return shapes[0] if shapes else _type_words(kind.__origin__)
    if origin in {Union, types.UnionType}:
        return next(_type_words(part) for part in parts if part is not type(None))
    if origin in {dict, tuple}:
        inner = _type_words(parts[1] if origin is dict else parts[0])
        return f"{'table' if origin is dict else 'array'} of {inner}{'es' if inner.endswith('s') else 's'}"
    choices = parts if origin is Literal else [part.value for part in kind] if issubclass(kind, Enum) else ()
    return " or ".join(f'"{choice}"' for choice in choices) or _PLAIN_TYPES[kind]


def _default(field: FieldInfo) -> str:
    value = field.default
    if field.is_required():
        return "required"
    if isinstance(value, Enum):
        return f'"{value.value}"'
    words = _type(field)
    if words.startswith("duration"):
        return f'"{say_seconds(value)}"' if value is not None else words.rpartition(" ")[2]
    if words == "size":
        return f'"{say_size(value)}"'
    if isinstance(value, bool):
        return str(value).lower()
    return _spelled(value) if value else "none"


def _spelled(value: object) -> str:
    """Write a string or an array of strings as it stands in a file, anything else as it is."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def render() -> str:
    """Give the reference as Markdown: one table for each table of the file, between the two marks."""
    groups: dict[tuple[str, str], list[Key]] = {}
    for key in describe():
        groups.setdefault((key.path.rpartition(".")[0], key.kind), []).append(key)
    lines = [BEGIN]
    for (table, kind), keys in groups.items():
        lines += ["", f"### {_header(table, kind)}", ""]
        lines += [*_sentence(kind), "| key | type | default | meaning |", "|---|---|---|---|"]
        lines += [_row(key) for key in keys]
    return "\n".join([*lines, "", END])


def _header(table: str, kind: str) -> str:
    """Write the header of a table as TOML does; that of an array of tables has two brackets."""
    if kind:
        return f'`[{table}]` with `kind = "{kind}"`'
    return f"`[[{table.removesuffix('[]')}]]`" if table.endswith("[]") else f"`[{table}]`"


def _sentence(kind: str) -> Iterator[str]:
    """Give what a kind of channel is, as its class says, with the empty line after it."""
    if kind:
        yield from (inspect.getdoc(KINDS[kind]) or "", "")


def _row(key: Key) -> str:
    also = f" Set by `{key.variable}` too." if key.variable else ""
    default = key.default if "`" in key.default or key.default in {"none", "required"} else f"`{key.default}`"
    return f"| `{key.path}` | {key.type} | {default} | {key.description}{also} |"


def insert(document: str) -> str:
    """Give the document with the reference between its two marks."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        message = "the document has no place for the reference"
        raise ValueError(message)
    return head + render() + tail


def main(arguments: Sequence[str]) -> None:
    """Write the reference into each file that is named."""
    for name in arguments:
        path = Path(name)
        path.write_text(insert(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
