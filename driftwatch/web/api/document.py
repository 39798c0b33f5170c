"""The OpenAPI document of the API, made of its code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from driftwatch.web.access import FORM_TOKEN, Needs
from driftwatch.web.api.problems import ALWAYS, PROBLEM, ProblemShape, problems
from driftwatch.web.api.shapes import DRAWN

Document: TypeAlias = dict[str, Any]

_METHODS: Final = ("get", "post", "patch", "delete")
_SCHEMAS: Final = "#/components/schemas/"
_OWN: Final = "Report."
"""How the definitions of the schema of reports are called in the document."""

_ABOUT: Final = """\
Everything that the pages do, for programs. Send a token: `Authorization: Bearer dw_…` (`driftwatch token add NAME`).

Roles: a viewer looks, a reviewer decides as well, an admin also lets people in. The scope of a token is the word after
`/api/v1/`. Lists come in pages: send `next` as `cursor`. Parameters and members that there are not are refused. Every
error is a problem detail (RFC 9457). GET gives an `ETag`; with `If-None-Match` an answer that you have is 304. Moments
are RFC 3339 in UTC. Texts of servers are hostile: show them escaped."""

_TAGS: Final = {
    "servers": "How servers stand, and a look now.",
    "snapshots": "What servers showed, and what differs.",
    "looks": "What agents were shown.",
    "reviews": "Decisions on what a server shows.",
    "previews": "What another version would show.",
    "ahead": "Approvals ahead of a roll-out.",
    "alerts": "What is to be told, and what somebody knows of.",
    "silences": "What nobody wants to hear of for a time.",
    "deliveries": "Messages: sent, waiting, given up.",
    "channels": "Who is told.",
    "rules": "What is looked for.",
    "audit": "Who did what.",
    "settings": "The configuration, and how much there is.",
    "users": "People who may come in.",
    "tokens": "Programs that may come in.",
    "me": "Who asks.",
    "events": "What is new, as it happens.",
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One line of the page about the API."""

    method: str
    path: str
    name: str
    summary: str
    role: str


def document_of(parts: Iterable[APIRouter]) -> Document:
    """Make the document of these parts of the API."""
    routes = [one for part in parts for one in part.routes if isinstance(one, APIRoute)]
    made = get_openapi(
        title="driftwatch",
        version="1",
        description=_ABOUT,
        routes=routes,
        tags=[{"name": name, "description": words} for name, words in _TAGS.items()],
    )
    schemas = made["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas.update(_problem())
    schemas.update({f"{_OWN}{name}": _moved(one) for name, one in _report_schema()["$defs"].items()})
    made["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token of a program."},
        "session": {"type": "apiKey", "in": "cookie", "name": "driftwatch", "description": "Who is signed in."},
    }
    made["security"] = [{"token": []}, {"session": []}]
    roles = {route.operation_id: role_of(route) for route in routes}
    for operations in made["paths"].values():
        for method in (one for one in _METHODS if one in operations):
            _complete(operations[method], method, roles[operations[method]["operationId"]])
    finished: Document = _drawn(made, _names(schemas))
    finished["components"]["schemas"] = {
        _names(schemas).get(name, name): one for name, one in finished["components"]["schemas"].items()
    }
    return finished


def endpoints(document: Document) -> dict[str, list[Endpoint]]:
    """Give what there is to ask for, by group, with the words for each group."""
    found: dict[str, list[Endpoint]] = {_heading(name): [] for name in _TAGS}
    for path, operations in document["paths"].items():
        for method, one in operations.items():
            found[_heading(one["tags"][0])].append(
                Endpoint(method.upper(), path, one["operationId"], one["summary"], one["x-role"])
            )
    return found


def _heading(tag: str) -> str:
    return f"{tag.capitalize()}: {_TAGS[tag]}"


def role_of(route: APIRoute) -> str:
    """Give the role that an endpoint asks for."""
    found = [one.call for one in route.dependant.dependencies if isinstance(one.call, Needs)]
    return found[0].role.value


def written(document: Document) -> str:
    """Write a document as it is committed."""
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=False) + "\n"


def _complete(operation: dict[str, Any], method: str, role: str) -> None:
    """Add what holds of every endpoint of its kind."""
    operation["x-role"] = role
    operation["description"] = f"{operation.get('description', '').strip()}\n\nRole: {role}."
    answers = operation["responses"]
    answers.update({str(status): one for status, one in problems(*ALWAYS).items()})
    headers: list[dict[str, Any]] = []
    if method != "get":
        headers.append(_header(FORM_TOKEN, "With a session in place of a token: see `get_form_token`."))
    elif "application/json" in answers["200"]["content"]:
        headers.append(_header("If-None-Match", "The `ETag` of an answer that you have."))
        answers["200"]["headers"] = {"ETag": {"schema": {"type": "string"}, "description": "Names this answer."}}
        answers["304"] = {"description": "It is what you have."}
    if "requestBody" in operation:
        answers.update({str(status): one for status, one in problems(415).items()})
    if "412" in answers:
        headers.append(_header("If-Match", "The `ETag` of what is to be changed, as you have seen it."))
    operation["parameters"] = [*operation.get("parameters", []), *headers]
    operation["responses"] = dict(sorted(answers.items()))


def _header(name: str, words: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "schema": {"type": "string"}, "description": words}


def _problem() -> dict[str, Any]:
    made = TypeAdapter(ProblemShape).json_schema(ref_template=f"{_SCHEMAS}{{model}}")
    inner = made.pop("$defs", {})
    return {PROBLEM: made, **inner}


@cache
def _report_schema() -> dict[str, Any]:
    """Read the one schema of findings and reports."""
    text = files("driftwatch.report").joinpath("report.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _moved(value: Any) -> Any:
    """Give a definition of the schema of reports with its references as they are in the document."""
    if isinstance(value, dict):
        return {
            key: f"{_SCHEMAS}{_OWN}{inner.rpartition('/')[2]}" if key == "$ref" else _moved(inner)
            for key, inner in value.items()
        }
    return [_moved(one) for one in value] if isinstance(value, list) else value


def _names(schemas: Iterable[str]) -> dict[str, str]:
    """Give shorter names to definitions: `Server` for `ServerShape`, `DecisionRequest` for `DecisionBody`."""
    endings = {"Shape": "", "Body": "Request"}
    return {
        name: name.removesuffix(end) + new for name in schemas for end, new in endings.items() if name.endswith(end)
    }


def _drawn(value: Any, names: Mapping[str, str]) -> Any:
    """Put references to definitions of reports where they are wanted, and let the others have their new names."""
    if isinstance(value, list):
        return [_drawn(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    if DRAWN in value:
        return {"$ref": f"{_SCHEMAS}{_OWN}{value[DRAWN]}"}
    found = {key: _drawn(inner, names) for key, inner in value.items()}
    name = str(found.get("$ref", "")).removeprefix(_SCHEMAS)
    if name in names:
        found["$ref"] = f"{_SCHEMAS}{names[name]}"
    if isinstance(found.get("title"), str) and "version" not in found:
        # Made of the name that stands there anyway; only that of the whole document is ours.
        del found["title"]
    return found
