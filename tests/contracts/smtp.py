"""A destination that speaks SMTP: a mail server on a real socket with TLS, scripted reply by reply."""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from contracts.http import closed_port
from contracts.secrets import SECRETS
from contracts.speech import Speech
from servers.keys import Authority

USER, PASSWORD = "driftwatch@example.org", "mail-pass-2718"
TO = ("mara@example.org", "on-call@example.com")


@dataclass(frozen=True)
class Reply:
    """What a server says at one point: `before`; then it hangs up, falls silent, drips on, or waits and makes noise."""

    before: bytes = b""
    then: str = "hang-up"


Script = Mapping[str, "str | Reply | list[str]"]
"""Replies by command, `greeting` and `.` (the end of the message) among them; a list is for one each."""

_USUAL: Script = {
    "greeting": "220 mail.test ESMTP",
    "EHLO": "250-mail.test\r\n250-SIZE 10000000\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN",
    "STARTTLS": "220 go on",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 ok",
    "RCPT": "250 2.1.5 ok",
    "DATA": "354 go on",
    ".": "250 2.0.0 taken",
    "QUIT": "221 2.0.0 bye",
}


@dataclass
class Mail:
    """One mail as it was handed over."""

    sender: str
    to: tuple[str, ...]
    data: bytes
    secure: bool
    signed_in: tuple[str, str] | None
    greeted_as: str


