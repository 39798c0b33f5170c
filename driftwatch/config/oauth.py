"""How driftwatch signs in to a server with credentials of its own: OAuth 2.0 client credentials (RFC 6749, 4.4).

Whom to ask for a token stands in the configuration. A watched server is never asked where to sign in: it would choose
who gets the credentials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from driftwatch.config.secret import MissingSecret, Secret, problem
from driftwatch.config.table import Conflict, Table
from driftwatch.config.urls import is_clear_text_to_others
from driftwatch.config.values import Line, SecretLine, Shape, Text, UrlIfAny

Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
_PROVES = ("client_secret", "private_key")


def _pem(value: Secret) -> Secret:
    if not isinstance(value, MissingSecret) and "-----BEGIN" not in value.reveal():
        raise problem("is not a private key in PEM", 'name its file: private_key = { file = "key.pem" }')
    return value


class OauthConfig(Table):
    """A client of an authorization server. A token is asked for before it is needed, and kept in memory only."""

    client_id: Line | None = Field(default=None, description="Who driftwatch is to the authorization server.")
    client_secret: SecretLine | None = Field(
        default=None, exclude=True, repr=False, description="What proves it. Either this or `private_key`."
    )
    private_key: Annotated[Secret, AfterValidator(_pem), Shape("secret")] | None = Field(
        default=None,
        exclude=True,
        repr=False,
        description='A private key (PEM) that signs what proves it (`private_key_jwt`), e.g. `{ file = "key.pem" }`.',
    )
    algorithm: Algorithm = Field(default="RS256", description="How the key signs.")
    send: Literal["basic", "post"] = Field(
        default="basic", description="Whether `client_secret` goes into a header (`basic`) or into the body (`post`)."
    )
    issuer: UrlIfAny = Field(
        default="",
        description="The authorization server, whose metadata name the token endpoint. It must be on the same origin; "
        "else write `token_url`.",
    )
    token_url: UrlIfAny = Field(default="", description="The token endpoint, where no metadata are to be asked.")
    scope: Text = Field(default="", description="The scopes to ask for, with spaces between.")
    resource: Text | None = Field(
        default=None,
        description="What the token is for (RFC 8707). Without it the server's URL, as the MCP specification wants; "
        "an empty one sends none.",
    )

    @property
    def is_used(self) -> bool:
        """Whether there is anything to sign in with."""
        return self.client_id is not None

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold who, one proof, whom to ask, and that nothing of it crosses a network in clear text."""
        if not given:
            return
        if not given.get("client_id"):
            yield Conflict("client_id", "there is no client_id", "write the id that the authorization server gave you")
        proofs = [key for key in _PROVES if given.get(key)]
        if len(proofs) != 1:
            what = "both a client_secret and a private_key" if proofs else "neither a client_secret nor a private_key"
            yield Conflict("client_secret", f"there is {what}", "write one of them")
        if not given.get("issuer") and not given.get("token_url"):
            yield Conflict("issuer", "nothing says whom to ask for a token", 'write issuer = "https://…", or token_url')
        for key in ("issuer", "token_url"):
            url = given.get(key)
            if isinstance(url, str) and urlsplit(url).scheme == "http" and is_clear_text_to_others(url):
                yield Conflict(key, "the credentials would cross the network unencrypted", "write https://…")
