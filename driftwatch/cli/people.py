"""user: who may come in to the pages. The way back in, too, for whom a browser does not let in any more."""

from __future__ import annotations

import getpass
import secrets
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from driftwatch.cli.app import call_of, commands
from driftwatch.cli.ground import now, person, settings_of
from driftwatch.cli.moments import iso, moment
from driftwatch.cli.options import By, Format, Output
from driftwatch.cli.stored import opened
from driftwatch.cli.terminal import interactive, warn
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.model import Json, Role, User
from driftwatch.store.store import Store
from driftwatch.web import accounts, passwords

app = commands()
user = commands()
app.add_typer(user, name="user")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name that they sign in with.")]
WithRole = Annotated[
    Role, typer.Option("--role", help="viewer may look, reviewer may decide too, admin may let people in as well.")
]
PasswordFile = Annotated[
    Path | None,
    typer.Option("--password-file", metavar="FILE", help="Read the password from this file; - is standard input."),
]
LinkOnly = Annotated[bool, typer.Option("--link", help="Ask for no password: print a link to choose one.")]
NoPassword = Annotated[
    bool, typer.Option("--no-password", help="Ask for none: a proxy signs them in ([web] proxy_header).")
]

EvenLastAdmin = Annotated[
    bool,
    typer.Option("--even-last-admin", help="Also where nobody is left who may let people in but by this command."),
]

_LARGEST: Final = 64 * 1024


@user.callback(invoke_without_command=True)
def _users(context: typer.Context, output: Output = Format.TEXT) -> None:
    """List who may come in to the pages."""
    if context.invoked_subcommand is not None:
        return
    with opened(context, settings_of(context)) as store:
        known = store.users()
    terminal = call_of(context).terminal
    if output is Format.JSON:
        terminal.json({"version": 1, "users": [_json(one) for one in known]})
    elif not known:
        terminal.say("There is no user yet. Make the first one: driftwatch user add NAME --role admin")
    else:
        rows = [(one.name, one.role.value, _way(one), moment(one.created_at)) for one in known]
        terminal.table(("name", "role", "comes in by", "since"), rows, whole=1)


@user.command()
def add(
    context: typer.Context,
    name: Name,
    role: WithRole = Role.VIEWER,
    password_file: PasswordFile = None,
    *,
    link_only: LinkOnly = False,
    no_password: NoPassword = False,
    by: By = None,
) -> None:
    """Let somebody in. Their password is asked for, or read from a file; never given as an argument."""
    settings = settings_of(context)
    if sum((password_file is not None, link_only, no_password)) > 1:
        raise UsageError(
            "These options exclude each other.", hint="Give one of --password-file, --link, --no-password."
        )
    name = accounts.name_of(name)
    with opened(context, settings) as store:
        # Before anybody is asked for a password in vain.
        accounts.is_free(store, name)
    password = None if link_only or no_password else _password(name, password_file)
    with opened(context, settings) as store:
        made = accounts.add_user(store, name, role, password, by=person(by), now=now(context))
        url = _link(context, store, settings, made.name, by) if link_only else None
    terminal = call_of(context).terminal
    terminal.say(f"{made.name}: may come in, as {made.role.value}.")
    if url is not None:
        _say_link(context, url)


@user.command()
def role(
    context: typer.Context,
    name: Name,
    role: Annotated[Role, typer.Argument(metavar="ROLE", help="viewer, reviewer or admin.")],
    *,
    even_last_admin: EvenLastAdmin = False,
    by: By = None,
) -> None:
    """Give somebody another role. It holds at once."""
    settings = settings_of(context)
    with opened(context, settings) as store:
        changed = store.change_user(
            accounts.name_of(name),
            by=person(by),
            at=now(context),
            role=role,
            even_last_admin=even_last_admin,
            proxied=settings.web.proxied,
        )
    call_of(context).terminal.say(f"{changed.name}: has the role {changed.role.value}.")


