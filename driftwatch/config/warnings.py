"""What a configuration may do and a person should know of: nothing here keeps driftwatch from starting."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from driftwatch.config import witnessing
from driftwatch.config.arguments import exposed
from driftwatch.config.beside import hidden_warnings, proxy_warnings
from driftwatch.config.channels import CommandConfig
from driftwatch.config.isolation import doubtful
from driftwatch.config.packages import FETCH_FIRST, asked, unpinned
from driftwatch.config.policy import policy_warnings
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import MASK, MissingSecret, Unresolved, shown
from driftwatch.config.told import channel_warnings, route_warnings
from driftwatch.config.urls import is_clear_text_to_others
from driftwatch.config.words import closest, path_of, quoted, safe
from driftwatch.config.wrapped import read_back
from driftwatch.model.amounts import many

VARIABLES = (
    "DRIFTWATCH_CONFIG",
    "DRIFTWATCH_DATABASE_URL",
    "DRIFTWATCH_LOG_FORMAT",
    "DRIFTWATCH_LOG_LEVEL",
    "DRIFTWATCH_PUBLIC_URL",
    "DRIFTWATCH_SANDBOX",
    "DRIFTWATCH_WEB_LISTEN",
)
"""Every environment variable that driftwatch itself reads."""


def warnings_of(
    settings: Settings,
    environ: Mapping[str, str],
    which: Callable[[str, str], str | None],
    used: Collection[str],
    base: Path,
) -> tuple[str, ...]:
    """Give all warnings, each `path: what — what to do`.

    `which(command, path)` looks a program up on a PATH; `used` holds the variables that the file itself asks for;
    `base` is the folder that the file is in.
    """
    found = list(_emptiness(settings))
    for server in settings.servers:
        sent = {**server.headers, **({"Authorization": server.oauth} if server.oauth.is_used else {})}
        found += _clear_text(("servers", server.name), server, sent)
        found += _missing_program(("servers", server.name), server, environ, which)
        found += _missing_folder(("servers", server.name), server)
        found += _secrets_in_arguments(("servers", server.name), server)
        found += _witnessed(server)
        found += _not_pinned(server)
        found += _too_many_identities(server)
        found += _shows_too_much(server)
        for identity in settings.identities_of(server):
            found += _clear_text(("servers", server.name), server, identity.headers)
    found += _shared_credentials(settings)
    found += hidden_warnings(settings, base)
    for channel in settings.channels:
        if isinstance(channel, CommandConfig):
            found += _missing_program(("channels", channel.name), channel, environ, which)
            found += _missing_folder(("channels", channel.name), channel)
            found += _secrets_in_arguments(("channels", channel.name), channel)
    found += channel_warnings(settings)
    found += route_warnings(settings)
    found += _opinion_in_clear_text(settings)
    found += _pages_in_clear_text(settings)
    found += proxy_warnings(settings)
    found += policy_warnings(settings.policy, [server.name for server in settings.watched])
    found += _unknown_variables(environ, used)
    return tuple(found)


def _emptiness(settings: Settings) -> Iterator[str]:
    if not any(server.enabled for server in settings.watched):
        yield "servers: no server is watched — add a [servers.NAME] table, or use `driftwatch import FILE`"
    if not settings.channels:
        yield "channels: there is no channel, so nobody will be told of anything — add a [channels.NAME] table"


def _clear_text(location: tuple[str, ...], place: ServerConfig, headers: Mapping[str, object]) -> Iterator[str]:
    if headers and not isinstance(place.url, Unresolved) and is_clear_text_to_others(place.url):
        yield (
            f"{path_of((*location, 'url'))}: this is http, so anyone on the way can read the {_names(headers)}"
            " — use https"
        )


def _opinion_in_clear_text(settings: Settings) -> Iterator[str]:
    asked = settings.second_opinion
    if asked.enabled and not isinstance(asked.url, Unresolved) and is_clear_text_to_others(asked.url):
        what = "the texts and the api_key" if asked.api_key is not None else "the texts"
        yield f"second_opinion.url: this is http, so anyone on the way can read {what} — use https"


def _pages_in_clear_text(settings: Settings) -> Iterator[str]:
    public = settings.daemon.public_url
    if settings.web.enabled and not settings.web.address.is_loopback and not (public and public.startswith("https:")):
        yield (
            "web.listen: others can reach the pages, and anyone on the way can read passwords and cookies — put a proxy"
            " with TLS before it (docs/web.md), and write its address as daemon.public_url"
        )


def _names(headers: Mapping[str, object]) -> str:
    named = ", ".join(safe(name, limit=40) for name in headers)
    return f"header {named}" if len(headers) == 1 else f"headers {named}"


def _witnessed(server: ServerConfig) -> Iterator[str]:
    """Say so where driftwatch would look through its own witness, and take its own looks for those of an agent."""
    wrapped = read_back((shown(server.command), *map(shown, server.args))) if server.command else None
    if wrapped is not None:
        yield (
            f"{path_of(('servers', server.name, 'command'))}: this goes through a witness, which is for hosts"
            f" — write what it wraps: {quoted(' '.join(wrapped.command))}"
        )


def _missing_program(
    location: tuple[str, str],
    started: ServerConfig | CommandConfig,
    environ: Mapping[str, str],
    which: Callable[[str, str], str | None],
) -> Iterator[str]:
    own_path = started.env.get("PATH")
    if not started.command or isinstance(started.command, Unresolved) or isinstance(own_path, MissingSecret):
        return
    path = own_path.reveal() if own_path is not None else environ.get("PATH", "")
    if which(started.command, path) is None:
        place, program = path_of((*location, "command")), quoted(shown(started.command))
        where = "there" if "/" in started.command else "on the PATH"
        hint = "install it, or write its absolute path"
        if len(words := shown(started.command).split()) > 1:
            hint = f'write command = {quoted(words[0])} alone, and what follows it as args = ["…", "…"]'
        yield f"{place}: no program {program} was found {where} — {hint}"


def _missing_folder(location: tuple[str, str], started: ServerConfig | CommandConfig) -> Iterator[str]:
    """Say so where the folder of a program is none.

    Like a missing program it is no error: it may be on a disk that is mounted later, and a file may be checked on
    another machine. One program that cannot be started must not keep driftwatch from all the rest, and says so itself.
    """
    if started.cwd is None or isinstance(started.cwd, Unresolved) or not (state := _no_folder(started.cwd)):
        return
    is_home = any(part.startswith("~") for part in Path(shown(started.cwd)).parts)
    hint = "write ${HOME} for ~" if is_home else "make it, or correct the path"
    yield f"{path_of((*location, 'cwd'))}: {quoted(shown(started.cwd))} {state} — {hint}"


def _no_folder(path: str) -> str:
    """Say why a path is no folder, empty where it is one."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return "does not exist"
    except (OSError, ValueError) as error:
        return f"cannot be used: {getattr(error, 'strerror', None) or 'it is not a path'}"
    return "" if stat.S_ISDIR(mode) else "is not a folder"


