"""Which of the commands that a pull request holds may be started to see what they show, and as what.

A command of a pull request is hostile. It is started only if it fetches packages of a registry and nothing else, by a
runner that stands on the search path, and in a sandbox: none of its options but harmless ones, nothing of the machine
named in its arguments, no variable with a value that is anybody's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.packages import Asked, asked, at_version
from driftwatch.config.schema import ServerConfig, Timeouts
from driftwatch.config.secret import Sources, fill, shown
from driftwatch.config.words import quoted
from driftwatch.review.starts import Start
from driftwatch.watch.fetch.sandbox.said import is_engine

PLACEHOLDER: Final = "placeholder"
"""What every variable of a server that is looked at for a pull request holds."""

_PROGRAMS: Final = frozenset({"npx", "npm", "pnpx", "pnpm", "yarn", "bunx", "bun", "uvx", "uv", "pipx"})
_ENGINES: Final = frozenset({"docker", "podman", "nerdctl"})
_FLAGS: Final = frozenset(
    {"-y", "--yes", "-q", "--quiet", "--silent", "--", "exec", "x", "dlx", "tool", "run", "--isolated", "--no-progress"}
)
_VALUED: Final = frozenset({"-p", "--package", "--from", "--with", "--spec", "--python"})
"""Options whose value is a package, or the version of Python."""

_PYTHON: Final = re.compile(r"\d(?:\.\d+){0,2}")
_VARIABLE: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_OCI: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@-]{0,300}")
_STEERING: Final = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|LC_.*|LD_.*|DYLD_.*|NODE_.*|PYTHON.*|UV_.*|PIPX?_.*|npm_.*|BUN_.*|.*_PROXY"
    r"|GIT_.*|SSL_.*|CURL_.*|REQUESTS_.*",
    re.IGNORECASE,
)
"""Variables that programs read that are not the server: they keep what the sandbox gives them."""


@dataclass(frozen=True, slots=True)
class Startable:
    """A server as a pull request has it, `written`, and as it is started to see what it shows."""

    written: ServerConfig
    started: ServerConfig


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a command of a pull request is not started."""

    why: str


class _Anything(dict[str, str]):
    """An environment in which every variable is set, and none holds anything."""

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002 - nothing is ever missing
        """Give the placeholder."""
        return PLACEHOLDER


def startable(start: Start, *, folder: str, network: bool) -> Startable | Unfit:
    """Say how a command may be started: in the sandbox, in an empty `folder`, with placeholders for its variables.

    With `network` the server has one while it is listed; its package is fetched with it in any case.
    """
    words = _unwrapped(start.words)
    try:
        written = _config(start, start.words)
        plain = _config(start, words)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return Unfit(f"its command cannot be used: {first.get('ctx', {}).get('message', first['msg'])}")
    except PydanticCustomError as error:
        return Unfit(f"its command cannot be used: {error.message()}")
    found = asked(plain.command, plain.args)
    why = next(_refused(plain, found), "")
    if why:
        return Unfit(why)
    if plain.command in _ENGINES:
        args = _contained(plain, found[0], start.env, network=network)
        return Startable(written, plain.model_copy(update={"args": args}))
    env = [name for name in start.env if not is_steering(name)]
    secrets = {name: plain.env[name] for name in env}
    sandbox = SandboxConfig(kind="bwrap", home="empty", network="on" if network else "fetch-only")
    more = {"env": secrets, "sandbox": sandbox, "cwd": folder}
    return Startable(written, plain.model_copy(update=more))


def is_steering(name: str) -> bool:
    """Say whether a variable is one that programs read beside the server, and that no look for a pull request has."""
    return _STEERING.fullmatch(name) is not None


def _config(start: Start, words: Sequence[str]) -> ServerConfig:
    sources = Sources(_Anything(), read=lambda _: PLACEHOLDER)
    command, *args = [fill(word, sources) for word in words]
    values = {
        "name": start.server,
        "command": command,
        "args": args,
        "env": dict.fromkeys(start.env, PLACEHOLDER),
        "timeout": Timeouts(start=120.0, look=240.0),
    }
    return ServerConfig.model_validate(values, context=sources)


def _unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Take off what Windows needs around a command; what is left is started here."""
    if len(words) > 2 and words[0].lower() in {"cmd", "cmd.exe"} and words[1].lower() == "/c":
        words = words[2:]
    command = re.sub(r"\.(cmd|exe)$", "", words[0], flags=re.IGNORECASE)
    return (command, *words[1:])


def _refused(server: ServerConfig, found: Sequence[Asked]) -> Iterator[str]:
    """Say what keeps a command from being started."""
    if server.command not in _PROGRAMS | _ENGINES:
        yield f"{quoted(shown(server.command))} is no program that fetches a package of a registry"
        return
    if not found or not found[0].main:
        yield "its command names no package of a registry"
        return
    for one in found:
        if not one.name or not at_version(one, "1.0.0"):
            yield f"{quoted(one.spec)} is no package of a registry"
    if server.command in _ENGINES:
        if not _OCI.fullmatch(found[0].spec):
            yield f"{quoted(found[0].spec)} is no name of an image"
        return
    if is_engine(server):
        yield "it would start a container past the sandbox"
    yield from _options(server, found)
    for word in server.args:
        for part in (word, word.partition("=")[2]):
            if _is_of_the_machine(part):
                yield f"its arguments name {quoted(shown(word))}, which is a file of this machine or leads to one"


def _options(server: ServerConfig, found: Sequence[Asked]) -> Iterator[str]:
    """Refuse options of the runner, which could make it fetch from, or run, something else."""
    specs = {one.spec for one in found}
    main = next(one.spec for one in found if one.main)
    named, rest = False, iter(server.args)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _VALUED:
            given = value if equals else next(rest, "")
            named = named or main in given.split(",")
            is_known = _PYTHON.fullmatch(given) is not None or set(given.split(",")) <= specs
        elif (word == main and not named) or (named and not word.startswith("-") and word not in _FLAGS):
            return  # what follows is the server's own
        else:
            is_known = word in _FLAGS
        if not is_known:
            yield f"its command has an option that no pull request may set: {quoted(shown(word))}"
            return


def _is_of_the_machine(word: str) -> bool:
    if "\0" in word or ".." in re.split(r"[/\\]", word) or word.startswith(("~", "file:")):
        return True
    # A word is no path yet: `/a/file/` and `/a/file/.` come to the file as well, once they are read as one.
    return word.startswith("/") and os.path.isfile(os.path.normpath(word))  # noqa: PTH113


def _contained(server: ServerConfig, image: Asked, env: Sequence[str], *, network: bool) -> tuple[str, ...]:
    """Give the arguments of a container engine with options of our own, and none of those that were written."""
    rest = server.args[server.args.index(image.spec) + 1 :]
    names = dict.fromkeys([*(name for name in env if _VARIABLE.fullmatch(name)), *_named(server.args)])
    variables = [part for name in names for part in ("-e", f"{name}={PLACEHOLDER}")]
    walls = ("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "512", "--memory", "2g")
    away = () if network else ("--network", "none")
    return ("run", "--rm", "-i", "--init", *walls, *away, *variables, image.spec, *rest)


def _named(args: Sequence[str]) -> Iterator[str]:
    """Give the names of the variables that a container is given."""
    for option, value in pairwise(args):
        name = value.partition("=")[0]
        if option in {"-e", "--env"} and _VARIABLE.fullmatch(name):
            yield name
