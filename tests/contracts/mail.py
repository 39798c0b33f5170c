"""What a mailer makes of a mail: its headers and parts checked against the RFCs, its HTML read as a browser would."""

from __future__ import annotations

import email
import email.policy
import re
from email.headerregistry import Address
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import ClassVar
from urllib.parse import urlsplit

from contracts.seen import Seen
from contracts.smtp import PASSWORD, TO, USER, Mail, authority

from driftwatch.config.channels import EmailConfig
from driftwatch.config.secret import Secret
from driftwatch.tell.channels.base import Channel
from driftwatch.tell.channels.email import Email

SENDER = "Drift Wätch <driftwatch@example.org>"
MOST = 100_000

_HEADERS = {
    *("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "MIME-Version", "Content-Type"),
    *("Auto-Submitted", "X-Auto-Response-Suppress", "X-Driftwatch-Alert"),
}
_ID = re.compile(r"<[A-Za-z0-9_.-]+@example\.org>")


def build_email(url: str, *, timeout: float = 5.0, **more: object) -> Channel:
    where = urlsplit(url)
    given = {
        "name": "ops",
        "kind": "email",
        "host": where.hostname,
        "port": where.port,
        "security": where.scheme.removeprefix("smtp+"),
        "username": USER,
        "password": Secret(PASSWORD),
        "sender": SENDER,
        "to": TO,
        "timeout": timeout,
        "max_attempts": 5,
    }
    return Email(EmailConfig(**(given | more)), context=authority().client)  # type: ignore[arg-type]


class Page(HTMLParser):
    """Our HTML as a browser reads it: texts, links; anything that is not ours fails."""

    ALLOWED: ClassVar = {
        "html": {"lang"},
        "head": set(),
        "meta": {"charset"},
        "title": set(),
        "body": {"style"},
        **{tag: {"style"} for tag in ("h1", "p", "table", "tr", "td", "th", "div", "b", "span", "br", "code")},
        "a": {"href"},
    }

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.ALLOWED, tag
        assert {name for name, _ in attrs} <= self.ALLOWED[tag], (tag, attrs)
        # A style that a server could write into might load something, or hide something.
        assert not any("url(" in (value or "") or "expression" in (value or "") for _, value in attrs)
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)


def read_page(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    return page


def parse(data: bytes) -> EmailMessage:
    """Read a mail strictly."""
    assert len(data) <= MOST
    assert data.isascii()
    assert b"\0" not in data
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", data)
    assert max(len(line) for line in data.split(b"\r\n")) <= 78
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    for part in message.walk():
        assert part.defects == []
        for value in part.values():
            assert getattr(value, "defects", ()) == ()
    return message


def accept_mail(mail: Mail) -> Seen:
    assert mail.secure
    assert mail.signed_in == (USER, PASSWORD)
    assert re.fullmatch(r"[A-Za-z0-9.-]+", mail.greeted_as)
    assert mail.sender == "driftwatch@example.org"
    assert set(mail.to) <= set(TO)
    return seen(parse(mail.data))


def seen(message: EmailMessage) -> Seen:
    """Check a mail's headers and parts; give what a person sees of it, in the text and in the HTML."""
    names = list(message.keys())
    assert set(names) <= _HEADERS
    assert len(names) == len(set(names))
    assert message["From"].addresses == (Address("Drift Wätch", "driftwatch", "example.org"),)
    assert tuple(one.addr_spec for one in message["To"].addresses) == TO
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"].datetime.tzinfo is not None
    assert _ID.fullmatch(message["Message-ID"])
    for name in ("In-Reply-To", "References"):
        assert all(_ID.fullmatch(one) for one in (message[name] or "").split())
    subject = str(message["Subject"])
    assert 0 < len(subject) <= 200
    assert message.get_content_type() == "multipart/alternative"
    plain, html = message.iter_parts()
    assert isinstance(plain, EmailMessage)
    assert isinstance(html, EmailMessage)
    assert plain.get_content_type() == "text/plain"
    assert html.get_content_type() == "text/html"
    assert plain.get_content_charset() == html.get_content_charset() == "utf-8"
    page = read_page(html.get_content())
    text = plain.get_content()
    return Seen(title=subject, text="\n".join([text, *page.texts]), links=tuple(page.links))
