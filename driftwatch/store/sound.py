"""Text as the audit log can hold it: a hash is taken over UTF-8, and what servers and people write need not be that."""

from __future__ import annotations

from driftwatch.model import Json


def sound_all(value: Json) -> Json:
    """Give a value in which all text can be hashed."""
    if isinstance(value, dict):
        return {sound(key): sound_all(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [sound_all(inner) for inner in value]
    return sound(value) if isinstance(value, str) else value


def sound(words: str) -> str:
    """Give text that can be hashed: half a surrogate pair is written out."""
    return words.encode("utf-8", "backslashreplace").decode()
