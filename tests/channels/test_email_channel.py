"""What mail does beyond the contract of every channel: how it is secured, what it says, how it stays within bounds."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from contracts.channel import PATIENCE
from contracts.hostile import HOSTILE
from contracts.mail import build_email, parse, read_page, seen
from contracts.smtp import PASSWORD, TO, USER, PostOffice, authority, post_office
from contracts.told import NOW, alert, batched, delivery, finding, over, payload, told

from driftwatch.config.channels import EmailConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, EventKind, SendResult, SendVerdict
from driftwatch.tell.channels.email import Email


async def send(office: PostOffice, sent: Delivery, **more: Any) -> SendResult:
    channel = build_email(office.url, **more)
    async with asyncio.timeout(PATIENCE):
        return await channel.send(sent)


async def mailed(sent: Delivery, script: dict[str, Any] | None = None) -> EmailMessage:
    """Send one delivery, and give the mail that arrived."""
    async with post_office(*([script] if script else [])) as office:
        result = await send(office, sent)
    assert result.verdict is SendVerdict.DONE, result
    (mail,) = office.requests
    return parse(mail.data)


def text_of(mail: EmailMessage) -> str:
    content = str(next(iter(mail.iter_parts())).get_content())  # type: ignore[attr-defined]
    return content.replace("\r\n", "\n")


def html_of(mail: EmailMessage) -> str:
    content = str(list(mail.iter_parts())[1].get_content())  # type: ignore[attr-defined]
    return content.replace("\r\n", "\n")


async def test_a_mail_goes_through_a_connection_that_is_secure_from_the_start() -> None:
    async with post_office(tls=authority().server) as office:
        result = await send(office, delivery(), security="tls")

    assert result.verdict is SendVerdict.DONE
    assert office.requests[0].signed_in == (USER, PASSWORD)


async def test_a_mail_goes_in_clear_text_where_that_was_chosen() -> None:
    async with post_office() as office:
        result = await send(office, delivery(), security="none", username=None, password=None)

    assert result.verdict is SendVerdict.DONE
    assert (office.requests[0].secure, office.requests[0].signed_in) == (False, None)
    assert "STARTTLS" not in office.lines


async def test_nothing_but_a_greeting_goes_to_a_server_that_takes_secrecy_out() -> None:
    async with post_office({"EHLO": "250-mail.test\r\n250 AUTH PLAIN LOGIN"}) as office:
        result = await send(office, delivery())

    assert result.verdict is SendVerdict.RETRY
    assert "STARTTLS" in result.detail
    assert [line.split(" ")[0] for line in office.lines] == ["EHLO"]


@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("wrong", ["authority", "name"])
async def test_nothing_goes_to_a_server_that_is_not_who_it_should_be(security: str, wrong: str) -> None:
    async with post_office(tls=authority().server if security == "tls" else None) as office:
        config = config_for(office, security=security, host="localhost" if wrong == "name" else "127.0.0.1")
        trust = authority().client if wrong == "name" else ssl.create_default_context()
        async with asyncio.timeout(PATIENCE):
            result = await Email(config, context=trust).send(delivery())

    assert result.verdict is SendVerdict.RETRY
    assert result.detail == "the secure connection failed: certificate or TLS version"
    assert office.requests == []
    assert not any(line.startswith(("AUTH", "MAIL")) for line in office.lines)


def config_for(office: PostOffice, **more: Any) -> EmailConfig:
    given = {"host": "127.0.0.1", "port": office.port, "sender": "a@example.org", "to": TO, "timeout": PATIENCE}
    return EmailConfig(name="ops", kind="email", **(given | more))


async def test_a_mail_server_of_others_takes_it() -> None:
    taken: list[Envelope] = []

    class Handler:
        async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
            taken.append(envelope)
            return "250 taken"

    def sign_in(server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=(given.login, given.password) == (USER.encode(), PASSWORD.encode()))

    def server() -> SMTP:
        return SMTP(
            Handler(),
            tls_context=authority().server,
            require_starttls=True,
            auth_required=True,
            authenticator=sign_in,
        )

    listening = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
    url = f"smtp+starttls://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    async with asyncio.timeout(PATIENCE):
        result = await build_email(url).send(delivery())
    listening.close()

    assert result.verdict is SendVerdict.DONE
    (envelope,) = taken
    assert tuple(envelope.rcpt_tos) == TO
    assert isinstance(envelope.content, bytes)
    assert "files" in seen(parse(envelope.content)).title


async def test_every_attempt_is_the_same_mail_but_for_its_date() -> None:
    times = iter([NOW + timedelta(minutes=number) for number in range(9)])
    async with post_office({".": "451 later"}) as office:
        channel = Email(config_for(office), clock=lambda: next(times), context=authority().client)
        async with asyncio.timeout(PATIENCE):
            await channel.send(delivery())
            await channel.send(delivery())
            await channel.send(delivery())

    first, second = (parse(mail.data) for mail in office.requests)
    assert first["Date"].datetime < second["Date"].datetime
    del first["Date"], second["Date"]
    assert first.as_bytes() == second.as_bytes()


async def test_all_mails_about_one_alert_are_one_thread() -> None:
    kinds = (EventKind.OPENED, EventKind.UPDATED, EventKind.REMINDED, EventKind.RESOLVED)

    mails = [await mailed(told(kind)) for kind in kinds]

    assert {mail["References"] for mail in mails} == {f"<{alert().id}@example.org>"}
    assert {mail["X-Driftwatch-Alert"] for mail in mails} == {alert().id}
    assert len({mail["Message-ID"] for mail in mails}) == len(mails)


async def test_the_end_of_an_alert_that_a_batch_told_of_answers_that_batch() -> None:
    batch = batched()

    first = await mailed(batch)
    last = await mailed(replace(told(EventKind.RESOLVED), opened_in=batch.id))

    assert first["Message-ID"] == last["In-Reply-To"]
    assert "References" not in first


@pytest.mark.parametrize(
    ("sent", "subject"),
    [
        (told(EventKind.OPENED), "[HIGH] files: 3 findings, the worst text-directive"),
        (told(EventKind.UPDATED), "[HIGH, more of it] files: 3 findings, the worst text-directive"),
        (told(EventKind.RESOLVED), "[RESOLVED] files: shows its baseline again"),
        (told(EventKind.OPENED, drill=True), "DRILL [HIGH] files: 3 findings, the worst text-directive"),
        (batched(), "[HIGH] 3 alerts on 3 servers"),
    ],
    ids=["opened", "updated", "resolved", "drill", "batch"],
)
async def test_a_subject_says_what_it_is_about(sent: Delivery, subject: str) -> None:
    mail = await mailed(sent)

    assert mail["Subject"] == subject


async def test_both_parts_say_the_same() -> None:
    mail = await mailed(delivery())

    page = read_page(html_of(mail))
    for said in (
        "no longer shows what its baseline shows",
        "team=web",
        "“read_file”",
        "hint-loosened",
    ):
        assert said in text_of(mail)
        assert said in "".join(page.texts)
    assert page.links == [f"https://watch.example.com/alerts/{alert().id}"]
    assert page.links[0] in text_of(mail)
    assert "Run: driftwatch diff files" in text_of(mail)
    assert "Run: driftwatch diff files" in "".join(page.texts)


@pytest.mark.parametrize("part", [text_of, html_of], ids=["text", "html"])
async def test_a_fleet_of_alerts_is_told_as_far_as_it_fits_with_where_the_rest_is(part: Any) -> None:
    mail = await mailed(batched(500))

    said = part(mail)
    shown = sum(f"server-{number:03}:" in said for number in range(500))
    assert shown > 100
    assert f"… and {500 - shown} more" in said
    assert f"https://watch.example.com/batches/{batched(500).id}" in said


@pytest.mark.parametrize("text", ["тайна ", "秘密の", "🦀", "= . - ", "<>&\"'"])
async def test_a_mail_stays_within_its_size_whatever_the_script(text: str) -> None:
    found = [finding(text * 2_000, item=text * 300, message=text * 2_000) for _ in range(80)]

    mail = await mailed(delivery(payload(one=alert(found))))

    assert len(mail.as_bytes()) > 30_000
    assert "more" in text_of(mail)


@pytest.mark.parametrize("size", [6_000, 20_000])
async def test_a_mail_is_cut_to_what_the_server_takes(size: int) -> None:
    ehlo = f"250-mail.test\r\n250-SIZE {size}\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN"
    async with post_office({"EHLO": ehlo}) as office:
        result = await send(office, batched(500))

    assert result.verdict is SendVerdict.DONE
    assert len(office.requests[0].data) <= size
    assert "https://watch.example.com/batches/" in text_of(parse(office.requests[0].data))


async def test_a_text_of_a_template_stands_in_both_parts_as_it_is_laid_out() -> None:
    made = payload()
    made["data"] |= {"title": "Mine: files", "text": "first line\n.\n..two dots\nFrom here\n<b>not bold</b> ünd so"}

    mail = await mailed(delivery(made))

    assert mail["Subject"] == "Mine: files"
    assert text_of(mail).strip() == made["data"]["text"]
    assert made["data"]["text"] in "".join(read_page(html_of(mail)).texts)


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\r" in text or "=" in text])
async def test_no_title_makes_headers(text: str) -> None:
    made = payload()
    made["data"] |= {"title": f"Mine: {text}"}

    mail = await mailed(delivery(made))

    assert set(seen(mail).links) == {made["data"]["link"]}
    assert "\n" not in mail["Subject"]


async def test_who_is_refused_is_counted_and_not_named() -> None:
    async with post_office({"RCPT": ["250 ok", "550 5.1.1 no such user"]}) as office:
        result = await send(office, delivery())

    assert (result.verdict, result.detail) == (SendVerdict.DONE, "SMTP 250: 1 of 2 recipients")
    assert office.requests[0].to == TO[:1]


@pytest.mark.parametrize(
    "reply",
    [
        "552 Requested mail action aborted: exceeded storage allocation",
        "552 too much",
        "552 Mailbox size limit exceeded",
        "552 the message size would take the mailbox over its quota",
        "552 message too large for the space that is left",
        "552 5.2.2 message too large",
        "552 5.7.0 message size exceeds what strangers may send today",
        "452 4.3.4 message too large",
    ],
)
async def test_a_mailbox_that_may_be_full_is_tried_again(reply: str) -> None:
    async with post_office({".": reply}) as office:
        result = await send(office, delivery())

    assert (result.verdict, result.detail) == (SendVerdict.RETRY, f"SMTP {reply[:3]} to the message")


@pytest.mark.parametrize(
    "reply",
    [
        "552 5.3.4 no",
        "554 5.2.3 no",
        "552-5.3.4 Yours exceeded\r\n552 5.3.4 our limits",
        "552 Message size exceeds fixed limit",
        "552 message too large",
        "552 Message exceeds maximum fixed size",
        "552 sorry, that message size exceeds my databytes limit (#5.3.4)",
        "552 the mail data is too big",
    ],
)
async def test_a_message_is_given_up_when_a_server_clearly_says_that_it_is_too_large(reply: str) -> None:
    async with post_office({".": reply}) as office:
        result = await send(office, delivery())

    assert result == SendResult(SendVerdict.STOP, f"SMTP {reply[:3]} to the message: the message is too large")


async def outcomes(*scripts: dict[str, Any]) -> tuple[list[SendResult], list[tuple[str, ...]]]:
    """Try one delivery once for each script; gives what came of it, and who got each of the mails that went out."""
    async with post_office(*scripts) as office, asyncio.timeout(PATIENCE):
        channel = build_email(office.url)
        results = [await channel.send(delivery()) for _ in scripts]
    ids = {parse(mail.data)["Message-ID"] for mail in office.requests}
    assert len(ids) == 1
    return results, [mail.to for mail in office.requests]


GREY = "450 4.2.0 come back later"
GONE = "550 5.1.1 no such user"


async def test_who_was_put_off_gets_the_mail_later_and_nobody_gets_it_twice() -> None:
    results, mails = await outcomes({"RCPT": ["250 ok", GREY]}, {".": "451 not now"}, {"RCPT": GREY}, {})

    assert mails == [TO[:1], TO[1:]]
    assert [result.verdict for result in results] == [SendVerdict.RETRY] * 3 + [SendVerdict.DONE]
    assert [result.detail for result in results] == [
        "SMTP 450 to 1 of 2 recipients, who get it later",
        "SMTP 451 to the message",
        "SMTP 450 to 1 of 2 recipients, who get it later",
        "SMTP 250",
    ]


async def test_who_is_put_off_first_and_refused_then_is_counted() -> None:
    results, mails = await outcomes({"RCPT": [GREY, "250 ok"]}, {"RCPT": GONE})

    assert mails == [TO[1:]]
    assert (results[1].verdict, results[1].detail) == (SendVerdict.DONE, "SMTP 550: 1 of 2 recipients")


async def test_the_others_hear_what_comes_next_when_somebody_is_put_off_for_long() -> None:
    now = NOW
    async with post_office(*[{"RCPT": ["250 ok", GREY]}, {"RCPT": GREY}]) as office, asyncio.timeout(PATIENCE):
        channel = Email(config_for(office), clock=lambda: now, context=authority().client)
        first = await channel.send(delivery())
        now += timedelta(hours=2)
        second = await channel.send(delivery())

    assert first.verdict is SendVerdict.RETRY
    assert (second.verdict, second.detail) == (SendVerdict.DONE, "SMTP 450: 1 of 2 recipients")


async def test_another_mail_goes_to_everybody_while_somebody_waits_for_the_first() -> None:
    async with post_office({"RCPT": ["250 ok", GREY]}) as office, asyncio.timeout(PATIENCE):
        channel = build_email(office.url)
        await channel.send(delivery())
        await channel.send(told(EventKind.RESOLVED))

    assert [mail.to for mail in office.requests] == [TO[:1], TO]


async def test_a_mailbox_that_is_named_twice_gets_one_mail() -> None:
    async with post_office() as office:
        result = await send(office, delivery(), to=(TO[0], TO[0]))

    assert (result.verdict, result.detail) == (SendVerdict.DONE, "SMTP 250")
    assert office.requests[0].to == TO[:1]


@pytest.mark.parametrize("mailbox", ["a@", "a..b@example.org", "@example.org", "nobody"])
def test_a_mailbox_that_cannot_stand_in_a_mail_is_refused(mailbox: str) -> None:
    config = EmailConfig.model_construct(**{**config_for(PostOffice(port=1)).__dict__, "to": (TO[0], mailbox)})

    with pytest.raises(ConfigError) as caught:
        Email(config)

    assert caught.value.message == "channels.ops.to[1]: not a mail address"


async def test_a_mail_is_dated_by_the_clock_and_the_end_says_when_it_was() -> None:
    later = datetime(2026, 3, 2, 9, tzinfo=UTC)
    async with post_office() as office:
        channel = Email(config_for(office), clock=lambda: later, context=authority().client)
        async with asyncio.timeout(PATIENCE):
            await channel.send(told(EventKind.RESOLVED, over()))

    mail = parse(office.requests[0].data)
    assert mail["Date"].datetime == later
    assert "Over: 2026-03-01 13:00 UTC" in text_of(mail)
