"""What a report is about: which server, what was compared with what, how it is reached, and when. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from driftwatch.model import Baseline, BaselineState, Finding, Report, Severity, Snapshot
from driftwatch.report.again import Again, again_words
from driftwatch.report.asides import Passed, Rejected, passed_words, rejected_words

NOTHING = Report(())
"""The report of what could not be looked at."""

Fails: TypeAlias = Callable[[Finding], bool]
"""Says whether a finding makes the whole fail: what `--fail-on` asks for."""

_SHORT = 12
"""Hex digits of a digest that people see."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What one report is about; whatever is not known is empty.

    `server` is the configured name. `before` and `after` name what was compared in words that fit after “differs from”
    (`what was approved`, `approved.json`). `reached` is the command or address as it may be shown: without secrets.
    `rejected` is what people said no to of it, `passed` which approvals ahead wait for another version than runs.
    `again` says whether it was looked at again, None where there is nothing to say of that.
    `file` and `line` are where the server stands in a file of the repository, for those who mark lines; the path is
    relative to the repository, with `/`. `commands` are those of ours that go on from here.
    """

    server: str = ""
    before: str = ""
    after: str = ""
    approved_by: str = ""
    approved_at: datetime | None = None
    before_version: str = ""
    after_version: str = ""
    reached: str = ""
    looked_at: datetime | None = None
    rejected: tuple[Rejected, ...] = ()
    passed: tuple[Passed, ...] = ()
    again: Again | None = None
    file: str = ""
    line: int = 0
    commands: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What to call it: the server, else what was looked at."""
        return self.server or self.after or "the listing"


@dataclass(frozen=True, slots=True)
class Judged:
    """One report with what it is about. With the two lists, formats with room lay the items side by side.

    `trouble` says why it could not be looked at: then the report says nothing, which is not the same as clean.
    """

    subject: Subject
    report: Report
    baseline: Snapshot | None = None
    live: Snapshot | None = None
    trouble: str = ""

    @property
    def rank(self) -> int:
        """How bad it is, for putting the worst first: what could not be looked at stands beside medium."""
        if self.trouble:
            return Severity.MEDIUM.rank
        return -1 if self.report.worst is None else self.report.worst.rank


def against(baseline: Baseline | None) -> Subject:
    """Begin a subject with what a server is compared with: its baseline, and who approved that when."""
    if baseline is None:
        return Subject()
    approved = baseline.state is BaselineState.APPROVED
    return Subject(
        server=baseline.server,
        before="what was approved" if approved else "the first list seen, which nobody approved",
        approved_by=baseline.by if approved else "",
        approved_at=baseline.since if approved else None,
    )


def facts(judged: Judged) -> Iterator[tuple[str, str]]:
    """Give what there is to say of what was compared, as (what, words). Not yet safe to show."""
    subject, report = judged.subject, judged.report
    if subject.before or report.baseline_digest:
        since = f"approved {minute(subject.approved_at)}" if subject.approved_at is not None else ""
        by = f" by {subject.approved_by}" if subject.approved_by else ""
        parts = (subject.before, _digest(report.baseline_digest), f"{since}{by}".strip())
        yield "compared with", ", ".join(part for part in parts if part)
    after = "" if subject.after == subject.name else subject.after
    if after or report.live_digest:
        yield "looked at", ", ".join(part for part in (after, _digest(report.live_digest)) if part)
    versions = [version for version in (subject.before_version, subject.after_version) if version]
    if versions:
        yield "version", " → ".join(dict.fromkeys(versions))
    if subject.reached:
        yield "reached by", subject.reached
    if subject.looked_at is not None:
        yield "when", minute(subject.looked_at)
    if subject.again is not None:
        yield "looked again", again_words(subject.again)
    for words in rejected_words(subject.rejected):
        yield "rejected", words
    for one in subject.passed:
        yield "ahead waits", passed_words(one)


def minute(at: datetime) -> str:
    """Write a time for people: `2026-11-29 21:50 UTC`."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _digest(digest: str) -> str:
    return digest.removeprefix("sha256:")[:_SHORT]
