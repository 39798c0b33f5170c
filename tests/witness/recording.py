"""A recorded session, made anew: thousands of messages, most of them fine and some as bad as they come."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator


def recording(seed: int, *, messages: int = 3000, largest: int = 3 << 20) -> bytes:
    """Give what one side says in a long session; every seed gives another one."""
    source = random.Random(seed)
    parts = list(_messages(source, messages, largest))
    source.shuffle(parts)
    return b"".join(parts) + b'{"jsonrpc": "2.0", "id": 99, "result": {"no newline at the end": true}}'


def _messages(source: random.Random, count: int, largest: int) -> Iterator[bytes]:
    for number in range(count):
        text = "".join(source.choices('abc äß漢🙂\u200b\\"\t', k=source.randrange(200)))
        body = {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}}
        yield json.dumps(body, ensure_ascii=bool(number % 2)).encode() + source.choice((b"\n", b"\r\n", b"\n\n"))
    for topic in ("tools", "prompts", "resources"):
        yield b'{"jsonrpc": "2.0", "method": "notifications/%s/list_changed"}\n' % topic.encode() * 20
    for size in (1 << 16, (1 << 16) + 1, largest // 3, largest):
        yield b'{"jsonrpc": "2.0", "id": "large", "result": {"text": "' + b"x" * size + b'"}}\n'
        yield source.randbytes(size)
    yield from (b"\x00" * 4096, b"\xff\xfe{}\n", b"{", b'{"a": ', b"\n" * 300, b"\r" * 300)
    yield from (b"\x1b[2J\x07", b"\xed\xa0\x80\n")
    yield b"[" * 100_000 + b"\n"
    yield b">\x00\x00\x00\x04<!!>" * 50
