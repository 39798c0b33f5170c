"""replay: what would have been told of a stored history under the present rules and policy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import HIGH, code_for
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import exact, iso, read_moment
from driftwatch.cli.options import Format, Output, Profile, Threshold, Weights
from driftwatch.cli.stored import known, opened
from driftwatch.cli.terminal import Terminal
from driftwatch.config.schema import Settings
from driftwatch.config.units import seconds
from driftwatch.errors import UsageError
from driftwatch.judge.text.visible import visible
from driftwatch.model import Alert, Finding, Json
from driftwatch.model.amounts import many
from driftwatch.report import finding_json, sentence
from driftwatch.review.compared import Compared, Difference
from driftwatch.review.replay import Replay, Step, replay

app = commands()

_WORDS = {
    Difference.NONE: "As it was told then",
    Difference.OTHER: "Told otherwise than then",
    Difference.NOW: "Would be told now, and was not told then",
    Difference.THEN: "Was told then, and would not be told now",
}


Servers = Annotated[
    list[str] | None, typer.Argument(metavar="[SERVER]...", help="Which servers; all if none is given.")
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="WHEN", help="Only what falls on this time or later: 2026-03-01, or 7d (ago)."),
]


@app.command("replay")
def replay_history(
    context: typer.Context,
    servers: Servers = None,
    *,
    since: Since = None,
    profile: Weights = None,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    output: Output = Format.TEXT,
) -> None:
    """Judge stored history again under the present rules and policy, and change nothing.

    It says what would have been told, and when, beside what was told then. The database is only read.
    """
    settings = _weighing(settings_of(context), profile)
    start = _moment(since, now(context))
    with opened(context, settings, read_only=True) as store:
        names = [known(settings, store, name) for name in servers] if servers else sorted(store.states())
        replays = [replay(store, settings, name, since=start) for name in names]
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "since": iso(start), "servers": [_json(one) for one in replays]})
    else:
        _print(terminal, replays)
    found = [finding for one in replays for step in one.steps for finding in step.new]
    raise typer.Exit(code_for(fail_on, found))


def _weighing(settings: Settings, profile: Profile | None) -> Settings:
    """Give the configuration with another profile."""
    if profile is None:
        return settings
    return settings.model_copy(update={"policy": settings.policy.model_copy(update={"profile": profile.value})})


def _moment(text: str | None, at: datetime) -> datetime | None:
    """Read a time: a date, a date with a time (UTC unless it says otherwise), or how long ago.

    Raises:
        UsageError: it is neither.

    """
    if text is None:
        return None
    hint = "Write it as 2026-03-01, as 2026-03-01T12:00, or as 7d for seven days ago."
    ago = seconds(text.removesuffix("ago").strip())
    if ago is None:
        return read_moment(text, hint=hint)
    try:
        return at - timedelta(seconds=ago)
    except OverflowError:
        raise UsageError(f"{text!r} is not a time.", hint=hint) from None


def _print(terminal: Terminal, replays: Sequence[Replay]) -> None:
    """Print what would have been told, server by server, and how that stands to what was told."""
    for one in replays:
        terminal.say(f"{one.server}: {_count(one)}")
        if one.steps:
            terminal.table(("when", "told", "severity", "to", "what"), [_row(step) for step in one.steps])
        for pair in one.alerts:
            if pair.difference is not Difference.NONE:
                terminal.say(f"{_WORDS[pair.difference]}: {_difference(pair)}")
        terminal.say()
    if not replays:
        terminal.say("Nothing was ever looked at, so there is no history to judge again.")
        return
    same = sum(pair.difference is Difference.NONE for one in replays for pair in one.alerts)
    total = sum(len(one.alerts) for one in replays)
    terminal.say(f"{same} of {many(total, 'alert')} would be told as {_were(total)}. Nothing was changed.")


def _were(total: int) -> str:
    return "it was" if total == 1 else "they were"


def _count(one: Replay) -> str:
    """Say how much there is to tell."""
    heard = sum(bool(step.channels) for step in one.steps)
    told = f"{many(heard, 'message')} would have been told" if heard else "nothing would have been told"
    unheard = len(one.steps) - heard
    told += f"; {unheard} more that no channel asks for" if unheard else ""
    return told + (f"; the policy hides {many(one.hidden, 'finding')}" if one.hidden else "")


def _row(step: Step) -> tuple[str, ...]:
    """Give the cells of one message."""
    to = ", ".join(step.channels) or "nobody"
    return (exact(step.at), step.event.value, step.alert.severity.value, to, sentence(step.alert.summary))


def _difference(pair: Compared) -> str:
    """Say in a line how two alerts differ: of one that is there once all of it, of two what is not the same."""
    if pair.now is None or pair.then is None:
        return " ".join(_alert(one) for one in (pair.now, pair.then) if one is not None)
    now, then = pair.now, pair.then
    told = [
        ("severity", now.severity.value, then.severity.value),
        ("from", exact(now.opened_at), exact(then.opened_at)),
        ("until", _end(now), _end(then)),
        ("reviewed", now.reviewed or "not", then.reviewed or "not"),
    ]
    parts = [f"{word} {new}, and then {old}" for word, new, old in told if new != old]
    only_now, only_then = _only(now, then), _only(then, now)
    parts += [f"also {', '.join(only_now)}"] if only_now else []
    parts += [f"no more {', '.join(only_then)}"] if only_then else []
    return f"the alert from {exact(then.opened_at)}: {'; '.join(parts)}"


def _only(one: Alert, other: Alert) -> list[str]:
    """Name what one alert tells and the other does not, by rule and place."""
    known = {identity for finding in other.findings for identity in finding.identities}
    return [_place(finding) for finding in one.findings if not known.issuperset(finding.identities)]


def _place(finding: Finding) -> str:
    names = finding.items or ((finding.item,) if finding.item else ())
    where = f" in {visible(names[0][:60])}{'…' * (len(names) > 1)}" if names else ""
    return sentence(finding.rule + where)


def _end(alert: Alert) -> str:
    return f"{exact(alert.resolved_at)} ({alert.reason})" if alert.resolved_at else "now: it is open"


def _alert(alert: Alert) -> str:
    ended = f"to {exact(alert.resolved_at)} ({alert.reason})" if alert.resolved_at else "still open"
    rules = ", ".join(sorted({finding.rule for finding in alert.findings}))
    return f"{alert.severity.value} from {exact(alert.opened_at)} {ended}: {rules}"


def _json(one: Replay) -> dict[str, Json]:
    """Give one server for programs."""
    return {
        "name": one.server,
        "hidden": one.hidden,
        "would_tell": [_step_json(step) for step in one.steps],
        "alerts": [_pair_json(pair) for pair in one.alerts],
    }


def _step_json(step: Step) -> dict[str, Json]:
    return {
        "at": iso(step.at),
        "event": step.event.value,
        "reason": step.reason.value,
        "severity": step.alert.severity.value,
        "alert": step.alert.id,
        "channels": list(step.channels),
        "summary": step.alert.summary,
        "new": [finding_json(finding) for finding in step.new],
    }


def _pair_json(pair: Compared) -> dict[str, Json]:
    now_and_then = {"now": pair.now, "then": pair.then}
    sides = {name: alert and _alert_json(alert) for name, alert in now_and_then.items()}
    return {"difference": pair.difference.value, **sides}


def _alert_json(alert: Alert) -> dict[str, Json]:
    return {
        "id": alert.id,
        "state": alert.state.value,
        "severity": alert.severity.value,
        "opened_at": iso(alert.opened_at),
        "resolved_at": iso(alert.resolved_at),
        "reason": alert.reason,
        "findings": [finding_json(finding) for finding in alert.findings],
    }
