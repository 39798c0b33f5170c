"""Looks of witnesses: what agents were shown, handed in by wrappers, forwarders, gateways and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import AfterValidator, Field, ValidationError
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch.errors import UnknownServerError
from driftwatch.judge.snapshot import LISTS
from driftwatch.model import Document, Era, Json, Oddity, Severity, Testimony, TestimonyState, Witnessed
from driftwatch.model.testimony import LONGEST_WITNESS, WITNESS_SIGNS, is_witness_name
from driftwatch.watch.fetch.reading import UnreadableError, read
from driftwatch.watch.witnessing import Taken, Witnesses
from driftwatch.web.access import Reviewer, Viewer, Witness
from driftwatch.web.api.answers import answer
from driftwatch.web.api.asking import USUAL, Body, Cursor, Key, Limit, Moment, Server, page_of
from driftwatch.web.api.part import part
from driftwatch.web.api.problems import problems
from driftwatch.web.api.shapes import Digest, moment, moment_if, shape
from driftwatch.web.api.shapes import Moment as ShownMoment
from driftwatch.web.content import require
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.server import known

router = part("looks", "/looks")
kept = part("looks", "/servers/{server}/witnessed")

_DEPTH: Final = 64 + 4
"""As deep as our own looks read items, which lie in three containers here too; and what was cut out left a mark."""
_CUT: Final = 200
_LISTED: Final = ("tools", "prompts", "resources", "resourceTemplates")
_SHOWN: Final = (*_LISTED, "promptBodies")
_OF_ITSELF: Final = ("serverInfo", "capabilities", "protocolVersion", "instructions")


def _named(value: str) -> str:
    if not is_witness_name(value):
        raise ValueError(
            f"a witness's name begins with a letter or digit; letters, digits and{WITNESS_SIGNS} may follow, of any "
            "language, and it ends in no space"
        )
    return value


class OddityBody(Body):
    """Something odd that the sender saw while it read the server's messages; `pointer` leads into `shown`."""

    code: Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,59}$")]
    pointer: Annotated[Key, Field()] = ""
    detail: Annotated[Key, Field()] = ""


class LookBody(Body):
    """What an agent was shown by a server."""

    server: Annotated[str, Field(max_length=200, description="The server's name in driftwatch's configuration.")]
    witness: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_WITNESS,
            description="The host or gateway: letters and digits of any language, spaces and `._-:@/+,`.",
            examples=["claude-desktop"],
        ),
        AfterValidator(_named),
    ]
    shown: Annotated[
        dict[str, Any],
        Field(
            description="The complete lists as the server sent them: `tools`, `prompts`, `resources`, "
            "`resourceTemplates`; of its first answer `instructions` and `capabilities`; `promptBodies` has objects of "
            "`name` and `messages`. What the agent did not ask for is left out; other members are not looked at. Where "
            "there were `gaps`, it may hold no list."
        ),
    ]
    session: Annotated[
        str, Field(max_length=100, description="Names the agent's session, not by the server's id; empty: none.")
    ] = ""
    number: Annotated[int, Field(ge=1, le=2**31, description="Which look of the session this is.")] = 1
    seen_at: Annotated[Moment | None, Field(description="By the sender's clock; null: now.")] = None
    started_at: Annotated[Moment | None, Field(description="When the session began; null: now.")] = None
    calls: Annotated[int, Field(ge=0, le=2**53, description="Tool calls in the session so far.")] = 0
    tool: Annotated[Key, Field(description="The name of the tool that was called last.")] = ""
    client: Annotated[Key, Field(description="Name and version of the agent.")] = ""
    era: Annotated[Era | None, Field(description="The protocol era of the session.")] = None
    protocol_version: Annotated[Key, Field(description="The protocol revision.")] = ""
    noticed: Annotated[
        list[str], Field(max_length=20, description="The lists of which the server gave a change notice before this.")
    ] = []  # noqa: RUF012 - pydantic copies it
    gaps: Annotated[int, Field(ge=0, le=2**31, description="How often the sender lost part of the session.")] = 0
    partial: Annotated[
        list[str],
        Field(max_length=20, description="The lists of which the agent asked for the beginning only."),
    ] = []  # noqa: RUF012 - pydantic copies it
    oddities: Annotated[list[OddityBody], Field(max_length=1_000)] = []  # noqa: RUF012 - pydantic copies it


