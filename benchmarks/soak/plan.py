"""What a soak's servers do, and when: made from a seed, so that a run can be played again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Final

MODERN, HANDSHAKE, SSE, LOCAL = "modern", "handshake", "sse", "stdio"
ERAS: Final = ((MODERN, 45), (HANDSHAKE, 40), (SSE, 14), (LOCAL, 1))
"""How servers speak, and how many in a hundred do so."""

ORDER, HINT, PARAMETER, WORDING = "order", "hint", "parameter", "wording"
TURNS: Final = (ORDER, HINT, PARAMETER, WORDING)
LEAST: Final = {ORDER: "high", HINT: "high", PARAMETER: "high", WORDING: "low"}
"""How bad each turn is at least."""

HANG: Final = "hang"
DOWNS: Final = ("status", "drop", "html", HANG, "list-error", "refused")
TURN, BACK, DOWN, UP = "turn", "back", "down", "up"

ALLOWANCE: Final = 10.0
"""Seconds that a look may take, wait for its turn, and be told in, beyond the time between two looks."""
JITTER: Final = 1.1
REQUEST: Final = 5.0
"""Seconds until a request is given up."""
PER_PORT: Final = 4


@dataclass(frozen=True)
class Pace:
    """How often servers are looked at, in seconds."""

    interval: float

    @property
    def floor(self) -> float:
        """The shortest time between two looks."""
        return max(1.0, self.interval / 4)

    @property
    def ceiling(self) -> float:
        """The longest."""
        return 2 * self.interval

    def longest(self, ttl_ms: int) -> float:
        """Give the longest time between two looks at a server that is well."""
        wanted = min(max(ttl_ms / 1000, self.floor), self.ceiling) if ttl_ms else self.interval
        return min(wanted * JITTER, self.ceiling)

    def seen(self, ttl_ms: int) -> float:
        """Give how long something must stand to be seen for sure."""
        return self.longest(ttl_ms) + ALLOWANCE

    def away(self, ttl_ms: int) -> float:
        """Give how long a server must be away for three looks to fail: the third comes after two back-offs."""
        return self.longest(ttl_ms) + 3 * self.floor * JITTER + 3 * (2 * REQUEST) + ALLOWANCE

    @property
    def rest(self) -> float:
        """Give how long a server is left alone after each deed: the longest back-off, and a look."""
        return self.ceiling * JITTER + 2 * ALLOWANCE


@dataclass(frozen=True)
class Act:
    """One thing that a server does at a second after the begin; `mark` names a turn, and stands in what it shows."""

    at: float
    kind: str
    how: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Member:
    """One server of the fleet."""

    name: str
    number: int
    speaks: str
    events: bool
    """Whether it answers as a stream of events."""
    listens: bool
    ttl_ms: int
    restless: bool
    """Whether it turns again and again; the others turn once, so that their alerts end."""
    chatter: float
    """Seconds between two notices without a change; 0 for none."""
    acts: tuple[Act, ...] = field(default=())

    @property
    def group(self) -> int:
        """Which port it is at."""
        return self.number // PER_PORT


def members(*, seed: int, servers: int, seconds: float, pace: Pace) -> tuple[Member, ...]:
    """Give the fleet and all that it does in so many seconds."""
    return tuple(_member(random.Random(f"{seed} {number}"), number, seconds, pace) for number in range(servers))


def _member(chance: random.Random, number: int, seconds: float, pace: Pace) -> Member:
    names, shares = zip(*ERAS, strict=True)
    # Each kind is there in the smallest fleet too.
    speaks = names[number] if number < len(names) else chance.choices(names, shares)[0]
    listens = speaks != LOCAL and chance.random() < 0.5
    ttl_ms = chance.choice((0, 0, 0, round(pace.interval * 1000), round(pace.interval * 1500)))
    chatter = 2 * pace.interval * (1 + chance.random()) if listens and chance.random() < 0.2 else 0.0
    events, restless = chance.random() < 0.3, chance.random() < 0.15
    member = Member(f"s{number:04}", number, speaks, events, listens, ttl_ms, restless, chatter)
    return replace(member, acts=tuple(_acts(chance, member, seconds, pace)))


def _acts(chance: random.Random, member: Member, seconds: float, pace: Pace) -> list[Act]:
    acts: list[Act] = []
    at, turns = chance.uniform(0, 4 * pace.interval), 0
    while True:
        deed, lasts = _deed(chance, pace, member, away=turns > 0 and not member.restless)
        many = len(deed)
        if at + lasts * many > seconds:
            return acts
        for kind, how in deed:
            turns += kind == TURN
            acts.append(Act(at, kind, how, f"q{member.number:04}n{turns}" if kind == TURN else ""))
            at += lasts
        acts.append(Act(at, UP if deed[0][0] == DOWN else BACK))
        at += pace.rest + chance.expovariate(1 / (2 * pace.interval))


def _deed(chance: random.Random, pace: Pace, member: Member, *, away: bool) -> tuple[list[tuple[str, str]], float]:
    """Give what a server does next, and how long each of it stands; with `away` it can only be away."""
    seen, roll = pace.seen(member.ttl_ms), chance.random()
    if away or roll < 0.25:
        # Who hangs takes one of two places at its host, so only one in a group does.
        how = chance.choice(DOWNS if member.number % PER_PORT == 0 else [one for one in DOWNS if one != HANG])
        return [(DOWN, how)], chance.uniform(0.2, 2.0) * pace.away(member.ttl_ms)
    one = [(TURN, chance.choice(TURNS))]
    if roll < 0.35:
        return one, chance.uniform(0.2, 0.9) * pace.interval
    if roll < 0.5:
        return [*one, (TURN, chance.choice(TURNS))], chance.uniform(1.0, 1.5) * seen
    return one, chance.uniform(1.0, 2.0) * seen
