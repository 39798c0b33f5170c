"""What a host's file holds, entry by entry, as it may be kept and shown.

Unlike an import, which leaves out what driftwatch cannot watch, nothing is left out here: an entry that is no object or
whose transport nobody knows is an entry all the same. Secrets are masked. What is masked is sealed as well: a slow
digest over it tells that it changed and not what it is, since a program may hide among what looks like a token.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from driftwatch.config import shapes
from driftwatch.config.arguments import masked, masked_line
from driftwatch.config.hiding import is_secret_word, looks_secret, without_references
from driftwatch.config.secret import MASK, shown
from driftwatch.config.shapes import Shape, Witness, plain, unwrapped
from driftwatch.config.urls import mask_url
from driftwatch.config.words import path_of
from driftwatch.model import Json

_ROUNDS = 10_000
_SALT = b"driftwatch: a sealed value of a host's file"
_LAUNCH = frozenset(
    {"type", "transport", "command", "args", "env", "environment", "cwd", "url", "headers", "disabled", "enabled"}
)
_DEEPEST = 6


class NoTableError(ValueError):
    """A section that should hold servers holds none; the message is its place."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One server of a host's file. All text is as it may be shown; names of variables and headers, never values.

    `name` tells entries apart in one file: the entry's own, with the folder where it belongs to a project only.
    `transport` is what the file says, or what follows from what is there. `settings` is all that is not about how the
    server is reached, e.g. which of its tools run unasked. `sealed` holds a digest for each part with masked values.
    An entry that goes through driftwatch's witness is read for what that wraps; `witness` says so: the words that start
    it (`program`), and for which `server` and `host`. `odd` says what the entry is where it is no object.
    """

    name: str
    section: str
    transport: str = ""
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str = ""
    url: str = ""
    headers: tuple[str, ...] = ()
    disabled: bool = False
    settings: Mapping[str, Json] = field(default_factory=dict)
    sealed: Mapping[str, str] = field(default_factory=dict)
    witness: Mapping[str, Json] = field(default_factory=dict)
    odd: str = ""


def entries_of(shape: Shape) -> Iterator[Entry]:
    """Give every entry of a host's file; raises `NoTableError` where a section is no table of servers."""
    for place, servers in shape.sections:
        if not isinstance(servers, Mapping):
            raise NoTableError(path_of(place))
        for name, raw in servers.items():
            own = f"{name} ({place[1]})" if place[0] == "projects" else name
            yield _entry(own, path_of(place), raw)


def read(text: str, *, name: str, largest: int) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Give the entries of a host's file, and the keys that stand in it twice. `name` decides on the format.

    Raises `UnreadableInputError` when the text is neither JSON nor TOML, and `NoTableError`.
    """
    shape = shapes.read(text, name=name, largest=largest)
    return tuple(entries_of(shape)), shape.twice


def _entry(name: str, section: str, raw: Json) -> Entry:
    if not isinstance(raw, Mapping):
        return Entry(name, section, odd=_sort(raw))
    raw, witness = unwrapped(plain(raw))
    command, args = _command(raw)
    url, cwd = _text(raw.get("url")), _text(raw.get("cwd"))
    env, headers = _table(raw.get("env", raw.get("environment"))), _table(raw.get("headers"))
    shown_args = tuple(shown(word) for word in masked(command, args))
    seen = {"command": shown(masked_line(command)), "cwd": _hide(cwd), "url": shown_url(url)}
    given = {"command": command, "cwd": cwd, "url": url}
    hidden: dict[str, Json] = {key: value for key, value in given.items() if value != seen[key]}
    hidden |= {key: table for key, table in (("env", env), ("headers", headers)) if any(map(_literal, table.values()))}
    if masks := [[at, word] for at, word in enumerate(args) if word != shown_args[at]]:
        hidden["args"] = masks
    return Entry(
        name,
        section,
        transport=_transport(raw, command=command),
        command=seen["command"],
        args=shown_args,
        env=tuple(sorted(env)),
        cwd=seen["cwd"],
        url=seen["url"],
        headers=tuple(sorted(headers)),
        disabled=raw.get("disabled") is True or raw.get("enabled") is False,
        settings={key: _settled(key, raw[key], 0) for key in sorted(raw) if key not in _LAUNCH},
        sealed={key: _seal(name, key, value) for key, value in sorted(hidden.items())},
        witness=_witness(witness) if witness is not None else {},
    )


def _witness(witness: Witness) -> dict[str, Json]:
    """Say how a witness is started. Whether it is driftwatch's own program, only who knows the machine can tell."""
    command, *words = witness.program
    program = " ".join([shown(masked_line(command)), *map(shown, masked(command, words))])
    found: dict[str, Json] = {"program": program, "server": witness.wrapped.server, "host": witness.wrapped.host}
    return found | ({"settings": witness.wrapped.settings} if witness.wrapped.settings else {})