@user.command()
def disable(context: typer.Context, name: Name, *, even_last_admin: EvenLastAdmin = False, by: By = None) -> None:
    """Let somebody in no more, at once: their sessions, links and tokens open nothing. Enable lets them in again."""
    settings = settings_of(context)
    with opened(context, settings) as store:
        changed = store.change_user(
            accounts.name_of(name),
            by=person(by),
            at=now(context),
            disabled=True,
            even_last_admin=even_last_admin,
            proxied=settings.web.proxied,
        )
    call_of(context).terminal.say(f"{changed.name}: cannot come in any more.")


@user.command()
def enable(context: typer.Context, name: Name, by: By = None) -> None:
    """Let somebody in again who was disabled."""
    with opened(context, settings_of(context)) as store:
        changed = store.change_user(accounts.name_of(name), by=person(by), at=now(context), disabled=False)
    call_of(context).terminal.say(f"{changed.name}: can come in again.")


@user.command()
def remove(context: typer.Context, name: Name, *, even_last_admin: EvenLastAdmin = False, by: By = None) -> None:
    """Take somebody out, and take back the tokens that they made. What they decided stays."""
    name = accounts.name_of(name)
    settings = settings_of(context)
    with opened(context, settings) as store:
        proxied = settings.web.proxied
        store.remove_user(name, by=person(by), at=now(context), even_last_admin=even_last_admin, proxied=proxied)
    call_of(context).terminal.say(f"{name}: is no user any more.")


@user.command()
def link(context: typer.Context, name: Name, by: By = None) -> None:
    """Print a link with which somebody chooses a new password, once, within a day."""
    settings = settings_of(context)
    with opened(context, settings) as store:
        url = _link(context, store, settings, accounts.name_of(name), by)
    _say_link(context, url)


def _link(context: typer.Context, store: Store, settings: Settings, name: str, by: str | None) -> str:
    key = accounts.add_link(store, secrets.token_bytes, name, by=person(by), now=now(context))
    base = settings.daemon.public_url or f"http://{settings.web.address}"
    return f"{base}/welcome?key={key}"


def _say_link(context: typer.Context, url: str) -> None:
    terminal = call_of(context).terminal
    terminal.say("With this link they choose a password, once, within a day; whoever has it can do so:")
    terminal.write(f"{url}\n")


def _password(name: str, file: Path | None) -> str:
    """Ask for a password twice, or read it.

    Raises:
        UsageError: it cannot be read, is not the same twice, or is no good.

    """
    if file is not None:
        password = _read(file)
    elif interactive():
        warn(f"A password for {name}: at least {passwords.SHORTEST} characters. A few words make a good one.")
        password = getpass.getpass("Password: ", stream=sys.stderr)
        if getpass.getpass("Once more: ", stream=sys.stderr) != password:
            raise UsageError("The two passwords are not the same.", hint="Nothing was changed. Try again.")
    else:
        hint = "Give it with --password-file FILE (- for standard input), or use --link."
        raise UsageError("Nobody can be asked for the password here.", hint=hint)
    return password


def _read(file: Path) -> str:
    """Read a password: the first line, without its end."""
    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(_LARGEST)
        else:
            with file.open("rb") as opened_file:
                data = opened_file.read(_LARGEST)
        return data.decode("utf-8").split("\n")[0].removesuffix("\r")
    except OSError as error:
        message = f"The password cannot be read: {error.strerror or type(error).__name__}."
        raise UsageError(message, hint="Check the path, and whether you may read it.") from error
    except UnicodeDecodeError:
        raise UsageError("The file of the password is not UTF-8 text.", hint="It must hold the password.") from None


def _way(one: User) -> str:
    if one.disabled:
        return "not at all (disabled)"
    return "password" if one.password is not None else "a link, or the proxy"


def _json(one: User) -> dict[str, Json]:
    return {
        "name": one.name,
        "role": one.role.value,
        "has_password": one.password is not None,
        "disabled": one.disabled,
        "created_at": iso(one.created_at),
    }
