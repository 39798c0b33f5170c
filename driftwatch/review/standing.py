"""How one server stands, as a word and a sentence: what `status` and the pages say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.rules.witnessed_difference import RULE as WITNESSED
from driftwatch.judge.rules.witnessed_difference import UNREAD
from driftwatch.model import BaselineState, Finding, ServerState, Severity, hidden_of, shown_of, worst_of
from driftwatch.report.text import hidden_words
from driftwatch.store.store import Store


class Standing(StrEnum):
    """How a server stands. The value is public (`--format json`)."""

    UNSEEN = "not-looked-at"
    FAILED = "could-not-look"
    DRIFT = "drift"
    UNAPPROVED = "not-approved"
    FOUND = "found"
    """It shows what was approved, and there are findings all the same."""
    CLEAN = "clean"
    OFF = "off"
    UNKNOWN = "not-in-the-configuration"


class Awaited(StrEnum):
    """What waits where an agent was shown something else than driftwatch. The value is public (`--format json`)."""

    LOOK = "look"
    """For a look of driftwatch's own, beside which it is compared."""
    PERSON = "person"
    """It was compared, and stands until somebody decides."""


AWAITED: Final = {
    Awaited.LOOK: "An agent was shown something else, which waits to be compared with a look of driftwatch's own.",
    Awaited.PERSON: "An agent was shown something else than driftwatch, which waits for a person to decide.",
}
"""The same in a sentence."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A standing with its words; `worst` is None where nothing is found.

    `hidden` holds what the policy keeps from alerts. `late` is how long the next look is overdue, None while it is in
    time or nothing is to look. `awaits` says what something else waits for that an agent was shown.
    """

    standing: Standing
    words: str
    worst: Severity | None = None
    rejected: bool = False
    hidden: tuple[Finding, ...] = ()
    late: timedelta | None = None
    awaits: tuple[Awaited, ...] = ()


def stands(settings: Settings, store: Store, now: datetime) -> dict[str, Stand]:
    """Say how every server stands: the configured ones in their order, then those that only the database remembers."""
    states, findings, refused = store.states(), store.all_findings(), store.refused_last()
    waits = {server for server, _ in store.uncompared()}
    configs = {server.name: server for server in settings.watched}
    found: dict[str, Stand] = {}
    for name in [*configs, *sorted(set(states) - set(configs))]:
        state = states.get(name, ServerState(server=name))
        about = configs.get(name), state, findings.get(name, ())
        found[name] = stand(*about, name in refused, now, waits=name in waits)
    return found


def stand(
    config: ServerConfig | None,
    state: ServerState,
    findings: Sequence[Finding],
    rejected: bool,
    now: datetime,
    *,
    waits: bool = False,
) -> Stand:
    """Say how a server stands, from all of its `findings`; what the policy hides among them only counts as such.

    `waits` says that something that an agent was shown is not compared yet.
    """
    hidden, findings = hidden_of(findings), shown_of(findings)
    standing = standing_of(config, state, found=bool(findings))
    worst = worst_of(findings) if findings else None
    more = f", {hidden_words(hidden)}" if hidden else ""
    said = (f", worst {worst.value}" if worst is not None else "") + (", rejected" if rejected else "") + more
    before = f"; before that: drift{said}" if findings else ""
    words = {
        Standing.UNKNOWN: f"not in the configuration{before}",
        Standing.OFF: f"off{before}",
        Standing.UNSEEN: "not looked at yet",
        Standing.FAILED: f"could not look ×{state.failures}{before}",
        Standing.UNAPPROVED: f"not approved{said}",
        Standing.DRIFT: f"drift{said}",
        Standing.FOUND: f"as approved, with findings{said}",
        Standing.CLEAN: f"clean{said}",
    }
    late = None if config is None or not config.enabled else overdue(config, state, now)
    told = any(one.rule == WITNESSED.id and one.category != UNREAD for one in findings)
    awaits = (*([Awaited.LOOK] if waits else []), *([Awaited.PERSON] if told and not rejected else []))
    # A rejection decides on it, and changes nothing of what it is.
    said = f"{words[standing]}{'; an agent was shown something else' if waits or told else ''}"
    return Stand(standing, said, worst, rejected, hidden, late, awaits)


def standing_of(config: ServerConfig | None, state: ServerState, *, found: bool) -> Standing:
    """Choose the word; `found` says that there are findings which the policy does not hide.

    What nobody looks at comes first, then a failed look: neither ever reads as clean.
    """
    provisional = state.baseline is None or state.baseline.state is BaselineState.PROVISIONAL
    applies = {
        Standing.UNKNOWN: config is None,
        Standing.OFF: config is not None and not config.enabled,
        Standing.UNSEEN: state.last_look_at is None,
        Standing.FAILED: bool(state.failures),
        Standing.UNAPPROVED: provisional,
        Standing.FOUND: found and state.baseline is not None and state.baseline.digest == state.last_digest,
        Standing.DRIFT: found,
    }
    return next((standing for standing, holds in applies.items() if holds), Standing.CLEAN)


def overdue(config: ServerConfig, state: ServerState, now: datetime) -> timedelta | None:
    """Say how long the next look is overdue, when that is more than its interval and the longest look explain."""
    if state.next_look_at is None:
        return None
    late = now - state.next_look_at
    # A look that is under way has not ended yet, and one with two tries may take twice its time.
    explained = config.interval.default + 2 * config.timeout.look
    return late if late > timedelta(seconds=explained) else None


def why(state: ServerState) -> str:
    """Say why the last look failed."""
    code = state.last_outcome.partition(":")[2] or state.last_outcome
    return f"{code}: {state.last_detail}" if state.last_detail else code