@shape
class TestimonyShape(TypedDict):
    """One list, or one prompt's body, that a server showed an agent, and how it stands."""

    id: int
    witness: str
    session: str
    number: int
    prompt: str
    """The prompt whose body it is; empty for lists."""
    state: TestimonyState
    severity: Severity | None
    digest: Digest
    """What the agent was shown, as far as it is compared."""
    before: Digest
    """What it was held against; empty for nothing."""
    calls: int
    """Tool calls in the session before it was shown."""
    tool: str
    client: str
    noticed: list[str]
    partial: list[str]
    """The kinds of which the agent asked for the beginning only."""
    gaps: int
    """How often the sender lost part of the session, or could not read it."""
    seen_at: ShownMoment
    """By the clock of the sender."""
    received_at: ShownMoment
    settled_at: ShownMoment | None
    """When it began to stand so."""
    times: int
    """How often it was handed in."""


@shape
class TakenShape(TypedDict):
    """What was made of a look."""

    server: str
    news: bool
    """Whether any of it was not known."""
    waits: bool
    """Whether any of it waits for a look of driftwatch's own, which is made at once."""
    entries: list[TestimonyShape]
    """The lists first, then each prompt's body."""


@shape
class TestimoniesShape(TypedDict):
    """What agents were shown by a server."""

    entries: list[TestimonyShape]
    next: Annotated[str | None, Field(description="What to send as `cursor` for the entries that follow.")]


def _request_schema() -> dict[str, Any]:
    """Give the schema of what is handed in, with nothing left to be looked up elsewhere."""
    made = LookBody.model_json_schema()
    inner = made.pop("$defs", {})

    def laid(value: Any) -> Any:
        if isinstance(value, dict):
            named = inner.get(str(value.get("$ref", "")).removeprefix("#/$defs/"), {})
            return {key: laid(one) for key, one in {**named, **value}.items() if key not in {"$ref", "title"}}
        return [laid(one) for one in value] if isinstance(value, list) else value

    schema: dict[str, Any] = laid(made)
    return schema


async def _read(request: Request, _: Witness) -> Witnessed:
    """Read what is handed in, once it is known that they may: a body may be large."""
    require(request, "application/json")
    data = await request.body()
    return await run_in_threadpool(_witnessed, data, request.app.state.desk)


@router.post(
    "",
    status_code=201,
    response_model=TakenShape,
    operation_id="hand_in_look",
    summary="Hand in what an agent was shown",
    responses={
        200: {"model": TakenShape, "description": "It is known already."},
        202: {"model": TakenShape, "description": "It waits for a look of driftwatch's own, which is made at once."},
        **problems(404, 413, 415, 429),
    },
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _request_schema()}}}},
)
def hand_in(request: Request, desk: TheDesk, _: Witness, seen: Annotated[Witnessed, Depends(_read)]) -> Response:
    """Hold what an agent was shown against what driftwatch is shown. To send the same again changes nothing.

    The body may have 8 MiB. A token of the scope `looks` may do this, whatever its role, and nothing else.
    """
    taken = Witnesses(store=desk.store, settings=desk.settings, clock=desk.clock).take_in(seen)
    if taken.wants_look:
        desk.look(seen.server)
    status = (202 if taken.waits else 201) if taken.is_news else 200
    return answer(request, _taken_json(seen.server, taken), status)


@kept.get(
    "",
    response_model=TestimoniesShape,
    operation_id="list_witnessed",
    summary="List what agents were shown",
    responses=problems(404),
)
def witnessed(
    request: Request, desk: TheDesk, _: Viewer, server: Server, *, limit: Limit = USUAL, cursor: Cursor = ""
) -> Response:
    """Give the looks of witnesses at a server that are kept, in the order in which they came."""
    rows = desk.store.testimonies(known(desk, server))
    shown, following = page_of("witnessed", rows, cursor, limit, lambda one: f"{one.id:020}")
    return answer(request, {"entries": [_json(one) for one in shown], "next": following})


