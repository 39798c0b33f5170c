"""diff, approve and reject: see what changed, and decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import typer

from driftwatch.cli.again import Once, doubt, look_again, said
from driftwatch.cli.app import call_of, commands
from driftwatch.cli.asides import against_it, aside_lines
from driftwatch.cli.exits import HIGH, ExitCode
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.items import Items, places_of
from driftwatch.cli.moments import iso, moment, short
from driftwatch.cli.options import By, Digest, Explain, Full, ServerName, Show, ShowHidden, Written, checked
from driftwatch.cli.reports import place_of, show_judged, show_report
from driftwatch.cli.seen import listed, seen_words, unseen_lines
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal, ask, interactive, warn
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.model import (
    Actor,
    AlertKind,
    Baseline,
    BaselineState,
    Finding,
    Json,
    Place,
    ServerState,
    Severity,
    Snapshot,
)
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import summary
from driftwatch.report.again import again_json
from driftwatch.report.asides import passed_json, rejected_json
from driftwatch.report.cut import clipped
from driftwatch.report.excerpt import sentence
from driftwatch.report.formats import Form
from driftwatch.report.headline import counts, worst_words
from driftwatch.report.looked import looked
from driftwatch.report.page import contents
from driftwatch.report.started import in_a_line
from driftwatch.report.subject import Subject
from driftwatch.review import approve as verb
from driftwatch.review.choice import Choice
from driftwatch.review.judged import judged_of
from driftwatch.review.witnessed import reject_shown, standing_shown, to_agents
from driftwatch.store.store import Store

app = commands()

_WORST = 240
"""Characters of the worst finding where a person is asked."""

Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, if you like; it is kept with the decision.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve without asking.")]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person decided to approve."""

    server: str
    digest: str
    who: Actor
    note: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class _Asking:
    """How a person is asked: about what, which items, whether they named the list, said yes, and want all of it."""

    what: str
    places: Sequence[Place] | None
    named: bool
    yes: bool
    full: bool


@app.command()
def diff(
    context: typer.Context,
    server: ServerName,
    digest: Digest = None,
    output: Written = Form.TEXT,
    *,
    show: Show = Severity.INFO,
    full: Full = False,
    explain: Explain = False,
    show_hidden: ShowHidden = False,
) -> None:
    """Show what a server changed against its approved baseline."""
    settings = settings_of(context)
    terminal = call_of(context).terminal
    with opened(context, settings) as store:
        name, at = known(settings, store, server), now(context)
        state = store.state(name)
        live = listed(store, name, checked(digest), at)
        baseline = store.baseline(name)
        report = verb.difference(store, settings, name, live.digest, at)
        heading = _heading(store, name, live, baseline, at)
        counts = looked(_vetted(store, baseline), live) if explain else None
        judged = judged_of(store, settings, name, report, live=live, place=place_of(settings.path, name), at=at)
        extra = _standing(state, baseline, judged.subject, standing_shown(store, name))
    lines = (*unseen_lines(state, at), *heading, *aside_lines(judged.subject), "")
    for line in lines if output is Form.TEXT else ():
        terminal.say(line)
    how = {"show": show, "full": full, "hidden": show_hidden, "explain": counts}
    show_judged(terminal, judged, output, [HIGH], server=name, extra=extra, **how)


def _vetted(store: Store, baseline: Baseline | None) -> Snapshot | None:
    """Give what a person approved, None where nobody did: then the whole list is read."""
    if baseline is None or baseline.state is not BaselineState.APPROVED:
        return None
    return store.snapshot(baseline.digest)


def _standing(
    state: ServerState, baseline: Baseline | None, subject: Subject, shown_to: Sequence[str]
) -> dict[str, Json]:
    """Say for programs which server a report is about, whether it can be relied upon, and what people said of it."""
    return {
        "server": state.server,
        "baseline_state": baseline.state.value if baseline else None,
        "failures": state.failures,
        "last_ok_at": iso(state.last_ok_at),
        "rejections": rejected_json(subject.rejected),
        "ahead_waits": passed_json(subject.passed),
        "looked_again": again_json(subject.again),
        "to_agents": list(shown_to),
    }


