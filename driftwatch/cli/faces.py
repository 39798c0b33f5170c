"""As whom a server is seen besides by driftwatch itself, when it last was, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from driftwatch.cli.moments import ago, iso, short, span
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.text.visible import visible
from driftwatch.model import Face, Json, Verdict, identity_of, is_witness, unread
from driftwatch.review.waiting import faces_now
from driftwatch.store.store import Store
from driftwatch.watch.known.faces import looked_as

_WORDS = {
    Verdict.UNKNOWN: "not compared yet",
    Verdict.SAME: "the same list",
    Verdict.LEARNED: "a list of its own, learned",
    Verdict.DRIFTED: "no longer the list that was learned for it",
    Verdict.DIFFERS: "ANOTHER LIST, for no reason but the name",
    Verdict.RESTLESS: "another list, but no two looks at this server are alike",
    Verdict.OLDER: "an older list: the agent holds what is approved, or what driftwatch was shown before",
    Verdict.APART: "ANOTHER LIST than driftwatch was shown",
    Verdict.WAITING: "SOMETHING ELSE than driftwatch was shown last: it waits for a look of driftwatch's own",
}


_IN_ORDER = frozenset({Verdict.SAME, Verdict.UNKNOWN, Verdict.LEARNED})
"""What needs no line of its own of a name that nobody configured."""


def faces_by_server(store: Store) -> dict[str, dict[str, Face]]:
    """Give what is known of all faces, by server and identity."""
    found: dict[str, dict[str, Face]] = {}
    for face in faces_now(store):
        found.setdefault(face.server, {})[face.identity] = face
    for (server, witness), gaps in store.gaps().items():
        seen = found.get(server, {}).get(identity_of(witness))
        if seen is not None:
            found[server][seen.identity] = replace(seen, detail=unread(gaps))
    return found


def face_lines(settings: Settings, server: ServerConfig, known: Mapping[str, Face], now: datetime) -> Iterator[str]:
    """Give one sentence for each identity of a server; nothing where it has none.

    Of the name that nobody configured only what is out of order: the rest is said where a list is read.
    """
    told = [face for face in known.values() if face.suspect or face.verdict not in _IN_ORDER]
    identities = looked_as(settings, server, told)
    if settings.identities_of(server):
        period = span(timedelta(seconds=server.cloaking_period))
        yield f"{server.name} is looked at as each of these once in {period}:"
    elif identities:
        yield f"{server.name} was looked at under another name before a decision:"
    for identity in identities:
        face = known.get(identity.name, Face(server.name, identity.name))
        name = f" ({identity.client_name})" if identity.client_name not in (None, identity.name) else ""
        yield f"  {identity.name}{name}: {_how(face, now)}."
    witnesses = _witnesses(known)
    if witnesses:
        yield f"What agents were shown by {server.name}:"
    for face in witnesses:
        yield f"  {visible(face.identity)}: {_handed_in(face, now)}."


def _witnesses(known: Mapping[str, Face]) -> list[Face]:
    return [known[identity] for identity in sorted(known) if is_witness(identity)]


def _handed_in(face: Face, now: datetime) -> str:
    """Say how what a witness saw last stands, and what stands apart of what it saw before."""
    approved = face.verdict is Verdict.LEARNED and face.shown == face.settled
    words = "another list than driftwatch is shown, which is approved" if approved else _WORDS[face.verdict]
    said = f"handed in {ago(face.looked_at, now)}: {words}"
    if face.suspect and face.suspect != face.shown:
        said = f"{said}; another one that was seen stands apart ({short(face.suspect)}) until a person decides"
    return f"{said}; {face.detail}" if face.detail else said


def _how(face: Face, now: datetime) -> str:
    """Say how one identity stands, and when it was looked as."""
    if face.looked_at is None:
        return "not looked as yet"
    said = f"looked as {ago(face.looked_at, now)}"
    if face.failures:
        code = face.outcome.partition(":")[2]
        failed = f"{said}, and that look failed ({code}: {face.detail})"
        return failed if face.ok_at is None else f"{failed}; before that, {ago(face.ok_at, now)}: {_words(face)}"
    return f"{said}: {_words(face)}"


def _words(face: Face) -> str:
    cause = f" (it may differ: {face.cause.replace(' ', ', ')})" if face.cause else ""
    suspect = "; a list with something bad in it was seen" if face.suspect else ""
    return f"{_verdict(face)}{cause}{suspect}"


def _verdict(face: Face) -> str:
    """Say how the list of an identity stands, and that its looks vary where only they do."""
    if face.strays and face.verdict is Verdict.DIFFERS:
        return "ANOTHER LIST at times, for no reason but the name"
    if face.strays and face.verdict is Verdict.RESTLESS:
        return "another list, once so far: the next turns look again"
    return _WORDS[face.verdict]


def faces_json(settings: Settings, server: ServerConfig, known: Mapping[str, Face]) -> list[Json]:
    """Give the identities of a server for programs, with what is known of each."""
    faces = [
        (identity, known.get(identity.name, Face(server.name, identity.name)))
        for identity in looked_as(settings, server, known.values())
    ]
    seen_as = [
        {
            "name": identity.name,
            "client_name": identity.client_name,
            "client_version": identity.client_version,
            "era": identity.era.value if identity.era else None,
            **_face_json(face),
        }
        for identity, face in faces
    ]
    no_client: dict[str, Json] = {"client_name": None, "client_version": None, "era": None}
    return [*seen_as, *({"name": face.identity, **no_client, **_face_json(face)} for face in _witnesses(known))]


def _face_json(face: Face) -> dict[str, Json]:
    return {
        "verdict": face.verdict.value,
        "cause": face.cause,
        "looked_at": iso(face.looked_at),
        "ok_at": iso(face.ok_at),
        "since": iso(face.since),
        "failures": face.failures,
        "outcome": face.outcome,
        "detail": face.detail,
        "shown_digest": face.shown,
        "learned_digest": face.learned,
        "suspect_digest": face.suspect,
        "at_times": face.strays > 0,
    }
