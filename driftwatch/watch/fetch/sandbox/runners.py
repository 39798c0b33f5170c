"""Package runners in the sandbox: a cache of their own for each server, fetched with the network on, then only read.

`npx` and `uvx` can be made to fetch and not run. Then the package that was fetched is started from a cache that it
cannot write. The others fetch and run in one step, and their cache is writable while they run.

- `npx` keeps each package in a folder of `_npx` whose `package.json` says what it was asked for. It writes there even
  when nothing is missing, so the program is started from there as `npx` would start it, without `npx`.
- `uvx` only writes locks and temporary files beside its folders once everything is there: these lie in memory then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from driftwatch.config.packages import FETCH_FIRST, NPM_TAKES, PACKAGE, UV_TAKES, asked
from driftwatch.watch.supply.digests import regular

_OTHERS = ("pnpx", "bunx", "pnpm dlx", "yarn dlx", "bun x", "pipx", "uv", "deno", "pnpm", "yarn", "bun", "npm")
_MAY_SEE = re.compile(
    r"(?:npm_config|NPM|NODE|UV|PIP|PIPX|GIT|SSL|CURL|REQUESTS)_.*|(?:https?|all|no|ftp)_proxy|PATH|LANG|LC_.*",
    re.IGNORECASE,
)
"""The variables that fetching needs. The others are the server's own, and none of an installer's business."""

_CERTIFICATES = frozenset(
    {"ssl_cert_file", "ssl_cert_dir", "requests_ca_bundle", "curl_ca_bundle", "node_extra_ca_certs", "pip_cert"}
    | {"npm_config_cafile", "git_ssl_cainfo"}
)
"""Variables that name files or folders with certificates, without regard to case."""

_WAYS = frozenset(
    {"http_proxy", "https_proxy", "all_proxy", "no_proxy", "node_use_system_ca", "uv_system_certs", "uv_native_tls"}
    | {"uv_index", "uv_default_index", "uv_index_url", "uv_extra_index_url", "uv_index_strategy", "uv_http_timeout"}
    | {"uv_python_install_mirror", "pip_index_url", "pip_extra_index_url", "npm_config_registry", "npm_config_proxy"}
    | {"npm_config_https_proxy", "npm_config_noproxy", "npm_config_strict_ssl"}
)
"""Variables that say by which way packages come on this machine, without regard to case."""

_LOGIN = re.compile(r"[a-z][a-z0-9+.-]*://([^\s/@]*(?:@[^\s/@]+)*)@", re.IGNORECASE)
_TELLING = 4
"""Characters from which on a password is searched for by itself: a shorter one is part of many words."""

_MOST = 1 << 20
_FOLDERS_OF_UV = ("--directory", "--project")


@dataclass(frozen=True)
class Runner:
    """A command that has its program from a package runner.

    `options` are the runner's own words, `packages` what they name, `rest` the words from the first plain one on.
    """

    name: str
    head: tuple[str, ...]
    options: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    line: str = ""
    """What `npx --call` is given."""

    @property
    def is_npm(self) -> bool:
        """Say whether it is npm's."""
        return self.name in {"npx", "npm exec", "npm x"}

    @property
    def fetches_first(self) -> bool:
        """Say whether it can fetch without running."""
        return self.name in FETCH_FIRST and bool(self.packages or self.rest)

    @property
    def is_pinned(self) -> bool:
        """Say whether every package is asked for in one exact version."""
        found = asked(self.head[0], (*self.head[1:], *self.options, *self.rest))
        return bool(found) and all(one.pinned for one in found)

    @property
    def to_fetch(self) -> tuple[str, ...]:
        """The command that fetches, and runs nothing of the package but what it has run in any case.

        That is an install script of npm's, and a line of a `.pth` file: uv starts the Python of the environment itself.
        """
        named = self.packages or self.rest[:1]
        if self.is_npm:
            own = () if self.packages else ("--package", *named)
            return (*self.head, "--yes", *self.options, *own, "--", "true")
        own = () if self.packages else ("--from", *named)
        return (*self.head, *self.options, *own, "python", "-c", "pass")

    def places(self) -> Iterator[str]:
        """Give the files and folders that it is to run: a project that an option names, a package that is a path."""
        for at, word in enumerate(words := (*self.options, *self.rest)):
            option, equals, value = word.partition("=")
            if self.name == "uv" and option in _FOLDERS_OF_UV and (equals or at + 1 < len(words)):
                yield value if equals else words[at + 1]
        for spec in (*self.packages, *self.rest[:1]):
            if spec.startswith((".", "/", "file:")):
                yield spec.removeprefix("file:")


def runner_of(command: str, args: Sequence[str]) -> Runner | None:
    """Take a command apart that starts with a package runner, None for any other."""
    program = re.sub(r"\.(exe|cmd)$", "", command.rpartition("/")[2])
    words = [program, *args]
    for name in (*FETCH_FIRST, *_OTHERS):
        steps = name.split()
        if words[: len(steps)] == steps:
            head = (command, *args[: len(steps) - 1])
            rest = args[len(steps) - 1 :]
            return _apart(name, head, rest) if name in FETCH_FIRST else Runner(name, head, rest=tuple(rest))
    return None


