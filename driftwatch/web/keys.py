"""Secrets that driftwatch makes: long, random, shown once, and kept only as a hash.

They are too long to be guessed, so a plain SHA-256 keeps them; passwords, which people choose, are another matter.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Final

PREFIX: Final = "dw_"
"""How every token of a program begins, so that scanners for leaked secrets can know one."""

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BYTES: Final = 32
_LENGTH: Final = 43
_CHECK: Final = 6


def new_key(random: Callable[[int], bytes]) -> str:
    """Make a secret of 256 bits, in letters and digits: for sessions and for links."""
    return _written(int.from_bytes(random(_BYTES)), _LENGTH)


def new_token(random: Callable[[int], bytes]) -> str:
    """Make the secret of a token: `dw_`, 256 bits in 43 letters and digits, and a checksum in 6."""
    body = new_key(random)
    return f"{PREFIX}{body}{_checksum(body)}"


def is_token(text: str) -> bool:
    """Say whether this has the form of a token, checksum included: what was cut or mistyped has not."""
    body, check = text[len(PREFIX) : -_CHECK], text[-_CHECK:]
    return text.startswith(PREFIX) and len(body) == _LENGTH and body.isascii() and check == _checksum(body)


def hashed(secret: str) -> str:
    """Give what is kept of a secret: its SHA-256 in 64 hex digits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _checksum(body: str) -> str:
    return _written(zlib.crc32(body.encode("ascii")), _CHECK)


def _written(number: int, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, rest = divmod(number, len(_DIGITS))
        digits = _DIGITS[rest] + digits
    return digits