@app.command()
def approve(
    context: typer.Context,
    server: ServerName,
    note: Note = "",
    *,
    digest: Digest = None,
    item: Items = None,
    by: By = None,
    yes: Yes = False,
    full: Full = False,
    once: Once = False,
) -> None:
    """Make a list that a server showed its approved baseline, or let the baseline take single items of it.

    Without --digest it is the list seen last: looked at again if nobody did, then shown, and you are asked.
    """
    settings, who = settings_of(context), person(by)
    with opened(context, settings) as store:
        name = known(settings, store, server)
        wanted = listed(store, name, checked(digest), now(context))
        if _is_settled(context, store, name, wanted):
            return
        places = _places(store, name, wanted, item)
        what = f"{_count(places)}{short(wanted.digest)} of {name}"
        if not once:
            look_again(context, store, settings, name, wanted, unasked=yes and digest is None)
        choice = _choice(store, name, places, store.baseline(name) if places else None, is_shown=digest is None)
        _confirm(context, store, settings, name, wanted, how=_Asking(what, places, digest is not None, yes, full))
        _move(context, store, settings, Decided(name, wanted.digest, who, note.strip(), choice), what)


@app.command()
def reject(
    context: typer.Context,
    server: ServerName,
    note: Note = "",
    *,
    digest: Digest = None,
    item: Items = None,
    by: By = None,
) -> None:
    """Write down that a list, or single items of it, are not acceptable. The baseline and the alert stay.

    Where driftwatch is shown what is approved, and agents were shown something else, it is that which is rejected.
    """
    settings, who = settings_of(context), person(by)
    with opened(context, settings) as store:
        name = known(settings, store, server)
        if shown := to_agents(store, name, checked(digest), in_part=bool(item)):
            reject_shown(store, name, shown, by=who, note=note.strip(), now=now(context))
            call_of(context).terminal.say(_rejected_shown(name, shown, who))
            return
        wanted = listed(store, name, checked(digest), now(context))
        places = _places(store, name, wanted, item)
        choice = Choice(places)
        verb.reject(store, name, digest=wanted.digest, by=who, note=note.strip(), now=now(context), choice=choice)
        alert = store.open_alert(name, AlertKind.DRIFT)
    stays = " The alert stays open." if alert else ""
    what = f"{_count(places)}{short(wanted.digest)} of {name}"
    call_of(context).terminal.say(f"Rejected {what} by {who}. The baseline stays.{stays}")


def _rejected_shown(server: str, shown: Sequence[str], who: Actor) -> str:
    what = f"what agents were shown by {server}, {', '.join(short(one) for one in shown)},"
    return f"Rejected {what} by {who}. It stands, and says so, until it is approved."


def _is_settled(context: typer.Context, store: Store, server: str, wanted: Snapshot) -> bool:
    """Say so when a list is approved already, with all that an approval of it would settle."""
    baseline = store.baseline(server)
    if baseline is None or not verb.is_settled(store, server, wanted.digest):
        return False
    call_of(context).terminal.say(f"{server}: {_since(baseline)} already. Nothing was changed.")
    return True


def _choice(
    store: Store, server: str, places: tuple[Place, ...] | None, baseline: Baseline | None, *, is_shown: bool
) -> Choice:
    """Give what a decision rests on: the baseline, and where the difference is shown what identities are shown."""
    return Choice(
        places,
        baseline=baseline.digest if baseline else None,
        identities=verb.mark_of(store.faces(server)) if is_shown else None,
    )


def _places(store: Store, server: str, wanted: Snapshot, items: Sequence[str] | None) -> tuple[Place, ...] | None:
    """Give the places of the items that a person named; None where the list as a whole is meant."""
    return places_of(items, verb.places_between(store, server, wanted.digest)) if items else None


def _move(context: typer.Context, store: Store, settings: Settings, decided: Decided, what: str) -> None:
    """Move the baseline, if it is the one that was shown, and say what came of it."""
    terminal, server = call_of(context).terminal, decided.server
    waiting = store.counts().deliveries_pending
    to_agents = standing_shown(store, server)
    moved = verb.approve(
        store,
        settings,
        server,
        digest=decided.digest,
        by=decided.who,
        note=decided.note,
        now=now(context),
        choice=decided.choice,
    )
    _approved(terminal, f"{what} by {decided.who}", store.counts().deliveries_pending - waiting)
    left = standing_shown(store, server)
    if settled := [short(one) for one in to_agents if one not in left]:
        terminal.say(f"What agents were shown was approved with it: {', '.join(settled)}.")
    _moved_on(terminal, store.state(server), moved, store.findings(server))


def _count(places: Sequence[Place] | None) -> str:
    """Say how many items a decision is about; nothing where it is about the list as a whole."""
    return "" if places is None else f"{many(len(places), 'item')} of "


