"""Passwords: Argon2id with the parameters that RFC 9106 recommends where memory is not plenty.

A hash takes 64 MiB for some hundredths of a second, so few are made at the same time, however many people knock.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from driftwatch.errors import DriftwatchError

SHORTEST, LONGEST = 12, 1000
"""Characters of a password: short ones are guessed, and nobody needs longer ones."""

_HASHER: Final = PasswordHasher()
_TURNS: Final = threading.BoundedSemaphore(2)
_QUEUE: Final = threading.BoundedSemaphore(10)
_NOBODY: Final = "$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
"""A hash that no password has, as dear to compare with as a real one."""


class BusyError(DriftwatchError):
    """Too many passwords are looked at in this moment."""

    hint = "Try again in a moment."


def wrong_with(password: str, *, name: str) -> str | None:
    """Say why this cannot be the password of the user of that name, None when it can."""
    text = _plain(password)
    if len(text) < SHORTEST:
        return f"A password has at least {SHORTEST} characters. A few words make a good one."
    if len(password) > LONGEST:
        return f"A password has at most {LONGEST:,} characters."
    if len(set(text)) < 4:
        return "This password is the same few characters again and again."
    if name and not text.casefold().replace(name.casefold(), ""):
        return "The password must not be the name."
    return None


def hash_password(password: str) -> str:
    """Give what is kept of a password. Takes a while: call it in a worker thread.

    Raises:
        BusyError: many others wait already.

    """
    with _turn():
        return _HASHER.hash(_bytes(password))


def verify(kept: str | None, password: str) -> bool:
    """Say whether this is the password that was kept. It takes as long where none was (None), so time tells nothing.

    Raises:
        BusyError: many others wait already.

    """
    if len(password) > LONGEST:
        kept, password = None, ""
    with _turn():
        try:
            return _HASHER.verify(kept or _NOBODY, _bytes(password)) and kept is not None
        except (VerificationError, InvalidHashError):
            return False


def needs_rehash(kept: str) -> bool:
    """Say whether a password should be kept anew, because the parameters are others by now."""
    return _HASHER.check_needs_rehash(kept)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for one's turn. Whoever finds many waiting does not, so that a flood of tries leaves threads for pages."""
    if not _QUEUE.acquire(blocking=False):
        raise BusyError
    try:
        with _TURNS:
            yield
    finally:
        _QUEUE.release()


def _plain(password: str) -> str:
    """Give one form to what keyboards send in several (RFC 8265 asks for the same)."""
    return unicodedata.normalize("NFC", password)


def _bytes(password: str) -> bytes:
    return _plain(password).encode("utf-8", "surrogatepass")
