"""What a change of hints does to each host, under that host's own reading of absent, moot and malformed values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from driftwatch.judge.canonical import same
from driftwatch.judge.hints import HINTS
from driftwatch.judge.hosts.base import Act, Host
from driftwatch.judge.hosts.table import HOSTS
from driftwatch.model import Effect, Json

SPOKEN = 3
"""How many hosts a message names; the others are in the finding."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one host did and does now."""

    host: Host
    was: Act
    now: Act

    @property
    def eases(self) -> bool:
        """Say whether it asks less now, or lets more happen."""
        return self.now.trust > self.was.trust

    @property
    def effect(self) -> Effect:
        """Give it as a finding holds it."""
        return Effect(self.host.label, self.was.words, self.now.words, self.host.source)


def turns(before: Json, after: Json) -> tuple[Turn, ...]:
    """Give every host that acts otherwise for the annotations after than for those before, in the table's order."""
    found = ((host, host.act(before), host.act(after)) for host in HOSTS)
    return tuple(Turn(host, was, now) for host, was, now in found if was is not None and now is not None and was != now)


def turns_by_hint(before: Json, after: Json) -> dict[str, tuple[Turn, ...]]:
    """Give the hosts that act otherwise, each with the hint that made it: the one without which it would not have.

    Where several hints share in it, each of them has the host; where none does alone, the first that changed.
    """
    changed = [hint for hint in HINTS if not same(_value(before, hint), _value(after, hint))]
    found: dict[str, tuple[Turn, ...]] = dict.fromkeys(changed, ())
    for turn in turns(before, after):
        behind = [hint for hint in changed if _matters(turn, hint, before, after)] or changed[:1]
        for hint in behind:
            found[hint] += (turn,)
    return found


def as_effects(found: Iterable[Turn], first: Callable[[Turn], bool] = lambda turn: turn.eases) -> tuple[Effect, ...]:
    """Give turns as a finding holds them: those first that the finding is about, the table's order otherwise."""
    return tuple(turn.effect for turn in sorted(found, key=lambda turn: not first(turn)))


def sentence(hosts: Sequence[Effect]) -> str:
    """Say for a message what the first hosts do otherwise, and how many more; nothing where there are none."""
    if not hosts:
        return ""
    alike: dict[tuple[str, str], list[str]] = {}
    for effect in hosts[:SPOKEN]:
        alike.setdefault((effect.was, effect.now), []).append(effect.host)
    parts = [f"{_listed(names)}: {was} → {now}" for (was, now), names in alike.items()]
    more = len(hosts) - SPOKEN
    rest = f"; and {more} more host{'s' * (more > 1)}" if more > 0 else ""
    return f" {'; '.join(parts)}{rest}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _value(annotations: Json, hint: str) -> list[Json]:
    """Give a hint's raw value in a list, an empty list where there is none."""
    return [annotations[hint]] if isinstance(annotations, dict) and hint in annotations else []


def _matters(turn: Turn, hint: str, before: Json, after: Json) -> bool:
    """Say whether a host would act as before without the change of one hint, or as now by it alone."""
    return (
        turn.host.act(_with(after, hint, before)) != turn.now or turn.host.act(_with(before, hint, after)) != turn.was
    )


def _with(annotations: Json, hint: str, other: Json) -> Json:
    """Give annotations with one hint as another one has it."""
    kept = {key: value for key, value in annotations.items() if key != hint} if isinstance(annotations, dict) else {}
    value = _value(other, hint)
    return {**kept, hint: value[0]} if value else kept
