"""When a list was last seen, and whether the server can be looked at now: what stands over every list."""

from __future__ import annotations

from datetime import datetime

from driftwatch.cli.moments import ago, moment
from driftwatch.config.schema import Settings
from driftwatch.errors import UnknownDigestError, UsageError
from driftwatch.model import ServerState, Snapshot, is_witness, witness_of
from driftwatch.model.commands import command
from driftwatch.review.approve import shown
from driftwatch.review.standing import why
from driftwatch.store.store import Store


def unseen_lines(state: ServerState, now: datetime) -> list[str]:
    """Say that the server cannot be looked at now, when that is so: what follows may no longer be what it shows."""
    if not state.failures:
        return []
    times = f"{state.failures} times in a row" if state.failures > 1 else "at the last look"
    since = f"since {moment(state.last_ok_at)}" if state.last_ok_at else "so far"
    when = f"{since} ({times}, last {ago(state.last_look_at, now)})"
    return [f"{state.server} could not be looked at {when}: {why(state)}.", "What it shows now is not known."]


def seen_words(store: Store, server: str, digest: str, now: datetime) -> str:
    """Say when a list was seen last."""
    seen = [sighting.last_seen for sighting in store.sightings(server) if sighting.digest == digest]
    return f"last seen {moment(max(seen))} ({ago(max(seen), now)})" if seen else "never seen"


def listed_as(
    settings: Settings, store: Store, server: str, identity: str, digest: str | None, *, now: datetime
) -> tuple[Snapshot, str]:
    """Give a list that was seen in the turns of an identity, the last one without `digest`, and say when it was.

    Raises:
        UsageError: the server is not looked at as that identity.
        UnknownDigestError: nothing was seen in its turns, or no such list.

    """
    seen = [one for one in store.face_sightings(server) if one.identity == identity]
    face = next((one for one in store.faces(server) if one.identity == identity), None)
    config = settings.find(server)
    if not seen and face is None and (config is None or identity not in config.identities):
        witnesses = [one.identity for one in store.faces(server) if is_witness(one.identity)]
        names = (*(config.identities if config is not None else ()), *witnesses)
        known = ", ".join(names) if names else "nobody else"
        raise UsageError(f"{server} is not seen as {identity!r}.", hint=f"It is seen as: {known}.")
    start = digest.removeprefix("sha256:") if digest else ""
    fitting = [one for one in seen if one.digest.removeprefix("sha256:").startswith(start)]
    last = face.shown if face is not None and not start else ""
    if not last and fitting:
        last = max(fitting, key=lambda one: one.last_seen).digest
    snapshot = store.snapshot(last) if last else None
    if snapshot is None:
        raise UnknownDigestError(
            f"No such list was seen on {server} as {identity!r}.", hint=f"See what was: {command('history', server)}"
        )
    times = [one.last_seen for one in seen if one.digest == last]
    if not times and face is not None and face.ok_at is not None:
        times = [face.ok_at]
    when = f"last seen {moment(max(times))} ({ago(max(times), now)})" if times else "seen earlier"
    if is_witness(identity):
        return snapshot, f"{when} when an agent in {witness_of(identity)} was shown it"
    return snapshot, f"{when} when driftwatch looked as {identity}"


def listed(store: Store, server: str, digest: str | None, now: datetime) -> Snapshot:
    """Give the list named by `digest`, or the one seen last.

    Raises:
        UnknownDigestError: the server never showed such a list, or none at all: then it is said why, if it is known.

    """
    state = store.state(server)
    if not state.last_digest and state.failures:
        raise UnknownDigestError(
            " ".join(unseen_lines(state, now)), hint=f"See that it can be reached, then: {command('check', server)}"
        )
    return shown(store, server, digest)
