"""What a person reads before they decide: two lists of a server, and what was found between them.

Judging a large list takes seconds. Where the last look judged just this, what it found is taken from the database.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from driftwatch.config.schema import Settings
from driftwatch.judge.facts import Facts
from driftwatch.judge.judge import not_compared
from driftwatch.model import (
    Baseline,
    BaselineState,
    Report,
    ServerState,
    Snapshot,
    hidden_of,
    shown_of,
)
from driftwatch.review.approve import difference, is_approved
from driftwatch.store.store import Store
from driftwatch.watch.judging import judged_key, reported
from driftwatch.watch.known import key_of
from driftwatch.watch.policy import policy_of


@dataclass(frozen=True, slots=True)
class Reading:
    """What a server showed, `live`, beside its baseline. `shown` is the digest of what it shows now.

    `before` is the list of the baseline, None where that is `live` itself and nobody approved it. `identities` is the
    mark of what other identities are shown (see `driftwatch.review.approve.mark_of`), which the report tells of too.
    """

    server: str
    live: Snapshot
    shown: str
    baseline: Baseline | None
    before: Snapshot | None
    report: Report
    identities: str = ""

    @property
    def has_approval(self) -> bool:
        """Whether a person approved what it is compared with; only then can single items be decided on."""
        return self.baseline is not None and self.baseline.state is BaselineState.APPROVED

    @property
    def is_approved(self) -> bool:
        """Whether it is the very list that is approved."""
        return is_approved(self.baseline, self.live.digest)

    @property
    def is_current(self) -> bool:
        """Whether it is what the server shows now."""
        return self.live.digest == self.shown


def is_judged(settings: Settings, state: ServerState, digest: str, now: datetime) -> bool:
    """Say whether the findings that are kept of a server are those of this list, under present rules and policy."""
    if state.baseline is None or state.last_digest != digest:
        return False
    key = key_of(settings, settings.find(state.server), now)
    return state.judged == judged_key(state.baseline.digest, digest, key)


def report_of(
    store: Store, settings: Settings, state: ServerState, live: Snapshot, *, before: Snapshot | None, now: datetime
) -> Report:
    """Give what is found in a list beside the baseline: what the last look found in it, else judged now.

    Raises:
        StoreError: the database could not be read.

    """
    if not is_judged(settings, state, live.digest, now):
        return difference(store, settings, state.server, live.digest, now)
    found = store.findings(state.server, hidden=True)
    notes = () if before is None else not_compared(before, live)
    return Report(
        shown_of(found), "" if before is None else before.digest, live.digest, notes=notes, hidden=hidden_of(found)
    )


def between(settings: Settings, server: str, before: Snapshot, live: Snapshot, now: datetime) -> Report:
    """Judge any list of a server beside any other of its lists, under the policy of now. Pure, and slow.

    What else is known is about what the server shows now, so none of it is held against either.
    """
    policy = policy_of(settings, settings.find(server))
    facts = Facts(server=server, expectations=policy.expect)
    as_approved = Baseline(server, before.digest, BaselineState.APPROVED, now)
    return replace(reported(before, as_approved, live, facts, policy=policy, now=now), changes=())
