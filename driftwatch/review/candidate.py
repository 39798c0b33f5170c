"""What is previewed in place of a server: another version, another command, another address, or a captured list. Pure.

A candidate is reached as the server is, with all that its table says of it, but for the one thing that is to change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from driftwatch.config.inventory import WatchedFile
from driftwatch.config.oauth import OauthConfig
from driftwatch.config.packages import asked
from driftwatch.config.reach import ClientCertConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.urls import mask_url, origin_host
from driftwatch.config.words import quoted, safe
from driftwatch.errors import UsageError
from driftwatch.judge.intake import Intake
from driftwatch.model import Kind
from driftwatch.watch.supply.repin import Refusal, with_version

_ASKED_FOR = frozenset({Kind.TOOL, Kind.PROMPT, Kind.RESOURCE, Kind.RESOURCE_TEMPLATE, Kind.SERVER})
"""What every look at a server asks for."""

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!_:@-]{0,199}")


_WITHOUT_CREDENTIALS: dict[str, Any] = {
    "headers": {},
    "bearer": None,
    "client_cert": ClientCertConfig(),
    "oauth": OauthConfig(),
}

_SOME_VERSION = "1.0.0"
"""One that packages of every registry can have, and images as a tag."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is to be looked at: `server` is how, or `capture` is what was seen already.

    `what` says it in a few words for people, safe to show; `version` is the exact version that is asked for (of an
    image its tag or digest), empty where none is; `notes` are what a person should know of it. `again` are the words
    of the command line that ask for the same, where any do.
    """

    server: ServerConfig
    what: str
    version: str = ""
    capture: Intake | None = None
    notes: tuple[str, ...] = ()
    again: tuple[str, ...] = ()


def at_version(server: ServerConfig, version: str) -> Candidate:
    """Give the server with another version of its package in its command.

    Raises:
        UsageError: it has no command, no version can be put into it, or this is no version.

    """
    _watched(server)
    if not server.command:
        raise UsageError(
            f"{server.name} is reached at a URL: which version answers there is for its operator to say.",
            hint="Give the address at which the new version answers: --url …",
        )
    made = with_version(server.command, server.args, version)
    if isinstance(made, Refusal):
        raise UsageError(f"{server.name}: {made.why}", hint=made.hint)
    what = f"{made.now} instead of {made.was}" if made.now != made.was else f"{made.now}, as configured"
    return Candidate(
        server.model_copy(update={"args": made.args}), what, made.version, again=("--version", made.version)
    )


def fixed(server: ServerConfig) -> str:
    """Say why no other version can be put into the command of a server, safe to show; empty where one can."""
    made = with_version(server.command, server.args, _SOME_VERSION)
    return made.why if isinstance(made, Refusal) else ""


def started_by(server: ServerConfig, given: ServerConfig) -> Candidate:
    """Give the server started by another command; its variables, its folder and its sandbox stay.

    `given` has the command and its arguments (see `driftwatch.config.given`).

    Raises:
        UsageError: this is no server but a file.

    """
    _watched(server)
    update: dict[str, Any] = {"transport": "stdio", "command": given.command, "args": given.args}
    away: dict[str, Any] = {"url": "", "tls_pin": (), "ca_file": None, **_WITHOUT_CREDENTIALS}
    pinned = (one.version for one in asked(given.command, given.args) if one.main and one.pinned)
    what = f"started by {safe(given.shown_command)}"
    return Candidate(server.model_copy(update={**away, **update}), what, next(pinned, ""))


def reached_at(server: ServerConfig, given: ServerConfig, *, credentials: bool | None = None) -> Candidate:
    """Give the server at another address. Its headers go along only within its own origin.

    `given` has the URL (see `driftwatch.config.given`). Elsewhere `credentials` says whether they go along too.

    Raises:
        UsageError: this is no server but a file, or it has headers and `credentials` does not say.

    """
    _watched(server)
    away: dict[str, Any] = {"command": "", "args": (), "env": {}, "cwd": None}
    update = {**away, "transport": given.transport, "url": given.url}
    same, notes = _is_same_origin(server.url, given.url), list[str]()
    more = ["oauth"] * server.oauth.is_used + ["client_cert"] * bool(server.client_cert.cert)
    kind, names = "credentials" if more else "headers", ", ".join([*sorted(server.headers), *more])
    if not same and names and credentials is None:
        raise UsageError(
            f"{mask_url(given.url)} is not where {server.name} is: its {kind} ({names}) were given for another host.",
            hint="Add --with-credentials to send them there, or --without-credentials to look without them.",
        )
    if not same:
        # A key that is pinned is that of the old host: it says nothing about another one.
        update |= {"tls_pin": ()}
        update |= {} if credentials else _WITHOUT_CREDENTIALS
        notes += ["The keys that are pinned for the server (tls_pin) are not asked of it."] * bool(server.tls_pin)
        notes += [f"It was asked without the server's {kind}."] * bool(names and not credentials)
    return Candidate(server.model_copy(update=update), f"reached at {mask_url(given.url)}", notes=tuple(notes))


def captured(server: ServerConfig, capture: Intake, name: str) -> Candidate:
    """Give what a file says that the server would show; `name` is what the file is called.

    Raises:
        UsageError: this is no server but a file.

    """
    _watched(server)
    return Candidate(server, f"the list in {quoted(name)}", capture=capture, notes=capture.notes)


def known_as(candidate: Candidate, version: str) -> Candidate:
    """Say which version a candidate is of: what runs is held against it.

    Raises:
        UsageError: this is no version.

    """
    if not _VERSION.fullmatch(version):
        raise UsageError(f"{quoted(version)} is no version.", hint="Give one exact version, such as 1.2.4.")
    return replace(candidate, version=version)


def sections_missing(sections: frozenset[Kind]) -> tuple[str, ...]:
    """Name what every look asks for and a capture does not say."""
    return tuple(
        sorted(kind.nouns if kind is not Kind.SERVER else "the server itself" for kind in _ASKED_FOR - sections)
    )


def _watched(server: ServerConfig) -> None:
    if isinstance(server, WatchedFile):
        raise UsageError(
            f"{server.name} is a host's file: there is no other version of it to look at.",
            hint="Compare two states of it with: driftwatch compare",
        )


def _is_same_origin(one: str, other: str) -> bool:
    return bool(one) and (urlsplit(one).scheme, origin_host(one)) == (urlsplit(other).scheme, origin_host(other))
