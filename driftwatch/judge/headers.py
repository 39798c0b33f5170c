"""Which parameters clients copy into HTTP headers, and whether the tool says so in a form that they may follow.

MCP 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters": a name is a token of RFC 9110, unique without
regard to case, on a parameter of type string, integer or boolean that is reached through `properties` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from driftwatch.judge import pointer as at
from driftwatch.judge.names import word_set, words
from driftwatch.judge.schema.keywords import HEADER
from driftwatch.judge.schema.root import positions
from driftwatch.judge.sinks import invites
from driftwatch.model import Json

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TYPES = frozenset({"string", "integer", "boolean"})
_PERSONAL = word_set(
    "email mail phone mobile ssn iban birthday birthdate dob surname passport card cvv pin salary address diagnosis"
)


class Fault(StrEnum):
    """What is wrong with a header that a tool asks for."""

    TOKEN = "token"  # noqa: S105 - a token of the grammar
    TWICE = "twice"
    TYPE = "type"
    PLACE = "place"


@dataclass(frozen=True)
class Header:
    """One parameter that is to be copied. `name` is what the tool wrote, of any sort; `fault` is None when it is valid.

    `pointer` leads to the keyword; `path` names the parameter for people, empty where it is none.
    """

    name: Json
    path: str
    pointer: str
    fault: Fault | None
    sensitive: str = ""

    @property
    def folded(self) -> str:
        """The name as it is compared: header names have no case."""
        return self.name.lower() if isinstance(self.name, str) else ""


def headers(schema: Json, pointer: str) -> Iterator[Header]:
    """Give every header that an input schema asks for, the faulty ones too."""
    seen: set[str] = set()
    for place in positions(schema):
        if HEADER not in place.schema:
            continue
        name = place.schema[HEADER]
        fault = _fault(name, place.schema, place.chain, seen)
        if isinstance(name, str):
            seen.add(name.lower())
        where = at.join(pointer, *place.tokens, HEADER)
        path = ".".join(place.chain or ())
        yield Header(name, path, where, fault, _sensitive(place.chain, place.schema))


def _fault(name: Json, schema: dict[str, Json], chain: tuple[str, ...] | None, seen: set[str]) -> Fault | None:
    if not chain:
        return Fault.PLACE
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return Fault.TOKEN
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return Fault.TYPE
    return Fault.TWICE if name.lower() in seen else None


def _sensitive(chain: tuple[str, ...] | None, schema: dict[str, Json]) -> str:
    """Say what a parameter holds that is nobody's business on the way; nothing for an ordinary one."""
    if not chain:
        return ""
    found = invites(chain[-1], schema) if schema.get("type") == "string" else None
    if found:
        return found[0]
    return "personal data" if set(words(chain[-1])) & _PERSONAL else ""
