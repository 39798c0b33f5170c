"""How requests and answers travel from the forwarder to its copyist, inside the frames of a copy.

A record is the number of an exchange (eight bytes, big-endian), what it is (one), the length of its content (four), and
that. A frame holds one or several records. What a head tells is
all that the copyist learns of headers: never a credential. A server's own session id, and the place of a request, are
told as digests, which say no more than whether two are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Final, NamedTuple

HEAD: Final = b"h"
DATA: Final = b"d"
END: Final = b"e"
BROKEN: Final = b"x"
"""The exchange was cut off, or nobody waits for its answer any more."""

_NUMBER: Final = 8
_LENGTH: Final = 4


class RequestHead(NamedTuple):
    """What is told of a request. `session` and `place` are digests, `session` empty for none."""

    verb: str
    place: str
    session: str = ""
    encoding: str = ""


class AnswerHead(NamedTuple):
    """What is told of an answer. `session` is the digest of the session id that it gives, empty for none.

    `away` is the other address to which it leads the agent (scheme and host), empty for none.
    """

    status: int
    kind: str = ""
    session: str = ""
    encoding: str = ""
    away: str = ""


def digest(value: bytes) -> str:
    """Give the digest of a session id, or of a path with its query; empty for nothing."""
    return hashlib.sha256(value).hexdigest() if value else ""


def record(number: int, what: bytes, content: bytes | bytearray = b"") -> bytes:
    """Spell a record."""
    return b"".join((number.to_bytes(_NUMBER, "big"), what, len(content).to_bytes(_LENGTH, "big"), content))


def head(number: int, told: RequestHead | AnswerHead) -> bytes:
    """Spell the record of a head."""
    return record(number, HEAD, json.dumps(told).encode("ascii"))


def parsed(frame: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Read the records of a frame: the number, what it is, and the content."""
    at = 0
    while at < len(frame):
        begins = at + _NUMBER + 1 + _LENGTH
        ends = begins + int.from_bytes(frame[begins - _LENGTH : begins], "big")
        yield (
            int.from_bytes(frame[at : at + _NUMBER], "big"),
            frame[at + _NUMBER : at + _NUMBER + 1],
            frame[begins:ends],
        )
        at = ends