def _secrets_in_arguments(location: tuple[str, str], started: ServerConfig | CommandConfig) -> Iterator[str]:
    for index, what in exposed(started.command, started.args):
        place = path_of((*location, "args", index))
        yield f"{place}: {what} may be a secret, and it stands in this file — write ${{NAME}}, and set that variable"
    if MASK in shown(started.command):
        place = path_of((*location, "command"))
        yield f"{place}: it may hold a secret — put arguments into args, and write ${{NAME}} for a secret"


def _not_pinned(server: ServerConfig) -> Iterator[str]:
    words = (server.command, *server.args)
    # What a variable holds may be the very pin; what it holds must not be shown.
    if not any(isinstance(word, Unresolved) for word in words) and unpinned(server.command, server.args):
        for what in unpinned(shown(server.command), [shown(word) for word in server.args]):
            yield f"{path_of(('servers', server.name, 'args'))}: {what}"


def _shared_credentials(settings: Settings) -> Iterator[str]:
    """Say so where servers that are not one another's business are given the same credential of an identity."""
    for identity in settings.identities:
        asked = [server for server in settings.servers if server.enabled and identity.name in server.identities]
        hosts = sorted({server.host for server in asked if identity.headers and server.host})
        programs = sorted(server.name for server in asked if identity.env and server.command)
        for what, given in (("hosts", hosts), ("programs", programs)):
            if len(given) > 1:
                place = path_of(("identities", identity.name))
                named = ", ".join(safe(name, limit=40) for name in given[:3])
                yield (
                    f"{place}: its credential is given to {len(given)} {what} ({named}{', …' * (len(given) > 3)})"
                    " — make one identity for each that may have it"
                )


def _too_many_identities(server: ServerConfig) -> Iterator[str]:
    """Say so where one identity a look does not bring each round within the period."""
    number = len(dict.fromkeys(server.identities))
    if number * server.interval.default > server.cloaking_period:
        place = path_of(("servers", server.name, "cloaking_period"))
        yield (
            f"{place}: {many(number, 'identity', 'identities')}, one with each look: that takes longer"
            " — make it longer, name fewer identities, or look more often"
        )


def _shows_too_much(server: ServerConfig) -> Iterator[str]:
    if server.sandbox.network == "fetch-only":
        for package in asked(server.command, server.args):
            if package.runner not in FETCH_FIRST and package.ecosystem != "oci":
                place = path_of(("servers", server.name, "sandbox", "network"))
                yield f"{place}: {package.runner} cannot fetch without running, and then has no network — write on"
    for one in doubtful(server.sandbox):
        yield f"{path_of(('servers', server.name, 'sandbox', one.key, one.number))}: {one.message} — {one.hint}"


def _unknown_variables(environ: Mapping[str, str], used: Collection[str]) -> Iterator[str]:
    for name in sorted(environ):
        if name.startswith("DRIFTWATCH_") and name not in {*VARIABLES, *witnessing.VARIABLES, *used}:
            near = closest(name, VARIABLES)
            hint = f"did you mean {near}?" if near else f"driftwatch reads only {', '.join(VARIABLES)}"
            yield f"{safe(name)}: driftwatch does not read this variable — {hint}"
