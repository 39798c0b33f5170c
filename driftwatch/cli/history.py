"""history and export: what a server showed over time, and one of its lists as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.asides import named_briefly
from driftwatch.cli.ground import settings_of
from driftwatch.cli.handoff import As, For, Unapproved, alone, handed_off, show_fragment
from driftwatch.cli.items import spelled
from driftwatch.cli.lastlook import look_words
from driftwatch.cli.moments import exact, iso, short
from driftwatch.cli.options import Digest, Format, Output, ServerName
from driftwatch.cli.stored import known, opened
from driftwatch.judge.snapshot import document_of
from driftwatch.model import (
    Ahead,
    Baseline,
    BaselineState,
    FaceSighting,
    Json,
    Review,
    ServerState,
    Sighting,
    Testimony,
    TestimonyState,
    is_witness,
    witness_of,
)
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import plain
from driftwatch.report.arrived import arrival_json, arrival_words
from driftwatch.report.lastlook import look_json
from driftwatch.review.approve import shown
from driftwatch.review.standing import why

app = commands()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a history."""

    at: datetime
    what: str
    digest: str
    words: str
    by: str = ""
    note: str = ""
    arrival: Json = None
    origin: str = ""
    items: tuple[str, ...] = ()
    baseline: str = ""


@app.command()
def history(context: typer.Context, server: ServerName, output: Output = Format.TEXT) -> None:
    """Show how the last look went, what a server showed over time, and what people decided."""
    settings = settings_of(context)
    with opened(context, settings) as store:
        name = known(settings, store, server)
        state = store.state(name)
        entries = timeline(store.sightings(name), store.baselines(name), store.reviews(name), state)
        expected = [entry for one in store.aheads(name) for entry in _expected(one)]
        told = {(one.identity, one.digest): one for one in reversed(store.testimonies(name))}
        seen_as = [_seen_as(one, told.get((one.identity, one.digest))) for one in store.face_sightings(name)]
        entries = sorted((*entries, *seen_as, *expected), key=lambda entry: entry.at)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        story = [_json(entry) for entry in entries]
        about = {"server": name, "listing": look_json(state.listing), "calm_at": iso(state.calm_at)}
        terminal.json({"version": 1, **about, "history": story})
    elif not entries:
        terminal.say(f"Nothing was seen yet on {name}. Look now: {command('check', name)}")
    else:
        if state.listing is not None:
            for words in look_words(state.listing, state.last_ok_at):
                terminal.say(words)
            terminal.say()
        for words in _flapping_words(state):
            terminal.say(words)
        rows = [(exact(entry.at), short(entry.digest), entry.words) for entry in entries]
        terminal.table(("when", "list", "what"), rows)


def _flapping_words(state: ServerState) -> Iterator[str]:
    """Say that a server goes to and fro."""
    if state.calm_at is not None:
        yield f"It goes to and fro. If it keeps its list, it counts as calm from {exact(state.calm_at)} on."
        yield ""


def timeline(
    sightings: Sequence[Sighting], baselines: Sequence[Baseline], reviews: Sequence[Review], state: ServerState
) -> list[Entry]:
    """Put everything about one server in the order of time. Of failed looks only the present run is remembered."""
    entries = [_seen(sighting) for sighting in sightings]
    entries += [_stood_in(baseline) for baseline in baselines if baseline.state is BaselineState.PROVISIONAL]
    entries += [_decided(review) for review in reviews]
    entries += [_failed(state, state.last_look_at)] if state.failures and state.last_look_at else []
    return sorted(entries, key=lambda entry: entry.at)


def _failed(state: ServerState, at: datetime) -> Entry:
    """Say that the last looks failed, and why."""
    times = f"{'' if state.failures == 1 else 'the last '}{many(state.failures, 'look')} failed"
    return Entry(at, "could-not-look", "", f"{times}: {why(state)}")


def _seen(sighting: Sighting) -> Entry:
    """Say over which time a list was shown, and how it came."""
    until = f", last {exact(sighting.last_seen)}" if sighting.looks > 1 else ""
    looks = many(sighting.looks, "look")
    came = "".join(f"; {words}" for words in arrival_words(sighting.arrival))
    arrival = arrival_json(sighting.arrival)
    return Entry(sighting.first_seen, "seen", sighting.digest, f"seen in {looks}{until}{came}", arrival=arrival)