def _apart(name: str, head: tuple[str, ...], words: Sequence[str]) -> Runner:
    is_npm = "np" in name
    takes = {*(NPM_TAKES if is_npm else UV_TAKES), "--with", "--with-editable", "--constraints"}
    named = PACKAGE if is_npm else ("--from",)
    options, packages, line, at = list[str](), list[str](), "", 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        option, equals, value = words[at].partition("=")
        follows = not equals and (option in takes or option in named)
        given = value if equals else words[at + 1] if follows and at + 1 < len(words) else ""
        if is_npm and option in {"-c", "--call"}:
            line = given
        else:
            options += words[at : at + 1 + follows]
        packages += [given] if option in named and given else []
        at += 1 + follows
    at += words[at : at + 1] == ["--"]
    return Runner(name, head, tuple(options), tuple(packages), tuple(words[at:]), line)


def variables(cache: Path) -> dict[str, str]:
    """Give the variables that make every runner keep what it fetches in one folder."""
    return {
        "npm_config_cache": str(cache),
        "npm_config_update_notifier": "false",
        "UV_CACHE_DIR": str(cache),
        "UV_PYTHON_INSTALL_DIR": str(cache / "python"),
        "UV_TOOL_DIR": "/tmp/uv-tools",  # noqa: S108 - in memory: uv makes locks there
        "UV_PROJECT_ENVIRONMENT": str(cache / "project"),
        "UV_LINK_MODE": "copy",
        "PIPX_HOME": str(cache / "pipx"),
        "PIP_CACHE_DIR": str(cache / "pip"),
        "BUN_INSTALL_CACHE_DIR": str(cache / "bun"),
        "DENO_DIR": str(cache / "deno"),
        "XDG_CACHE_HOME": str(cache),
    }


OFFLINE = {"UV_OFFLINE": "1", "npm_config_offline": "true"}
"""The variables that make runners take what they have and ask nobody."""


def to_fetch_with(environment: Mapping[str, str]) -> dict[str, str]:
    """Give the variables that fetching gets: install scripts of packages see none of the server's own."""
    return {name: value for name, value in environment.items() if _MAY_SEE.fullmatch(name)}


def ways(environ: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Give what of this machine's environment says by which way packages come: certificates, proxies, registries.

    What the server's `own` environment says of it stands. Some of these hold passwords (see `secrets_in`): they are
    for fetching alone.
    """
    said = {name.lower() for name in own}
    known = _CERTIFICATES | _WAYS
    return {name: value for name, value in environ.items() if value and name.lower() in known - said}


def certificates(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Give the files and folders with certificates that an environment names, as absolute paths."""
    named = (value for name, value in environment.items() if name.lower() in _CERTIFICATES)
    return tuple(sorted({one for one in named if one.startswith("/") and "\0" not in one}))


def secrets_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Give what must not be told of an environment: names and passwords in its addresses, the longest first."""
    found: set[str] = set()
    for login in (one for value in environment.values() for one in _LOGIN.findall(value)):
        password = login.partition(":")[2] or login
        parts = {password, unquote(password), *re.split(r"%[0-9a-fA-F]{2}", password)}
        found |= {login, unquote(login), *(one for one in parts if len(one) >= _TELLING)}
    return tuple(sorted(found - {""}, key=lambda one: (-len(one), one)))


@dataclass(frozen=True)
class Fetched:
    """What `npx` fetched: the command that starts it, and the folder of its programs, which is searched first."""

    words: tuple[str, ...]
    programs: str


def fetched_npm(runner: Runner, cache: Path) -> Fetched | None:
    """Find what `npx` fetched, and how it would start it; None where it is not there, or where that is not clear."""
    wanted = sorted(runner.packages or runner.rest[:1])
    for about in sorted((cache / "_npx").glob("*/package.json")):
        said = _json(about)
        noted = said.get("_npx")
        if not isinstance(noted, dict) or sorted(_texts(noted.get("packages"))) != wanted:
            continue
        programs = about.parent / "node_modules" / ".bin"
        if runner.line:
            return Fetched(("sh", "-c", runner.line), str(programs))
        is_named = bool(runner.packages and runner.rest)
        name = runner.rest[0] if is_named else _program_of(about.parent, said)
        if (programs / name).exists() and "/" not in name and name:
            return Fetched((str(programs / name), *runner.rest[1:]), str(programs))
        return Fetched(runner.rest, str(programs)) if is_named else None
    return None


def _program_of(folder: Path, said: Mapping[str, Any]) -> str:
    """Give the program that `npx` takes for a package: the one of its name, or the only one."""
    depends = said.get("dependencies")
    names = list(depends) if isinstance(depends, dict) else []
    if len(names) != 1:
        return ""
    about = _json(folder / "node_modules" / names[0] / "package.json")
    own, programs = str(names[0]).rpartition("/")[2], about.get("bin")
    if isinstance(programs, str):
        return own
    named = {str(name): str(file) for name, file in programs.items()} if isinstance(programs, dict) else {}
    return next(iter(named)) if len(set(named.values())) == 1 else own if own in named else ""


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _json(file: Path) -> dict[str, Any]:
    """Read a file that a package may have written, nothing where it is no object or too large."""
    try:
        with regular(file) as opened:
            said = json.loads(opened.read(_MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
