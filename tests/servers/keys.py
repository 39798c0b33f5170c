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
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID


@dataclass
class Key:
    """A server's key with its certificate: how a server uses it, and its pin."""

    context: ssl.SSLContext
    pin: str


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

    def key(self) -> Key:
        """Make a new key for a server on 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
        made = self._certificate(name, key.public_key(), ca=False)
        file = self._folder / f"{made.serial_number}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        file.write_bytes(made.public_bytes(Encoding.PEM) + private)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return Key(context, f"sha256/{base64.b64encode(hashlib.sha256(public).digest()).decode()}")

    def _certificate(self, name: x509.Name, key: ec.EllipticCurvePublicKey, *, ca: bool) -> x509.Certificate:
        now = datetime.now(UTC)
        building = (
            x509.CertificateBuilder(self._name, name, key, x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
            )
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
