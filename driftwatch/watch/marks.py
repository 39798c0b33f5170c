"""What marks all that is logged and traced of one look: an id of its own, the server, and one line when it is over."""

from __future__ import annotations

import contextvars
import functools
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import structlog

from driftwatch.config.identities import IdentityConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Era, Listed, Outcome
from driftwatch.model.spans import Spans
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.result import CheckCode, CheckResult, asked, loudness, weights

log = structlog.get_logger()

P = ParamSpec("P")


class Traced(Protocol):
    """What looks, and tells of it."""

    spans: Spans


_T = TypeVar("_T", bound=Traced)


@contextmanager
def looking(server: str) -> Iterator[str]:
    """Mark what is logged from here on with an id of this look and with its server; gives the id.

    Within a look at the same server it goes on with that one's.
    """
    bound = structlog.contextvars.get_contextvars()
    if bound.get("server") == server and bound.get("look"):
        yield bound["look"]
        return
    look = _new_id()
    with structlog.contextvars.bound_contextvars(look=look, server=server):
        yield look


def apart(server: str = "") -> contextvars.Context:
    """Give a context for what is begun in a look, and goes on beside it: without marks, or with those of a new look."""
    context = contextvars.Context()
    if server:
        context.run(structlog.contextvars.bind_contextvars, look=_new_id(), server=server)
    return context


def one_look(
    look: Callable[Concatenate[_T, ServerConfig, P], Awaitable[CheckResult]],
) -> Callable[Concatenate[_T, ServerConfig, P], Awaitable[CheckResult]]:
    """Make what looks once do so under an id, in a span, and with a line in the log at its end."""

    @functools.wraps(look)
    async def marked(self: _T, server: ServerConfig, /, *args: P.args, **kwargs: P.kwargs) -> CheckResult:
        with looking(server.name) as name, self.spans("look", server=server.name, look=name) as told:
            result = await look(self, server, *args, **kwargs)
            told(
                outcome=result.code.value,
                findings=len(result.findings),
                told=result.event.value if result.event else None,
                alert=result.alert or None,
                failed=result.code is CheckCode.FAILED,
            )
            _note(server, result)
        return result

    return marked


def _new_id() -> str:
    return uuid.uuid4().hex[:16]


class TracedFetcher:
    """A fetcher whose looks are told of."""

    def __init__(self, fetcher: Fetcher, spans: Spans) -> None:
        """Take who fetches, and whom to tell."""
        self._fetcher, self._spans = fetcher, spans

    async def fetch(self, server: ServerConfig, *, era: Era | None, identity: IdentityConfig | None = None) -> Outcome:
        """Give what the server shows, or why it could not be seen; see `Fetcher`."""
        name = identity.name if identity is not None else None
        with self._spans("fetch", server=server.name, identity=name) as told:
            if identity is None:
                outcome = await self._fetcher.fetch(server, era=era)
            else:
                outcome = await self._fetcher.fetch(server, era=era, identity=identity)
            if isinstance(outcome, Listed):
                told(era=outcome.era.value if outcome.era else None)
            else:
                told(failed=True, kind=type(outcome).__name__.lower(), code=outcome.code)
            return outcome


def _note(server: ServerConfig, result: CheckResult) -> None:
    log.log(
        loudness(result),
        "looked at a server",
        action="look",
        server=server.name,
        outcome=result.code.value,
        detail=result.detail,
        findings=len(result.findings),
        hidden=len(result.hidden),
        told=result.event.value if result.event else None,
        alert=result.alert or None,
        **weights(result),
        **asked(result.outcome),
    )
