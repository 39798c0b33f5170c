"""Slack, by an incoming webhook: one message of blocks (Block Kit).

Everything is a `plain_text` object, in which Slack reads no mention, link or formatting. The one text that it reads as
its own markup is the top-level `text`, which notifications show: it holds the title, with `&`, `<` and `>` escaped.

The sizes are those of Slack's reference of blocks and text objects. Beyond them Slack refuses messages whose blocks
come to more than some 12,000 characters, which it documents nowhere; `_ROOM` stays below that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from driftwatch.config.channels import SlackConfig
from driftwatch.model import Delivery, Json, SendResult
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.post import Poster, utc_now
from driftwatch.tell.payload import encode
from driftwatch.tell.words import Point, Words, cut, units, words_of

_HEADER: Final = 150
_TEXT: Final = 3_000
_FIELD: Final = 2_000
_FIELDS: Final = 10
_URL: Final = 3_000
_BLOCKS: Final = 50

_ROOM: Final = 10_000
"""Characters that all blocks of a message come to, as JSON."""

_POINT: Final = 1_000
"""Characters of one finding, so that one of them does not fill the message."""

_LINE: Final = 200
"""Characters of one alert of several."""

Block = dict[str, Json]


class Slack:
    """A channel that posts to one incoming webhook."""

    def __init__(self, config: SlackConfig, *, clock: Callable[[], datetime] = utc_now) -> None:
        """Take the channel's configuration, and the clock that a `Retry-After` with a date is read by."""
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._url = config.url
        self._poster = Poster(timeout=config.timeout, clock=clock)

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Slack {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Post one delivery as one message."""
        try:
            content = encode(_message(words_of(delivery.payload)))
        except UNREADABLE:
            return UNWRITABLE
        return await self._poster.post(self._url.reveal(), content)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._poster.aclose()


def _message(words: Words) -> dict[str, Json]:
    blocks: list[Block] = [{"type": "header", "text": _plain(words.title, _HEADER)}]
    missing = 0
    if words.own_body:
        blocks.append(_section(words.own_body, more=words.more))
    else:
        blocks.append(_section(words.lead, more=words.more))
        if words.facts:
            fields = [_plain(f"{name}\n{value}", _FIELD) for name, value in words.facts[:_FIELDS]]
            blocks.append({"type": "section", "fields": fields})
        end = _end(words, len(words.points) + words.omitted)
        listed, shown = _listed(words, _BLOCKS - len(blocks) - len(end), _ROOM - _weight([*blocks, *end]))
        blocks += listed
        missing = len(words.points) - shown + words.omitted
    blocks += _end(words, missing)
    # Without markup nothing in the text could mean anything even if a sign were overlooked.
    return {"text": escape(words.title, quote=False), "mrkdwn": False, "blocks": blocks}


def _listed(words: Words, most: int, room: int) -> tuple[list[Block], int]:
    """Give findings or alerts in at most so many blocks and characters, and how many of them that are."""
    if words.event == "batch":
        return _table(words.points, room)
    blocks = []
    for point in words.points[:most]:
        block = _section(_finding(point), _POINT, more=words.more)
        room -= _weight([block])
        if room < 0:
            break
        blocks.append(block)
    return blocks, len(blocks)


def _finding(point: Point) -> str:
    head = f"{point.severity.upper()} {point.head}{' (new)' if point.new else ''}"
    return "\n".join([head, *([point.text] if point.text else []), *([f"“{point.quote}”"] if point.quote else [])])


def _table(points: Sequence[Point], room: int) -> tuple[list[Block], int]:
    """Give one line for each alert, packed into few blocks, and how many alerts that are.

    Where not all of them fit with what each is about, they do without.
    """
    heads = [f"{point.severity.upper()} {point.head}" for point in points]
    rows = [f"{head} — {point.text}" for head, point in zip(heads, points, strict=True)]
    kept: list[str] = []
    for lines in (rows, heads):
        kept = list(_fitting([cut(line, _LINE) for line in lines], room))
        if len(kept) == len(points):
            break
    return [_section(text) for text in _packed(kept)], len(kept)


def _fitting(lines: Sequence[str], room: int) -> Iterator[str]:
    """Give the first lines, as many as fit into so many characters with the blocks around them."""
    # No line is longer than five times `_LINE` however it is counted, so that much of a block may stay empty.
    blocks = room // (_TEXT - 5 * _LINE) + 1
    left = room - blocks * _weight([_section("")])
    for line in lines:
        left -= _weight(line)
        if left < 0:
            return
        yield line


def _packed(lines: Sequence[str]) -> Iterator[str]:
    """Put lines together into texts that each fit into one block."""
    text = ""
    for line in lines:
        both = f"{text}\n{line}" if text else line
        if text and _size(both) > _TEXT:
            yield text
            both = line
        text = both
    if text:
        yield text


def _end(words: Words, missing: int) -> list[Block]:
    """Give what stands last: how much is left out, and the way to all of it."""
    link = words.link if units(words.link) <= _URL else ""
    said = f"… and {missing} more. " if missing else ""
    if not link:
        return [{"type": "context", "elements": [_plain(f"{said}Run: {words.command}", _FIELD)]}]
    button: Block = {"type": "button", "text": _plain("Review", _HEADER), "url": link}
    left_out: list[Block] = [{"type": "context", "elements": [_plain(f"{said}The whole: {link}", _FIELD)]}]
    return [*(left_out if missing else []), {"type": "actions", "elements": [button]}]


def _section(text: str, room: int = _TEXT, *, more: str = "") -> Block:
    return {"type": "section", "text": _plain(text, room, more=more)}


def _plain(text: str, room: int, *, more: str = "") -> Block:
    """Give a text object that fits, however Slack counts: it documents no way, and `&` may count as `&amp;`."""
    short = cut(text, room, more)
    if _size(short) > room:
        short = cut(text, room // len("&amp;"), more)
    return {"type": "plain_text", "text": short or "–", "emoji": False}


def _size(text: str) -> int:
    return units(escape(text, quote=False))


def _weight(value: Json) -> int:
    """Count the characters of a value as JSON."""
    return _size(json.dumps(value, ensure_ascii=False))