def _seen_as(sighting: FaceSighting, told: Testimony | None) -> Entry:
    """Say over which time a list was seen in the turns of an identity; `told` is what a witness said of it."""
    until = f", last {exact(sighting.last_seen)}" if sighting.looks > 1 else ""
    looks = many(sighting.looks, "look")
    words = f"as {sighting.identity}: seen in {looks}{until}"
    if is_witness(sighting.identity):
        words = f"shown to an agent in {witness_of(sighting.identity)}, {looks}{until}{_told(told)}"
    return Entry(sighting.first_seen, "seen-as", sighting.digest, words)


def _told(told: Testimony | None) -> str:
    """Say when in a session an agent was shown what stands apart, or did until a person decided."""
    if told is None or not (told.state.stands or told.state is TestimonyState.SETTLED):
        return ""
    what = f"what the prompt {told.prompt} read as" if told.prompt else "another list than driftwatch was shown"
    if told.state is TestimonyState.HELD:
        what = "a list that driftwatch was shown for a while, and that nobody approved"
    calls = f"after {many(told.calls, 'tool call')}" if told.calls else "before any tool call"
    return f"; {what}, {calls}" + (", approved since" if told.state is TestimonyState.SETTLED else "")


def _stood_in(baseline: Baseline) -> Entry:
    """Say that a first list stands in until one is approved. Approved baselines have their review."""
    return Entry(baseline.since, "provisional", baseline.digest, "stands in as baseline until one is approved")


def _decided(review: Review) -> Entry:
    """Say what a person decided, and why."""
    count = f" {many(len(review.items), 'item')} ({named_briefly(review.items)})" if review.items else ""
    words = f"{review.decision.value}{count} by {review.by}" + (f": {review.note}" if review.note else "")
    words += f"; the baseline is {short(review.baseline)}" if review.baseline else ""
    words += "; that was ahead, and here it is shown" if review.ahead else ""
    return Entry(
        review.at,
        review.decision.value,
        review.digest,
        words,
        by=review.by,
        note=review.note,
        origin=review.origin,
        items=tuple(map(spelled, review.items)),
        baseline=review.approves,
    )


def _expected(ahead: Ahead) -> list[Entry]:
    """Say what was approved ahead by whom, and how that ended."""
    version = f" for version {ahead.version}" if ahead.version else ""
    note = f": {ahead.note}" if ahead.note else ""
    words = f"approved ahead{version} by {ahead.by}{note}"
    found = [Entry(ahead.at, "approved-ahead", ahead.digest, words, by=ahead.by, note=ahead.note, origin=ahead.origin)]
    if ahead.ended_at is not None:
        words = f"the approval ahead by {ahead.by} was ended by {ahead.ended_by}"
        found.append(Entry(ahead.ended_at, "ahead-ended", ahead.digest, words, by=ahead.ended_by))
    return found


def _json(entry: Entry) -> dict[str, Json]:
    """Give one entry for programs."""
    return {
        "at": iso(entry.at),
        "what": entry.what,
        "digest": entry.digest,
        "words": entry.words,
        "by": entry.by,
        "note": entry.note,
        "origin": entry.origin,
        "items": list(entry.items),
        "baseline": entry.baseline,
        "arrival": entry.arrival,
    }


@app.command()
def export(
    context: typer.Context,
    server: ServerName,
    digest: Digest = None,
    form: For = None,
    name: As = None,
    *,
    provisional: Unapproved = False,
) -> None:
    """Write a list that a server showed as JSON, which compare and scan read back.

    With --for it is the approved set in the form of an allow-list that a host or a gateway reads (docs/handoff.md).
    """
    settings = settings_of(context)
    with opened(context, settings) as store:
        known_as = known(settings, store, server)
        if form is None:
            alone(name, provisional=provisional)
            call_of(context).terminal.json(plain(document_of(shown(store, known_as, digest))))
        else:
            fragment = handed_off(store, known_as, form, digest=digest, name=name, provisional=provisional)
            show_fragment(call_of(context).terminal, fragment)
