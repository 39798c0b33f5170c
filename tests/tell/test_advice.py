"""What to do after an answer: what is advised is about what was answered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from driftwatch.config.channels import KINDS
from driftwatch.tell.advice import advice
from driftwatch.tell.channels.http import result_of

POSTS = ("webhook", "slack", "pagerduty", "alertmanager")


@pytest.mark.parametrize("kind", POSTS)
@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, "does not know driftwatch. Check the "),
        (403, "does not let driftwatch in. Check the "),
        (404, "Check the url"),
        (405, "Check the url"),
        (410, "gone for good"),
        (413, "take 256 KiB"),
        (429, "asks for fewer messages"),
        (301, "It has another address"),
        (307, "It has another address"),
        (500, "has trouble of its own"),
        (503, "has trouble of its own"),
    ],
)
def test_what_is_advised_depends_on_the_status(kind: str, status: int, says: str) -> None:
    detail = result_of(status, None, datetime(2026, 3, 1, tzinfo=UTC)).detail

    assert says in advice(kind, detail)


def test_who_is_not_let_in_is_told_which_secret_that_place_knows() -> None:
    named = [advice(kind, "HTTP 401 Unauthorized") for kind in POSTS]

    assert [word in said for word, said in zip(("secret", "webhook", "routing_key", "bearer"), named, strict=True)] == [
        True
    ] * 4


@pytest.mark.parametrize(
    ("kind", "detail", "says"),
    [
        ("webhook", "no answer in time", "a firewall lets driftwatch through, or raise timeout"),
        ("apprise", "no answer in time", "or raise timeout"),
        ("email", "no connection: refused or unreachable", "Check host and port, that it runs"),
        ("slack", "no connection: refused or unreachable", "host and port in the url"),
        ("webhook", "the secure connection failed: certificate or TLS version", "certificate is for that host"),
        ("email", "the secure connection failed: certificate or TLS version", "and security and port"),
        ("pagerduty", "the host name cannot be resolved", "the url for a typo"),
        ("email", "the host name cannot be resolved", "Check host for a typo"),
        ("email", "SMTP 535 to the sign-in", "username and password"),
        ("email", "SMTP 451 to a command", "in some minutes"),
        ("email", "SMTP 550 to the sender", "Check sender and to"),
        ("email", "SMTP 599 to a command", "Check host, port, security"),
        ("command", "the program did not end in time", "raise timeout"),
        ("command", "the program cannot be started: its folder is not there, or may not be entered", "Check cwd."),
        ("command", "exit 3", "by hand"),
        ("apprise", "Apprise could not send it, and does not say why", "Apprise's own page"),
    ],
)
def test_what_is_advised_depends_on_what_went_wrong(kind: str, detail: str, says: str) -> None:
    assert says in advice(kind, detail)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_advice_for_what_nobody_foresaw(kind: str) -> None:
    assert advice(kind, "something else").endswith(".")
    assert advice(kind, "HTTP 418 I'm a Teapot").endswith(".")
