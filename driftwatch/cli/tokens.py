"""token: what lets programs in to the API."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.messages import CHARS
from driftwatch.cli.moments import ago, iso, moment
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import Terminal
from driftwatch.config.units import seconds
from driftwatch.errors import UsageError
from driftwatch.model import Json, Role, Token, User
from driftwatch.model.commands import command
from driftwatch.web import accounts
from driftwatch.web.access import HandsIn

app = commands()
token = commands()
app.add_typer(token, name="token")

ForWhat = Annotated[str, typer.Argument(metavar="NAME", help="What it is for, such as ci.")]
WithRole = Annotated[Role, typer.Option("--role", help="What the program may do.")]
Expires = Annotated[str, typer.Option("--expires", metavar="TIME", help="After how long it ends: 12h, 90d, or never.")]
Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="WORD", help="Only for this part of the API, as in /api/v1/WORD; repeatable."),
]


@token.callback(invoke_without_command=True)
def _tokens(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Those that open nothing any more as well.")] = False,
    output: Output = Format.TEXT,
) -> None:
    """List the tokens of programs, newest first."""
    if context.invoked_subcommand is not None:
        return
    at = now(context)
    with opened(context, settings_of(context)) as store:
        known = store.tokens(at=None if everything else at)
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "tokens": [_json(one) for one in known]})
    elif not known:
        terminal.say("There is no token. Make one: driftwatch token add NAME --role viewer")
    else:
        rows = [_row(one, at) for one in known]
        terminal.table(("token", "name", "role", "only for", "by", "last used", "good until"), rows, whole=1)


@token.command()
def add(
    context: typer.Context,
    name: ForWhat,
    role: WithRole = Role.VIEWER,
    expires: Expires = "90d",
    scope: Scopes = None,
    *,
    by: By = None,
    output: Output = Format.TEXT,
) -> None:
    """Make a token for a program. It is printed once, and only its hash is kept."""
    _fits(context, scope or ())
    with opened(context, settings_of(context)) as store:
        made, secret = accounts.add_token(
            store,
            secrets.token_bytes,
            name,
            role,
            scopes=scope or (),
            lasts=_lasts(expires),
            by=person(by),
            now=now(context),
        )
        maker = store.user(made.by)
    if output is Format.JSON:
        call_of(context).terminal.json({"version": 1, "token": _json(made), "secret": secret})
    else:
        _say(call_of(context).terminal, made, secret, maker)


@token.command()
def revoke(
    context: typer.Context,
    token: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    by: By = None,
) -> None:
    """Take a token back: from now on it opens nothing."""
    with opened(context, settings_of(context)) as store:
        gone = store.revoke_token(token, by=person(by), at=now(context))
    call_of(context).terminal.say(f"{gone.id}: {gone.name} cannot come in with it any more.")


def _fits(context: typer.Context, scopes: Sequence[str]) -> None:
    """Refuse a role for a token that has no use for one."""
    source = context.get_parameter_source("role")
    if set(scopes) == {HandsIn.SCOPE} and source is not None and source.name == "COMMANDLINE":
        raise UsageError(
            f"A token of the scope {HandsIn.SCOPE} has no use for a role: it hands in looks and does nothing else.",
            hint="Leave --role out. For a program that does more, leave --scope out.",
        )


def _say(terminal: Terminal, made: Token, secret: str, maker: User | None) -> None:
    """Show a new token, and what it is worth: never more than who made it."""
    until = f"until {moment(made.expires_at)}" if made.expires_at else "until it is revoked"
    terminal.say(f"{made.id}: lets {made.name} {_may(made, maker)}, {until}. Copy it now; it is not shown again:")
    if maker is not None and maker.disabled:
        terminal.say(f"It opens nothing while {maker.name} is disabled.")
    terminal.write(f"{secret}\n")
    terminal.say(f"To take it back: {command('token', 'revoke', made.id[:CHARS])}")


def _may(made: Token, maker: User | None) -> str:
    """Say what a token can do."""
    scopes = made.scopes.split()
    if scopes == [HandsIn.SCOPE]:
        return "hand in what agents were shown, and do nothing else, whatever its role"
    role, lesser = made.role.value, ""
    if maker is not None and not maker.role.includes(made.role):
        role, lesser = (
            maker.role.value,
            f" (not as {made.role.value}: {maker.name}, who makes it, is no more than that)",
        )
    only = f", only to {', '.join(scopes)}" if scopes else ""
    return f"in as {role}{lesser}{only}"


def _lasts(text: str) -> timedelta | None:
    """Read how long a token lasts.

    Raises:
        UsageError: it is no length of time.

    """
    if text.strip().lower() == "never":
        return None
    length = seconds(text.strip())
    if length is None:
        raise UsageError(f"{text!r} is not a length of time.", hint="Write 12h or 90d, or never.")
    return timedelta(seconds=min(length, 2 * accounts.LONGEST_TOKEN.total_seconds()))


def _row(one: Token, at: datetime) -> tuple[str, ...]:
    if one.revoked_at is not None:
        until = f"revoked {moment(one.revoked_at)} by {one.revoked_by}"
    elif one.expires_at is None:
        until = "it is revoked"
    else:
        until = f"{moment(one.expires_at)}{' (over)' if at >= one.expires_at else ''}"
    used = ago(one.last_used_at, at) if one.last_used_at else "never"
    return one.id[:CHARS], one.name, one.role.value, one.scopes or "everything", one.by, used, until


def _json(one: Token) -> dict[str, Json]:
    return {
        "id": one.id,
        "name": one.name,
        "role": one.role.value,
        "scopes": list[Json](one.scopes.split()),
        "by": one.by,
        "created_at": iso(one.created_at),
        "expires_at": iso(one.expires_at),
        "last_used_at": iso(one.last_used_at),
        "revoked_at": iso(one.revoked_at),
        "revoked_by": one.revoked_by,
    }
