"""Mail, by an SMTP server (RFC 5321): one connection an attempt, and never in clear text where that was not chosen.

What the server's replies mean:

- 2yz: done.
- 4yz to some recipients and not to others: again, to those alone, for an hour (servers that do not know a sender yet
  put it off so). Who has the mail already is known in this process; after a restart they may get it again under the
  same Message-ID.
- 5yz to some recipients and not to others: done, and the result says how many have it.
- 4yz and 5yz: again, also for a sign-in or a mailbox that is refused. An account whose password is being changed
  must not cost an alert.
- 521 and 556 (it takes no mail at all), and a message that is too large: stop. That it is, says the status 5.2.3 or
  5.3.4 of RFC 3463, or a 552 without a status whose words leave no doubt: many servers mean a full mailbox by it, and
  that heals. The size that a server announces is kept to, so that this should not happen.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import parseaddr
from typing import Final

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPConnectResponseError,
    SMTPDataError,
    SMTPException,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from driftwatch.config.channels import EmailConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, SendResult, SendVerdict
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.http import causes
from driftwatch.tell.channels.letter import MOST, Envelope, letter
from driftwatch.tell.channels.post import utc_now
from driftwatch.tell.channels.taken import Taken
from driftwatch.tell.payload import encode
from driftwatch.tell.words import Words, words_of

_NO_MAIL_HERE: Final = frozenset({521, 556})
_TOO_LARGE: Final = re.compile(r"5\.(?:2\.3|3\.4)\b")
_STATUS: Final = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
_SAYS_TOO_LARGE: Final = re.compile(
    r"\b(?:message|mail|e-mail|data|content)\b.{0,40}?\b(?:too (?:large|big|long)|size exceed|exceeds?\b.{0,40}\bsize)",
    re.IGNORECASE | re.DOTALL,
)
_MAY_BE_FULL: Final = re.compile(r"mailbox|inbox|quota|storage|allocation|space|full", re.IGNORECASE)

_PUT_OFF: Final = timedelta(hours=1)
"""How long those are waited for who are put off while others have the mail: what comes next about it waits too."""

_GOODBYE: Final = 1.0
"""Seconds that a server has to answer the last word; by then the message is its own."""

_OWN_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")

_STAGES: Final[tuple[tuple[type[SMTPResponseException], str], ...]] = (
    (SMTPConnectResponseError, "to the connection"),
    (SMTPAuthenticationError, "to the sign-in"),
    (SMTPSenderRefused, "to the sender"),
    (SMTPRecipientRefused, "to every recipient"),
    (SMTPDataError, "to the message"),
)
"""What a reply answered, by the error that holds it."""


class Email:
    """A channel that sends mail to one or more mailboxes.

    The certificate and the name of the server are checked against the system's store. The environment takes no part.
    The time-out covers everything up to the reply to the message.
    """

    def __init__(
        self,
        config: EmailConfig,
        *,
        clock: Callable[[], datetime] = utc_now,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """Take the channel's configuration, the clock that mails are dated by, and what servers are checked against.

        Raises:
            ConfigError: one of the mailboxes cannot stand in a mail.

        """
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._clock = clock
        self._context = context or ssl.create_default_context()
        self._taken = Taken()
        to = tuple(_address(config.name, f"to[{index}]", one) for index, one in enumerate(config.to))
        self._envelope = Envelope(_address(config.name, "sender", config.sender), to)

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Email {self.name}>"

    async def send(self, delivery: Delivery) -> SendResult:
        """Send one delivery as one mail, to those who did not get it on an earlier attempt."""
        try:
            encode(delivery.payload)
            words = words_of(delivery.payload)
            written = letter(delivery, words, self._envelope, at=self._clock())
        except UNREADABLE:
            return UNWRITABLE
        taken = self._taken.of(delivery.id)
        result = await self._attempt(delivery, words, written, taken)
        self._taken.keep(delivery.id, taken, result)
        return result

    async def reach(self) -> SendResult:
        """Go as far as signing in, and send no mail."""
        client = self._client()
        try:
            async with asyncio.timeout(self._config.timeout):
                await client.connect()
            await _say_goodbye(client)
        except (SMTPException, OSError, ValueError) as error:
            return _failure(error)
        finally:
            client.close()
        return SendResult(SendVerdict.DONE, "signed in" if self._config.username else "connected")

    async def aclose(self) -> None:
        """Hold nothing: a connection lives no longer than an attempt."""

    async def _attempt(
        self, delivery: Delivery, words: Words, written: bytes, taken: dict[str, datetime]
    ) -> SendResult:
        client = self._client()
        try:
            async with asyncio.timeout(self._config.timeout):
                await client.connect()
                if len(written) > (most := _most(client)):
                    written = letter(delivery, words, self._envelope, at=self._clock(), most=most)
                result = await self._hand_over(client, written, taken)
            await _say_goodbye(client)
        except (SMTPException, OSError, ValueError) as error:
            return _failure(error)
        else:
            return result
        finally:
            client.close()

    def _client(self) -> SMTP:
        config = self._config
        name = socket.gethostname()
        return SMTP(
            hostname=config.host,
            port=config.port,
            username=config.username,
            password=config.password.reveal() if config.password else None,
            # Given, because it would be looked up in the DNS otherwise.
            local_hostname=name if _OWN_NAME.fullmatch(name) else "localhost",
            # One time-out of ours covers it all. The library's own would be `wait_for`, which can lose a cancellation.
            timeout=None,
            use_tls=config.security == "tls",
            start_tls=config.security == "starttls",
            tls_context=self._context,
        )

    async def _hand_over(self, client: SMTP, written: bytes, taken: dict[str, datetime]) -> SendResult:
        """Hand the mail over for all who have not `taken` it, and add those who do."""
        everybody = dict.fromkeys(one.addr_spec for one in self._envelope.to)
        await client.mail(self._envelope.sender.addr_spec)
        accepted: list[str] = []
        refused: list[SMTPRecipientRefused] = []
        for one in everybody:
            if one in taken:
                continue
            try:
                await client.rcpt(one)
            except SMTPRecipientRefused as error:
                refused.append(error)
            else:
                accepted.append(one)
        if accepted:
            code = (await client.data(written)).code
            taken.update(dict.fromkeys(accepted, self._clock()))
        elif taken:
            code = refused[0].code
        else:
            # The least final of the refusals decides.
            raise min(refused, key=lambda error: _verdict(error) is SendVerdict.STOP)
        later = [error for error in refused if error.code < 500]
        if later and self._clock() - min(taken.values()) < _PUT_OFF:
            put_off = f"to {len(later)} of {len(everybody)} recipients, who get it later"
            return SendResult(SendVerdict.RETRY, f"SMTP {later[0].code} {put_off}")
        some = f": {len(taken)} of {len(everybody)} recipients" if refused else ""
        return SendResult(SendVerdict.DONE, f"SMTP {code}{some}")


def _address(channel: str, key: str, mailbox: str) -> Address:
    name, spec = parseaddr(mailbox)
    try:
        return Address(display_name=name, addr_spec=spec)
    except (MessageError, ValueError, IndexError):
        raise ConfigError(
            f"channels.{channel}.{key}: not a mail address",
            hint="Write name@example.com, or: Name <name@example.com>",
        ) from None


def _most(client: SMTP) -> int:
    """Give the bytes that a mail may have: the server may say (RFC 1870); 0 there is no limit."""
    said = client.esmtp_extensions.get("size", "").strip()
    return min(MOST, int(said)) if re.fullmatch(r"[1-9][0-9]{0,17}", said) else MOST


async def _say_goodbye(client: SMTP) -> None:
    """End the conversation. The message was taken, so whatever comes of this changes nothing."""
    with suppress(SMTPException, OSError):
        async with asyncio.timeout(_GOODBYE):
            await client.quit()


def _verdict(error: SMTPResponseException) -> SendVerdict:
    too_large = 500 <= error.code < 600 and _says_too_large(error)
    return SendVerdict.STOP if too_large or error.code in _NO_MAIL_HERE else SendVerdict.RETRY


def _says_too_large(error: SMTPResponseException) -> bool:
    if _STATUS.match(error.message):
        return _TOO_LARGE.match(error.message) is not None
    doubtful = error.code != 552 or _MAY_BE_FULL.search(error.message)
    return not doubtful and _SAYS_TOO_LARGE.search(error.message) is not None


def _failure(error: Exception) -> SendResult:
    """Give the result for an attempt that was not taken. None of the words are the server's: only the code is."""
    if isinstance(error, SMTPResponseException) and 200 <= error.code < 600:
        stage = next((words for kind, words in _STAGES if isinstance(error, kind)), "to a command")
        verdict = _verdict(error)
        why = ""
        if verdict is SendVerdict.STOP:
            why = ": it takes no mail" if error.code in _NO_MAIL_HERE else ": the message is too large"
        return SendResult(verdict, f"SMTP {error.code} {stage}{why}")
    return SendResult(SendVerdict.RETRY, _what_broke(error))


def _what_broke(error: Exception) -> str:
    chain = list(causes(error))
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if any(isinstance(cause, ssl.SSLError) for cause in chain):
        return "the secure connection failed: certificate or TLS version"
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return "the host name cannot be resolved"
    if type(error) is SMTPConnectError and isinstance(error.__cause__, OSError):
        # The library wraps a server that hangs up at once in the same way.
        hung_up = isinstance(error.__cause__, SMTPException)
        return _BROKE if hung_up else "no connection: refused or unreachable"
    if type(error) is SMTPException:
        return "the mail server offers no STARTTLS, or no way to sign in that is known here"
    return _BROKE


_BROKE: Final = "the connection broke before a whole answer came"
