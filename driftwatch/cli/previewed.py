"""What a preview came to, in words and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from driftwatch.cli.ahead import ahead_json
from driftwatch.cli.exits import FailOn
from driftwatch.cli.messages import CHARS
from driftwatch.cli.moments import iso, moment, short
from driftwatch.cli.options import Format
from driftwatch.cli.reports import show_report
from driftwatch.cli.terminal import Terminal
from driftwatch.model import Ahead, Baseline, BaselineState, Finding, Json, Severity
from driftwatch.model.commands import command
from driftwatch.report import SHAPE_VERSION, plain
from driftwatch.report.formats import Form, render
from driftwatch.report.looked import Looked, looked
from driftwatch.report.page import contents
from driftwatch.report.started import in_a_line
from driftwatch.review.preview import Preview
from driftwatch.review.previewed import doubts, judged_of


@dataclass(frozen=True)
class Look:
    """How to print a preview: in which format, what counts as found, and how much (see `show_report`)."""

    form: Form
    fail_on: tuple[FailOn, ...]
    show: Severity
    full: bool
    hidden: bool
    explain: bool

    def fails(self, finding: Finding) -> bool:
        """Say whether a finding is one that `--fail-on` asks for."""
        return any(bar.reached_by([finding]) for bar in self.fail_on)

    def counts(self, seen: Preview) -> Looked | None:
        """Count what was read, where that is asked for: all, or what is new to the list that a person approved."""
        if not self.explain or seen.snapshot is None:
            return None
        approved = seen.baseline is not None and seen.baseline.state is BaselineState.APPROVED
        return looked(seen.before if approved else None, seen.snapshot)


def print_shown(terminal: Terminal, seen: Preview, look: Look) -> None:
    """Print for people what a preview came to, so that they can decide; other formats are printed whole at the end."""
    if look.form is not Form.TEXT:
        return
    for line in heading(seen):
        terminal.say(line)
    if seen.report is not None and seen.failure is None:
        show_report(
            terminal,
            seen.report,
            output=Format.TEXT,
            show=look.show,
            full=look.full,
            hidden=look.hidden,
            explain=look.counts(seen),
            server=seen.server,
        )


def print_end(
    terminal: Terminal, seen: Preview, look: Look, ahead: Ahead | None, *, asked: bool, replaced: Ahead | None = None
) -> None:
    """Print what is left to say: in text what was approved (or, where nobody `asked` for that, what can be).

    `replaced` is the approval of the same that this one took the place of.
    """
    if look.form is Form.TEXT:
        lines = _approved(ahead, replaced) if ahead is not None else () if asked else _next(seen)
        for line in lines:
            terminal.say(line)
    elif look.form is not Form.JSON:
        terminal.document(render(look.form, judged_of(seen), fails=look.fails))
    elif seen.report is None:
        terminal.json({"version": SHAPE_VERSION, **for_programs(seen, ahead, replaced)})
    else:
        extra = for_programs(seen, ahead, replaced)
        show_report(terminal, seen.report, output=Format.JSON, explain=look.counts(seen), extra=extra)


def _approved(ahead: Ahead, replaced: Ahead | None) -> Iterator[str]:
    """Say what was approved, and what becomes of it when the roll-out is there."""
    which = f", version {ahead.version}" if ahead.version else ""
    yield f"Approved {short(ahead.digest)} of {ahead.server}{which}, ahead of its roll-out, by {ahead.by}."
    if ahead.version:
        yield f"When version {ahead.version} is there and shows just that, nothing is raised: it is the baseline."
        yield "If that version shows anything else, the alert says that it differs from this, and in what."
    else:
        yield f"When {ahead.server} shows just that, nothing is raised: it is the baseline then."
        yield "If it shows anything else that is new, the alert says that it differs from this, and in what."
    if replaced is not None:
        before = f"The same was approved by {replaced.by} before, until {moment(replaced.until)}"
        yield f"{before}: this approval takes the place of that one."
    yield f"It is good until {moment(ahead.until)}. To take it back: {command('ahead', 'end', ahead.id[:CHARS])}"


def _next(seen: Preview) -> Iterator[str]:
    """Say what a person can do next."""
    if seen.is_approved:
        yield "This is what is approved."
    elif seen.ahead is not None:
        one = seen.ahead
        yield f"This was approved ahead by {one.by} on {moment(one.at)} and waits for {seen.server} to show it."
    elif seen.failure is None:
        yield "To approve just this before it is rolled out, say it again with --approve."


def heading(seen: Preview) -> Iterator[str]:
    """Say what was looked at and how, and what it is held against; the report follows."""
    what = f"{seen.server}, {seen.candidate.what}"
    yield from seen.candidate.notes
    if seen.failure is not None:
        again = " a second time, although it could once" if seen.lists else ""
        yield f"{what}: it could not be looked at{again} ({seen.failure.code}: {seen.failure.detail})."
        yield "Nothing was recorded, and there is nothing to approve."
        return
    for shown in seen.lists[:1]:
        yield f"{what}: {short(shown.snapshot.digest)}{_often(seen)}{_against(seen.baseline)}."
        yield f"It holds {contents(shown.snapshot)}."
        yield from filter(None, [in_a_line(shown.snapshot)])
    yield from doubts(seen)
    yield ""


def _often(seen: Preview) -> str:
    """Say at how many looks the list was shown, where that says more than that it was."""
    looks = sum(one.looks for one in seen.lists)
    if seen.candidate.capture is not None or looks < 2:
        return ""
    return f", shown at {'both' if looks == 2 else f'all {looks}'} looks" if seen.is_steady else ", shown at one of two"


def _against(baseline: Baseline | None) -> str:
    if baseline is None:
        return ". Nothing is approved yet: this is what driftwatch sees in it by itself"
    if baseline.state is BaselineState.PROVISIONAL:
        return f", against the first list seen, {short(baseline.digest)}, which nobody approved"
    by = f" by {baseline.by}" if baseline.by else ""
    return f", against {short(baseline.digest)}, approved {moment(baseline.since)}{by}"


def for_programs(seen: Preview, ahead: Ahead | None, replaced: Ahead | None = None) -> dict[str, Json]:
    """Give what a preview was of, beside its report."""
    baseline = seen.baseline
    return {
        "server": seen.server,
        "baseline_state": baseline.state.value if baseline else None,
        "candidate": seen.candidate.what,
        "asked_version": seen.candidate.version,
        "ran_version": plain(seen.ran),
        "looked_at": iso(seen.at),
        "steady": seen.is_steady,
        "lists": [{"digest": one.snapshot.digest, "looks": one.looks} for one in seen.lists],
        "failure": {"code": seen.failure.code, "detail": plain(seen.failure.detail)} if seen.failure else None,
        "approved_ahead": ahead_json(found) if (found := ahead or seen.ahead) is not None else None,
        "replaced_approval": ahead_json(replaced) if replaced is not None else None,
        "candidate_notes": list(seen.candidate.notes),
    }
