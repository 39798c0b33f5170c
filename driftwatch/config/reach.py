"""How a server with a URL must prove who it is: pins of its TLS key, certificates to trust, metadata to look at."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator

from driftwatch.config.secret import problem
from driftwatch.config.table import Conflict
from driftwatch.config.values import Shape
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
    """Hold pins for what has a key to show."""
    url = given.get("url")
    if given.get("tls_pin") and isinstance(url, str) and url.lower().startswith("http://"):
        yield Conflict("tls_pin", "the url is http, so the server shows no key", "use https, or take tls_pin out")
