"""What people said that bears on a report, though it is no finding: what they rejected, what they approved ahead. Pure.

The words are not yet safe to show where they hold names and notes of people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from driftwatch.model import Json, Place
from driftwatch.model.amounts import many

_ID = 12
"""Characters of an approval's id that name it in commands."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """What somebody said no to, `by` whom, when and why: an item, or the list as a whole where `place` is None.

    It `stands` while what was rejected is shown just so; else it has changed since. `agents` is the digest of what
    agents were shown, where that is what they said no to, and `start` that of a list that came to light at another
    start; empty for what driftwatch is shown.
    """

    place: Place | None
    by: str
    at: datetime
    note: str = ""
    stands: bool = True
    agents: str = ""
    start: str = ""

    @property
    def is_beside(self) -> bool:
        """Whether it is about a list beside the one that driftwatch is shown."""
        return bool(self.agents or self.start)

    @property
    def what(self) -> str:
        """What it is about, where that is beside what driftwatch is shown; empty where it is not."""
        if not self.is_beside:
            return ""
        digest = (self.agents or self.start).removeprefix("sha256:")[:_ID]
        return f"what agents were shown, {digest}" if self.agents else f"the list of another start, {digest}"


@dataclass(frozen=True, slots=True)
class Passed:
    """An approval ahead that goes on to wait, for `version`, while another one `runs`: it says nothing of that."""

    id: str
    by: str
    version: str
    runs: str
    until: datetime

    @property
    def short(self) -> str:
        """Enough of the id to name it."""
        return self.id[:_ID]


def standing(rejected: Sequence[Rejected], places: Collection[Place] | None = None) -> tuple[Rejected, ...]:
    """Give what stands rejected of these places, of all without any, and of the list as a whole in either case."""
    return tuple(
        one
        for one in rejected
        if one.stands and (places is None or one.place in places or (one.place is None and not one.is_beside))
    )


def rejected_words(rejected: Sequence[Rejected]) -> Iterator[str]:
    """Say what stands rejected, and what was before it changed, with who said so last and how many items there are."""
    for stands, said in ((True, "and shown all the same"), (False, "but changed since")):
        some = [one for one in rejected if one.stands is stands and not one.is_beside]
        if some:
            last = max(some, key=lambda one: one.at)
            items = sum(one.place is not None for one in some)
            what = "the list as a whole" if len(some) > items else ""
            parts = " and ".join(part for part in (what, many(items, "item") if items else "") if part)
            when = last.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
            why = f" ({last.note})" if last.note else ""
            yield f"{parts}, {said}; last by {last.by}, {when}{why}"
    for one in rejected:
        if one.is_beside:
            why = f" ({one.note})" if one.note else ""
            yield f"{one.what}; by {one.by}, {one.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC{why}"


def passed_words(passed: Passed) -> str:
    """Say of an approval ahead that it waits for another version than the one that runs."""
    return (
        f"approval {passed.short}, by {passed.by}, waits for version {passed.version}, and {passed.runs} runs: it says "
        "nothing of this"
    )


def rejected_json(rejected: Sequence[Rejected]) -> list[Json]:
    """Write rejections for programs."""
    return [
        {"item": None if one.place is None else _place(one.place), "by": one.by, "at": _iso(one.at), "note": one.note,
         "stands": one.stands, "agents_digest": one.agents, "start_digest": one.start}
        for one in rejected
    ]  # fmt: skip


def passed_json(passed: Sequence[Passed]) -> list[Json]:
    """Write for programs which approvals ahead wait for another version."""
    return [
        {"id": one.id, "by": one.by, "package_version": one.version, "runs": one.runs, "until": _iso(one.until)}
        for one in passed
    ]


def _place(place: Place) -> Json:
    kind, key, occurrence = place
    return {"kind": kind.value, "key": key, "occurrence": occurrence}


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
