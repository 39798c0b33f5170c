"""What is kept of the looks that witnesses hand in, and how each stands to what driftwatch is shown itself."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from driftwatch.model.amounts import many
from driftwatch.model.judged import Severity
from driftwatch.model.looked import Era
from driftwatch.model.shown import Kind

_WITNESS: Final = "witness of "
LONGEST_WITNESS: Final = 80
"""Code points of a witness's name."""
WITNESS_SIGNS: Final = " ._-:@/+,"
"""What may stand in a witness's name beside letters, digits and marks of any language: nothing that a shell reads."""


class TestimonyState(StrEnum):
    """How a list that an agent was shown stands to what driftwatch is shown."""

    __test__ = False

    PENDING = "pending"
    """It waits for a look of driftwatch's own."""
    SAME = "same"
    OLDER = "older"
    """The agent holds a list that driftwatch was shown since its session began, or that is approved."""
    LEARNED = "learned"
    """Another one from the start, with nothing bad in it: this witness's own list, or one of a prompt's bodies.

    Nobody approved it: a session that becomes it has flipped.
    """
    FLIPPED = "flipped"
    """It became another one in the middle of a session."""
    HELD = "held"
    """A list that driftwatch was shown for a while and is not shown any more: nobody approved it, and it matters."""
    APART = "apart"
    """Another one from the start of a session, with something bad in it, or no longer the one that was learned."""
    BODY = "body"
    """A prompt's body with something bad in it."""
    SETTLED = "settled"
    """What a person approved with the server: one of the four before until then, or the same list shown since."""
    LEFT = "left-out"
    """One of those four as well, beside so many others that it is only counted."""

    @property
    def stands(self) -> bool:
        """Whether it is told until a person decides."""
        return self in STANDING


STANDING: Final = (TestimonyState.FLIPPED, TestimonyState.HELD, TestimonyState.APART, TestimonyState.BODY)
"""What is told until a person decides."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """One list, or one prompt's body, that a server showed an agent in a session, and how it stands.

    `prompt` is the name of the prompt whose body it is, empty for lists; `sections` are the kinds that the agent had
    asked for, and `partial` those of them of which it asked for a part only. `digest` is that of what is compared (see
    `driftwatch.judge.witnessed`), `before` of what it was held against, empty for nothing; `against` says what that is:
    `ours`, the `session`'s own earlier list, the one that was `learned` for the witness, what was `approved`, or the
    `first` one that driftwatch was shown where nothing is. `number`, `calls`, `tool`, `client`, `noticed` and `gaps`
    are as in `Witnessed`; `heeded` is how many of the gaps a person approved the server with.

    `seen_at` is by the witness's clock, `received_at` and `settled_at` (when it began to stand so) by ours. `began` is
    when the session began by ours, as far as that can be told. `shown_at` is when driftwatch was last shown a list that
    is held. `unseen` says that driftwatch could not look itself when it was compared, `times` how often it was handed
    in.
    """

    __test__ = False

    server: str
    witness: str
    session: str
    digest: str
    sections: frozenset[Kind]
    seen_at: datetime
    began: datetime
    received_at: datetime
    number: int = 1
    prompt: str = ""
    state: TestimonyState = TestimonyState.PENDING
    calls: int = 0
    tool: str = ""
    client: str = ""
    era: Era | None = None
    protocol_version: str = ""
    noticed: tuple[str, ...] = ()
    gaps: int = 0
    heeded: int = 0
    partial: frozenset[Kind] = frozenset()
    before: str = ""
    against: str = ""
    severity: Severity | None = None
    unseen: bool = False
    settled_at: datetime | None = None
    shown_at: datetime | None = None
    times: int = 1
    id: int = 0

    @property
    def identity(self) -> str:
        """The identity as which the server was seen."""
        return identity_of(self.witness)


@dataclass(frozen=True, slots=True)
class Lossy:
    """A session of which something was lost to the witness or could not be read, and on which nobody decided.

    `gaps` counts that, `at` is when it was heard of last. `recent` says that no session of the server that came after
    was whole, whoever saw it.
    """

    witness: str
    session: str
    gaps: int
    at: datetime
    recent: bool = False


def identity_of(witness: str) -> str:
    """Give the identity of a witness. It has spaces, so no configured identity has this name."""
    return f"{_WITNESS}{witness}"


def is_witness_name(name: str) -> bool:
    """Say whether a witness may be called so: people copy its name into commands."""
    return (
        0 < len(name) <= LONGEST_WITNESS and name[0].isalnum() and not name.endswith(" ") and all(map(_is_plain, name))
    )


def witness_name(text: str) -> str:
    """Give a text as the name of a witness: what may not stand in one is a hyphen; `agent` where nothing is left."""
    plain = "".join(char if _is_plain(char) else "-" for char in text[:LONGEST_WITNESS])
    return plain.lstrip(WITNESS_SIGNS).rstrip() or "agent"


def _is_plain(char: str) -> bool:
    return char in WITNESS_SIGNS or (char.isprintable() and unicodedata.category(char)[0] in "LMN")


def is_witness(identity: str) -> bool:
    """Say whether an identity is one of a witness: driftwatch never looks as it, others hand in what they saw."""
    return identity.startswith(_WITNESS)


def witness_of(identity: str) -> str:
    """Give the name of the host or gateway behind the identity of a witness."""
    return identity.removeprefix(_WITNESS)


def unread(gaps: int) -> str:
    """Say that some of what agents were shown was not seen, and how often."""
    return f"{many(gaps, 'answer or part of one', 'answers or parts of them')} could not be read, and so not compared"
