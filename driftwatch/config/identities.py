"""Identities: as whom driftwatch may look at a server besides as itself, with the client info of some real hosts.

The names and versions are what the hosts were seen to send; they go stale, and a file can set any of them anew:

- Claude Code: `initialize` requests in public test suites and logs (name, 2.1.x, `roots`); `claude-code/2.1.226 (cli)`
  as user agent in a published trace of what it sends.
- Claude Desktop: a published log of its bridge, of 2026-08 (`claude-ai`, 0.1.0, the `ui` extension).
- Codex: openai/codex, `codex-rs/codex-mcp/src/rmcp_client.rs` at 02beca9f (name, title, `elicitation`);
  `codex-mcp-client/0.157.0` as user agent in a public test of a proxy.
- Cursor: published logs of its first listing (`cursor-vscode`, 1.0.0); `node` as user agent in one of 2025-03.
- Gemini CLI: google-gemini/gemini-cli, `packages/core/src/tools/mcp-client.ts` (name, 0.0.1, `roots`).
- VS Code: microsoft/vscode, `src/vs/workbench/contrib/mcp/common/mcpServerRequestHandler.ts` (the product's long name)
  and a published trace of version 1.140 (capabilities).

All of them were seen to open with `initialize`, so that is the era of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from driftwatch.config import toml
from driftwatch.config.secret import problem, shown
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Headers, Line, Name, Shape, Token, UserAgent, Variables, is_name
from driftwatch.config.words import did_you_mean, quoted
from driftwatch.model import Era

_DEEPEST = 6
_PLAIN = (str, int, float, bool)


def _capabilities(value: dict[str, Any]) -> dict[str, Any]:
    """Take only what JSON can say: a date or a time of TOML cannot be sent."""
    for name, inner in value.items():
        if not isinstance(inner, dict) or not _is_json(inner, _DEEPEST):
            fix = f"write {toml.key(name[:80])} = {{}} to declare it"
            raise problem(f"{quoted(name)} is not a table of plain values", fix)
    return value


def _is_json(value: object, levels: int) -> bool:
    if isinstance(value, dict):
        return levels > 0 and all(_is_json(inner, levels - 1) for inner in value.values())
    if isinstance(value, list | tuple):
        return levels > 0 and all(_is_json(inner, levels - 1) for inner in value)
    return isinstance(value, _PLAIN)


Capabilities = Annotated[dict[str, Any], AfterValidator(_capabilities), Shape("table")]


class IdentityConfig(Table):
    """Somebody to look as: client info, protocol era, declared capabilities, a credential. What is left out stays."""

    name: Name = Field(description="The table's own name.")
    client_name: Line | None = Field(
        default=None, description="The client's name, e.g. `claude-code`. Without one, driftwatch says its own."
    )
    client_version: Line = Field(default="1.0.0", description="The version that goes with the client's name.")
    title: Line | None = Field(default=None, description="The client's name for people, if it sends one.")
    user_agent: UserAgent | None = Field(
        default=None, description="The `User-Agent` header that goes with the client's name. Without one, none is sent."
    )
    era: Era | None = Field(
        default=None, description="How to open the conversation; without it, as driftwatch itself does."
    )
    capabilities: Capabilities = Field(
        default={}, description="Client capabilities to declare, e.g. `{ roots = {} }`. Nothing asked for is granted."
    )
    bearer: Token | None = Field(
        default=None, exclude=True, repr=False, description="A token in place of the server's own. For URLs."
    )
    headers: Headers = Field(default={}, description="Headers in place of the server's own, each a secret. For URLs.")
    env: Variables = Field(
        default={}, description="Variables in place of the server's own, each a secret. For commands."
    )

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold one value for what is the same header."""
        headers = given.get("headers")
        names = [str(name).casefold() for name in headers] if isinstance(headers, Mapping) else []
        for key, header in (("bearer", "authorization"), ("user_agent", "user-agent")):
            if given.get(key) and header in names:
                yield Conflict(key, f"there is {key} and a header of that name", "keep one of them")
        if len(set(names)) < len(names):
            yield Conflict("headers", "a header is there twice", "keep one: case does not count")

    def model_post_init(self, _: Any, /) -> None:
        """Make the bearer token the header that it is."""
        if self.bearer is not None:
            self.headers["Authorization"] = self.bearer.after("Bearer ")

    @property
    def unnamed(self) -> IdentityConfig:
        """The same with driftwatch's own name: what is compared with it differs by the name alone."""
        own = {"client_name": None, "client_version": "1.0.0", "title": None, "user_agent": None}
        return self.model_copy(update=own)


