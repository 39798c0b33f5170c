"""What stands in a server's answer beside its lists. Loads little: every witness of a session needs it."""

from __future__ import annotations

from collections.abc import Collection

from driftwatch.model import Json

SERVER_KEYS = ("serverInfo", "capabilities", "protocolVersion", "instructions", "cacheScopes")
"""What a server says of itself, outside of the lists; `cacheScopes` is gathered from the lists' own answers."""

SERVER_INFO = "io.modelcontextprotocol/serverInfo"
"""Under which key of `_meta` a server of the modern era names itself, in each of its answers."""

_PASSING = frozenset({"nextCursor", "resultType", "ttlMs", "cacheScope", "supportedVersions"})
"""What an answer says of itself beside what it lists."""


def unused(answer: dict[str, Json], used: Collection[str], info: Json = None) -> tuple[str, ...]:
    """Name the keys of an answer that nothing is made of. `used` are those that something is made of.

    A `_meta` that only repeats what the server says of itself, which is `info`, is not named.
    """
    meta = answer.get("_meta")
    repeats = not meta or (isinstance(meta, dict) and set(meta) == {SERVER_INFO} and meta[SERVER_INFO] == info)
    passing = {key for key in _PASSING if not _speaks(answer.get(key))} | ({"_meta"} if repeats else set())
    return tuple(key for key in answer if key not in used and key not in passing)


def _speaks(value: Json) -> bool:
    """Say whether there is more in a value than the word, number or list of words that belongs there."""
    return isinstance(value, dict) or (isinstance(value, str) and len(value.split()) > 1)
