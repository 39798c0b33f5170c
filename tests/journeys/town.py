"""A destination of every kind on loopback: each checks what it gets, and folds repeats as it does in life.

What a destination knows a repeat by: a webhook by `webhook-id`, PagerDuty by `dedup_key`, Alertmanager by the set of
labels, a mailer by Message-ID, a program by `DRIFTWATCH_MESSAGE_ID`. Slack and the services of Apprise know none: there
a repeat is the same message word for word.
"""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import stat
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from contracts.alertmanager import Alerts, accept_alertmanager
from contracts.apprise import accept_apprise
from contracts.channel import accept_webhook
from contracts.http import PATH, Answer, Received, Receiver, raw, status
from contracts.mail import SENDER, accept_mail, parse
from contracts.pagerduty import ROUTING_KEY, Service, accept_pagerduty
from contracts.secrets import SIGNING_KEY
from contracts.slack import accept_slack
from contracts.smtp import PASSWORD, TO, USER, Mail
from servers.connections import Connections
from servers.keys import Authority

TAKES: Final = "takes"
REFUSES: Final = "refuses"
LOSES: Final = "loses"
"""It takes the message, and its answer gets lost."""

_ANSWERS: Final[dict[str, Answer]] = {TAKES: status(200), REFUSES: status(503), LOSES: raw(b"")}
_TITLE: Final = re.compile(r"\[([^]]+)\] (?:channel )?(\S+): .+")


@dataclass
class Place:
    """One destination: how it answers what comes next, and everything that it took, repeats too."""

    port: int = 0
    moods: deque[str] = field(default_factory=deque)
    """How it answers; once there are none left, it takes what comes."""
    on_arrival: Callable[[], None] | None = None
    """Called once, when the next message is here and not answered yet."""
    taken: list[tuple[Any, datetime]] = field(default_factory=list)
    _read: tuple[int, list[tuple[str, str]]] = (-1, [])

    def hear(self, message: Any) -> str:
        """Take a message or not, by the mood; gives the mood."""
        act, self.on_arrival = self.on_arrival, None
        if act is not None:
            act()
        mood = self.moods.popleft() if self.moods else TAKES
        if mood != REFUSES:
            self.taken.append((message, datetime.now(UTC)))
        return mood

    async def open(self) -> None:
        """Be there, always at the same address."""
        raise NotImplementedError

    async def close(self) -> None:
        """Be gone."""
        raise NotImplementedError

    def key(self, message: Any) -> Any:
        """Give what a repeat is known by."""
        raise NotImplementedError

    def same(self, message: Any) -> Any:
        """Give what is the same in every repeat."""
        return message.body

    def read(self, message: Any) -> tuple[str, str]:
        """Check a message; gives what it tells and what it is about: the server's name or the channel's."""
        raise NotImplementedError

    def came(self) -> int:
        """Give a number that is another one once more was taken."""
        return len(self.taken)

    def once(self) -> list[Any]:
        """Give what was taken, without the repeats."""
        first: dict[Any, Any] = {}
        for message, _ in self.taken:
            kept = first.setdefault(self.key(message), message)
            assert kept is message or self.same(kept) == self.same(message), "a repeat is the same message"
        return list(first.values())

    def told(self, about: str) -> list[str]:
        """Give what people were told about a server or a channel, in order and each once."""
        if self._read[0] != (came := self.came()):
            self._read = came, [self.read(message) for message in self.once()]
        return [word for word, name in self._read[1] if name == about]


def _titled(title: str) -> tuple[str, str]:
    found = _TITLE.fullmatch(title)
    assert found, title
    word = {"RESOLVED": "resolved", "ACKNOWLEDGED": "acknowledged"}.get(found[1], "opened")
    word = "updated" if found[1].endswith("more of it") else word
    return "reminded" if found[1].endswith("still open") else word, found[2]


def _typed(body: dict[str, Any]) -> tuple[str, str]:
    data = body["data"]
    return body["type"].rpartition(".")[2], "" if "alerts" in data else data["server"] or data["channel"]