def _approved(terminal: Terminal, what: str, queued: int) -> None:
    """Say what was done, and when those hear of it who are to be told."""
    terminal.say(f"Approved {what}. From now on driftwatch compares with it.")
    if queued > 0:
        terminal.say(f"{many(queued, 'message')} about it: sent at the next check, or when the daemon runs.")


def _moved_on(terminal: Terminal, state: ServerState, approved: Baseline, findings: Sequence[Finding]) -> None:
    """Say so when the server shows something else than what is approved now, or when findings outlive an approval."""
    if state.last_digest != approved.digest and not findings:
        terminal.say("What it shows besides differs only in what calls for no decision.")
    elif state.last_digest != approved.digest:
        now_shown = short(state.last_digest)
        terminal.say(f"It shows another list, {now_shown}. See what differs: {command('diff', state.server)}")
    elif findings:
        terminal.say(f"Still found in it: {summary(findings)}. See: {command('diff', state.server)}")


def _confirm(
    context: typer.Context, store: Store, settings: Settings, server: str, live: Snapshot, *, how: _Asking
) -> None:
    """Show a person what they are about to approve, and ask; of a list that was named, say how it was looked at."""
    terminal, at = call_of(context).terminal, now(context)
    if how.named:
        if words := said(store, settings, server, live.digest):
            terminal.say(words)
        return
    heading = _heading(store, server, live, store.baseline(server), at)
    report = verb.difference(store, settings, server, live.digest, at)
    subject = judged_of(store, settings, server, report, live=live, at=at).subject
    for line in (*unseen_lines(store.state(server), at), *heading, *aside_lines(subject), ""):
        terminal.say(line)
    show_report(terminal, report, output=Form.TEXT, full=how.full, server=server)
    places = how.places
    known_of = f"{against_it(subject.rejected, places)}{doubt(subject.again)}{_worst(report.findings, places)}"
    sure(f"Approve {how.what}{known_of}?", yes=how.yes)


def _worst(findings: Sequence[Finding], places: Sequence[Place] | None) -> str:
    """Say how much stands in what would be approved, and name the worst: the list of it has scrolled by since."""
    found = [one for one in findings if places is None or one.identities_at(places)]
    grave = sorted((one for one in found if one.severity >= Severity.HIGH), key=lambda one: one.order)
    if not grave:
        return ""
    worst = clipped(sentence(worst_words(grave[0])).rstrip("."), _WORST)
    return f", with {counts(grave)} in it{', the worst of them' if len(grave) > 1 else ''}: {worst}"


def _is_first(baseline: Baseline | None, digest: str) -> bool:
    """Whether a list has nothing to be compared with but itself."""
    return baseline is None or (baseline.state is BaselineState.PROVISIONAL and baseline.digest == digest)


def _heading(store: Store, server: str, live: Snapshot, baseline: Baseline | None, at: datetime) -> list[str]:
    """Say what is compared with what, and where a list is to be read whole, how."""
    this, seen = short(live.digest), seen_words(store, server, live.digest, at)
    if baseline is None or _is_first(baseline, live.digest):
        return [
            f"{server}: nothing is approved yet. The list {this}, {seen}, holds {contents(live)}.",
            *filter(None, [in_a_line(live)]),
            f"Read it first: {command('show', server)}",
            "What driftwatch sees in it by itself:",
        ]
    if baseline.state is BaselineState.PROVISIONAL:
        before = f"the first list seen, {short(baseline.digest)}"
        return [
            f"{server}: nothing is approved yet; {this}, {seen}, against {before}.",
            f"It holds {contents(live)}. Read it first: {command('show', server)}",
            *filter(None, [in_a_line(live)]),
            "What driftwatch sees in it by itself, and what changed since that first one:",
        ]
    against = f"{server}: {this}, {seen}, against {_since(baseline)}."
    to_agents = standing_shown(store, server) if live.digest == baseline.digest else ()
    if not to_agents:
        return [against]
    shown = ", ".join(short(one) for one in to_agents)
    return [against, f"driftwatch is shown what is approved; agents were shown something else: {shown}."]


def _since(baseline: Baseline) -> str:
    """Name an approved list, and say who approved it when."""
    by = f" by {baseline.by}" if baseline.by else ""
    return f"{short(baseline.digest)}, approved {moment(baseline.since)}{by}"


def sure(question: str, *, yes: bool) -> None:
    """Ask a person to confirm.

    Raises:
        UsageError: there is nobody to ask.

    """
    if yes:
        return
    if not interactive():
        raise UsageError("Nobody is here to confirm.", hint="Say which list with --digest, or add --yes.")
    if not ask(question):
        warn("Nothing was changed.")
        raise typer.Exit(ExitCode.FOUND)
