"""Text as the audit log can hold it: a hash is taken over UTF-8, and what servers and people write need not be that."""

from __future__ import annotations

import hashlib

from driftwatch.model import Json

_MARK = 12
"""Hex digits of a mark of a secret: enough to see that it is another one."""


def sound_all(value: Json) -> Json:
    """Give a value in which all text can be hashed."""
    if isinstance(value, dict):
        return {sound(key): sound_all(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [sound_all(inner) for inner in value]
    return sound(value) if isinstance(value, str) else value


def marked(secret: str | None) -> str:
    """Give a mark of a hash under which a secret is kept, empty for none: nothing can be guessed from it."""
    return hashlib.sha256(secret.encode()).hexdigest()[:_MARK] if secret else ""


def sound(words: str) -> str:
    """Give text that can be hashed: half a surrogate pair is written out."""
    return words.encode("utf-8", "backslashreplace").decode()
