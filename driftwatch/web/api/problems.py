"""What can go wrong, as the OpenAPI document tells it: problem details (RFC 9457) for each status."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from driftwatch.web.api.shapes import Digest, shape
from driftwatch.web.problems import MEDIA_TYPE

PROBLEM: Final = "Problem"
"""The name of its definition in the OpenAPI document."""

_WORDS: Final = {
    HTTPStatus.BAD_REQUEST: "What was asked for cannot be done so.",
    HTTPStatus.UNAUTHORIZED: "Nobody is known to ask, or the token is not good.",
    HTTPStatus.FORBIDDEN: "They may not: it needs another role or scope, or the form token of a page.",
    HTTPStatus.NOT_FOUND: "There is none of that name or id.",
    HTTPStatus.CONFLICT: "It is over already, or not as it was when you saw it. Nothing was changed.",
    HTTPStatus.PRECONDITION_FAILED: "It is not as If-Match says. Nothing was changed.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is not said to be JSON: it needs Content-Type: application/json.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "A parameter or the body is not as this document says.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too much is under way already.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "driftwatch itself failed; its log says more under the number of the request.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database cannot be used just now, or too much is asked at once.",
}

ALWAYS: Final = (400, 401, 403, 422, 500, 503)
"""What every endpoint that needs somebody may answer."""


@shape
class PlaceOfErrorShape(TypedDict):
    """Where in a request something is wrong."""

    where: Annotated[str, Field(examples=["query/limit"])]
    what: str


@shape
class ProblemShape(TypedDict):
    """What went wrong (RFC 9457). `type` is a stable word for programs."""

    type: Annotated[str, Field(examples=["urn:driftwatch:problem:too-late"])]
    title: str
    status: int
    detail: str
    """For people; its wording may change."""
    instance: Annotated[str, Field(examples=["urn:driftwatch:request:5f2b1c0d9e8a7b6c"])]
    """The number of the request, as in the header `x-request-id` and in the log."""
    hint: NotRequired[str]
    """What to do now."""
    errors: NotRequired[list[PlaceOfErrorShape]]
    shown: NotRequired[Digest]
    """Of a decision that came too late: what the server shows now."""
    baseline: NotRequired[Digest]
    """Of a decision that came too late: what the server is compared with now; empty for nothing."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Say which of them an endpoint may answer with."""
    content = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{PROBLEM}"}}}
    return {status: {"description": _WORDS[HTTPStatus(status)], "content": content} for status in statuses}