class HttpPlace(Place):
    """A destination that is posted to."""

    def __init__(self) -> None:
        super().__init__()
        self._receiver = Receiver(usual=self._answer)
        self._connections = Connections()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        await self._connections.end(self._server)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._connections.one(writer):
            await self._receiver.serve(reader, writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mood = self.hear(self._receiver.requests[-1])
        await _ANSWERS[mood](reader, writer)

    def key(self, message: Received) -> Any:
        return message.body


class WebhookPlace(HttpPlace):
    def key(self, message: Received) -> str:
        return message.headers["webhook-id"]

    def read(self, message: Received) -> tuple[str, str]:
        return _typed(dict(accept_webhook(message).exact or {}))


class SlackPlace(HttpPlace):
    def read(self, message: Received) -> tuple[str, str]:
        return _titled(accept_slack(message).title)


class ApprisePlace(HttpPlace):
    @property
    def url(self) -> str:
        return f"json://127.0.0.1:{self.port}{PATH.partition('?')[0]}?+X-Token=header-token-1234"

    def read(self, message: Received) -> tuple[str, str]:
        return _titled(accept_apprise(message).title)


class PagerDutyPlace(HttpPlace):
    def told(self, about: str) -> list[str]:
        service, sources = Service(), {}
        for message, _ in self.taken:
            accept_pagerduty(message)
            service.take(message)
            event = json.loads(message.body)
            if "payload" in event:
                sources[event["dedup_key"]] = event["payload"]["source"]
        words = [("opened" if word == "triggered" else word, sources[key]) for word, key in service.history]
        return [word for word, source in words if source == about]


class AlertmanagerPlace(HttpPlace):
    def told(self, about: str) -> list[str]:
        known, firing, words = Alerts(), False, []
        for message, at in self.taken:
            accept_alertmanager(message)
            known.take(message, at)
            fires = any(about in (one.get("server"), one.get("channel")) for one in known.firing(at))
            words += [] if fires == firing else ["opened" if fires else "resolved"]
            firing = fires
        return words


class MailPlace(Place):
    """A mail server of aiosmtpd that demands STARTTLS and a sign-in."""

    def __init__(self, context: Any) -> None:
        super().__init__()
        self._context = context

    async def open(self) -> None:
        self._server = await asyncio.get_running_loop().create_server(self._protocol, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._server.close()

    def _protocol(self) -> SMTP:
        return SMTP(
            self,
            loop=asyncio.get_running_loop(),
            hostname="mail.test",
            tls_context=self._context,
            require_starttls=True,
            auth_required=True,
            authenticator=_sign_in,
        )

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - its hook
        assert envelope.mail_from is not None
        assert isinstance(envelope.original_content, bytes)
        mail = Mail(
            sender=envelope.mail_from,
            to=tuple(envelope.rcpt_tos),
            data=envelope.original_content,
            secure=session.ssl is not None,
            signed_in=session.auth_data,
            greeted_as=str(session.host_name),
        )
        mood = self.hear(mail)
        if mood == LOSES:
            assert server.transport is not None
            server.transport.abort()
        return "451 4.3.0 later" if mood == REFUSES else "250 2.0.0 taken"

    def key(self, message: Mail) -> str:
        return str(parse(message.data)["Message-ID"])

    def same(self, message: Mail) -> bytes:
        mail = parse(message.data)
        del mail["Date"]
        return mail.as_bytes()

    def read(self, message: Mail) -> tuple[str, str]:
        return _titled(accept_mail(message).title)


def _sign_in(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    assert isinstance(data, LoginPassword)
    given = (data.login.decode(), data.password.decode())
    return AuthResult(success=given == (USER, PASSWORD), auth_data=given)


@dataclass(frozen=True)
class Run:
    """One run of the program that wrote down what it got."""

    id: str
    event: str
    body: bytes


_PROGRAM = """#!/bin/sh
# The disk that is full is driftwatch's, not the pager's.
ulimit -S -f unlimited
cd {folder}
echo run >> runs
mood=$(sed -n "$(wc -l < runs)p" moods)
body=$(cat)
if [ "$mood" = refuses ]; then exit 1; fi
printf '%s %s %s\\n' "$DRIFTWATCH_MESSAGE_ID" "$DRIFTWATCH_EVENT" "$body" >> log
if [ "$mood" = loses ]; then kill -KILL $$; fi
"""


class ProgramPlace(Place):
    """A small script that appends what it gets to a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.program = folder / "page"
        super().__init__()

    async def open(self) -> None:
        moods, self.moods = self.moods, deque()
        (self._folder / "moods").write_text("".join(f"{mood}\n" for mood in moods), encoding="utf-8")
        self.program.write_text(_PROGRAM.format(folder=shlex.quote(str(self._folder))), encoding="utf-8")
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    async def close(self) -> None:
        self.program.unlink(missing_ok=True)

    def came(self) -> int:
        log = self._folder / "log"
        return log.stat().st_size if log.exists() else 0

    def once(self) -> list[Run]:
        log = self._folder / "log"
        lines = log.read_bytes().splitlines() if log.exists() else []
        runs = [Run(*(word.decode() for word in line.split(b" ", 2)[:2]), line.split(b" ", 2)[2]) for line in lines]
        self.taken = [(run, datetime.now(UTC)) for run in runs]
        return super().once()

    def key(self, message: Run) -> str:
        return message.id

    def read(self, message: Run) -> tuple[str, str]:
        word, about = _typed(json.loads(message.body))
        assert message.id.startswith("msg_")
        assert message.event == word
        return word, about


@dataclass
class Town:
    """A destination of every kind."""

    places: dict[str, Place]
    environment: dict[str, str]
    """What a process needs to trust the mail server."""
    _told: dict[tuple[str, str], tuple[int, list[str]]] = field(default_factory=dict)

    def told(self, about: str) -> dict[str, list[str]]:
        """Give what people were told about a server or a channel, everywhere. It is read anew only where more came."""
        for kind, place in self.places.items():
            came = place.came()
            if self._told.get((kind, about), (-1, []))[0] != came:
                self._told[kind, about] = came, place.told(about)
        return {kind: [*self._told[kind, about][1]] for kind in self.places}

    def everywhere(self, *words: str) -> dict[str, list[str]]:
        """Give what `told` is when everybody was told just this."""
        return {kind: list(words) for kind in self.places}

    def repeats(self) -> int:
        """Count what came again to where a repeat is known by an id of its own."""
        keyed = [self.places[kind] for kind in ("webhook", "email", "command")]
        return sum(len(place.taken) - len(place.once()) for place in keyed)

    async def open(self) -> None:
        for place in self.places.values():
            await place.open()

    async def close(self) -> None:
        for place in self.places.values():
            await place.close()

    def tables(self) -> list[str]:
        """Give the tables of a configuration file in which each kind is named for itself."""
        urls = {kind: place.url for kind, place in self.places.items() if isinstance(place, HttpPlace)}
        program = self.places["command"]
        assert isinstance(program, ProgramPlace)
        given: dict[str, dict[str, Any]] = {
            "webhook": {"url": urls["webhook"], "secret": SIGNING_KEY},
            "slack": {"url": urls["slack"]},
            "pagerduty": {"url": urls["pagerduty"], "routing_key": ROUTING_KEY},
            "alertmanager": {"url": urls["alertmanager"], "bearer": "mail-pass-2718"},
            "email": {"host": "127.0.0.1", "port": self.places["email"].port, "username": USER, "password": PASSWORD},
            "apprise": {"url": urls["apprise"]},
            "command": {"command": str(program.program)},
        }
        given["email"] |= {"sender": SENDER, "to": list(TO)}
        lines = []
        for kind, table in given.items():
            # A claim outlives what an attempt may take, and after a kill its end is waited for.
            lines += [f"[channels.{kind}]", f'kind = "{kind}"', "timeout = 4"]
            lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]
            lines += ['headers = {X-Token = "header-token-1234"}'] if kind in {"webhook", "alertmanager"} else []
        return lines


@asynccontextmanager
async def town(folder: Path) -> AsyncIterator[Town]:
    """Build one of every kind, open, with what it keeps in a new folder there."""
    folder.mkdir()  # noqa: ASYNC240 - nothing else runs yet
    authority = Authority(folder)
    places: dict[str, Place] = {
        "webhook": WebhookPlace(),
        "slack": SlackPlace(),
        "pagerduty": PagerDutyPlace(),
        "alertmanager": AlertmanagerPlace(),
        "email": MailPlace(authority.key().context),
        "apprise": ApprisePlace(),
        "command": ProgramPlace(folder / "command"),
    }
    built = Town(places, {"SSL_CERT_FILE": str(authority.file)})
    await built.open()
    try:
        yield built
    finally:
        await built.close()
