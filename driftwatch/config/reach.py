"""How a server with a URL is reached: who it must prove to be, who driftwatch proves to be, and through what proxy."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from driftwatch.config.secret import MissingSecret, Secret, problem
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Line, SecretLine, Shape
from driftwatch.config.words import quoted

OauthMetadata = Literal["auto", "on", "off"]

HOW_TO_PIN = 'write "sha256/…", the SHA-256 of the public key in base64; a refused look says what the server showed'

PIN_MEANS = (
    "The public keys that the server may show over TLS, each `sha256/` and base64 (SHA-256 of the "
    "SubjectPublicKeyInfo of its own certificate); give the next one too before the key is changed. For https only."
)
CA_FILE_MEANS = (
    "A file of certificates (PEM) to trust for this server instead of the system's, relative to this file. For a URL "
    "only."
)
OAUTH_MEANS = (
    "Whether to look, now and then, where a server sends people to sign in: `auto` asks servers that get an "
    "Authorization header, `on` asks always. Only the server's own origin is asked."
)
PROXY_MEANS = (
    "A proxy to reach servers with a URL through, e.g. `http://proxy.example:3128`, with a name and a password in it "
    "if it wants them; `environment` takes it from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. A secret."
)
ENVIRONMENT = "environment"
"""The value of `proxy` that leaves it to the environment."""

_HOW_TO_PROXY = 'write "http://HOST:PORT", "http://NAME:PASSWORD@HOST:PORT", or "environment"'


def _proxy(value: Secret) -> Secret:
    if not isinstance(value, MissingSecret) and value.reveal() != ENVIRONMENT and wrong_proxy(value.reveal()):
        raise problem(f"the proxy {wrong_proxy(value.reveal())}", _HOW_TO_PROXY)
    return value


def wrong_proxy(url: str) -> str:
    """Say what keeps a URL from being that of a proxy, without repeating it; empty where nothing does."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "is no URL that can be read"
    if parts.scheme not in {"http", "https"}:
        return "is not an HTTP proxy"
    if not host or port == 0 or not url.isascii() or not url.isprintable() or " " in url:
        return "names no host and port"
    return "is an address with a path" if parts.path.strip("/") or parts.query or parts.fragment else ""


ProxyUrl = Annotated[Secret, AfterValidator(_proxy), Shape("secret")]


class ClientCertConfig(Table):
    """A certificate with which driftwatch proves to the server who it is (mutual TLS). Read anew at each connection."""

    cert: Line | None = Field(
        default=None,
        description="The certificate (PEM), with those between it and its authority; relative to this file.",
    )
    key: Line | None = Field(
        default=None, description="Its private key (PEM), where that is in a file of its own; relative to this file."
    )
    password: SecretLine | None = Field(
        default=None, exclude=True, repr=False, description="The password of the private key, if it has one."
    )

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold a certificate beside a key."""
        if given and not given.get("cert"):
            yield Conflict("cert", "there is no certificate", "name the file of the certificate")


def _pin(value: str) -> str:
    name, slash, encoded = value.partition("/")
    try:
        digest = base64.b64decode(encoded, validate=True) if name == "sha256" and slash else b""
    except (binascii.Error, ValueError):
        digest = b""
    if len(digest) != 32:
        raise problem(f"{quoted(value)} is not a pin", HOW_TO_PIN)
    return value


Pins = tuple[Annotated[str, AfterValidator(_pin), Shape("pin")], ...]


def conflicts(given: Mapping[str, Any]) -> Iterator[Conflict]:
    """Hold pins and certificates for what speaks TLS, and one way to sign in."""
    url = given.get("url")
    if isinstance(url, str) and url.lower().startswith("http://"):
        if given.get("tls_pin"):
            yield Conflict("tls_pin", "the url is http, so the server shows no key", "use https, or take tls_pin out")
        if given.get("client_cert"):
            hint = "use https, or take client_cert out"
            yield Conflict("client_cert", "the url is http, so nobody asks for a certificate", hint)
    headers = given.get("headers")
    named = {str(name).casefold() for name in headers} if isinstance(headers, Mapping) else set()
    if given.get("oauth") and (given.get("bearer") or "authorization" in named):
        yield Conflict("oauth", "there is a token of oauth and another Authorization", "keep one of them")
