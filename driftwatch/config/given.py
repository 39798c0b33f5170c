"""How a server would be started or reached, as a person gives it in place of the keys of its table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Filled, Sources, fill, hidden, shown, words_of
from driftwatch.errors import UsageError


def by_line(name: str, line: str, *, environ: Mapping[str, str], base: Path) -> ServerConfig:
    """Read the command line of a server as a shell would split it, without a shell.

    `${NAME}` is filled in as in a configuration, and shown as it is written. A program that is given as a path is
    relative to `base`.

    Raises:
        UsageError: it cannot be split, is empty, names a variable that is not set, or holds what no command can.

    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(
            f"The command cannot be split into words: {error}.",
            hint="Write it as one word in quotes: --command 'npx -y pkg@1.2.4 --flag'",
        ) from None
    if not words or not words[0]:
        raise UsageError("The command is empty.", hint="Write it as one word: --command 'npx -y pkg@1.2.4'")
    command, *args = (_filled(word, environ) for word in words)
    if "/" in command:
        command = Filled(str(base / command), shown=str(base / shown(command)), hidden=hidden(command))
    return _made({"name": name, "command": command, "args": args})


def by_url(name: str, url: str, *, sse: bool = False, environ: Mapping[str, str]) -> ServerConfig:
    """Read the URL of a server; `sse` is for one of the legacy transport.

    Raises:
        UsageError: it is no URL that driftwatch can speak to, or names a variable that is not set.

    """
    transport = {"transport": "sse"} if sse else {}
    return _made({"name": name, "url": _filled(url, environ), **transport})


def _filled(word: str, environ: Mapping[str, str]) -> str:
    try:
        return fill(word, Sources(environ, read=lambda _: ""))
    except PydanticCustomError as error:
        raise _refused(*words_of(error)) from None


def _made(values: dict[str, Any]) -> ServerConfig:
    try:
        return ServerConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        context = first.get("ctx", {})
        raise _refused(str(context.get("message", first["msg"])), str(context.get("hint", ""))) from None


def _refused(message: str, hint: str) -> UsageError:
    return UsageError(f"{message[:1].upper()}{message[1:]}.", hint=f"{hint[:1].upper()}{hint[1:]}." if hint else "")
