"""What a configuration is: frozen tables with every key, its type, its default and what it means.

`driftwatch.config.reference` makes the documentation from the descriptions in this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field

from driftwatch.config import outbound, reach, urls
from driftwatch.config.arguments import mask_command
from driftwatch.config.channels import ChannelConfig
from driftwatch.config.identities import IdentityConfig, presets
from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.oauth import OauthConfig
from driftwatch.config.opinion import OpinionConfig
from driftwatch.config.policy import ExpectConfig, PolicyConfig
from driftwatch.config.retention import RetentionConfig
from driftwatch.config.routes import AlertsConfig, RouteConfig, ways
from driftwatch.config.secret import MissingSecret, Secret, Unresolved, shown
from driftwatch.config.supply import SupplyConfig
from driftwatch.config.table import Conflict, Table, same_header_twice
from driftwatch.config.units import say_seconds, seconds
from driftwatch.config.values import (
    Count,
    DatabaseUrl,
    Headers,
    Line,
    Name,
    PublicUrl,
    Seconds,
    Size,
    Switch,
    Text,
    Token,
    Url,
    UrlIfAny,
    Variables,
)
from driftwatch.config.web import WebConfig
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import ConfigError, UnknownServerError

Transport = Literal["http", "sse", "stdio"]
LogFormat = Literal["console", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]

NEITHER = "there is neither a url nor a command"
HOW_TO_REACH = 'write url = "https://…" or command = "…"'

_URL_ONLY = {
    "headers": "take headers out, or use env",
    "bearer": "take bearer out, or use env",
    "tls_pin": "take tls_pin out: only a server with a url shows a key",
    "ca_file": "take ca_file out: only a server with a url shows a certificate",
    "oauth_metadata": "take oauth_metadata out: only a server with a url has it",
    "client_cert": "take client_cert out: only a server with a url asks for a certificate",
    "oauth": "take oauth out, or use env: only a server with a url gets a token",
}
_COMMAND_ONLY = {
    "args": "take args out; what the server must know goes into the url or into headers",
    "env": "take env out, or use headers",
    "cwd": "take cwd out: only a server with a command has a folder",
}
"""The keys that go with only one of the two, each with what to do where it stands beside the other."""


class Intervals(Table):
    """How long to wait between two looks at a server, in seconds."""

    default: Seconds = Field(default=300.0, description="Time between two looks at a server that gives no `ttlMs`.")
    floor: Seconds = Field(default=30.0, description="The shortest time between two looks, however short its `ttlMs`.")
    ceiling: Seconds = Field(
        default=3600.0, description="The longest time between two looks, however long its `ttlMs`."
    )

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold floor <= default <= ceiling, also between what is written and what is left at its default."""
        names = ("floor", "default", "ceiling")
        order = [(name, seconds(given.get(name, cls.model_fields[name].default))) for name in names]
        known = [(name, value) for name, value in order if value is not None]
        for (low, less), (high, more) in pairwise(known):
            if less > more:
                key, other = (low, high) if low in given else (high, low)
                yield Conflict(
                    key,
                    f"the {low} ({say_seconds(less)}) is longer than the {high} ({say_seconds(more)})",
                    f"keep floor <= default <= ceiling: change this, or set {other} too",
                )


class Timeouts(Table):
    """How long to wait for a server, in seconds."""

    connect: Seconds = Field(default=10.0, description="Until a connection stands.")
    request: Seconds = Field(default=30.0, description="Until one request is answered.")
    start: Seconds = Field(default=60.0, description="Until a local server, just started, gives its first answer.")
    look: Seconds = Field(default=120.0, description="Until the whole look is over, all pages of all lists included.")


class Limits(Table):
    """How much to take from a server before the look counts as failed."""

    message_bytes: Size = Field(default=8 * 2**20, description="The largest single message or body.")
    look_bytes: Size = Field(default=32 * 2**20, description="The most bytes in one look, over all messages.")
    pages: Count = Field(default=100, description="The most pages of one list.")
    items: Count = Field(default=5000, description="The most items of one list.")
    depth: int = Field(default=64, strict=True, ge=1, le=64, description="The deepest nesting of JSON, 64 at most.")
    noise_lines: Count = Field(
        default=10_000, description="The most lines on standard output that are not MCP messages."
    )


class Defaults(Table):
    """What holds for every server that does not say otherwise."""

    interval: Intervals = Field(default=Intervals(), description="Intervals of all servers.")
    timeout: Timeouts = Field(default=Timeouts(), description="Timeouts of all servers.")
    limits: Limits = Field(default=Limits(), description="Limits of all servers.")
    sandbox: SandboxConfig = Field(default=SandboxConfig(), description="The sandbox of all local servers.")
    proxy: reach.ProxyUrl | None = Field(default=None, exclude=True, repr=False, description=reach.PROXY_MEANS)
    addresses: outbound.Addresses = Field(default="auto", description=outbound.MEANS)
    alert_after: Count = Field(default=3, description="Failed looks in a row before an alert says so.")
    identities: tuple[Name, ...] = Field(
        default=(), description="As whom to look as well, in turn: built-in identities, or tables of `identities`."
    )
    cloaking_period: Seconds = Field(
        default=21600.0, description="Time in which a server is looked at once as each of its `identities`."
    )
    rehearse: Switch = Field(
        default=True,
        description="Whether a list that nobody approved is looked at again at once: in a new process or session, and "
        "under another client name.",
    )


