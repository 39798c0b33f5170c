"""Reads an HTML report and fails on whatever in it is not ours."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from driftwatch.judge.text.chars import UNSEEN
from driftwatch.report.html.style import STYLE

TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "article", "details",
    "summary", "h1", "h2", "h3", "h4", "p", "span", "strong", "code", "pre", "div", "ul", "li", "dl", "dt", "dd",
    "table", "thead", "tbody", "tr", "th", "td", "ins", "del", "mark", "a",
}  # fmt: skip
ATTRIBUTES = {
    "class": re.compile(r"[a-z -]+"),
    "id": re.compile(r"s\d+"),
    "href": re.compile(r"#s\d+"),
    "open": re.compile("open"),
    "scope": re.compile("row|col"),
    "lang": re.compile("en"),
    "charset": re.compile("utf-8"),
    "name": re.compile("viewport|referrer"),
    "http-equiv": re.compile("Content-Security-Policy"),
    "content": re.compile(r"[^<>]+"),
}
VOID = {"meta"}


class Page(HTMLParser):
    """What a page is made of; fails on a tag or an attribute that is not ours, and on one that is not closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.text: dict[str, str] = {}
        self.meta: dict[str, str] = {}
        self.open = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        for key, value in attrs:
            assert ATTRIBUTES[key].fullmatch(value or "")
        known = dict(attrs)
        if tag == "meta":
            self.meta[str(known.get("http-equiv") or known.get("name") or "charset")] = str(known.get("content"))
        self.open += tag == "details" and "open" in known
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self.stack[-1] if self.stack else ""
        self.text[inside] = self.text.get(inside, "") + data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def checked(text: str) -> Page:
    """Read a page; fails on a tag or an attribute that is not ours, and on a character that does not show."""
    assert text.isascii()
    page = Page()
    page.feed(text)
    page.close()
    assert page.stack == []
    said = "".join(part for name, part in page.text.items() if name != "style")
    assert not UNSEEN.search(said.replace("\ufe0f", ""))
    assert page.text["style"] == STYLE
    return page
