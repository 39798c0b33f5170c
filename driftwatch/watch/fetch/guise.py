"""As whom a connection is made: client info, user agent, declared capabilities, credential."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp_types import CLIENT_CAPABILITIES_META_KEY

from driftwatch import __version__
from driftwatch.config.identities import IdentityConfig
from driftwatch.config.oauth import OauthConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Json


@dataclass(frozen=True)
class Guise:
    """Who the other side is told that we are.

    `user_agent` None sends none; `capabilities` None leaves what the SDK declares, which is nothing. Declared or not,
    whatever a server asks of us is declined.
    """

    client: types.Implementation
    user_agent: str | None
    capabilities: Mapping[str, Any] | None = None

    def dress(self, message: Json) -> bool:
        """Write the declared capabilities into a message of ours, in either era; say whether it was changed."""
        params = message.get("params") if isinstance(message, dict) else None
        if self.capabilities is None or not isinstance(params, dict):
            return False
        meta = params.get("_meta")
        if message.get("method") == "initialize":
            params["capabilities"] = dict(self.capabilities)
        elif isinstance(meta, dict) and CLIENT_CAPABILITIES_META_KEY in meta:
            meta[CLIENT_CAPABILITIES_META_KEY] = dict(self.capabilities)
        else:
            return False
        return True


OURSELVES = Guise(types.Implementation(name="driftwatch", version=__version__), f"driftwatch/{__version__}")
"""How driftwatch looks when it says who it is."""


def guise_of(identity: IdentityConfig | None) -> Guise:
    """Give the guise of an identity; without a name of its own it is driftwatch that declares and authorizes so."""
    if identity is None:
        return OURSELVES
    if identity.client_name is None:
        return Guise(OURSELVES.client, identity.user_agent or OURSELVES.user_agent, identity.capabilities)
    client = types.Implementation(name=identity.client_name, version=identity.client_version, title=identity.title)
    return Guise(client, identity.user_agent, identity.capabilities)


def under(server: ServerConfig, identity: IdentityConfig | None) -> ServerConfig:
    """Give a server's entry with the credential of an identity in the place of its own."""
    if identity is None or not (identity.headers or identity.env):
        return server
    if not server.url:
        return server.model_copy(update={"env": {**server.env, **identity.env}})
    given = {name.casefold() for name in identity.headers}
    kept = {name: secret for name, secret in server.headers.items() if name.casefold() not in given}
    oauth = OauthConfig() if "authorization" in given else server.oauth
    return server.model_copy(update={"headers": {**kept, **identity.headers}, "oauth": oauth})
