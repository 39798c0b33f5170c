"""Pages: the templates, what every one of them can use, and how one is shown.

Whatever a server or a person wrote is escaped by the template engine, always; `visible` makes what hides in it seen.
No template switches the escaping off (a test looks for that).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from driftwatch import __version__
from driftwatch.judge.text.visible import visible
from driftwatch.model import Role
from driftwatch.model.amounts import many, noun
from driftwatch.model.commands import command
from driftwatch.report import sentence
from driftwatch.report.excerpt import sentences
from driftwatch.report.hinttable import DANGERS, READINGS
from driftwatch.report.laid import sign_parts
from driftwatch.web.forms import NOBODY
from driftwatch.web.links import item_href, query_of

FOLDER: Final = Path(__file__).parent

NAVIGATION: Final[Sequence[tuple[str, str, Role]]] = (
    ("Overview", "/", Role.VIEWER),
    ("Alerts", "/alerts", Role.VIEWER),
    ("Deliveries", "/deliveries", Role.VIEWER),
    ("Silences", "/silences", Role.VIEWER),
    ("Channels", "/channels", Role.VIEWER),
    ("Rules", "/rules", Role.VIEWER),
    ("Audit log", "/audit", Role.VIEWER),
    ("Settings", "/settings", Role.ADMIN),
    ("Tokens", "/tokens", Role.VIEWER),
    ("People", "/people", Role.ADMIN),
    ("Account", "/account", Role.VIEWER),
)
"""The pages that every page leads to: name, path, and the least role of those who are led there."""


@cache
def environment() -> Environment:
    """Make the environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        visible=visible,
        sentence=sentence,
        lines=_lines,
        moment=moment,
        iso=iso,
        age=age,
        short=short,
        signs=sign_parts,
        many=many,
        noun=noun,
        ours=sentences,
    )
    made.globals.update(driftwatch_version=__version__, item_href=item_href, query_of=query_of)
    made.globals.update(dangers=DANGERS, readings=READINGS, command=command)
    return made


def page(
    request: Request,
    template: str,
    status: int = 200,
    *,
    headers: Mapping[str, str] | None = None,
    notices: Sequence[tuple[str, str]] = (),
    **context: Any,
) -> HTMLResponse:
    """Show a page to who asked. `notices` are lines above it, each a kind (`good`, `bad` or empty) and words.

    A template has besides: `person` (None where nobody is known), `here` (the path), `now`, and `form_token(path)`,
    which makes the token of a form that goes to that path.
    """
    person = getattr(request.state, "person", None)
    app = request.app.state

    def form_token(purpose: str) -> str:
        token: str = app.forms.issue(person.holder if person else NOBODY, purpose)
        return token

    given = {
        "person": person,
        "here": request.url.path,
        "navigation": [(name, path) for name, path, role in NAVIGATION if person and person.role.includes(role)],
        "now": app.desk.clock(),
        "form_token": form_token,
        "notices": notices,
        **context,
    }
    return HTMLResponse(environment().get_template(template).render(given), status, dict(headers or {}))


def moment(at: datetime | None) -> str:
    """Give a time as `2026-11-29 21:50 UTC`, a dash for none."""
    return "–" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def iso(at: datetime) -> str:
    """Give a time for `<time datetime>`."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def age(at: datetime | None, now: datetime) -> str:
    """Say how long ago, or in how long, a moment is: `5 min ago`, `in 3 min`, a dash for none."""
    if at is None:
        return "–"
    late = now - at
    return f"{_span(late)} ago" if late >= timedelta() else f"in {_span(-late)}"


def short(digest: str) -> str:
    """Give the first 12 digits of a digest, a dash for none."""
    return digest.removeprefix("sha256:")[:12] or "–"


def _lines(text: str) -> str:
    """Give a text of several lines with what hides in it made visible, its line feeds and tabs kept."""
    return visible(text, multiline=True)


def _span(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
