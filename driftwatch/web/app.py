"""The application: everything that is served, put together."""

from __future__ import annotations

from typing import TypeAlias

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp

from driftwatch import __version__
from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from driftwatch.web import live, people, sign
from driftwatch.web.api import health
from driftwatch.web.api import router as api
from driftwatch.web.desk import Desk
from driftwatch.web.failures import Failures
from driftwatch.web.files import Files
from driftwatch.web.forms import Forms
from driftwatch.web.guard import Guard
from driftwatch.web.live import Live
from driftwatch.web.pages import (
    alerts,
    auditing,
    batches,
    channels,
    deliveries,
    items,
    overview,
    preview,
    review,
    rules,
    server,
    settings,
    silences,
)
from driftwatch.web.pages.kept import Kept
from driftwatch.web.problems import on_error, on_failure, on_gone
from driftwatch.web.templates import FOLDER
from driftwatch.web.throttle import Throttle
from driftwatch.web.trials import Trials
from driftwatch.web.welcome import Welcome

ROUTERS = (
    sign.router,
    people.router,
    overview.router,
    server.router,
    items.router,
    review.router,
    preview.router,
    alerts.router,
    batches.router,
    deliveries.router,
    silences.router,
    channels.router,
    rules.router,
    auditing.router,
    settings.router,
    live.router,
    *api.ROUTERS,
    health.router,
)
"""All pages and all parts of the API. A new one is one word here."""


App: TypeAlias = FastAPI
Guarded: TypeAlias = ASGIApp
"""What `create` and `guarded` make, for those who may not know of what."""


def create(desk: Desk, *, welcome: Welcome | None = None) -> FastAPI:
    """Make the application. `welcome` lets the first admin in while there is no user; None lets nobody in so.

    Serve what `guarded` makes of it.
    """
    # No documents of the framework's own: they load scripts from elsewhere.
    # The routes are taken as they are: to include their routers makes each anew, half a second's work when first asked.
    routes = [route for router in ROUTERS for route in router.routes]
    app = FastAPI(
        title="driftwatch", version=__version__, routes=routes, openapi_url=None, docs_url=None, redoc_url=None
    )
    app.state.desk = desk
    app.state.guard = None
    app.state.forms = Forms(desk.random, desk.clock)
    app.state.throttle = Throttle(desk.clock)
    app.state.failures = Failures(desk.clock)
    app.state.trials = Trials(desk)
    app.state.kept = Kept(desk)
    app.state.live = Live(desk.store)
    app.state.welcome = welcome or Welcome()
    app.mount("/static", Files(FOLDER / "static"), name="static")
    for kind in (DriftwatchError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, on_error)
    app.add_exception_handler(ClientDisconnect, on_gone)
    app.add_exception_handler(Exception, on_failure)
    return app


def guarded(app: FastAPI) -> ASGIApp:
    """Put what every request must pass before an application of `create`."""
    desk: Desk = app.state.desk
    guard = Guard(app, settings=desk.settings, random=desk.random, failed=on_failure, spans=desk.spans)
    app.state.guard = guard
    return guard


def adopt(app: FastAPI, settings: Settings) -> None:
    """Let an application of `create` go by another configuration; sessions, previews and streams of news go on."""
    app.state.desk.settings = settings
    if app.state.guard is not None:
        app.state.guard.adopt(settings)
