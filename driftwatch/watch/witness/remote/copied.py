"""How requests and answers travel from the forwarder to its copyist, inside the frames of a copy.

A record is the number of an exchange (eight bytes, big-endian), what it is (one), and its content. What a head tells is
all that the copyist learns of headers: never a credential. A server's own session id, and the place of a request, are
told as digests, which say no more than whether two are the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Final

HEAD: Final = b"h"
DATA: Final = b"d"
END: Final = b"e"
BROKEN: Final = b"x"
"""The message was cut off, or nobody waits for it any more."""

_NUMBER: Final = 8


@dataclass(frozen=True, slots=True)
class RequestHead:
    """What is told of a request. `session` and `place` are digests, `session` empty for none."""

    verb: str
    place: str
    session: str = ""
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class AnswerHead:
    """What is told of an answer. `session` is the digest of the session id that it gives, empty for none."""

    status: int
    kind: str = ""
    session: str = ""
    encoding: str = ""


def digest(value: bytes) -> str:
    """Give the digest of a session id, or of a path with its query; empty for nothing."""
    return hashlib.sha256(value).hexdigest() if value else ""


def record(number: int, what: bytes, content: bytes | bytearray = b"") -> bytes:
    """Spell a record."""
    return b"".join((number.to_bytes(_NUMBER, "big"), what, content))


def head(number: int, told: RequestHead | AnswerHead) -> bytes:
    """Spell the record of a head."""
    return record(number, HEAD, json.dumps(asdict(told)).encode("ascii"))


def parsed(content: bytes) -> tuple[int, bytes, bytes]:
    """Read a record: the number, what it is, and its content."""
    return int.from_bytes(content[:_NUMBER], "big"), content[_NUMBER : _NUMBER + 1], content[_NUMBER + 1 :]
