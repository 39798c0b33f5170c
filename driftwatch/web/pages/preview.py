"""Previews: what another version of a server would show, and its approval ahead of the roll-out."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import DriftwatchError, NothingToDoError, StaleReviewError, UnknownIdError, UsageError
from driftwatch.model import Ahead, BaselineState, Role
from driftwatch.model.commands import command
from driftwatch.review import preview as verb
from driftwatch.review.ahead import end_ahead
from driftwatch.review.candidate import fixed
from driftwatch.review.passed import passed_by
from driftwatch.review.preview import Preview, Shown
from driftwatch.review.previewed import doubts
from driftwatch.review.said import NOTE
from driftwatch.web.access import Person, Reviewer, Sent, TheForm, Viewer
from driftwatch.web.desk import Desk, TheDesk
from driftwatch.web.pages.changes import entries_of
from driftwatch.web.pages.once_more import READ, Grave, grave, once_more, refusal
from driftwatch.web.pages.review import Asked, address, context_of, links
from driftwatch.web.pages.server import known
from driftwatch.web.pages.summing import Given
from driftwatch.web.templates import page
from driftwatch.web.trials import NoTrialsError, TheTrials, TooManyTrialsError, Trial, TrialState

router = APIRouter(prefix="/servers/{name}", include_in_schema=False, default_response_class=Response)

_EVERY: Final = 3
"""Seconds after which the page of a preview that runs asks anew."""

LASTING: Final = (7, 30, 90)
"""Days for which an approval ahead can be given."""

_USUAL: Final = 30

_MOVED: Final = (
    "Another list was approved since this preview was made, so what you read is no longer the difference. "
    "Nothing was written. Preview it again."
)
_UNSURE: Final = (
    "It shows another list from one start to the next. Say that you know that, or preview it again. Nothing was "
    "written."
)

BACK: Final = "back"

_Number = Annotated[int, Query(alias="page", ge=1, le=100_000)]
_View = Annotated[str, Query(max_length=20)]
_Which = Annotated[int, Query(alias="list", ge=1, le=100)]


@router.get("/preview")
def previews(request: Request, desk: TheDesk, trials: TheTrials, _: Viewer, name: str) -> Response:
    """Show what can be previewed, the previews of late, and the approvals that wait for a roll-out."""
    return _overview(request, desk, trials.of(known(desk, name)), name)


@router.post("/preview")
def begin(
    request: Request, desk: TheDesk, trials: TheTrials, person: Reviewer, *, name: str, form: TheForm
) -> Response:
    """Begin to look at another version, beside the live server, and show how it goes."""
    name, version, refused, status = known(desk, name), form.text("version").strip(), form.refused, 400
    if refused is None and desk.settings.find(name) is None:
        refused = "The configuration does not name it any more."
    if refused is None:
        try:
            trial, _ = trials.begin(name, version, by=person.actor)
            return RedirectResponse(_page_of(trial), 303)
        except TooManyTrialsError as error:
            refused, status = _words(error), 429
        except (UsageError, NoTrialsError) as error:
            refused, status = _words(error), 409 if isinstance(error, NoTrialsError | NothingToDoError) else 400
    return _overview(request, desk, trials.of(name), name, version=version, refused=refused, status=status)


@router.get("/preview/{trial}")
def preview(
    request: Request,
    desk: TheDesk,
    trials: TheTrials,
    _: Viewer,
    *,
    name: str,
    trial: str,
    which: _Which = 1,
    number: _Number = 1,
    view: _View = "",
) -> Response:
    """Show what a preview came to; while it runs the page asks anew by itself."""
    return _trial(request, desk, _found(trials.find(trial), name), Asked(number, view), which=which)


@router.post("/preview/{trial}/approve")
def approve(
    request: Request, desk: TheDesk, trials: TheTrials, person: Reviewer, *, name: str, trial: str, form: TheForm
) -> Response:
    """Approve just what was shown, ahead of its roll-out."""
    found, digest = _found(trials.find(trial), name), form.text("digest")
    seen = found.seen
    which = _which(seen, digest)
    asked, days = Asked(note=form.text("note")), _days(form.text("days"))
    refused: str | None = form.refused
    status = 400
    if seen is None or which is None:
        refused, which = refused or "The form does not say which list it is about. Nothing was written.", 1
    elif refused is None and _has_moved(desk, seen):
        refused, status = _MOVED, 409
    elif form.text("act") == BACK:
        # Nothing is changed by that, so a form that was sent before will do.
        return _trial(request, desk, found, asked, which=which, days=days, sure=form.text("sure"))
    elif refused is None and not seen.is_steady and not form.text("sure"):
        refused = _UNSURE
    if refused is None and seen is not None:
        risks = grave(seen.lists[which - 1].report.findings)
        # A note that is too long is refused below, before anything is asked.
        if not seen.is_approved and len(asked.note) <= NOTE and refusal(risks, form.texts(READ)) is not None:
            return _once_more(request, found, form, risks)
        now = desk.clock()
        try:
            verb.approve(
                desk.store,
                desk.settings,
                seen,
                digest=digest,
                by=person.actor,
                note=asked.note,
                now=now,
                until=now + timedelta(days=days),
            )
            return RedirectResponse(address(found.server, "preview"), 303)
        except (StaleReviewError, UsageError) as error:
            refused, status = _refusal(error)
    return _trial(
        request,
        desk,
        found,
        asked,
        which=which,
        days=days,
        sure=form.text("sure"),
        refused=refused or "",
        status=status,
    )


@router.post("/ahead/{ahead}/end")
def end(
    request: Request, desk: TheDesk, trials: TheTrials, person: Reviewer, *, name: str, ahead: str, form: TheForm
) -> Response:
    """End an approval ahead before it is used."""
    name, now = known(desk, name), desk.clock()
    if form.refused is not None:
        return _overview(request, desk, trials.of(name), name, refused=form.refused)
    if ahead not in {one.id for one in desk.store.aheads(name)}:
        raise UnknownIdError("There is no approval of that id for this server.", hint="See those that wait.")
    try:
        end_ahead(desk.store, ahead, by=person.actor, now=now, why=form.text("why"))
    except NothingToDoError as error:
        return _overview(request, desk, trials.of(name), name, refused=_words(error), status=409)
    return RedirectResponse(address(name, "preview"), 303)


def _once_more(request: Request, trial: Trial, form: Sent, risks: Grave) -> Response:
    """Show once more what is grave in what would be approved ahead, and ask for a tick that it was read."""
    version = trial.candidate.version
    return once_more(
        request,
        risks,
        server=trial.server,
        digest=form.text("digest"),
        to=f"preview/{trial.id}/approve",
        fields=[(name, form.text(name)) for name in ("digest", "days", "sure")],
        note=form.text("note"),
        approves=("Approve it ahead all the same", "approve"),
        others=(("Back to the preview", BACK),),
        refused=refusal(risks, form.texts(READ)) or "",
        ahead=f"ahead of its roll-out{f' as version {version}' if version else ''}",
    )


def _overview(
    request: Request,
    desk: Desk,
    trials: list[Trial],
    name: str,
    *,
    version: str = "",
    refused: str = "",
    status: int = 400,
) -> Response:
    name, person = known(desk, name), _asking(request)
    is_reviewer = person.role.includes(Role.REVIEWER)
    reason = why_not(desk, name) if is_reviewer else ""
    aheads = _waiting(desk, name)
    return page(
        request,
        "preview.html",
        status if refused else HTTPStatus.OK,
        notices=[("bad", refused)] if refused else (),
        server=name,
        config=desk.settings.find(name),
        trials=trials,
        aheads=aheads,
        passed={one.id: one for one in passed_by(desk.store, name, None, desk.clock(), aheads)},
        is_reviewer=is_reviewer,
        why_not=reason,
        version=version,
    )


def why_not(desk: Desk, name: str) -> str:
    """Say why no other version can be previewed from here, with what to do instead; empty where one can."""
    config = desk.settings.find(name)
    if config is None or not config.enabled:
        return "It is switched off, or no longer in the configuration: its secrets were not read, so it cannot start."
    if config.url:
        return (
            "It is reached at a URL: which version answers there is for its operator to say. Where the new version "
            f"answers at an address already: {command('preview', name)} --url …, or a list of it that you were sent: "
            "--file …"
        )
    if not config.command:
        return "It is a host's file: there is no other version of it to look at. Two states of it: driftwatch compare"
    if why := fixed(config):
        return f"{why} On the command line, started otherwise: {command('preview', name)} --command …, or --file …"
    again = f"On the command line you can look at it all the same: {command('preview', name)} --version …"
    if desk.previewing is None:
        return f"Previews cannot be made from here. {again}"
    because = desk.unsandboxed(config)
    return f"It would be started without a sandbox: {because}. {again}" if because else ""


def _trial(
    request: Request,
    desk: Desk,
    trial: Trial,
    asked: Asked,
    *,
    which: int,
    days: int = _USUAL,
    sure: str = "",
    refused: str = "",
    status: int = 400,
) -> Response:
    """Show a preview as it is now."""
    name, seen = trial.server, trial.seen
    running = trial.state is TrialState.RUNNING
    context = {}
    if seen is not None and seen.lists:
        which = min(which, len(seen.lists))
        shown = seen.lists[which - 1]
        link = links(name, f"preview/{trial.id}", list=str(which) if which > 1 else "")
        context = {"which": which, "one": shown, **context_of(_given(seen, shown), asked, link)}
        context |= {"ahead": next((one for one in _waiting(desk, name) if one.digest == shown.snapshot.digest), None)}
    return page(
        request,
        "previewed.html",
        status if refused else HTTPStatus.OK,
        headers={"refresh": str(_EVERY)} if running else {},
        notices=[("bad", refused)] if refused else (),
        server=name,
        trial=trial,
        seen=seen,
        note=asked.note,
        days=days,
        sure=sure,
        lasting=LASTING,
        doubts=[*seen.candidate.notes, *doubts(seen)] if seen is not None else [],
        moved=seen is not None and _has_moved(desk, seen),
        is_reviewer=_asking(request).role.includes(Role.REVIEWER),
        **context,
    )


def _given(seen: Preview, shown: Shown) -> Given:
    approved = seen.baseline is not None and seen.baseline.state is BaselineState.APPROVED
    before = seen.before if seen.before != shown.snapshot or approved else None
    entries = entries_of(before, shown.snapshot, shown.report.findings, approved=approved, decidable=False)
    return Given(seen.server, before, shown.snapshot, shown.report, entries, baseline=seen.baseline)


def _waiting(desk: Desk, name: str) -> list[Ahead]:
    return desk.store.waiting_aheads(name, desk.clock())


def _has_moved(desk: Desk, seen: Preview) -> bool:
    """Say whether what a preview was held against is no longer the baseline."""
    baseline = desk.store.baseline(seen.server)
    return (baseline and baseline.digest) != (seen.baseline and seen.baseline.digest)


def _refusal(error: DriftwatchError) -> tuple[str, int]:
    """Say why an approval was not given, and with which status."""
    if isinstance(error, StaleReviewError):
        return _MOVED, 409
    return _words(error), 409 if isinstance(error, NothingToDoError) else 400


def _which(seen: Preview | None, digest: str) -> int | None:
    """Give which of the lists of a preview a digest names, from 1 on."""
    lists = seen.lists if seen is not None else ()
    return next((number for number, one in enumerate(lists, 1) if one.snapshot.digest == digest), None)


def _found(trial: Trial, name: str) -> Trial:
    if trial.server != name:
        raise UnknownIdError("This server has no preview of that id.", hint="Ask for a new one.")
    return trial


def _page_of(trial: Trial) -> str:
    return f"{address(trial.server, 'preview')}/{quote(trial.id, safe='')}"


def _days(text: str) -> int:
    return next((days for days in LASTING if text == str(days)), _USUAL)


def _asking(request: Request) -> Person:
    person: Person = request.state.person
    return person


def _words(error: DriftwatchError) -> str:
    return " ".join(filter(None, (error.message, error.hint)))
