"""The review: what a server changed, the worst first, and the decision on it; and any two of its lists side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from driftwatch.errors import BaselineMovedError, Moved, StaleReviewError, UsageError
from driftwatch.judge.composite import differing
from driftwatch.model import AlertKind, Review, Role
from driftwatch.report.again import Again, again_words
from driftwatch.report.asides import Rejected, standing
from driftwatch.review import approve as verb
from driftwatch.review.again import looked_again
from driftwatch.review.choice import Choice, moved, refuse_moved
from driftwatch.review.passed import passed_by
from driftwatch.review.reading import Reading
from driftwatch.review.refused import rejected_beside, rejected_starts
from driftwatch.review.rejected import rejected_of
from driftwatch.review.said import noted
from driftwatch.review.witnessed import reject_shown, rejected_shown, standing_shown
from driftwatch.web.access import Person, Reviewer, Sent, TheForm, Viewer
from driftwatch.web.desk import Desk, TheDesk, desk_of
from driftwatch.web.pages.changes import Entry, entries_of, pages_of, places_of, ticked
from driftwatch.web.pages.kept import TheKept, kept_of
from driftwatch.web.pages.once_more import READ, Grave, grave, once_more, refusal
from driftwatch.web.pages.server import choices, known
from driftwatch.web.pages.summing import Given, contents_for, decisions_of, head_of, refused_of, sheet_of
from driftwatch.web.pages.telling import tell_all
from driftwatch.web.pages.witnessed import agents_of, resolved
from driftwatch.web.templates import page

router = APIRouter(prefix="/servers/{name}", include_in_schema=False, default_response_class=Response)

_DECISIONS: Final = 5
"""Decisions on a list that its page tells."""
_CHOICES: Final = 60
"""Lists that can be chosen to be compared: the newest ones."""

APPROVE_ALL, REJECT_ALL, APPROVE, REJECT = "approve-all", "reject-all", "approve", "reject"
TURN, AGAIN = "page", "again"

_KEPT: Final = "Nothing was written. Your note is kept; what you ticked stays ticked where it is still the same."
_STALE: Final[Mapping[Moved, str]] = {
    Moved.SHOWN: f"It changed while you read: this is what it shows now. {_KEPT}",
    Moved.BASELINE: f"Another list was approved while you read: this is the difference to that one. {_KEPT}",
    Moved.IDENTITIES: f"What other identities are shown changed while you read: that is in here now. {_KEPT}",
}
_AGAIN: Final = "It is being looked at again. This page says how that went as soon as it is known."
_UNSAID: Final = "The form does not say which list it is about. Nothing was written."
_NONE: Final = "Nothing is ticked. Tick each item that you mean, or decide on all of it."
_GONE: Final = "Some of what was ticked is not in this list any more. Nothing was written. See what is ticked now."

_Digest = Annotated[str, Query(max_length=80)]
_Number = Annotated[int, Query(alias="page", ge=1, le=100_000)]
_View = Annotated[str, Query(max_length=20)]


@dataclass(frozen=True, slots=True)
class Asked:
    """What part of a review is asked for, and what a person typed and ticked so far."""

    number: int = 1
    view: str = ""
    note: str = ""
    items: tuple[str, ...] = ()


@router.get("/review")
def review(
    request: Request,
    desk: TheDesk,
    kept: TheKept,
    _: Viewer,
    name: str,
    *,
    digest: _Digest = "",
    number: _Number = 1,
    view: _View = "",
) -> Response:
    """Show what a server shows, or showed (`digest`), beside its baseline."""
    name = known(desk, name)
    if not digest and not desk.store.state(name).last_digest:
        return page(request, "unseen.html", server=name)
    return _shown(request, desk, kept.reading(name, digest or None), Asked(number, view))


@router.post("/review")
def decide(request: Request, desk: TheDesk, kept: TheKept, person: Reviewer, *, name: str, form: TheForm) -> Response:
    """Write a decision down, if what it is about is still what was shown; else show the page anew and write nothing."""
    name = known(desk, name)
    act, _, number = form.text("act").partition(":")
    asked = Asked(_page_number(number or form.text("page")), form.text("view"), form.text("note"), form.texts("item"))
    digest = form.text("digest")
    if not digest:
        return _shown(request, desk, kept.reading(name, None), asked, refused=form.refused or _UNSAID)
    choice = Choice(shown=form.text("shown"), baseline=form.text("baseline"), identities=form.text("identities"))
    stale = _stale(desk, name, act, digest, choice)
    # Who chose to read a list of earlier goes on with that one; all others with what is shown now.
    reading = kept.reading(name, digest if digest != form.text("shown") else None)
    if stale is None and act in (TURN, AGAIN):
        # Nothing is changed by that, so a form that was sent before will do.
        return _shown(request, desk, reading, asked, told=_begun(desk, name, form))
    if form.refused is not None or stale is not None:
        return _shown(
            request,
            desk,
            reading,
            asked,
            refused=form.refused or (_stale_words(desk, name, stale, choice) if stale else ""),
            status=409 if stale else 400,
        )
    try:
        unread = _decided(desk, reading, person, form, choice)
    except BaselineMovedError as error:
        stale = error.moved if isinstance(error, StaleReviewError) else moved(desk.store.state(name), choice)
        words = _stale_words(desk, name, stale or Moved.SHOWN, choice)
        return _shown(request, desk, kept.reading(name, None), asked, refused=words, status=409)
    except UsageError as error:
        refused = " ".join(filter(None, (error.message, error.hint)))
        return _shown(request, desk, reading, asked, refused=refused)
    if unread is None:
        desk.wake()
    # What was decided and by whom is said by the page itself.
    there = address(name, "review", digest=digest if not reading.is_current else "")
    return RedirectResponse(there, 303) if unread is None else _once_more(request, reading, asked, form, unread)


@router.get("/compare")
def compare(
    request: Request,
    desk: TheDesk,
    kept: TheKept,
    _: Viewer,
    name: str,
    *,
    before: Annotated[str, Query(alias="from", max_length=80)] = "",
    after: Annotated[str, Query(alias="to", max_length=80)] = "",
    number: _Number = 1,
    view: _View = "",
) -> Response:
    """Show what any list of a server changed against any other of its lists; nothing is decided here."""
    name, store = known(desk, name), desk.store
    state = store.state(name)
    options = choices(store.sightings(name, limit=_CHOICES), state)
    if not before or not after:
        chosen = (before or (options[1][0] if len(options) > 1 else ""), after or state.last_digest)
        return page(request, "compare.html", server=name, options=options, chosen=chosen, given=None)
    old, new = (kept.snapshot(resolved(store, name, one)) for one in (before, after))
    report = kept.between(name, old, new)
    alone = old.digest == new.digest
    entries = entries_of(None if alone else old, new, report.findings, approved=not alone, decidable=False)
    seen = tuple(_with(options, one.digest) for one in (old, new))
    given = Given(name, None if alone else old, new, report, entries, "the other list" if not alone else "")
    link = links(name, "compare", **{"from": old.digest, "to": new.digest})
    return page(
        request,
        "compare.html",
        server=name,
        options=list(dict.fromkeys((*options, *seen))),
        chosen=(old.digest, new.digest),
        **context_of(given, Asked(number, view), link),
    )


def _decided(desk: Desk, reading: Reading, person: Person, form: Sent, choice: Choice) -> Grave | None:
    """Do what was asked for; or give what is to be read once more before it is: then nothing was written.

    Raises:
        UsageError: it cannot be done.
        BaselineMovedError: it is stale. Either way nothing was written.

    """
    act, ids, chosen = form.text("act"), form.texts("item"), None
    if act in (APPROVE, REJECT):
        chosen = ticked(_entries(reading), ids)
        if not chosen or len(chosen) < len(set(ids)):
            raise UsageError(_GONE if ids else _NONE, hint="")
        choice = replace(choice, items=places_of(chosen))
    elif act not in (APPROVE_ALL, REJECT_ALL):
        raise UsageError("The form does not say what to do. Nothing was written.", hint="")
    given: dict[str, Any] = {
        "digest": form.text("digest"),
        "by": person.actor,
        "note": form.text("note"),
        "now": desk.clock(),
        "choice": choice,
    }
    if act in (REJECT, REJECT_ALL):
        if act == REJECT_ALL and reading.is_approved and (shown := standing_shown(desk.store, reading.server)):
            refuse_moved(desk.store.state(reading.server), choice, reading.identities)
            reject_shown(desk.store, reading.server, shown, by=person.actor, note=form.text("note"), now=given["now"])
        else:
            verb.reject(desk.store, reading.server, **given)
        return None
    again = looked_again(desk.store, desk.settings, reading.server, reading.live.digest) if reading.is_current else None
    said_no = standing(_rejected(desk, reading), choice.items)
    said_no = (*said_no, *(rejected_beside(desk.store, reading.server) if choice.items is None else ()))
    found = grave(reading.report.findings, chosen, doubt=_doubt(again), refused=said_no)
    settled = verb.is_settled(desk.store, reading.server, reading.live.digest)
    if not settled and refusal(found, form.texts(READ)) is not None:
        # What would be refused is not asked about.
        refuse_moved(desk.store.state(reading.server), choice, reading.identities)
        noted(form.text("note"))
        return found
    verb.approve(desk.store, desk.settings, reading.server, **given)
    return None


def _rejected(desk: Desk, reading: Reading, reviews: Sequence[Review] | None = None) -> tuple[Rejected, ...]:
    """Give what people said no to of a list; `reviews` are the decisions on its server, where they are known."""
    places = differing(reading.before, reading.live) if reading.before is not None else ()
    return rejected_of(desk.store, reading.server, reading.live, places, reviews)


def _stale(desk: Desk, name: str, act: str, digest: str, choice: Choice) -> Moved | None:
    """Say what moved since the form was shown, None where nothing did or what was to be approved is approved."""
    state = desk.store.state(name)
    return None if act == APPROVE_ALL and verb.is_approved(state.baseline, digest) else moved(state, choice)


def _stale_words(desk: Desk, name: str, stale: Moved, choice: Choice) -> str:
    """Say what moved, and where looking again brought it to light, that."""
    again = desk.store.rehearsed(name, choice.shown) if stale is Moved.SHOWN and choice.shown else None
    if again is None or not again.other:
        return _STALE[stale]
    return (
        f"The {again.next_look} look, made before a decision, showed another list: this is what it shows now. {_KEPT}"
    )


def _begun(desk: Desk, name: str, form: Sent) -> str:
    """Have the server looked at again if that is asked for, and say so; empty where only a page is turned."""
    if form.text("act") != AGAIN or form.refused is not None or desk.again is None:
        return ""
    desk.again(name)
    return _AGAIN


def _doubt(again: Again | None) -> str:
    """Say what is asked about where a list was not looked at again with success; empty where nothing is."""
    return again_words(again) if again is not None and again.is_wanting and not again.off else ""


def _once_more(request: Request, reading: Reading, asked: Asked, form: Sent, found: Grave) -> Response:
    """Show once more what is grave in what would be approved, and ask for a tick that it was read."""
    names = ("digest", "shown", "baseline", "identities", "page", "view")
    act = form.text("act")
    return once_more(
        request,
        found,
        server=reading.server,
        digest=reading.live.digest,
        to="review",
        fields=[*((name, form.text(name)) for name in names), *(("item", one) for one in asked.items)],
        note=asked.note,
        approves=("Approve all the same", act),
        others=(
            *([] if reading.is_approved else [("Reject instead", {APPROVE_ALL: REJECT_ALL, APPROVE: REJECT}[act])]),
            *([("Look again now", AGAIN)] if found.doubt and desk_of(request).again is not None else []),
            ("Back to the review", f"{TURN}:{asked.number}"),
        ),
        refused=refusal(found, form.texts(READ)) or "",
    )


def _shown(
    request: Request,
    desk: Desk,
    reading: Reading,
    asked: Asked,
    *,
    refused: str = "",
    told: str = "",
    status: int = 0,
) -> Response:
    """Show a review; `refused` says why nothing was written, `told` what was begun."""
    store, name = desk.store, reading.server
    entries = _entries(reading)
    given = Given(name, reading.before, reading.live, reading.report, entries, "", reading.baseline)
    reviews = store.reviews(name)
    decided = decisions_of(reviews, reading, most=_DECISIONS)
    again = looked_again(store, desk.settings, name, reading.live.digest)
    approved = reading.before if reading.has_approval else None
    agents = agents_of(store, kept_of(request), name, entries, [one for one in (reading.live, approved) if one])
    aheads = store.waiting_aheads(name, desk.clock())
    person: Person = request.state.person
    link = links(name, "review", digest=reading.live.digest)
    return page(
        request,
        "review.html",
        status or (400 if refused else 200),
        notices=[("bad", refused)] if refused else [("good", told)] if told else (),
        server=name,
        reading=reading,
        again=None if again is None else again_words(again),
        can_look_again=again is not None and reading.is_current and desk.again is not None,
        decisions=decided,
        agents=agents,
        said_no={one.agents: one for one in rejected_shown(store, name)},
        other_starts=rejected_starts(store, name),
        refused=refused_of(_rejected(desk, reading, reviews), entries),
        passed={one.id: one for one in passed_by(store, name, reading.live, desk.clock(), aheads)},
        alert=store.open_alert(name, AlertKind.DRIFT),
        aheads=aheads,
        may_decide=person.role.includes(Role.REVIEWER) and (bool(agents) or not reading.is_approved),
        failures=store.state(name).failures,
        **context_of(given, asked, link),
    )


def _entries(reading: Reading) -> list[Entry]:
    return entries_of(reading.before, reading.live, reading.report.findings, approved=reading.has_approval)


def context_of(given: Given, asked: Asked, link: Callable[..., str]) -> dict[str, Any]:
    """Give what the templates of reviews share."""
    pages = pages_of(given.entries)
    asked = replace(asked, number=min(asked.number, pages), view="inline" if asked.view == "inline" else "")
    return {
        "given": given,
        "asked": asked,
        "pages": pages,
        "link": link,
        "contents": contents_for(given.entries),
        "head": head_of(given) if asked.number == 1 else [],
        "found": len(given.report.findings),
        "hidden": tell_all(given.report.hidden, values=True) if asked.number == 1 else [],
        "sheet": sheet_of(given.entries, asked.number, asked.items),
    }


def links(name: str, what: str, **fixed: str) -> Callable[..., str]:
    """Give what makes the addresses of other pages and views of the same difference: of `number` and `view`."""

    def link(number: int = 1, view: str = "") -> str:
        more = {"page": str(number) if number > 1 else "", "view": view}
        return address(name, what, **fixed, **more)

    return link


def address(name: str, what: str, **asked: str) -> str:
    """Give the address of a page of a server; what is empty is left out."""
    given = {key: value for key, value in asked.items() if value}
    return f"/servers/{quote(name, safe='')}/{what}{f'?{urlencode(given)}' if given else ''}"


def _page_number(text: str) -> int:
    return min(int(text), 100_000) if text.isascii() and text.isdecimal() and len(text) < 7 and int(text) else 1


def _with(options: Sequence[tuple[str, str]], digest: str) -> tuple[str, str]:
    """Give a list as one to be chosen, also where it is too old to be among the newest."""
    return next((one for one in options if one[0] == digest), (digest, digest.removeprefix("sha256:")[:12]))
