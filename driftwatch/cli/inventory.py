"""inventory: look at the hosts' files now, and say which of their servers are watched and approved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ending import run_to_end
from driftwatch.cli.exits import HIGH, code_for
from driftwatch.cli.ground import settings_of
from driftwatch.cli.options import Format, Output, Threshold
from driftwatch.cli.terminal import Terminal, progress
from driftwatch.config.inventory import WatchedFile
from driftwatch.config.schema import Settings
from driftwatch.config.words import did_you_mean
from driftwatch.errors import ConfigError, UsageError
from driftwatch.judge.beside import Watching
from driftwatch.model import BaselineState, Item, Json, Kind, Snapshot
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import finding_json
from driftwatch.run import logs
from driftwatch.run.local import check_servers
from driftwatch.run.wiring import World
from driftwatch.store.store import Store
from driftwatch.watch.check import CheckCode, CheckResult
from driftwatch.watch.known import watching_of

app = commands()


@dataclass(frozen=True, slots=True)
class _Row:
    """One entry of one file: how it is reached, as which server it is watched, and how it stands to the approval."""

    entry: str
    how: str
    watched: str
    standing: str
    same: bool = False

    @property
    def watched_words(self) -> str:
        """Say as what it is watched."""
        if not self.watched:
            return "not watched"
        return self.watched if self.same else f"{self.watched}, reached otherwise"


@dataclass(frozen=True, slots=True)
class _Seen:
    """One file with what a look at it came to."""

    file: WatchedFile
    result: CheckResult
    rows: tuple[_Row, ...]

    @property
    def earlier(self) -> str:
        """Mark rows that are not of this look, because the file could not be read."""
        return ", when last seen" if self.result.code is CheckCode.FAILED else ""


@app.command()
def inventory(
    context: typer.Context,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Which files, by name; all when none is named.")
    ] = None,
    *,
    fail_on: Threshold = [HIGH],  # noqa: B006 - typer reads it and never changes it
    deliver: Annotated[bool, typer.Option("--deliver/--no-deliver", help="Send the alerts that are due.")] = True,
    output: Output = Format.TEXT,
) -> None:
    """Look at the hosts' files now: which servers they name, and whether each is watched and approved.

    The files are the tables [inventory.NAME] of the configuration. What they hold is recorded, and alerts that are due
    are sent, as the daemon would do.
    """
    settings = settings_of(context, secrets=True)
    wanted = _wanted(settings, files or ())
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    seen = _look(context, settings, wanted, deliver=deliver)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "files": [_json(one) for one in seen]})
    else:
        _print(terminal, seen)
    findings = [finding for one in seen for finding in one.result.findings]
    raise typer.Exit(code_for(fail_on, findings, unseen=any(one.result.code is CheckCode.FAILED for one in seen)))


def _look(context: typer.Context, settings: Settings, wanted: Sequence[WatchedFile], *, deliver: bool) -> list[_Seen]:
    """Look at the files, with a bar on a terminal."""
    with (
        World.open(settings, clock=call_of(context).clock) as world,
        progress("Reading", [file.name for file in wanted]) as done,
    ):
        names = [settings.ready(file.name).name for file in wanted]
        work = check_servers(world, names, deliver=deliver, on_done=lambda result: done(result.server))
        results = run_to_end(work)
        return [
            _Seen(file, result, tuple(_rows(world.store, settings, result)))
            for file, result in zip(wanted, results, strict=True)
        ]


def _wanted(settings: Settings, names: Sequence[str]) -> list[WatchedFile]:
    """Give the files that are meant.

    Raises:
        ConfigError: there is none to look at, which must not read as clean.
        UsageError: a name is not that of a file.

    """
    files = {file.name: file for file in settings.files if isinstance(file, WatchedFile)}
    wanted = [files[name] for name in dict.fromkeys(names) if name in files]
    for name in names:
        if name not in files:
            hint = did_you_mean(name, list(files), otherwise="See their names in the configuration.")
            raise UsageError(f"No file of the inventory is called {name!r}.", hint=hint[:1].upper() + hint[1:])
    wanted = wanted or [file for file in files.values() if file.enabled]
    if not wanted:
        message = "No host's file is configured and enabled."
        raise ConfigError(message, hint='Add a table [inventory.NAME] with file = "~/.cursor/mcp.json", for example.')
    return wanted


def _rows(store: Store, settings: Settings, result: CheckResult) -> Iterator[_Row]:
    """Give the entries that a file shows, and those that are approved and gone. After a failed look: as last seen."""
    digest = result.snapshot_digest or store.state(result.server).last_digest
    live = store.snapshot(digest) if digest else None
    if live is None:
        return
    baseline = result.baseline
    approved: dict[tuple[Kind, str, int], Item] | None = None
    gone: Snapshot | None = None
    if baseline is not None and baseline.state is BaselineState.APPROVED:
        kept = store.snapshot(baseline.digest)
        approved = {item.place: item for item in kept.of(Kind.ENTRY)} if kept is not None else {}
        gone = kept
    watching = watching_of(settings, live) or Watching()
    for item in live.of(Kind.ENTRY):
        yield _row(item, watching, _standing(item, approved))
    there = {item.place for item in live.of(Kind.ENTRY)}
    watched = (watching_of(settings, gone) if gone is not None else None) or Watching()
    for place, item in (approved or {}).items():
        if place not in there:
            yield _row(item, watched, "gone")


def _row(item: Item, watching: Watching, standing: str) -> _Row:
    """Give the row of an entry; `watching` says as what it is, or was, watched."""
    known = watching.of(item.key)
    return _Row(item.key, _how(item), known.server if known else "", standing, same=known is not None and known.same)


def _standing(item: Item, approved: dict[tuple[Kind, str, int], Item] | None) -> str:
    if approved is None:
        return "not approved"
    before = approved.get(item.place)
    if before is None:
        return "new"
    return "approved" if before.digest == item.digest else "changed"


def _how(item: Item) -> str:
    """Say how an entry is reached, as it may be shown."""
    raw = item.raw if isinstance(item.raw, dict) else {}
    args = raw.get("args")
    words = [raw.get("command"), *(args if isinstance(args, list) else [])]
    line = " ".join(word for word in words if isinstance(word, str) and word)
    said = line or str(raw.get("url") or (f"({raw['odd']})" if "odd" in raw else "-"))
    said += " (through a witness)" if "witness" in raw else ""
    return f"{said} (off)" if raw.get("disabled") is True else said


def _print(terminal: Terminal, seen: Sequence[_Seen]) -> None:
    """Print one line per entry, then what to do."""
    rows = [
        (one.file.name, row.entry, row.how, row.watched_words, f"{row.standing}{one.earlier}")
        for one in seen
        for row in one.rows
    ]
    if rows:
        terminal.table(("file", "entry", "how", "watched as", "stands"), rows)
        terminal.say()
    for one in seen:
        if one.result.code is CheckCode.FAILED:
            said = f"{one.file.name} could not be read: {one.result.detail}."
            terminal.say(f"{said} Its rows are those of the last look that went well." if one.rows else said)
        elif not one.rows:
            terminal.say(f"{one.file.name} names no servers.")
    for one in seen:
        unwatched = [row for row in one.rows if not row.watched and row.standing != "gone"]
        if unwatched:
            what = f"{many(len(unwatched), 'server')} of {one.file.name} not watched"
            terminal.say(f"{what}. Their tables: {command('import', one.file.shown_command)}")
    for one in seen:
        if one.result.code is not CheckCode.FAILED:
            _advise(terminal, one)


def _advise(terminal: Terminal, one: _Seen) -> None:
    """Say what a person can do next about one file."""
    standings = {row.standing for row in one.rows}
    if "not approved" in standings:
        terminal.say(
            f"Approve what you know: {command('show', one.file.name)}, then: {command('approve', one.file.name)}"
        )
    elif standings - {"approved"}:
        terminal.say(f"See what changed: {command('diff', one.file.name)}")


def _json(one: _Seen) -> dict[str, Json]:
    """Give one file for programs."""
    result = one.result
    return {
        "name": one.file.name,
        "file": one.file.shown_command,
        "host": one.file.host_name,
        "code": result.code.value,
        "detail": result.detail,
        "entries_as_last_seen": result.code is CheckCode.FAILED,
        "snapshot_digest": result.snapshot_digest,
        "baseline_digest": result.baseline.digest if result.baseline else "",
        "entries": [
            {
                "name": row.entry,
                "how": row.how,
                "watched_as": row.watched or None,
                "reached_as_watched": row.same,
                "stands": row.standing,
            }
            for row in one.rows
        ],
        "findings": [finding_json(finding) for finding in result.findings],
    }
