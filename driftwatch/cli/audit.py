"""audit: who did what, when, from where and why; and whether the log is as it was written."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.exits import ExitCode
from driftwatch.cli.ground import now, settings_of
from driftwatch.cli.moments import exact, read_moment, short
from driftwatch.cli.options import Format, Limit, OnServer, Output
from driftwatch.cli.stored import opened
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import UsageError
from driftwatch.model import Action, AuditEntry, Verified
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report import plain
from driftwatch.review import audit as verb
from driftwatch.run import logs
from driftwatch.store.audit import AuditWanted, entry_json
from driftwatch.store.standing import FORMER

app = commands()
audit = commands()
app.add_typer(audit, name="audit")

Since = Annotated[str | None, typer.Option("--since", metavar="TIME", help="From then on, as 2026-03-01T12:00 (UTC).")]
_NAMES = 3
"""Names shown of a list of them; the rest is counted."""
_SINCE_HINT = "Write it as 2026-03-01, or as 2026-03-01T12:00 (UTC)."


@audit.callback(invoke_without_command=True)
def _audit(
    context: typer.Context,
    server: OnServer = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="Only what this person did.")] = None,
    action: Annotated[str | None, typer.Option("--action", metavar="WORD", help="Only this, as approved.")] = None,
    since: Since = None,
    *,
    before: Annotated[int | None, typer.Option("--before", metavar="NUMBER", help="Only entries before this.")] = None,
    limit: Limit = 50,
    output: Output = Format.TEXT,
) -> None:
    """List what people did, newest first: decisions, silences, users, tokens, changes of the configuration."""
    if context.invoked_subcommand is not None:
        return
    start = read_moment(since, hint=_SINCE_HINT) if since else None
    wanted = AuditWanted(since=start, who=who, action=_known(action), server=server)
    with opened(context, settings_of(context)) as store:
        page = verb.entries(store, cursor=before, wanted=wanted, limit=limit)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        entries = [plain(entry_json(one)) for one in page.entries]
        terminal.json({"version": 1, "entries": entries, "next": page.next})
    elif not page.entries:
        terminal.say("Nothing of that is in the audit log.")
    else:
        rows = [(str(one.seq), exact(one.at), _by(one), one.action, _about(one), one.why) for one in page.entries]
        terminal.table(("no.", "when", "who", "did", "about", "why"), rows)
        if page.next is not None:
            terminal.say(f"There is more: {command('audit', '--before', str(page.next))}")


@audit.command()
def verify(
    context: typer.Context,
    head: Annotated[
        str, typer.Option("--head", metavar="HASH", help="The hash of an entry noted down before: it must be there.")
    ] = "",
    output: Output = Format.TEXT,
) -> None:
    """Say whether the log is as it was written, whether what stands agrees with it, and the hash of its last entry.

    Ends with 1 when anything is wrong. The alert of that opens, or is over, with it.
    """
    settings = settings_of(context)
    logs.configure(form=settings.daemon.log_format, level="error", secrets=[settings])
    with opened(context, settings) as store:
        found = verb.verify(store, settings, now=now(context), head=head)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        broken = {"broken_at": found.broken_at, "why": found.why}
        beside = {"agrees": found.agrees, "astray": list(found.astray), "older": found.older}
        terminal.json(
            {"version": 1, "whole": found.whole, "entries": found.count, "head": found.head, **broken, **beside}
        )
    else:
        for line in _verdict(found, noted=bool(head)):
            terminal.say(line)
    raise typer.Exit(ExitCode.OK if found.good else ExitCode.FOUND)


def _verdict(found: Verified, *, noted: bool) -> list[str]:
    """Say what came of it, how sure that is, and what to do."""
    count = f"{many(found.count, 'entry', 'entries')}"
    if not found.whole:
        return [
            f"The audit log is not as it was written: {found.why}.",
            f"{count} before that are good; the last of them has the hash {found.head}",
            "Keep the database as it is, and compare it with a backup or an export.",
        ]
    sure = "The hash that you gave is in it." if noted else "Keep this hash elsewhere: see docs/audit.md"
    lines = [f"The audit log is whole: {count}.", f"head {found.head}", sure]
    if found.astray:
        lines += ["", "What stands in the database is not what the log says:"]
        lines += [f"  {sentence}" for sentence in found.astray]
        lines += ["Somebody wrote to the database without driftwatch. Keep a copy of it, and find out who and why."]
        lines += ["Then decide anew, through driftwatch, what is to stand."]
    else:
        lines += ["What stands in the database agrees with it."]
    return [*lines, *_older(found.older)]


def _older(count: int) -> list[str]:
    """Say how much nobody can vouch for."""
    if not count:
        return []
    were = many(count, "thing was", "things were")
    return [f"{were} decided before the log began: no entry tells of that, so nobody can vouch for it."]


@audit.command()
def export(context: typer.Context, since: Since = None) -> None:
    """Write the log as JSON lines, oldest first. The whole of it can be verified without driftwatch (docs/audit.md)."""
    start = read_moment(since, hint=_SINCE_HINT) if since else None
    terminal = call_of(context).terminal
    with opened(context, settings_of(context)) as store:
        for entry in verb.exported(store, since=start):
            terminal.write(json.dumps(entry, ensure_ascii=True, separators=(",", ":")) + "\n")


def _known(action: str | None) -> str | None:
    """Accept a word for an action.

    Raises:
        UsageError: it is none.

    """
    words = [one.value for one in Action]
    if action is None or action in words:
        return action
    hint = did_you_mean(action, words, otherwise=f"It is one of {', '.join(words)}.")
    raise UsageError(f"No action is called {quoted(action)}.", hint=hint[:1].upper() + hint[1:])


def _by(entry: AuditEntry) -> str:
    """Say who did it, and from where."""
    return f"{entry.who or 'nobody known'} ({entry.origin})"


def _about(entry: AuditEntry) -> str:
    """Say what it was about, in short."""
    items = entry.details.get("items")
    parts = [entry.server, short(entry.digest) if entry.digest else ""]
    parts += [f"{many(len(items), 'item')}" if isinstance(items, list) else ""]
    named = ("alert", "silence", "message", "ahead", "user", "token")
    parts += [str(entry.details[name])[:20] for name in named if name in entry.details]
    parts += [f"was {entry.details[FORMER]}"] if FORMER in entry.details else []
    shown = _to_agents(entry)
    parts += [f"with what agents were shown: {_first([short(one) for one in shown])}"] if shown else []
    changed = verb.changed_words(entry)
    parts += [_first(changed)] if changed else []
    parts += [verb.looked_words(entry)]
    return " ".join(part for part in parts if part)


def _to_agents(entry: AuditEntry) -> list[str]:
    """Give the digests of what agents were shown, as far as a decision settled it."""
    identities = entry.details.get("identities")
    settled = identities.values() if isinstance(identities, dict) else ()
    lists = [one.get("lists") for one in settled if isinstance(one, dict)]
    return list(dict.fromkeys(str(digest) for some in lists if isinstance(some, list) for digest in some))


def _first(names: list[str]) -> str:
    """Give the first of many names, and how many more there are."""
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return f"{', '.join(names[:_NAMES])}{more}"