@kept.delete(
    "",
    status_code=204,
    operation_id="forget_witness",
    summary="Forget a witness",
    responses=problems(404, 409),
)
def forget(
    desk: TheDesk,
    person: Reviewer,
    server: Server,
    witness: Annotated[str, Query(max_length=200, description="The host or gateway.")],
) -> Response:
    """Delete what a witness handed in, where nothing of it stands or waits, so that another one may have its place.

    The lists that were learned of it are told anew.
    """
    desk.store.forget_witness(known(desk, server), witness, by=person.actor)
    return Response(status_code=204)


def _witnessed(data: bytes, desk: Desk) -> Witnessed:
    """Make a look of a body. What is odd inside `shown` is kept: it is what the server did. Nothing else may be odd."""
    try:
        reading = read(data, depth=_DEPTH)
    except UnreadableError as error:
        raise _wrong("", f"This is no JSON that can be read: {error}.") from None
    inner = [one for one in reading.oddities if f"{one.pointer}/".startswith("/shown/")]
    for one in reading.oddities:
        # Names of tools and agents are cut from what others wrote, and may be no proper Unicode.
        if one not in inner and one.code != "lone-surrogate":
            raise _wrong(one.pointer.strip("/"), f"What stands here is odd ({one.code}).")
    if not isinstance(reading.value, dict):
        raise _wrong("", "The body is no object.")
    try:
        body = LookBody.model_validate(reading.value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in found]) from None
    config = desk.settings.server(body.server)
    if not config.enabled:
        raise UnknownServerError(f"{body.server} is not looked at.", hint="Switch it on in the configuration.")
    oddities = [Oddity(one.code, one.pointer[:4000], one.detail[:_CUT]) for one in body.oddities]
    oddities += [replace(one, pointer=one.pointer.removeprefix("/shown")) for one in inner]
    return _made(body, tuple(oddities), desk.clock())


def _made(body: LookBody, oddities: Sequence[Oddity], now: datetime) -> Witnessed:
    document = _document(body.shown, gaps=body.gaps)
    at = body.seen_at or now
    return Witnessed(
        server=body.server,
        witness=body.witness,
        session=body.session,
        number=body.number,
        at=at,
        started_at=body.started_at or at,
        document=document,
        oddities=tuple(one for one in oddities if one.pointer.split("/")[1:2] in [[key] for key in document]),
        calls=body.calls,
        tool=body.tool[:_CUT],
        client=body.client[:_CUT],
        era=body.era,
        protocol_version=body.protocol_version[:_CUT],
        noticed=tuple(key for key in LISTS if key in body.noticed),
        gaps=body.gaps,
        partial=tuple(key for key in _LISTED if key in body.partial and key in document),
    )


def _document(shown: dict[str, Json], *, gaps: int) -> Document:
    """Take what is compared, whole lists only; there may be none where the sender could not read what there was."""
    if isinstance(shown.get("nextCursor"), str):
        raise _wrong("shown/nextCursor", "This is one page of a list. Hand in whole lists, or name it under partial.")
    for key in _SHOWN:
        if key in shown and not isinstance(shown[key], list):
            raise _wrong(f"shown/{key}", "This is no list.")
    document = {key: shown[key] for key in (*_OF_ITSELF, *_SHOWN) if shown.get(key) is not None}
    if not gaps and not any(key in document for key in (*_SHOWN, "instructions")):
        raise _wrong("shown", "There is no list in it: hand in tools, prompts, resources or resourceTemplates.")
    return document


def _wrong(where: str, words: str) -> RequestValidationError:
    return RequestValidationError([{"loc": ("body", *filter(None, [where])), "msg": words, "type": "body"}])


def _taken_json(server: str, taken: Taken) -> TakenShape:
    return {
        "server": server,
        "news": taken.is_news,
        "waits": taken.waits,
        "entries": [_json(one) for one in taken.testimonies],
    }


def _json(one: Testimony) -> TestimonyShape:
    return {
        "id": one.id,
        "witness": one.witness,
        "session": one.session,
        "number": one.number,
        "prompt": one.prompt,
        "state": one.state,
        "severity": one.severity,
        "digest": one.digest,
        "before": one.before,
        "calls": one.calls,
        "tool": one.tool,
        "client": one.client,
        "noticed": list(one.noticed),
        "partial": sorted(one.partial),
        "gaps": one.gaps,
        "seen_at": moment(one.seen_at),
        "received_at": moment(one.received_at),
        "settled_at": moment_if(one.settled_at),
        "times": one.times,
    }
