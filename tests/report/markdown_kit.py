"""Reads Markdown as GitHub does and fails on whatever in it is not ours."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

from driftwatch.judge.text.chars import UNSEEN

GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": True})
OURS = {
    "paragraph_open", "paragraph_close", "inline", "text", "code_inline", "strong_open", "strong_close", "fence",
    "html_block", "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "table_open",
    "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close", "tr_open", "tr_close", "th_open",
    "th_close", "td_open", "td_close",
}  # fmt: skip
RINGS = {
    "a mention": re.compile(r"[@＠]\w"),
    "an issue": re.compile(r"#\d|\bGH-\d|\b[A-Z][A-Z0-9]+-\d"),
    "a merge request": re.compile(r"[!$%&^~]\d"),
    "a commit": re.compile(r"\b[0-9a-f]{7,40}\b"),
    "an address": re.compile(r"://|\bwww\.|\w\.\w*[^\W\d_]"),
    "an emoji": re.compile(r":[a-z_]+:"),
    "a formula": re.compile(r"\$"),
}
"""What GitHub and GitLab make links of in text that stands outside of code, once Markdown is HTML."""


class Summary(HTMLParser):
    """What a line of HTML in the comment is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.outside = ""
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.tags.append(tag)
        self._code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.outside += "" if self._code else data


def flat(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in (token, *(token.children or []))]


def checked(text: str) -> list[Token]:
    """Read a comment as GitHub does, and make sure that it holds what we write and nothing else."""
    assert not UNSEEN.search(text.replace("\ufe0f", ""))
    tokens = flat(GITHUB.parse(text))
    for token in tokens:
        assert token.type in OURS, (token.type, token.content[:200])
        outside = token.content if token.type == "text" else ""
        if token.type == "html_block":
            html = Summary()
            html.feed(token.content)
            assert set(html.tags) <= {"details", "summary", "code"}
            outside = html.outside
        for what, pattern in RINGS.items():
            assert not pattern.search(outside), (what, outside[:200])
    opened = text.count("\n<details>\n")
    assert opened == text.count("\n</details>\n")
    return tokens
