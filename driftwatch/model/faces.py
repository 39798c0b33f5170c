"""What a server shows to those as whom driftwatch looks now and then: one face for each identity."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Verdict(StrEnum):
    """How the list of an identity stands to what driftwatch itself is shown."""

    UNKNOWN = "not-compared"
    SAME = "same"
    LEARNED = "learned"
    """Another list, for a reason that the protocol knows; it is the one that was learned."""
    DRIFTED = "changed"
    """No longer the list that was learned for this identity."""
    DIFFERS = "differs"
    """Another list for no other reason than the name, seen twice."""
    RESTLESS = "restless"
    """Another list, but the server also differs from itself between two looks, or it was another one only once."""
    OLDER = "older"
    """Of a witness: the agent holds a list that driftwatch was shown before, or that is approved."""
    APART = "apart"
    """Of a witness: the agent was shown a list that driftwatch is not shown, and that nobody can explain."""
    WAITING = "waiting"
    """Of a witness: the agent was shown something else, which is not compared yet. Said, and never kept."""


@dataclass(frozen=True, slots=True)
class Face:
    """What one identity was shown, and how it stands.

    Digests are those of the parts that must not vary (see `driftwatch.judge.faces`). `shown` is what the identity was
    shown last, `ordinary` what driftwatch was shown then with all else alike, `learned` what stands as the identity's
    own list, empty where it has none. `cause` says why it may differ (`credential`, `era`, `capabilities`, a space
    between two), and `accepted` whether a person approved the server since it was learned. `looked_at` is the last
    try, `ok_at` the last complete look, `since` the end of the turn that gave the verdict.

    `suspect` is a list that was seen in one of this identity's turns, has something bad in it and stands under no
    verdict; `beside` is the ordinary one then, and `settled` the last such list that was there when a person approved
    the server. `strays` counts the turns in which only the identity's looks varied, `calm` those since in which none
    did. `unread` counts, of a witness, what was lost to it or could not be read and what nobody decided on.
    """

    server: str
    identity: str
    verdict: Verdict = Verdict.UNKNOWN
    cause: str = ""
    shown: str = ""
    ordinary: str = ""
    learned: str = ""
    accepted: bool = False
    looked_at: datetime | None = None
    ok_at: datetime | None = None
    since: datetime | None = None
    failures: int = 0
    outcome: str = ""
    detail: str = ""
    suspect: str = ""
    beside: str = ""
    settled: str = ""
    strays: int = 0
    calm: int = 0
    unread: int = 0

    @property
    def judged_by(self) -> tuple[object, ...]:
        """What a judgement of the server rests on here: when it moves, the server is judged again."""
        seen = (self.suspect, self.beside) if self.suspect else ()
        if self.verdict not in (Verdict.LEARNED, Verdict.DRIFTED, Verdict.DIFFERS):
            return seen
        return (self.verdict, self.shown, self.ordinary, self.learned, self.accepted, bool(self.strays), *seen)


@dataclass(frozen=True, slots=True)
class FaceSighting:
    """When a list was seen in the turns of an identity, and how often; `digest` is that of what must not vary."""

    server: str
    identity: str
    digest: str
    first_seen: datetime
    last_seen: datetime
    looks: int = 1
