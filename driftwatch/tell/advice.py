"""What to do when a place did not take a message, by what it answered, for whoever tests a channel. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

_Told: TypeAlias = Callable[[str], str]

_SECRETS: Final[Mapping[str, str]] = {
    "webhook": "the secret, which must be the one that the receiver has, and headers that it asks for",
    "slack": "the url, whose path is the secret: make a new incoming webhook in Slack if that one was taken back",
    "pagerduty": "the routing_key: the integration key of an Events API v2 integration of that service",
    "alertmanager": "the bearer, or headers that its proxy asks for",
}
"""What a place knows driftwatch by, for each kind that posts."""

_PLACES: Final[Mapping[str, str]] = {
    "webhook": "the url, and that the receiver's route for it is there",
    "slack": "the url: Slack knows no such webhook, or its channel is gone",
    "pagerduty": "the url; in the EU region it is another one",
    "alertmanager": "the url: its own address with its path prefix if it has one, without /api/v2",
}
"""What leads to a place, for each kind that posts."""

_OTHERWISE: Final[Mapping[str, str]] = {
    "webhook": "Check that the url is right, that the receiver runs, and that it has the same secret.",
    "slack": "Check the url; make a new incoming webhook in Slack if that one was taken back.",
    "pagerduty": "Check the routing_key (the key of an Events API v2 integration), and the url in the EU region.",
    "alertmanager": "Check the url (its own address, without /api/v2) and the bearer.",
    "email": "Check host, port, security, and the name and password that sign in.",
    "apprise": "Check the url, as Apprise's own page about the service has it.",
    "command": "Try the program by hand: it gets the message as JSON on its standard input and must end with 0.",
}
"""What to look at when the answer says no more."""

_BY_STATUS: Final[tuple[tuple[range, _Told], ...]] = (
    (range(401, 402), lambda kind: f"It answers, and does not know driftwatch. Check {_SECRETS[kind]}."),
    (range(403, 404), lambda kind: f"It answers, and does not let driftwatch in. Check {_SECRETS[kind]}."),
    (range(404, 406), lambda kind: f"It answers, and nothing takes messages at that address. Check {_PLACES[kind]}."),
    (range(407, 408), lambda _: "A proxy stands before it and wants a password, which driftwatch cannot give."),
    (range(408, 409), lambda _: "It took too long for itself. Try again; look at its logs if that stays so."),
    (range(410, 411), lambda kind: f"It is gone for good there. Make a new one, and check {_PLACES[kind]}."),
    (range(413, 414), lambda _: "It takes no message of that size. Let it, and a proxy before it, take 256 KiB."),
    (range(429, 430), lambda _: "It works, and asks for fewer messages. Try again in a minute; alerts do so."),
    (range(300, 400), lambda _: "It has another address. Write that as the url: redirects are not followed."),
    (range(500, 600), lambda _: "It answers, and has trouble of its own. Look at its logs and its proxy's."),
)  # fmt: skip
"""What to do after an HTTP status."""

_BY_REPLY: Final[Mapping[int, str]] = {
    **dict.fromkeys(
        (530, 534, 535, 538), "The mail server does not let driftwatch sign in. Check username and password."
    ),
    **dict.fromkeys((421, 450, 451, 452), "The mail server puts mail off for now. Try again in some minutes."),
    **dict.fromkeys((521, 556), "There is no mail server for that. Check host, and the addresses in to."),
    **dict.fromkeys(
        (501, 550, 551, 553, 554), "The mail server refuses the mail. Check sender and to, and whether it must sign in."
    ),
    552: "The mail server finds the mail too large, or the mailbox is full. Look into the mailboxes in to.",
}
"""What to do after the code of a mail server's reply."""

_BY_WORDS: Final[tuple[tuple[str, _Told], ...]] = (
    (
        "no answer in time",
        lambda kind: (
            "The service did not answer. Check its url, whether a firewall lets it through, or raise timeout."
            if kind == "apprise"
            else "Nothing answered. Check that it runs and that a firewall lets driftwatch through, or raise timeout."
        ),
    ),
    (
        "no connection",
        lambda kind: f"Nothing listens there. Check {_where(kind)}, that it runs, and that this machine reaches it.",
    ),
    (
        "the secure connection failed",
        lambda kind: (
            f"Check that its certificate is for that host, not expired, and trusted by this machine, and {_how(kind)}."
        ),
    ),
    ("the host name", lambda kind: f"Check {_name(kind)} for a typo, and this machine's DNS."),
    ("the connection broke", lambda kind: f"It hung up. Look at its logs, and check {_how(kind)}."),
    ("the configured URL", lambda _: "Check the url and the headers for characters that do not belong there."),
    ("the mail server offers no STARTTLS", lambda _: "Check security and port, and how one signs in there."),
    ("the program did not end", lambda _: "Make the program quicker, or raise timeout."),
    ("the program cannot be started: its folder", lambda _: "Check cwd."),
    ("the program cannot be started: it is not there", lambda _: "Check command, and the first line of that file."),
    ("the program cannot be started: it may not", lambda _: "Make it executable for driftwatch's user."),
)  # fmt: skip
"""What to do after what driftwatch itself says of an attempt."""


def advice(kind: str, detail: str) -> str:
    """Say what to do after what a channel of a kind said of an attempt (`SendResult.detail`), in a sentence or two."""
    code = re.match(r"(HTTP|SMTP) ([0-9]{3})\b", detail)
    if code is not None and code[1] == "HTTP" and kind in _PLACES:
        said = next((say(kind) for codes, say in _BY_STATUS if int(code[2]) in codes), "")
    elif code is not None:
        said = _BY_REPLY.get(int(code[2]), "")
    else:
        said = next((say(kind) for begins, say in _BY_WORDS if detail.startswith(begins)), "")
    return said or _OTHERWISE[kind]


def _name(kind: str) -> str:
    return "host" if kind == "email" else "the url"


def _where(kind: str) -> str:
    return "host and port" if kind == "email" else "host and port in the url"


def _how(kind: str) -> str:
    return "security and port" if kind == "email" else "whether the url should begin with https or http"
