"""Certificates for servers on loopback, made anew for each test: an authority, and keys that it vouches for."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID


@dataclass
class Key:
    """A server's key with its certificate: how a server uses it, and its pin."""

    context: ssl.SSLContext
    pin: str
    file: Path
    """The certificate with its private key."""


class Authority:
    """An authority of certificates. `file` is what a client has to trust."""

    def __init__(self, folder: Path) -> None:
        """Make the authority's own key and write its certificate."""
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "an authority of tests")])
        self.file = folder / "authority.pem"
        made = self._certificate(self._name, self._key.public_key(), ca=True)
        self.file.write_bytes(made.public_bytes(Encoding.PEM))

    def key(self, *, address: str = "127.0.0.1", ends_in_days: int = 1, password: bytes = b"") -> Key:
        """Make a new key for a server on an address, or for a client."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
        made = self._certificate(name, key.public_key(), ca=False, address=address, ends_in_days=ends_in_days)
        file = self._folder / f"{made.serial_number}.pem"
        hiding = BestAvailableEncryption(password) if password else NoEncryption()
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hiding)
        file.write_bytes(made.public_bytes(Encoding.PEM) + private)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file, password=password or None)
        public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return Key(context, f"sha256/{base64.b64encode(hashlib.sha256(public).digest()).decode()}", file)

    def _certificate(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePublicKey,
        *,
        ca: bool,
        address: str = "127.0.0.1",
        ends_in_days: int = 1,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        building = (
            x509.CertificateBuilder(self._name, name, key, x509.random_serial_number())
            .not_valid_before(now - timedelta(days=9))
            .not_valid_after(now + timedelta(days=ends_in_days))
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))]), critical=False)
        )
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=ca,
            crl_sign=ca,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        return building.add_extension(usage, critical=True).sign(self._key, hashes.SHA256())
