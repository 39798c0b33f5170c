"""How a server is reached, as one document: what a person approves beside the lists.

The document (`launch` of a `Document`, `Kind.LAUNCH`; an entry of a host's file, `Kind.ENTRY`, has the same keys beside
its own) holds, each where it is known:

- `transport`: `stdio`, `http` or `sse`.
- For a command: `command`, `args` (a list) and `cwd` as they may be shown, `env` (the names of its variables, sorted);
  `package`: `{"ecosystem": "npm" | "pypi" | "oci" | "jsr" | "url", "name", "asked": the spec as written,
  "pinned": bool}`.
- What was found out while it ran: `executable`: `{"path", "digest"}` of the program, through `PATH` and links;
  `script`: the same of the file that an interpreter was given, where that belongs to no package;
  in `package` also `version` (the one that really ran) and `digest` (of its files; of an image, its id). A package that
  the command does not name (a path into an installed one) has neither `asked` nor `pinned`.
- For a URL: `url` as it may be shown, `headers` (names, sorted), `redirect` (where it led within the origin),
  `tls`: `{"pin": [...]}` where pins are configured, and `oauth`: `{"servers": [...], "authorization_endpoint",
  "token_endpoint", "registration_endpoint", "issuer"}` as the server's metadata name them.

Nothing in it is secret: what was filled in or looks like a secret stays masked, and no digest is of a configured value.
What cannot be found out is absent. Digests are `sha256:` and 64 hex digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from driftwatch.config.packages import asked
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import shown
from driftwatch.config.urls import mask_url
from driftwatch.model import Json

_STATED = ("transport", "command", "args", "cwd", "url")
"""The keys that say whether two launches are configured alike."""


def stated(
    *,
    transport: str,
    command: str = "",
    args: Sequence[str] = (),
    env: Iterable[str] = (),
    cwd: str | None = None,
    url: str = "",
    headers: Iterable[str] = (),
    pins: Iterable[str] = (),
) -> dict[str, Json]:
    """Give the part of the document that stands in a configuration. Texts are taken as they may be shown."""
    if transport != "stdio":
        document: dict[str, Json] = {"transport": transport, "url": mask_url(shown(url)), "headers": sorted(headers)}
        return {**document, "tls": {"pin": sorted(pins)}} if pins else document
    words = [shown(word) for word in args]
    document = {"transport": transport, "command": shown(command), "args": words, "env": sorted(env)}
    if cwd:
        document["cwd"] = shown(cwd)
    package = _package(shown(command), words)
    return {**document, "package": package} if package else document


def configured(server: ServerConfig) -> dict[str, Json]:
    """Give the part of the document that stands in a server's configuration."""
    return stated(
        transport=server.transport,
        command=server.command,
        args=server.args,
        env=server.env,
        cwd=server.cwd,
        url=server.url,
        headers=server.headers,
        pins=server.tls_pin,
    )


def still(launch: dict[str, Json], unsettled: Iterable[str], known: Json) -> dict[str, Json]:
    """Give a launch with what was known of the keys that could not be had this time, if it is still stated the same."""
    if not isinstance(known, dict) or any(known.get(key) != launch.get(key) for key in _STATED):
        return launch
    return {**launch, **{key: known[key] for key in unsettled if key in known}}


def _package(command: str, args: Sequence[str]) -> dict[str, Json]:
    """Give what a command line says of the package that its program comes from; nothing where it names none."""
    main = next((one for one in asked(command, args) if one.main), None)
    if main is None:
        return {}
    spec = mask_url(main.spec) if "://" in main.spec else main.spec
    named = {"name": main.name} if main.name else {}
    return {"ecosystem": main.ecosystem, **named, "asked": spec, "pinned": main.pinned}
