"""How bodies are read: a member that is given twice is refused, since readers differ in which of the two counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

_LONGEST_NAME = 80


class _TwiceError(json.JSONDecodeError):
    """A member is given more than once. The framework takes it for JSON that cannot be read, and says so."""

    def __init__(self, member: str) -> None:
        """Take the name of the member."""
        super().__init__("a member is given more than once", "", 0)
        self.member = member


class _OnceRequest(Request):
    """A request whose JSON has each member once."""

    async def json(self) -> Any:
        """Give what the body holds. Raises `JSONDecodeError`."""
        return json.loads(await self.body(), object_pairs_hook=_once)


class OnceRoute(APIRoute):
    """A route that refuses bodies in which a member is given twice (422)."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Give what answers a request."""
        answer = super().get_route_handler()

        async def answer_once(request: Request) -> Response:
            try:
                return await answer(_OnceRequest(request.scope, request.receive))
            except RequestValidationError as error:
                if not isinstance(error.__cause__, _TwiceError):
                    raise
                where = ("body", error.__cause__.member[:_LONGEST_NAME])
                said = {"loc": where, "msg": "It is given more than once.", "type": "body"}
                raise RequestValidationError([said]) from None

        return answer_once


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found