_FORMS: dict[str, Any] = {"form": {}, "url": {}}

PRESETS: dict[str, dict[str, Any]] = {
    "claude-code": {
        "client_name": "claude-code",
        "client_version": "2.1.287",
        "title": "Claude Code",
        "user_agent": "claude-code/2.1.287 (cli)",
        "capabilities": {"roots": {}},
    },
    "claude-desktop": {
        "client_name": "claude-ai",
        "client_version": "0.1.0",
        "capabilities": {
            "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}},
        },
    },
    "codex": {
        "client_name": "codex-mcp-client",
        "client_version": "0.157.0",
        "title": "Codex",
        "user_agent": "codex-mcp-client/0.157.0",
        "capabilities": {"elicitation": {}},
    },
    "cursor": {"client_name": "cursor-vscode", "client_version": "1.0.0", "user_agent": "node"},
    "gemini-cli": {
        "client_name": "gemini-cli-mcp-client",
        "client_version": "0.0.1",
        "user_agent": "node",
        "capabilities": {"roots": {}},
    },
    "vscode": {
        "client_name": "Visual Studio Code",
        "client_version": "1.140.0",
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}, "elicitation": _FORMS},
    },
}
"""Identities that need no table of their own; a table of the same name changes single keys of one."""


SECOND_NAME: Final = IdentityConfig(
    name="second-name",
    **{key: PRESETS["claude-code"][key] for key in ("client_name", "client_version", "title", "user_agent")},
).model_copy(update={"name": "second name"})
"""As whom a server is looked at once more before a list of it is approved, where no identity of its own will do.

Only the name is another one: the era, the capabilities and the credential are driftwatch's own. With a space in it,
the identity's name is none that a table can have.
"""


def second_name(identities: Iterable[IdentityConfig], *, local: bool) -> IdentityConfig:
    """Give under which other name to look at a server: of its `identities` the first without a credential, if any.

    What counts as a credential goes by whether it is `local`.
    """
    named = (one for one in identities if one.client_name and not (one.env if local else one.headers))
    return next(named, SECOND_NAME)


def with_preset(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give an identity's keys as they stand in a file, with those of the preset of that name beneath."""
    preset = {**PRESETS[name], "era": Era.HANDSHAKE.value} if name in PRESETS else {}
    return {**preset, **given}


def presets() -> tuple[IdentityConfig, ...]:
    """Give all identities that need no table of their own."""
    return tuple(IdentityConfig(name=name, **with_preset(name, {})) for name in PRESETS)


def unknown(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Give where a file names an identity that there is not: the place, what is wrong, what to do."""
    known = [*PRESETS, *(name for name in tables.get("identities", {}) if name not in PRESETS)]
    servers = tables.get("servers", {})
    places: list[tuple[tuple[str, ...], object]] = [(("defaults",), tables.get("defaults", {}))]
    places += [(("servers", name), table) for name, table in servers.items()]
    for place, table in places:
        named = table.get("identities") if isinstance(table, Mapping) else None
        for index, name in enumerate(named if isinstance(named, list | tuple) else ()):
            # What cannot be a name, or could not be filled in, the schema says.
            if isinstance(name, str) and is_name(name) and name not in known:
                message = f"no identity is called {quoted(shown(name))}"
                yield (*place, "identities", index), message, did_you_mean(name, known)