@dataclass
class PostOffice:
    """A mail server that replies as told, a script for each connection, and then takes everything."""

    port: int = 0
    scripts: deque[Script] = field(default_factory=deque)
    requests: list[Mail] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """Every command that came in clear text."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"smtp+starttls://127.0.0.1:{self.port}"

    async def arrived(self) -> None:
        await self.begun.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        script = dict(_USUAL) | dict(self.scripts.popleft() if self.scripts else {})
        self.begun.set()
        try:
            await _Talk(self, script, reader, writer).run()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            self.gone.set()
        finally:
            writer.close()


@dataclass
class _Talk:
    office: PostOffice
    script: dict[str, str | Reply | list[str]]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    secure: bool = False
    signed_in: tuple[str, str] | None = None
    greeted_as: str = ""
    sender: str = ""
    to: list[str] = field(default_factory=list)

    async def run(self) -> None:
        await self.say("greeting")
        while True:
            line = (await self.reader.readuntil(b"\r\n")).decode("utf-8").rstrip("\r\n")
            if not self.secure:
                self.office.lines.append(line)
            verb = line.split(" ")[0].split(":")[0].upper()
            said = await self.say(verb)
            await self.follow(verb, line, said)
            if verb == "QUIT":
                return

    async def follow(self, verb: str, line: str, said: str) -> None:
        good = said[:1] in "23"
        if verb == "EHLO":
            self.greeted_as = line.split(" ", 1)[1]
        elif verb == "STARTTLS" and good:
            await self.writer.start_tls(authority().server)
            self.secure = True
        elif verb == "AUTH" and good:
            _, user, password = base64.b64decode(line.split(" ")[2]).decode().split("\0")
            self.signed_in = (user, password)
        elif verb == "MAIL" and good:
            self.sender, self.to = _address(line), []
        elif verb == "RCPT" and good:
            self.to.append(_address(line))
        elif verb == "DATA" and good:
            data = (await self.reader.readuntil(b"\r\n.\r\n"))[:-3]
            if (await self.say("."))[:1] == "2":
                unstuffed = re.sub(rb"(?m)^\.\.", b".", data)
                mail = (self.sender, tuple(self.to), unstuffed, self.secure, self.signed_in, self.greeted_as)
                self.office.requests.append(Mail(*mail))

    async def say(self, verb: str) -> str:
        reply = self.script.get(verb, "502 5.5.1 what?")
        if isinstance(reply, list):
            reply = reply.pop(0)
        if isinstance(reply, str):
            self.writer.write(reply.encode() + b"\r\n")
            await self.writer.drain()
            return reply
        self.writer.write(reply.before)
        await self.writer.drain()
        if reply.then == "silence":
            await self.reader.read()
        if reply.then == "noise":
            await self.reader.read(1)
            self.writer.write(b"250 this is not what a handshake looks like\r\n" * 9)
        while reply.then == "drip" and not self.reader.at_eof():
            self.writer.write(b"x")
            await self.writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.reader.read(1), 0.01)
        raise ConnectionAbortedError


def _address(line: str) -> str:
    found = re.fullmatch(r"(?:MAIL FROM|RCPT TO):<([^<>\s]+)>", line)
    assert found, line
    return found.group(1)


@dataclass(frozen=True)
class Trust:
    """What the mail server shows, and what a client that trusts it holds."""

    server: ssl.SSLContext
    client: ssl.SSLContext


@cache
def authority() -> Trust:
    """Make an authority for this process, and a key that it vouches for."""
    with tempfile.TemporaryDirectory() as folder:
        made = Authority(Path(folder))
        client = ssl.create_default_context(cafile=str(made.file))
        return Trust(made.key().context, client)


@asynccontextmanager
async def post_office(
    *scripts: Script, greeting: bytes = b"", tls: ssl.SSLContext | None = None
) -> AsyncIterator[PostOffice]:
    """Open a mail server on a free port; with `tls` it is secure from the first byte on."""
    opened = PostOffice(scripts=deque(scripts))
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(opened.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 20, ssl=tls)
    opened.port = server.sockets[0].getsockname()[1]
    try:
        yield opened
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


_AGAIN: dict[str, Script] = {
    "SMTP 421 to the connection": {"greeting": "421 4.3.2 later"},
    "SMTP 554 to the connection": {"greeting": "554 5.7.1 not you"},
    "SMTP 454 to a command": {"STARTTLS": "454 4.7.0 no key now"},
    "SMTP 501 to a command": {"STARTTLS": "501 what"},
    "SMTP 535 to the sign-in": {"AUTH": "535 5.7.8 Whatever"},
    "SMTP 454 to the sign-in": {"AUTH": "454 4.7.0 later"},
    "SMTP 530 to the sender": {"MAIL": "530 5.7.0 sign in first"},
    "SMTP 451 to the sender": {"MAIL": "451 4.3.0 later"},
    "SMTP 550 to every recipient": {"RCPT": "550 5.1.1 Whatever"},
    "SMTP 450 to every recipient": {"RCPT": ["556 5.1.10 never", "450 4.2.0 grey"]},
    "SMTP 452 to every recipient": {"RCPT": "452 4.2.2 full"},
    "SMTP 552 to every recipient": {"RCPT": "552 5.2.2 full"},
    "SMTP 421 to the message": {"DATA": "421 4.3.2 going down"},
    "SMTP 554 to the message": {".": "554 5.7.1 looks like spam"},
    "SMTP 452 to the message": {".": "452 4.3.1 disk full"},
    "SMTP 552 to the message": {".": "552 5.2.2 mailbox full"},
    "SMTP 552 to the message # no reason": {".": "552 Requested action aborted: exceeded storage allocation"},
    "no STARTTLS": {"EHLO": "250-mail.test\r\n250 AUTH PLAIN LOGIN"},
    "no STARTTLS, or no way to sign in": {"EHLO": "250-mail.test\r\n250 STARTTLS"},
    # The last one, because from here on the other recipient has the mail.
    "SMTP 450 to 1 of 2 recipients": {"RCPT": ["450 4.2.0 grey", "250 ok"]},
}
_BROKE = "the connection broke before a whole answer came"

SMTP = Speech(
    there=post_office,
    nobody=lambda: f"smtp+starttls://127.0.0.1:{closed_port()}",
    nobody_says="no connection: refused or unreachable",
    done={
        "SMTP 250": {},
        "SMTP 250 # forwards": {"RCPT": "251 will forward"},
        "SMTP 250: 1 of 2 recipients": {"RCPT": ["550 no such user", "250 ok"]},
        "SMTP 250 # no goodbye": {"QUIT": Reply()},
        "SMTP 250 # rude goodbye": {"QUIT": "500 what?"},
    },
    again=_AGAIN,
    stop={
        "SMTP 521 to the connection": {"greeting": "521 no mail here"},
        "SMTP 556 to every recipient": {"RCPT": "556 5.1.10 null MX"},
        "SMTP 552 to the message": {".": "552 message too large"},
        "SMTP 552 to the sender": {"MAIL": "552 5.3.4 too big"},
        "SMTP 554 to the message": {".": "554 5.2.3 too long"},
    },
    late={
        "silence": {"greeting": Reply(then="silence")},
        "half-an-answer": {"greeting": Reply(b"220 mail", then="silence")},
        "byte-by-byte": {"greeting": Reply(b"220-", then="drip")},
        "no-handshake": {"STARTTLS": Reply(b"220 go on\r\n", then="silence")},
        "half-a-list": {"EHLO": Reply(b"250-mail.test\r\n250-SI", then="silence")},
        "no-receipt": {".": Reply(then="silence")},
        "byte-by-byte-receipt": {".": Reply(b"250-", then="drip")},
    },
    broken={
        "hang-up": ({"greeting": Reply()}, _BROKE),
        "noise": ({"greeting": Reply(b"\x00\x16 this is no SMTP\r\n")}, _BROKE),
        "web-page": ({"greeting": Reply(b"HTTP/1.1 400 Bad Request\r\n\r\n")}, _BROKE),
        "endless": ({"greeting": Reply(b"220-" + b"x" * 100_000)}, _BROKE),
        "no-number": ({"EHLO": "banana"}, _BROKE),
        "hang-up-in-the-middle": ({"MAIL": Reply()}, _BROKE),
        "hang-up-after-the-message": ({".": Reply()}, _BROKE),
        "no-tls-after-all": (
            {"STARTTLS": Reply(b"220 go on\r\n", then="noise")},
            "the secure connection failed: certificate or TLS version",
        ),
    },
    echoes=(
        {},
        {"AUTH": f"535 5.7.8 {' '.join(SECRETS)}"},
        {"MAIL": f"550 {' '.join(SECRETS)}"},
        {"greeting": Reply(SECRETS[4].encode() + b"\r\n")},
        {".": Reply(then="silence")},
    ),
    secured=lambda url: url.replace("+starttls", "+tls"),
)
"""All that a mail server can answer."""