def shown_url(url: str) -> str:
    """Give a URL as it may be shown: without a password, without values in its query, without what looks secret."""
    address, mark, query = mask_url(url).partition("?")
    parts = [MASK if looks_secret(without_references(part)) else part for part in address.split("/")]
    return "/".join(parts) + mark + query


def without_secrets(value: Json) -> Json:
    """Hide what may be a secret in the addresses of a written table; what was known to be one is hidden already."""
    if isinstance(value, dict):
        return {key: without_secrets(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_secrets(inner) for inner in value]
    return shown_url(value) if isinstance(value, str) and "://" in value else value


def _transport(raw: Mapping[str, Json], *, command: str) -> str:
    said = raw.get("type", raw.get("transport"))
    if isinstance(said, str) and said:
        plain_word = said.replace("-", "").replace("_", "").lower()
        known = {"streamablehttp": "http", "http": "http", "sse": "sse", "stdio": "stdio", "local": "stdio"}
        return known.get(plain_word, _hide(said))
    return "stdio" if command else "http"


def _command(raw: Mapping[str, Json]) -> tuple[str, Sequence[str]]:
    """Give the program and its arguments; some hosts write both into one list."""
    command, args = raw.get("command"), raw.get("args", [])
    words = [_text(word) for word in (args if isinstance(args, list) else [args])]
    if isinstance(command, list):
        first, *more = [_text(word) for word in command] or [""]
        return first, [*more, *words]
    return _text(command), words


def _text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _table(value: Json) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {name: _text(inner) for name, inner in value.items()}
    # A list names variables that are passed on, or holds NAME=value.
    words = (_text(word).partition("=") for word in value) if isinstance(value, list) else ()
    return {name: inner for name, _, inner in words}


def _literal(value: str) -> bool:
    """Say whether there is more in a value than references to variables."""
    return without_references(value.replace("${env:", "${")).strip().lower() not in {"", "bearer", "basic", "token"}


def _hide(text: str) -> str:
    return MASK if looks_secret(without_references(text)) else text


def _settled(key: str, value: Json, depth: int) -> Json:
    """Give a setting as it may be shown; what nests deeper than a setting does is told by its size only."""
    if isinstance(value, Mapping):
        return {name: _settled(name, value[name], depth + 1) for name in value} if depth < _DEEPEST else len(value)
    if isinstance(value, list):
        return [_settled(key, one, depth + 1) for one in value] if depth < _DEEPEST else len(value)
    if isinstance(value, str):
        return MASK if value and is_secret_word(key) else _hide(value)
    return value


def _sort(value: Json) -> str:
    kinds: dict[type, str] = {bool: "true or false", str: "text", list: "a list", int: "a number", float: "a number"}
    return kinds.get(type(value), "null")


def _seal(name: str, part: str, value: Json) -> str:
    """Digest what is masked, slowly, so that a short secret is not found again by trying all of them."""
    spelled = json.dumps([name, part, value], sort_keys=True).encode("ascii")
    return _slow(hashlib.sha256(spelled).digest())


@lru_cache(maxsize=4096)
def _slow(digest: bytes) -> str:
    return hashlib.pbkdf2_hmac("sha256", digest, _SALT, _ROUNDS).hex()[:32]
