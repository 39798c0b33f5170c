"""TLS trust of one server: the certificates that count, and the pins of its key, checked before anything is sent."""

from __future__ import annotations

import base64
import hashlib
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from driftwatch.config.reach import ClientCertConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.model import Failure, Refused, Unreachable
from driftwatch.watch.fetch.answers import FailedLookError
from driftwatch.watch.fetch.kit import Kit, hardened, system

Trace = Callable[[str, dict[str, Any]], Awaitable[None]]
"""What the HTTP library tells of each step of a request."""


def trust(server: ServerConfig, kit: Kit) -> ssl.SSLContext:
    """Give the certificates to trust for a server, and the one to show to it.

    Raises:
        FailedLookError: its `ca_file` or its `client_cert` cannot be used (`tls`).

    """
    if server.ca_file is None and server.client_cert.cert is None:
        return kit.tls
    what = "ca_file"
    try:
        context = hardened(ssl.create_default_context(cafile=server.ca_file) if server.ca_file else system())
        if server.client_cert.cert is not None:
            what = "client_cert"
            password = server.client_cert.password
            # Without a password to give, OpenSSL would ask for one on the terminal.
            given = password.reveal() if password is not None else ""
            context.load_cert_chain(server.client_cert.cert, server.client_cert.key, password=lambda: given)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or type(error).__name__
        raise FailedLookError(Unreachable("tls", f"the {what} cannot be used: {reason}")) from error
    return context


def trust_elsewhere(server: ServerConfig, kit: Kit) -> ssl.SSLContext:
    """Give the certificates to trust for what is not the server but belongs to it: the system's and its `ca_file`.

    Raises:
        FailedLookError: its `ca_file` cannot be used (`tls`).

    """
    if server.ca_file is None:
        return kit.tls
    context = trust(server.model_copy(update={"client_cert": ClientCertConfig()}), kit)
    context.load_default_certs()
    return context


def pin_of(certificate: bytes) -> str:
    """Give the pin of a certificate (DER): `sha256/` and base64 of the digest of its SubjectPublicKeyInfo."""
    key = x509.load_der_x509_certificate(certificate).public_key()
    digest = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    return f"sha256/{base64.b64encode(digest).decode()}"


def pinned(server: ServerConfig, stop: Callable[[Failure], None], *, behind_proxy: bool = False) -> Trace:
    """Give what watches a request's connection being made (httpx calls it `trace`) and ends it for another key.

    It acts when the secure connection stands and nothing was sent on it yet. `stop` is told why. `behind_proxy` says
    that the server is reached through a proxy, whose own key is not the one.
    """
    maker = "proxy." if behind_proxy else "connection."

    async def trace(event: str, about: dict[str, Any]) -> None:
        if event != f"{maker}start_tls.complete":
            return
        stream = about["return_value"]
        shown = _shown(stream)
        if shown not in server.tls_pin:
            await stream.aclose()
            stop(Refused("tls-pin", f"the server showed another TLS key than the pinned ones: {shown}"))
            raise httpx2.ConnectError("")

    return trace


def _shown(stream: Any) -> str:
    connection = stream.get_extra_info("ssl_object")
    certificate = connection.getpeercert(binary_form=True) if connection is not None else None
    try:
        return pin_of(certificate) if certificate else "none"
    except (ValueError, TypeError):  # a key of a kind that nobody knows
        return "one that cannot be read"
