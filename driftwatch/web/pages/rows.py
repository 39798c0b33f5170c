"""What the overview shows of each server: in which state, what to do, and in which order. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import AlertKind, AlertState, ServerState, Severity
from driftwatch.model.amounts import many
from driftwatch.review.standing import Stand, Standing, why
from driftwatch.store.records import AlertOutline
from driftwatch.watch.schedule import Reason

REVIEW, QUIET, UNAPPROVED, FAILING, FLAPPING, SILENCED, OFF, UNSEEN, UNKNOWN = (
    "review", "quiet", "unapproved", "failing", "flapping", "silenced", "off", "unseen", "unknown",
)  # fmt: skip

STATES: Final[Mapping[str, str]] = {
    REVIEW: "to review",
    QUIET: "reviewed and quiet",
    UNAPPROVED: "nothing approved yet",
    FAILING: "cannot be looked at",
    FLAPPING: "goes to and fro",
    SILENCED: "silenced",
    OFF: "switched off",
    UNSEEN: "not looked at yet",
    UNKNOWN: "not in the configuration",
}
"""The states that servers can be picked by, each with its words."""

_WORDS: Final[Mapping[Standing, tuple[str, str]]] = {
    Standing.CLEAN: ("reviewed and quiet", "good"),
    Standing.FOUND: ("as approved, with findings", ""),
    Standing.DRIFT: ("changed: review it", ""),
    Standing.UNAPPROVED: ("nothing approved yet", "medium"),
    Standing.FAILED: ("cannot be looked at", "medium"),
    Standing.UNSEEN: ("not looked at yet", ""),
    Standing.OFF: ("switched off", "plain"),
    Standing.UNKNOWN: ("not in the configuration", "plain"),
}
"""What is said of each standing, and the class of its chip; empty: that of the worst finding."""

_TO_REVIEW: Final = frozenset({Standing.DRIFT, Standing.UNAPPROVED, Standing.FOUND})
_ORDER: Final = (
    Standing.DRIFT, Standing.FOUND, Standing.UNAPPROVED, Standing.FAILED, Standing.UNSEEN, Standing.CLEAN,
    Standing.OFF, Standing.UNKNOWN,
)  # fmt: skip
_REASONS: Final[Mapping[str, str]] = {
    Reason.FRESHNESS: "then its list is no longer fresh",
    Reason.DEFAULT: "the configured interval",
    Reason.FLOOR: "the shortest interval: its list is fresh for less",
    Reason.CEILING: "the longest interval: its list is fresh for more",
}
"""Why the next look comes when it comes, by what a look wrote down of it."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A few words that stand out, and the class that colours them."""

    words: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server as the overview shows it. `tags` are the states that it is picked by."""

    name: str
    chips: tuple[Chip, ...]
    note: str
    standing: Standing
    worst: Severity | None
    pending: bool
    labels: tuple[tuple[str, str], ...]
    last: datetime | None
    following: datetime | None
    reason: str
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Picked:
    """Which servers are wanted; empty: whatever it is. `named` are those that show an item whose name fits."""

    state: str = ""
    label: str = ""
    severity: str = ""
    text: str = ""
    named: Collection[str] = ()

    def __bool__(self) -> bool:
        """Say whether anything is asked for."""
        return bool(self.state or self.label or self.severity or self.text)


def server_rows(
    settings: Settings,
    stands: Mapping[str, Stand],
    states: Mapping[str, ServerState],
    outlines: Iterable[AlertOutline],
) -> list[ServerRow]:
    """Give a row for each server: those that wait for a review first, the worst first."""
    drifts = {one.server: one for one in outlines if one.kind is AlertKind.DRIFT}
    rows = [
        server_row(settings.find(name), states.get(name, ServerState(name)), stand, drifts.get(name))
        for name, stand in stands.items()
    ]
    return sorted(rows, key=_order)


def server_row(config: ServerConfig | None, state: ServerState, stand: Stand, drift: AlertOutline | None) -> ServerRow:
    """Say of one server how it stands; `drift` is the alert on it that is not over."""
    tags = _tags(state, stand, drift)
    return ServerRow(
        name=state.server,
        chips=tuple(_chips(state, stand, drift)),
        note=_note(state, stand),
        standing=stand.standing,
        worst=stand.worst,
        pending=stand.standing in _TO_REVIEW and not stand.rejected,
        labels=tuple(sorted(config.labels.items())) if config is not None else (),
        last=state.last_look_at,
        following=None if stand.standing in {Standing.OFF, Standing.UNKNOWN} else state.next_look_at,
        reason=next_words(state, stand),
        tags=tags,
    )


def next_words(state: ServerState, stand: Stand) -> str:
    """Say why the next look comes when it comes; empty where none comes, or nothing is known of it."""
    if stand.standing in {Standing.OFF, Standing.UNKNOWN} or state.next_look_at is None:
        return ""
    if stand.late:
        return "overdue: is the daemon running?"
    if state.failures:
        return f"later each time: {many(state.failures, 'look')} failed in a row"
    return _REASONS.get(state.last_detail, "")


def picked(rows: Iterable[ServerRow], wanted: Picked) -> list[ServerRow]:
    """Give the rows that are wanted, in their order."""
    return [row for row in rows if _fits(row, wanted)]


def labels_of(settings: Settings) -> list[str]:
    """Give every label that a server has, as `key=value`."""
    return sorted({f"{key}={value}" for server in settings.watched for key, value in server.labels.items()})


def page_of(rows: Sequence[ServerRow], after: str, limit: int) -> tuple[Sequence[ServerRow], str]:
    """Give the rows after the server of that name, and the name that the next page begins after; empty: none."""
    start = next((number + 1 for number, row in enumerate(rows) if row.name == after), 0)
    shown = rows[start : start + limit]
    return shown, shown[-1].name if start + limit < len(rows) else ""


def _fits(row: ServerRow, wanted: Picked) -> bool:
    text = wanted.text.casefold()
    words = (row.name, *(f"{key}={value}" for key, value in row.labels))
    return (
        (not wanted.state or wanted.state in row.tags)
        and (not wanted.label or any(f"{key}={value}" == wanted.label for key, value in row.labels))
        and (not wanted.severity or (row.worst is not None and row.worst.value in _from(wanted.severity)))
        and (not text or row.name in wanted.named or any(text in word.casefold() for word in words))
    )


def _from(severity: str) -> list[str]:
    """Give a severity and all that are worse; nothing for what is none."""
    names = [one.value for one in Severity]
    return names[names.index(severity) :] if severity in names else []


def _order(row: ServerRow) -> tuple[bool, int, int, str]:
    rank = row.worst.rank if row.worst is not None else -1
    return (not row.pending, _ORDER.index(row.standing) if not row.pending else 0, -rank, row.name)


def _tags(state: ServerState, stand: Stand, drift: AlertOutline | None) -> frozenset[str]:
    holds = {
        REVIEW: stand.standing in _TO_REVIEW and not stand.rejected,
        QUIET: stand.standing is Standing.CLEAN and not stand.awaits,
        UNAPPROVED: stand.standing is Standing.UNAPPROVED,
        FAILING: stand.standing is Standing.FAILED,
        FLAPPING: state.calm_at is not None,
        SILENCED: drift is not None and drift.muted,
        OFF: stand.standing is Standing.OFF,
        UNSEEN: stand.standing is Standing.UNSEEN,
        UNKNOWN: stand.standing is Standing.UNKNOWN,
    }
    return frozenset(tag for tag, held in holds.items() if held)


def _chips(state: ServerState, stand: Stand, drift: AlertOutline | None) -> Iterable[Chip]:
    words, kind = _WORDS[stand.standing]
    if stand.standing is Standing.CLEAN and stand.awaits:
        words, kind = "shows what is approved", "plain"
    if stand.rejected and stand.standing in _TO_REVIEW:
        words = "rejected, still shown"
    yield Chip(words, kind or (stand.worst.value if stand.worst is not None else ""))
    if stand.worst is not None:
        yield Chip(stand.worst.value, stand.worst.value)
    if stand.awaits:
        yield Chip("agents see something else", "medium")
    if state.calm_at is not None:
        yield Chip("goes to and fro", "medium")
    if drift is not None and drift.state is AlertState.ACKNOWLEDGED:
        yield Chip("acknowledged", "plain")
    if drift is not None and drift.muted:
        yield Chip("silenced", "plain")


def _note(state: ServerState, stand: Stand) -> str:
    """Say what a chip has no room for."""
    if stand.standing is not Standing.FAILED:
        return ""
    since = f"since {state.last_ok_at:%Y-%m-%d %H:%M} UTC" if state.last_ok_at else "so far"
    return f"{since}: {why(state)}"
