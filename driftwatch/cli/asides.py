"""What people said that bears on a list: what they rejected of it, and what they approved ahead in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from driftwatch.cli.ahead import passed_lines
from driftwatch.cli.items import spelled
from driftwatch.cli.moments import moment
from driftwatch.report.again import again_words
from driftwatch.report.asides import Rejected
from driftwatch.report.subject import Subject

_NAMES = 8
"""Items of a decision that are named; the rest is counted."""


def aside_lines(subject: Subject) -> list[str]:
    """Say how often it was looked at, what stands rejected, and which approvals ahead wait for another version."""
    again = [again_words(subject.again)] if subject.again is not None else []
    return [*again, *rejected_lines(subject.rejected), *passed_lines(subject.server, subject.passed)]


def rejected_lines(rejected: Sequence[Rejected]) -> Iterator[str]:
    """Give a line for each decision: who said no when, to what, why, and whether that is still so."""
    for (stands, at, by, note), some in groupby(rejected, key=lambda one: (one.stands, one.at, one.by, one.note)):
        items = [spelled(one.place) for one in some if one.place is not None]
        named = ", ".join(items[:_NAMES]) + (f" and {len(items) - _NAMES} more" if len(items) > _NAMES else "")
        what = named or "all of it"
        why = f" (“{note}”)" if note else ""
        if stands:
            yield f"Rejected by {by} on {moment(at)}{why}, and shown all the same: {what}."
        else:
            yield f"Rejected before by {by} on {moment(at)}{why}, but it has changed since: {what}."
