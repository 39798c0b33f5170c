"""Any service that Apprise knows, by its URL: an extra, because it brings a good hundred services along.

Apprise runs in a process of its own for each message (see `apprise_program`). It says only whether a message was
sent, so every failure is tried again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from driftwatch.config.channels import AppriseConfig
from driftwatch.errors import ConfigError
from driftwatch.model import Delivery, SendResult, SendVerdict
from driftwatch.tell.channels.base import UNREADABLE, UNWRITABLE
from driftwatch.tell.channels.program import run
from driftwatch.tell.payload import encode
from driftwatch.tell.words import Point, Words, cut, plain_text, words_of

_PROGRAM: Final = str(Path(__file__).with_name("apprise_program.py"))

_ENVIRONMENT: Final = {"LANG": "C.UTF-8", "HOME": "/nonexistent"}
"""All that Apprise gets of an environment: no proxy, no home with settings or a `.netrc`."""

_FIRST_LOOK: Final = 60.0
"""Seconds until it is known what a service takes."""

_SPARE: Final = 10
"""Characters that Apprise may put between title and body."""

_TYPES: Final = {"critical": "failure", "high": "failure", "medium": "warning"}
"""Apprise's word for how bad a message is; anything else is `info`."""


@dataclass(frozen=True, slots=True)
class _Takes:
    """Characters that a service takes; a title of none goes before the body."""

    title: int
    body: int


class Apprise:
    """A channel that hands each message to Apprise."""

    def __init__(self, config: AppriseConfig, *, python: Sequence[str] = ()) -> None:
        """Take the channel's configuration, and a command line that runs a program of Python by itself.

        Raises:
            ConfigError: Apprise is not installed.

        """
        self.name = config.name
        self.max_attempts = config.max_attempts
        self._config = config
        self._command = (*(python or (sys.executable, "-I")), _PROGRAM)
        self._takes: _Takes | None = None
        if find_spec("apprise") is None:
            raise ConfigError(
                f"channels.{config.name}: Apprise is not installed here",
                hint="Install it: pip install 'mcp-driftwatch[apprise]'",
            )

    def __repr__(self) -> str:
        """Name the channel and nothing that could be a secret."""
        return f"<Apprise {self.name}>"

    async def ready(self) -> None:
        """Ask Apprise what the service takes.

        Raises:
            ConfigError: Apprise does not run here, or knows no such service.

        """
        try:
            self._takes = await self._ask(_FIRST_LOOK)
        except OSError:
            raise _runs_not(self.name) from None

    async def send(self, delivery: Delivery) -> SendResult:
        """Hand over one delivery."""
        try:
            encode(delivery.payload)
            words = _without_underscores(words_of(delivery.payload))
        except UNREADABLE:
            return UNWRITABLE
        try:
            answer = await self._hand_over(words)
        except ConfigError as error:
            why = error.message
        except TimeoutError:
            why = "no answer in time"
        except OSError:
            why = "Apprise could not be started"
        else:
            if answer.get("sent") is True:
                return SendResult(SendVerdict.DONE, "Apprise sent it")
            why = "Apprise could not send it, and does not say why" if answer else "Apprise failed"
        return SendResult(SendVerdict.RETRY, why)

    async def aclose(self) -> None:
        """Hold nothing: Apprise lives no longer than an attempt."""

    async def _hand_over(self, words: Words) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._config.timeout
        if self._takes is None:
            self._takes = await self._ask(self._config.timeout)
        return await self._answer(_message(words, self._takes), end - loop.time())

    async def _ask(self, seconds: float) -> _Takes:
        """Ask what the service takes.

        Raises:
            ConfigError: Apprise answers nothing, or knows no such service.
            OSError: it cannot be started, or does not end within so many seconds.

        """
        answer = await self._answer({}, seconds)
        if not answer:
            raise _runs_not(self.name)
        if answer.get("known") is not True:
            raise ConfigError(
                f"channels.{self.name}.url: Apprise knows no such service",
                hint="Write it as Apprise does (ntfy://topic); a service may need a package of its own.",
            )
        return _Takes(title=int(answer["title"]), body=int(answer["body"]))

    async def _answer(self, message: dict[str, str], seconds: float) -> dict[str, Any]:
        """Run the program once; gives its answer, empty when it ended without one."""
        asked = json.dumps({"path": sys.path, "url": self._config.url.reveal(), **message}).encode("ascii")
        code, said = await run(self._command, given=asked, environment=_ENVIRONMENT, timeout=seconds, reads=True)
        return _read(said) if code == 0 else {}


def _runs_not(channel: str) -> ConfigError:
    return ConfigError(
        f"channels.{channel}: Apprise does not run here",
        hint="Try it by itself: python -m apprise --version. Install it again if that fails.",
    )


def _read(said: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(said)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _message(words: Words, takes: _Takes) -> dict[str, str]:
    """Lay a message out for what a service takes, the title in the body where it takes none."""
    title = cut(words.title, takes.title or max(takes.body // 4, 1))
    # Some services count the title as part of the body.
    room = max(takes.body - len(title) - _SPARE, 1)
    kind = "success" if words.over else _TYPES.get(words.severity, "info")
    return {"title": title, "body": plain_text(words, room), "type": kind}


def _without_underscores(words: Words) -> Words:
    """Take every underscore out but those of the link and the command: some services format inside of words too."""

    def plain(text: str) -> str:
        return text.replace("_", "ˍ")

    def point(one: Point) -> Point:
        return replace(one, head=plain(one.head), text=plain(one.text), quote=plain(one.quote))

    return replace(
        words,
        title=plain(words.title),
        lead=plain(words.lead),
        # The id and the command with it are for pasting, and have no other underscore than the one in it.
        facts=tuple((name, value if name in {"Alert", "Acknowledge"} else plain(value)) for name, value in words.facts),
        points=tuple(point(one) for one in words.points),
    )
