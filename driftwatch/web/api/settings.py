"""The configuration as it may be shown, and how much there is of everything."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Request
from pydantic import Field
from starlette.responses import Response
from typing_extensions import TypedDict

from driftwatch import __version__
from driftwatch.config.contents import without_secrets
from driftwatch.config.policy import expired
from driftwatch.config.schema import Settings
from driftwatch.config.urls import mask_database_url
from driftwatch.judge.ruleset import RULESET
from driftwatch.model import Json
from driftwatch.web.access import Admin, Viewer
from driftwatch.web.api.answers import answer
from driftwatch.web.api.part import part
from driftwatch.web.api.shapes import shape
from driftwatch.web.desk import TheDesk

router = part("settings")

_TABLES: Final = ("daemon", "web", "alerts", "supply", "second_opinion", "policy")
_LISTED: Final = ("servers", "files", "channels", "routes", "identities")

Table = Annotated[dict[str, Any], Field(description="As docs/configuration.md has it.")]


@shape
class SettingsShape(TypedDict):
    """The configuration without its secrets: they read `***`, and so does what came out of the environment."""

    file: str
    """The path of the file; empty where there is none."""
    database: str
    daemon: Table
    web: Table
    alerts: Table
    supply: Table
    second_opinion: Table
    policy: Table
    servers: list[Table]
    files: list[Table]
    channels: list[Table]
    routes: list[Table]
    identities: list[Table]
    sandbox: Annotated[str, Field(examples=["bubblewrap"])]
    """What the local servers run in here; empty where there are none, or all run in nothing as configured."""
    warnings: list[str]


@shape
class CountsShape(TypedDict):
    """How much there is."""

    servers: int
    snapshots: int
    items: int
    open_alerts: int
    deliveries_pending: int
    deliveries_held: int
    deliveries_dead: int


@shape
class StatusShape(TypedDict):
    """Which driftwatch this is, and how much it holds."""

    version: str
    ruleset: str
    """Changes whenever a rule does."""
    database_bytes: int
    counts: CountsShape


@router.get("/settings", response_model=SettingsShape, operation_id="get_settings", summary="Get the configuration")
def settings(request: Request, desk: TheDesk, _: Admin) -> Response:
    """Give the configuration that the daemon was started with."""
    warnings = [*desk.settings.warnings, *expired(desk.settings.policy, desk.clock())]
    return answer(request, {**settings_json(desk.settings), "sandbox": desk.sandbox(), "warnings": warnings})


@router.get("/status", response_model=StatusShape, operation_id="get_status", summary="Count what there is")
def status(request: Request, desk: TheDesk, _: Viewer) -> Response:
    """Count what there is."""
    counts = desk.store.counts()
    body: StatusShape = {
        "version": __version__,
        "ruleset": RULESET,
        "database_bytes": desk.store.size(),
        "counts": {
            "servers": counts.servers,
            "snapshots": counts.snapshots,
            "items": counts.items,
            "open_alerts": counts.open_alerts,
            "deliveries_pending": counts.deliveries_pending,
            "deliveries_held": counts.deliveries_held,
            "deliveries_dead": counts.deliveries_dead,
        },
    }
    return answer(request, body)


def settings_json(settings: Settings) -> dict[str, Json]:
    """Write a configuration as it may be shown, but for what there is to say of it."""
    tables = {name: getattr(settings, name).model_dump(mode="json") for name in _TABLES}
    # One by one: together they would be written as what they have in common, without what is each kind's own.
    listed = {name: [one.model_dump(mode="json") for one in getattr(settings, name)] for name in _LISTED}
    found: dict[str, Json] = without_secrets({**tables, **listed})
    file = str(settings.path) if settings.path is not None else ""
    return {"file": file, "database": mask_database_url(settings.database_url), **found}
