"""What was held against a lock file, and what a merged one came to: in words, and for programs."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from driftwatch.cli.exits import FailOn
from driftwatch.cli.moments import short
from driftwatch.cli.options import Format
from driftwatch.cli.reports import show_document, show_report
from driftwatch.cli.terminal import Terminal
from driftwatch.errors import UnwritableOutputError
from driftwatch.report.formats import Form
from driftwatch.report.subject import Judged
from driftwatch.review.checkout import Commit
from driftwatch.review.lock import differs
from driftwatch.review.lockapprove import Came, Taken


def written_lines(
    changed: Mapping[str, str | None],
    missing: Mapping[str, str],
    kept: Collection[str],
    bare: Sequence[str],
    gone: Sequence[str],
    *,
    check: bool,
) -> Iterator[str]:
    """Say what is written of which server, and what is not."""
    for name, why in missing.items():
        stays = "what the lock file has of it stays" if name in kept else "it is not in the lock file"
        yield f"{name}: {why}; {stays}."
    for name in bare:
        yield f"{name}: JSON cannot hold what it shows, so that the lock file has its digests alone."
    for name in gone:
        yield f"{name} is no longer configured, and is to leave the lock file."
    for name, text in changed.items():
        yield f"{'Would write' if check else 'Wrote' if text is not None else 'Removed'} {name}"


def put(folder: Path, texts: Mapping[str, str | None]) -> None:
    """Write files, each whole or not at all; None takes one away.

    Raises:
        UnwritableOutputError: one cannot be written.

    """
    for name, text in texts.items():
        place = folder / name
        try:
            if text is None:
                place.unlink(missing_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            handle, beside = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
            with open(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:  # noqa: PTH123 - of a number
                file.write(text)
            Path(beside).chmod(0o644)
            Path(beside).replace(place)
        except OSError as error:
            raise UnwritableOutputError(f"Cannot write {place}: {error.strerror or error}.") from error


def print_compared(
    terminal: Terminal, judged: Sequence[Judged], form: Form, fail_on: Sequence[FailOn], **how: Any
) -> None:
    """Print how servers stand to a lock file; in text those that differ have their report."""
    if form is not Form.TEXT:
        show_document(terminal, judged, form, fail_on)
        return
    for one in judged:
        name, report = one.subject.name, one.report
        if one.trouble:
            terminal.say(f"{name}: {one.trouble}.")
        elif not differs(one):
            terminal.say(f"{name}: as in the lock file.")
            if report.findings:
                show_report(terminal, report, output=Form.TEXT, server=name, **how)
        else:
            terminal.say(f"{name}: {short(report.live_digest)}, and the lock file has {short(report.baseline_digest)}.")
            show_report(terminal, report, output=Form.TEXT, server=name, **how)


def print_taken(terminal: Terminal, taken: Sequence[Taken], commit: Commit, form: Format) -> None:
    """Print what became of each server of a merged lock file."""
    if form is Format.JSON:
        by = {"commit": commit.id, "by": commit.author, "subject": commit.subject}
        rows = [{"server": one.server, "came": one.came.value, "digest": one.digest} for one in taken]
        terminal.json({"version": 1, **by, "servers": rows})
        return
    terminal.say(f"Commit {commit.short} by {commit.author}: {commit.subject}")
    for one in taken:
        terminal.say(f"{one.server}: {_words(one)}")
    for line in _next(taken):
        terminal.say(line)


def _words(one: Taken) -> str:
    what = short(one.digest) if one.digest else ""
    return {
        Came.SAME: f"{what} is approved already.",
        Came.APPROVED: f"{what} is approved now, and the baseline.",
        Came.AHEAD: f"{what} was never seen here. It is approved ahead: once the server shows it, it is the baseline.",
        Came.UNKNOWN: "it is not in the configuration. Nothing was approved.",
        Came.BARE: "it was never seen here, and the lock file has its digests alone. Nothing was approved.",
    }[one.came]


def _next(taken: Sequence[Taken]) -> Iterator[str]:
    if any(one.came is Came.BARE for one in taken):
        yield "Look first (driftwatch check), or write the lock file with its content."
