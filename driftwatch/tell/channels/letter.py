"""A message as mail: headers, plain text, and HTML of our own in which every word is escaped. Pure."""

from __future__ import annotations

import email.policy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from html import escape
from typing import Final

from driftwatch.model import Delivery
from driftwatch.report.excerpt import sentence
from driftwatch.tell.words import Point, Words, cut, plain_text

MOST: Final = 100_000
"""Bytes of a whole mail. Gmail hides what comes after about 102 KB."""

_SUBJECT: Final = 200
"""Characters of a subject."""

_TIGHTEST: Final = 500
"""Characters of text below which nothing more is cut."""

_COLOURS: Final = {
    "critical": "#8b0000",
    "high": "#b3261e",
    "medium": "#8a5a00",
    "low": "#3f5f8a",
    "info": "#555555",
}
_CELL: Final = 'style="padding:4px 8px;border-bottom:1px solid #dddddd;text-align:left;vertical-align:top"'
_PAGE: Final = 'style="font-family:sans-serif;font-size:14px;line-height:1.4;color:#222222"'


@dataclass(frozen=True, slots=True)
class Envelope:
    """Whom mail is from and who gets it."""

    sender: Address
    to: tuple[Address, ...]


def letter(delivery: Delivery, words: Words, envelope: Envelope, *, at: datetime, most: int = MOST) -> bytes:
    """Write one delivery as a mail of at most `most` bytes, in ASCII; what is cut is counted, with where it is.

    The Message-ID is the delivery's, the same on every attempt. All mails about one alert refer to one id that is
    made of the alert's, so that mailers show them as one thread, whichever of them came.
    """
    room = most // 3
    while True:
        written = _written(delivery, words, envelope, at=at, room=room)
        if len(written) <= most or room <= _TIGHTEST:
            return written
        # What a character comes to depends on the script, so the room is tried and not worked out.
        room = max(min(room * most // len(written), room - 1) * 9 // 10, _TIGHTEST)


def _written(delivery: Delivery, words: Words, envelope: Envelope, *, at: datetime, room: int) -> bytes:
    mail = EmailMessage(policy=email.policy.SMTP)
    mail["From"] = envelope.sender
    mail["To"] = envelope.to
    # Broken up, because mailers would decode what looks like an encoded word (RFC 2047).
    mail["Subject"] = cut(sentence(words.title).replace("=?", "= ?"), _SUBJECT)
    mail["Date"] = at
    mail["Message-ID"] = _id(delivery.id, envelope)
    threads = [_id(one, envelope) for one in (delivery.opened_in, delivery.alert_id) if one]
    if threads:
        mail["In-Reply-To"] = threads[0]
        mail["References"] = " ".join(reversed(threads))
        mail["X-Driftwatch-Alert"] = delivery.alert_id
    # RFC 3834; the second is what Exchange reads. Nobody who is away shall answer an alert.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail.set_content(plain_text(words, room), cte="quoted-printable")
    # Made of the id, so that every attempt is the same mail. Quoted-printable never holds `=_`, so no text forges it.
    mail.make_alternative(boundary=f"=_{delivery.id}")
    mail.add_alternative(page(words, room), subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def _id(name: str, envelope: Envelope) -> str:
    return f"<{name}@{envelope.sender.domain}>"


def page(words: Words, room: int) -> str:
    """Lay a message out as HTML with at most `room` characters of what it says; only our own links can be followed."""
    said = _own(words, room) if words.own_body else "".join(_parts(words, room))
    title = escape(cut(words.title, _SUBJECT))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f'<body {_PAGE}><h1 style="font-size:18px;color:{_COLOURS.get(words.severity, "#222222")}">{title}</h1>'
        f"{said}</body></html>\n"
    )


def _own(words: Words, room: int) -> str:
    return f'<div style="white-space:pre-wrap">{escape(cut(words.own_body, room, words.more))}</div>'


def _parts(words: Words, room: int) -> Iterator[str]:
    lead = cut(words.lead, room)
    yield f"<p>{escape(lead)}</p>"
    if words.facts:
        rows = (
            f"<tr><th {_CELL}>{escape(name)}</th><td {_CELL}>{escape(cut(value, room))}</td></tr>"
            for name, value in words.facts
        )
        yield _table(rows)
    shown = list(_fitting(words.points, room - len(lead) - sum(len(value) for _, value in words.facts)))
    if shown:
        yield _table(_row(point) for point in shown)
    missing = len(words.points) - len(shown) + words.omitted
    if missing:
        yield f"<p>… and {missing} more</p>"
    if words.link:
        yield f"<p>{_link(words.link, words.link)}</p>"
    if words.command:
        yield f"<p>Run: <code>{escape(words.command)}</code></p>"


def _fitting(points: Sequence[Point], left: int) -> Iterator[Point]:
    """Give points as long as there is room for what they say."""
    for point in points:
        left -= len(point.head) + len(point.text) + len(point.quote) + len(point.link)
        if left < 0:
            return
        yield point


def _table(rows: Iterator[str]) -> str:
    return f'<table style="border-collapse:collapse">{"".join(rows)}</table>'


def _row(point: Point) -> str:
    head = _link(point.link, point.head) if point.link else f"<b>{escape(point.head)}</b>"
    new = " (new)" if point.new else ""
    text = f"<br>{escape(point.text)}" if point.text else ""
    quote = f'<br><span style="font-family:monospace">“{escape(point.quote)}”</span>' if point.quote else ""
    colour = _COLOURS.get(point.severity, "#222222")
    return (
        f'<tr><td {_CELL}><b style="color:{colour}">{escape(point.severity.upper())}</b></td>'
        f"<td {_CELL}>{head}{new}{text}{quote}</td></tr>"
    )


def _link(to: str, words: str) -> str:
    return f'<a href="{escape(to)}">{escape(words)}</a>'
