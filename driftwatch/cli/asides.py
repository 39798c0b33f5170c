"""What people said that bears on a list: what they rejected of it, and what they approved ahead in its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from driftwatch.cli.ahead import passed_lines
from driftwatch.cli.items import spelled
from driftwatch.cli.moments import moment
from driftwatch.judge.text.visible import visible
from driftwatch.model import Place
from driftwatch.report.again import again_words
from driftwatch.report.asides import Rejected, standing
from driftwatch.report.cut import clipped
from driftwatch.report.subject import Subject

_NOTE = 200
"""Characters of a note where a person is asked."""

_NAMES = 8
"""Items of a decision that are named; the rest is counted."""


def aside_lines(subject: Subject) -> list[str]:
    """Say how often it was looked at, what stands rejected, and which approvals ahead wait for another version."""
    again = [again_words(subject.again)] if subject.again is not None else []
    return [*again, *rejected_lines(subject.rejected), *passed_lines(subject.server, subject.passed)]


def rejected_lines(rejected: Sequence[Rejected]) -> Iterator[str]:
    """Give a line for each decision: who said no when, to what, why, and whether that is still so."""
    for (stands, at, by, note, beside), some in groupby(
        rejected, key=lambda one: (one.stands, one.at, one.by, one.note, one.what)
    ):
        what = beside or named_briefly([one.place for one in some if one.place is not None]) or "all of it"
        why = f" (“{note}”)" if note else ""
        if stands:
            how = "stands" if beside else "shown"
            yield f"Rejected by {by} on {moment(at)}{why}, and {how} all the same: {what}."
        else:
            yield f"Rejected before by {by} on {moment(at)}{why}, but it has changed since: {what}."


def named_briefly(places: Sequence[Place]) -> str:
    """Name the first items as `--item` takes them, and count the rest; empty for none."""
    items = [spelled(place) for place in places]
    return ", ".join(items[:_NAMES]) + (f" and {len(items) - _NAMES} more" if len(items) > _NAMES else "")


def against_it(rejected: Sequence[Rejected], places: Collection[Place] | None) -> str:
    """Say who said no last to what is about to be approved, when, why and to what; empty where nobody did.

    `places` are the items that are approved, None for the list as a whole. What it gives is safe to show.
    """
    stand = standing(rejected, places)
    if not stand:
        return ""
    last = max(stand, key=lambda one: one.at)
    about = [one for one in stand if (one.at, one.by) == (last.at, last.by)]
    items = [one.place for one in about if one.place is not None]
    is_all = len(items) < len(about) or (places is not None and set(items) == set(places))
    said = "which" if is_all else f"of which {named_briefly(items)}"
    said = f"of which {about[0].what}" if all(one.is_beside for one in about) else said
    verb = "were rejected" if len(items) > 1 and len(items) == len(about) else "was rejected"
    why = f" (“{clipped(visible(last.note), _NOTE)}”)" if last.note else ""
    more = f" and {len(stand) - len(about)} more before" if len(stand) > len(about) else ""
    return f", {said} {verb} by {visible(last.by)} on {moment(last.at)}{why}{more}"