class ServerConfig(Defaults):
    """One server to watch. It has either a URL or a command."""

    name: Name = Field(description="The table's own name.")
    transport: Transport = Field(
        default="http",
        description="Only needed as `sse`, for the legacy HTTP+SSE transport; else `url` or `command` says it.",
    )
    url: UrlIfAny = Field(default="", description="Where an HTTP server answers, e.g. `https://example.com/mcp`.")
    bearer: Token | None = Field(
        default=None,
        exclude=True,
        repr=False,
        description="A token, sent as `Authorization: Bearer …`. For a URL only.",
    )
    headers: Headers = Field(default={}, description="Headers to send along, each a secret. For a URL only.")
    tls_pin: reach.Pins = Field(default=(), description=reach.PIN_MEANS)
    ca_file: Line | None = Field(default=None, description=reach.CA_FILE_MEANS)
    client_cert: reach.ClientCertConfig = Field(
        default=reach.ClientCertConfig(), description="The certificate that driftwatch shows. For a URL only."
    )
    oauth: OauthConfig = Field(default=OauthConfig(), description="How to get a token. For a URL only.")
    oauth_metadata: reach.OauthMetadata = Field(default="auto", description=reach.OAUTH_MEANS)
    command: Text = Field(
        default="",
        description="The program of a local server: on the PATH, or a path (relative to this file's folder).",
    )
    args: tuple[Text, ...] = Field(default=(), description="The program's arguments. For a command only.")
    env: Variables = Field(
        default={}, description="Variables for the program, each a secret; it gets little else. For a command only."
    )
    cwd: Line | None = Field(
        default=None, description="The program's folder, relative to this file's. For a command only."
    )
    notices: Switch = Field(default=True, description="Whether to listen for change notices between two looks.")
    labels: dict[Line, Text] = Field(
        default={}, description='Words of your own that go into alerts, e.g. `team = "web"`.'
    )
    enabled: Switch = Field(default=True, description="Whether to watch this server.")
    expect: ExpectConfig = Field(default=ExpectConfig(), description="What must hold, whatever was approved.")

    @property
    def host(self) -> str:
        """The origin's host and port (`example.com:443`) that looks share a limit over; empty for a local server."""
        return urls.origin_host(self.url) if self.url and not isinstance(self.url, Unresolved) else ""

    @property
    def missing(self) -> tuple[str, ...]:
        """What a look would need and is not to be had here, each in a few words; empty when nothing is missing."""
        paths = (self.client_cert.cert, self.client_cert.key)
        texts = (self.url, self.command, *self.args, self.cwd, *paths, self.oauth.issuer, self.oauth.token_url)
        secrets = (*self.headers.values(), *self.env.values(), *self.proofs)
        absent = [one.words[0] for one in (*texts, *secrets) if isinstance(one, Unresolved | MissingSecret)]
        return tuple(dict.fromkeys(absent))

    @property
    def proofs(self) -> tuple[Secret, ...]:
        """The secrets besides headers and variables: of the proxy, the certificate and the client."""
        found = (self.proxy, self.client_cert.password, self.oauth.client_secret, self.oauth.private_key)
        return tuple(one for one in found if one is not None)

    @property
    def sort(self) -> str:
        """What is looked at, in a word: the transport of a server; for a host's file it is `file`."""
        return self.transport

    @property
    def shown_url(self) -> str:
        """The URL as it may be shown: what was filled in and what stands in the query is masked."""
        return shown(self.url)

    @property
    def shown_command(self) -> str:
        """Command and arguments as they may be shown: `${NAME}` for what was filled in, `***` for a likely secret."""
        return " ".join(shown(word) for word in (self.command, *self.args))

    @classmethod
    def prepare(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Let the transport follow from what is there, and the arguments know how they may be shown."""
        mask_command(given)
        return {"transport": "stdio" if "command" in given and "url" not in given else "http", **given}

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold either a URL with headers, or a command with args, env and cwd."""
        has_url, has_command = bool(given.get("url")), bool(given.get("command"))
        if has_url and has_command:
            yield Conflict("url", "there is a url and a command", "keep one: two servers are two tables")
        elif not has_url and not has_command:
            yield Conflict("url", NEITHER, HOW_TO_REACH)
        elif has_url:
            yield from _misplaced(given, _COMMAND_ONLY, "a server with a url starts no program")
        else:
            yield from _misplaced(given, _URL_ONLY, "a server with a command has no address")
        transport = given.get("transport")
        known = isinstance(transport, str) and transport in get_args(Transport)
        if has_url != has_command and known and (transport == "stdio") != has_command:
            hint = "stdio goes with command; http and sse go with url. It can be left out"
            yield Conflict("transport", f"{transport} does not go with {'url' if has_url else 'command'}", hint)
        yield from same_header_twice(given)
        yield from reach.conflicts(given)

    def model_post_init(self, _: Any, /) -> None:
        """Make the bearer token the header that it is."""
        if self.bearer is not None:
            self.headers["Authorization"] = self.bearer.after("Bearer ")


class DaemonConfig(Table):
    """How the daemon runs."""

    concurrency: int = Field(default=16, strict=True, ge=1, le=1000, description="The most looks at the same time.")
    per_host: int = Field(
        default=2, strict=True, ge=1, le=1000, description="The most looks at one host at the same time."
    )
    grace: Seconds = Field(
        default=10.0, description="How long running work may take to end when the daemon is stopped."
    )
    log_format: LogFormat = Field(default="console", description="How log lines look.")
    log_level: LogLevel = Field(default="info", description="The least important log lines that are written.")
    public_url: PublicUrl | None = Field(
        default=None, description="Where people reach driftwatch; links in alerts begin so."
    )
    min_notice_gap: Seconds = Field(default=5.0, description="The shortest time between two looks caused by notices.")
    traces: Url | None = Field(
        default=None,
        description="Where traces are sent by OTLP/HTTP, such as `http://127.0.0.1:4318`; it takes the extra `otel`.",
    )
    traces_to_servers: bool = Field(
        default=False,
        strict=True,
        description="Whether servers are sent the trace context too; they can tell driftwatch from an agent by it.",
    )


class DatabaseConfig(Table):
    """Where driftwatch remembers."""

    url: DatabaseUrl = Field(
        default="sqlite:///driftwatch.db", description="A SQLite file, relative to this file's folder."
    )


class Settings(Table):
    """A whole configuration, ready for use."""

    database_url: DatabaseUrl = "sqlite:///driftwatch.db"
    servers: tuple[ServerConfig, ...] = ()
    identities: tuple[IdentityConfig, ...] = presets()
    files: tuple[ServerConfig, ...] = ()
    channels: tuple[ChannelConfig, ...] = ()
    routes: tuple[RouteConfig, ...] = ()
    alerts: AlertsConfig = AlertsConfig()
    daemon: DaemonConfig = DaemonConfig()
    supply: SupplyConfig = SupplyConfig()
    second_opinion: OpinionConfig = OpinionConfig()
    policy: PolicyConfig = PolicyConfig()
    retention: RetentionConfig = RetentionConfig()
    # What no file asks for is not served: a daemon that is made of values, as on a stage, takes no port.
    web: WebConfig = WebConfig(enabled=False)
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def watched(self) -> tuple[ServerConfig, ...]:
        """All that is looked at under a name: the servers, then the files of the inventory."""
        return (*self.servers, *self.files)

    @property
    def ways(self) -> tuple[RouteConfig, ...]:
        """Every route that alerts can go, the default one last."""
        return ways(self.routes, self.channels)

    def find(self, name: str) -> ServerConfig | None:
        """Give the server or file of that name, None where there is none, or none any more."""
        return next((server for server in self.watched if server.name == name), None)

    def server(self, name: str) -> ServerConfig:
        """Give the server or file of that name, or raise `UnknownServerError` with the name that was likely meant."""
        found = self.find(name)
        if found is None:
            names = [server.name for server in self.watched]
            hint = did_you_mean(name, names) if names else "no server is configured at all: add a [servers.NAME] table"
            raise UnknownServerError(f"No server is called {quoted(name)}.", hint=hint[:1].upper() + hint[1:])
        return found

    def identities_of(self, server: ServerConfig) -> tuple[IdentityConfig, ...]:
        """Give the identities under which a server is looked at as well, in the order of its list."""
        known = {identity.name: identity for identity in self.identities}
        return tuple(known[name] for name in dict.fromkeys(server.identities) if name in known)

    def ready(self, name: str) -> ServerConfig:
        """Give the server of that name, fit to be looked at.

        Raises `UnknownServerError`, or `ConfigError` when something is missing: it is switched off, or the
        configuration was read without its secrets.
        """
        found = self.server(name)
        if found.missing:
            message = f"{found.name} cannot be looked at: {'; '.join(found.missing)}."
            raise ConfigError(message, hint="Set it, or make it readable, where driftwatch is started.")
        return found


def _misplaced(given: Mapping[str, Any], hints: Mapping[str, str], why: str) -> Iterator[Conflict]:
    for key, hint in hints.items():
        if given.get(key):
            yield Conflict(key, why, hint)
