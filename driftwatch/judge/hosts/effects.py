"""What a change of hints does to each host, under that host's own reading of absent, moot and malformed values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from driftwatch.judge.hints import HINTS
from driftwatch.judge.hosts.base import Act, Host, State, state_of
from driftwatch.judge.hosts.table import HOSTS
from driftwatch.model import Effect, Json
from driftwatch.model.amounts import many

SPOKEN = 3
"""How many hosts a message names; the others are in the finding."""

MANY = 4096
"""How many moves from one state of the hints to another are kept: a server makes few different ones, many times."""


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
    return _turns(state_of(before), state_of(after))


def turns_by_hint(before: Json, after: Json) -> Mapping[str, tuple[Turn, ...]]:
    """Give the hosts that act otherwise, each with the hint that made it: the one without which it would not have.

    Where several hints share in it, each of them has the host; where none does alone, the first that changed.
    """
    return _by_hint(state_of(before), state_of(after))


@lru_cache(maxsize=MANY)
def _turns(before: State, after: State) -> tuple[Turn, ...]:
    if before == after:
        return ()
    found = ((host, host.act_on(before), host.act_on(after)) for host in HOSTS)
    return tuple(Turn(host, was, now) for host, was, now in found if was is not None and now is not None and was != now)


@lru_cache(maxsize=MANY)
def _by_hint(before: State, after: State) -> Mapping[str, tuple[Turn, ...]]:
    changed = [place for place, value in enumerate(before) if value is not after[place]]
    found: dict[int, tuple[Turn, ...]] = dict.fromkeys(changed, ())
    for turn in _turns(before, after):
        behind = [place for place in changed if _matters(turn, place, before, after)] or changed[:1]
        for place in behind:
            found[place] += (turn,)
    return MappingProxyType({HINTS[place]: told for place, told in found.items()})


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
    rest = f"; and {many(more, 'more host')}" if more > 0 else ""
    return f" {'; '.join(parts)}{rest}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _matters(turn: Turn, place: int, before: State, after: State) -> bool:
    """Say whether a host would act as before without the change of one hint, or as now by it alone."""
    without = turn.host.act_on((*after[:place], before[place], *after[place + 1 :]))
    alone = turn.host.act_on((*before[:place], after[place], *before[place + 1 :]))
    return without != turn.now or alone != turn.was
