"""What a preview came to, as the formats of reports take it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from driftwatch.config.urls import mask_url
from driftwatch.judge.landing import packaged
from driftwatch.model import Kind
from driftwatch.model.commands import command
from driftwatch.report.subject import NOTHING, Judged, Subject, against
from driftwatch.review.preview import Preview, Shown

_PLACES = 6
"""Places at which two lists differ that are named."""


def judged_of(seen: Preview) -> tuple[Judged, ...]:
    """Give the report of each list that a candidate showed, or that it could not be seen."""
    if seen.failure is not None:
        return (Judged(_subject(seen), NOTHING, trouble=f"{seen.failure.code}: {seen.failure.detail}"),)
    return tuple(_judged(seen, one) for one in seen.lists)


def _judged(seen: Preview, one: Shown) -> Judged:
    notes = (*seen.candidate.notes, *doubts(seen))
    report = replace(one.report, notes=(*one.report.notes, *notes))
    return Judged(_subject(seen, one), report, baseline=seen.before, live=one.snapshot)


def _subject(seen: Preview, one: Shown | None = None) -> Subject:
    server, is_capture = seen.candidate.server, seen.candidate.capture is not None
    approve = ("--approve", "--digest", one.snapshot.digest) if one is not None and not seen.is_approved else ()
    again = seen.candidate.again
    return replace(
        against(seen.baseline),
        server=seen.server,
        after=seen.candidate.what if is_capture else "a preview",
        before_version=packaged(seen.before) if seen.before is not None else "",
        after_version=seen.version,
        reached="" if is_capture else server.shown_command if server.command else mask_url(server.url),
        looked_at=seen.at,
        commands=(command("preview", seen.server, *again, *approve),) if again else (),
    )


def doubts(seen: Preview) -> Iterator[str]:
    """Say what keeps a person from relying on a preview: another version, more than one list. Not yet safe to show."""
    if seen.is_other_version:
        yield f"Version {seen.candidate.version} was asked for, and {seen.ran} is what ran."
    if len(seen.lists) > 1:
        digests = " and ".join(one.snapshot.digest.removeprefix("sha256:")[:12] for one in seen.lists)
        places = [_place(*place) for place in seen.differing]
        more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        yield f"It shows another list from one start to the next: {digests}. The worse one comes first."
        yield f"They differ in {', '.join(places[:_PLACES])}{more}."


def _place(kind: Kind, key: str, pointer: str) -> str:
    """Name a place: what it is, its name, where in it."""
    return " ".join(part for part in (kind.noun, key, pointer) if part)
