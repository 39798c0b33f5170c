"""The hints of a tool before and after, as dangers under both readings, with the hosts that act otherwise. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from driftwatch.judge.hints import DEFAULTS, HINTS, Danger, Reading, annotations_of, dangers
from driftwatch.judge.hosts.effects import turns
from driftwatch.judge.hosts.table import HOSTS
from driftwatch.judge.pointer import ABSENT
from driftwatch.model import Item, Json
from driftwatch.report.cut import shown
from driftwatch.report.excerpt import value_text

DANGERS: Mapping[Danger, str] = {
    Danger.WRITES: "can change things",
    Danger.DESTROYS: "can destroy things",
    Danger.UNREPEATABLE: "is not safe to repeat",
    Danger.OPEN_WORLD: "reaches beyond its own world",
}
"""Each danger as it stands after “the tool”."""

READINGS: Mapping[Reading, str] = {
    Reading.SPEC: "hints that are not said take their defaults",
    Reading.STATED: "hints that are not said say nothing",
}
"""What a client makes of a hint that is absent, by its reading."""


@dataclass(frozen=True, slots=True)
class HintRow:
    """One hint: its raw values (`ABSENT` where there is none), and words for them that are safe to show."""

    hint: str
    before: Json
    after: Json
    was: str
    now: str

    @property
    def changed(self) -> bool:
        """Whether the two sides say something else."""
        return self.was != self.now


@dataclass(frozen=True, slots=True)
class DangerRow:
    """Whether one danger is admitted under one reading, before and after; None where there is no tool on that side."""

    danger: Danger
    reading: Reading
    before: bool | None
    after: bool | None

    @property
    def loosened(self) -> bool:
        """Whether it was admitted and is no longer: hosts may ask less."""
        return self.before is True and self.after is False

    @property
    def widened(self) -> bool:
        """Whether it is admitted now and was not: the approval does not cover it."""
        return self.before is False and self.after is True


@dataclass(frozen=True, slots=True)
class HostRow:
    """What one host does with the tool: before (empty: there was none), now (empty: there is none), and the source.

    `eases` says that it asks less than before, or lets more happen.
    """

    host: str
    was: str
    now: str
    source: str
    eases: bool = False


@dataclass(frozen=True, slots=True)
class HintTable:
    """The hints of one tool before and after: all four, every danger under both readings, and hosts.

    `hosts` are those that act otherwise; for a tool that came or went, all of which it is known what they do with it.
    """

    hints: tuple[HintRow, ...]
    dangers: tuple[DangerRow, ...]
    hosts: tuple[HostRow, ...]

    @property
    def changed(self) -> bool:
        """Whether anything differs: not the case where a tool is on one side only."""
        return any(row.changed for row in self.hints) or any(row.loosened or row.widened for row in self.dangers)


def hint_table(before: Item | None, after: Item | None) -> HintTable:
    """Lay the hints of a tool side by side. Either side may be missing."""
    was, now = annotations_of(before), annotations_of(after)
    hints = tuple(
        HintRow(hint, _raw(was, hint), _raw(now, hint), _words(before, was, hint), _words(after, now, hint))
        for hint in HINTS
    )
    rows = tuple(
        DangerRow(danger, reading, _admits(before, was, danger, reading), _admits(after, now, danger, reading))
        for danger in Danger
        for reading in Reading
    )
    return HintTable(hints, rows, _hosts(before, after, was, now))


def hint_words(annotations: Json, hint: str) -> str:
    """Say of a hint what was said, or what counts where nothing was; safe to show."""
    value = _raw(annotations, hint)
    if value is ABSENT:
        return f"not said, which counts as {value_text(DEFAULTS[hint])}"
    if isinstance(value, bool):
        return f"said {value_text(value)}"
    text = value_text([value])[1:-1]
    return f"said {shown(text, len(text))}, neither true nor false: counts as not said"


def _words(item: Item | None, annotations: Json, hint: str) -> str:
    return "" if item is None else hint_words(annotations, hint)


def _raw(annotations: Json, hint: str) -> Json:
    return annotations.get(hint, ABSENT) if isinstance(annotations, dict) else ABSENT


def _admits(item: Item | None, annotations: Json, danger: Danger, reading: Reading) -> bool | None:
    return None if item is None else danger in dangers(annotations, reading)


def _hosts(before: Item | None, after: Item | None, was: Json, now: Json) -> tuple[HostRow, ...]:
    """Give the hosts that act otherwise, those first that ask less; of a tool on one side, what each does with it."""
    if before is not None and after is not None:
        found = sorted(turns(was, now), key=lambda turn: not turn.eases)
        return tuple(
            HostRow(turn.host.label, turn.was.words, turn.now.words, turn.host.source, turn.eases) for turn in found
        )
    acts = ((host, host.act(was if after is None else now)) for host in HOSTS)
    known = [(host, act.words) for host, act in acts if act is not None]
    if after is None:
        return tuple(HostRow(host.label, words, "", host.source) for host, words in known)
    return tuple(HostRow(host.label, "", words, host.source) for host, words in known)
