"""Slack as a receiver: checks an incoming webhook's message as strictly as the reference of Block Kit describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from contracts.http import PATH, Received
from contracts.secrets import PATIENCE
from contracts.seen import Seen

from driftwatch.config.channels import SlackConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.slack import Slack

MOST = 12_000
"""Characters of all blocks, as JSON: what is known of a limit that is documented nowhere."""

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_MARKUP = re.compile(r"<[^>]*>")
_LONE = re.compile(r"&(?!(?:amp|lt|gt);)")


def build_slack(url: str, *, timeout: float = PATIENCE, **more: Any) -> Channel:
    return Slack(SlackConfig(name="ops", kind="slack", url=Secret(url), timeout=timeout, max_attempts=5), **more)


def accept_slack(request: Received) -> Seen:
    method, target, version = request.line.split()
    assert (method, target, version) == ("POST", PATH, "HTTP/1.1")
    return read_slack(request)


def read_slack(request: Received) -> Seen:
    """Check a message, wherever it was posted to."""
    assert request.headers["content-type"] == "application/json"
    message = json.loads(request.body)
    only(message, {"text", "blocks"}, {"mrkdwn"})
    assert message.get("mrkdwn") in {True, False, None}
    blocks = message["blocks"]
    assert 1 <= len(blocks) <= 50
    assert units(json.dumps(blocks, ensure_ascii=False).replace("&", "&amp;")) <= MOST
    seen = [_BLOCKS[block["type"]](block) for block in blocks]
    shown = fallback(message["text"])
    headers = [one.text for one, block in zip(seen, blocks, strict=True) if block["type"] == "header"]
    return Seen(
        title=headers[0],
        text="\n".join([shown.text, *(one.text for one in seen)]),
        links=tuple(link for one in seen for link in one.links),
        mentions=(*shown.mentions, *(name for one in seen for name in one.mentions)),
    )


def only(value: dict[str, Any], needed: set[str], allowed: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    assert isinstance(value, dict)
    assert needed <= set(value) <= needed | allowed, sorted(value)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def plain(value: dict[str, Any], most: int) -> Seen:
    """Check a text object that has to be plain; Slack reads nothing in it but emoji, where it is told to."""
    only(value, {"type", "text"}, {"emoji"})
    assert value["type"] == "plain_text"
    assert value["emoji"] is False
    text = value["text"]
    assert isinstance(text, str)
    assert text.strip()
    assert units(text.replace("&", "&amp;")) <= most
    assert not _CONTROL.search(text)
    return Seen(text=text)


def fallback(text: str) -> Seen:
    """Read the top-level text, which is Slack's own markup: in it `<…>` rings or links."""
    assert isinstance(text, str)
    assert text.strip()
    assert units(text) <= 40_000
    assert not _CONTROL.search(text)
    assert not _LONE.search(text)
    marked = _MARKUP.findall(text)
    assert [sign for sign in "<>" if sign in _MARKUP.sub("", text)] == []
    return Seen(text=text, mentions=tuple(marked))


def _header(block: dict[str, Any]) -> Seen:
    only(block, {"type", "text"})
    return plain(block["text"], 150)


def _section(block: dict[str, Any]) -> Seen:
    assert "text" in block or "fields" in block
    only(block, {"type"}, {"text", "fields"})
    fields = block.get("fields")
    assert fields is None or 1 <= len(fields) <= 10
    parts = [plain(block["text"], 3_000)] if "text" in block else []
    parts += [plain(one, 2_000) for one in fields or ()]
    return Seen(text="\n".join(part.text for part in parts))


def _context(block: dict[str, Any]) -> Seen:
    only(block, {"type", "elements"})
    assert 1 <= len(block["elements"]) <= 10
    return Seen(text="\n".join(plain(one, 3_000).text for one in block["elements"]))


def _actions(block: dict[str, Any]) -> Seen:
    only(block, {"type", "elements"})
    assert 1 <= len(block["elements"]) <= 25
    links = []
    for button in block["elements"]:
        only(button, {"type", "text", "url"})
        assert button["type"] == "button"
        plain(button["text"], 75)
        assert units(button["url"]) <= 3_000
        assert urlsplit(button["url"]).scheme in {"http", "https"}
        assert urlsplit(button["url"]).hostname
        links.append(button["url"])
    return Seen(links=tuple(links))


_BLOCKS: dict[str, Callable[[dict[str, Any]], Seen]] = {
    "header": _header,
    "section": _section,
    "context": _context,
    "actions": _actions,
}
"""The blocks that a message may hold, of those that driftwatch has a use for; any other one fails."""
