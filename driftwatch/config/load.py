"""From a file and the environment to `Settings`. The only part of this room that reads files.

Every problem is reported at once. Relative paths in a configuration are relative to the folder that the file is in.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_core import PydanticCustomError

from driftwatch.config.build import Surroundings, build
from driftwatch.config.policy import UNCHECKED, Known
from driftwatch.config.schema import Settings
from driftwatch.config.secret import Sources, absent, problem, shown
from driftwatch.config.witnessing import WitnessConfig, settings_path, state_path, witness_settings
from driftwatch.config.words import InvalidConfigError, Problem, quoted, safe
from driftwatch.errors import ConfigError

_PLACES = (Path("driftwatch.toml"), Path("/etc/driftwatch/driftwatch.toml"))
_LARGEST_FILE = 4 * 2**20
_LARGEST_SECRET = 64 * 2**10
_MAKE_READABLE = "make it readable for driftwatch's user"
_A_FILE = "write the secret into a file, or use a variable of the environment"
_OPEN_FILE = re.compile(r"/dev/(stdin|stdout|stderr|fd/.*)|/proc/[^/]+(/task/[^/]+)?/fd/.*")


def find(path: Path | None, environ: Mapping[str, str], cwd: Path) -> Path:
    """Give the configuration to use.

    It is `path`, else what `DRIFTWATCH_CONFIG` names, else `driftwatch.toml` in `cwd` or in `/etc/driftwatch`.
    Raises `ConfigError` when a file that was asked for is not there, or none was found anywhere.
    """
    named = environ.get("DRIFTWATCH_CONFIG", "")
    if path is not None:
        return _asked_for(cwd / path, path, "the command line")
    if named:
        return _asked_for(cwd / named, Path(named), "DRIFTWATCH_CONFIG")
    found = next((cwd / place for place in _PLACES if _is_there(cwd / place)), None)
    if found is None:
        looked = " and ".join(safe(str(cwd / place)) for place in _PLACES)
        raise ConfigError(
            f"No configuration was found. Looked at {looked}.",
            hint="Make one from your MCP host's file with `driftwatch import FILE > driftwatch.toml`, start from "
            "deploy/driftwatch.toml, or name one with --config or DRIFTWATCH_CONFIG.",
        )
    return found


def _asked_for(place: Path, asked: Path, by: str) -> Path:
    if not _is_there(place):
        message = f"There is no configuration at {quoted(str(asked))}, which {by} names."
        raise ConfigError(message, hint="Check the path, or leave it out to see how to start.")
    return place


def _is_there(path: Path) -> bool:
    """Say whether something is there. What may not be looked at counts: reading it then says why it fails."""
    try:
        path.stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def load(
    path: Path | None,
    environ: Mapping[str, str],
    *,
    cwd: Path | None = None,
    secrets: bool = True,
    known: Known = UNCHECKED,
) -> Settings:
    """Read the configuration (the one that `find` gives). Raises `ConfigError` with every problem in it.

    With `secrets=False` a variable that is not set and a secret's file that is out of reach are no problem: a
    placeholder stands for them, whose `reveal()` raises `ConfigError`. That is for who neither looks nor sends.
    `known` holds the ids that a policy and a channel may name; without it they are not checked.
    """
    found = _plain(find(path, environ, cwd or Path.cwd()).absolute())
    try:
        with found.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        message = f"The configuration {quoted(str(found), limit=200)} cannot be read: {error.strerror}."
        raise ConfigError(message, hint="Name a file that the user who runs driftwatch may read.") from error
    if len(data) > _LARGEST_FILE:
        message = f"{quoted(str(found))} is larger than 4 MiB."
        raise ConfigError(message, hint="This is hardly a configuration. Check the path.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = Problem(f"byte {error.start}", "this is not UTF-8", "save the file as UTF-8")
        raise InvalidConfigError([where], name=found.name) from None
    settings = parse(text, environ, base=found.parent, name=found.name, secrets=secrets, known=known)
    return settings.model_copy(update={"path": found})


def _plain(path: Path) -> Path:
    """Give the path without `..`, if it is still the same file then: behind a link to a folder it may not be."""
    plain = Path(os.path.normpath(path))
    try:
        return plain if plain.samefile(path) else path
    except OSError:
        return path


def parse(
    text: str,
    environ: Mapping[str, str],
    *,
    base: Path,
    name: str = "The configuration",
    secrets: bool = True,
    known: Known = UNCHECKED,
) -> Settings:
    """Read the text of a configuration; relative paths start at `base`. Raises `ConfigError` with every problem.

    `secrets` and `known` are what they are for `load`.
    """
    try:
        raw: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        where = Problem("the file", "is nested too deeply to be read", "four levels are enough")
        raise InvalidConfigError([where], name=name) from None
    except ValueError as error:
        raise InvalidConfigError([_toml_problem(error)], name=name) from None
    around = Surroundings(environ, base.absolute(), lambda path: _read_secret(path, base), _which, known)
    return build(raw, around, name=name, secrets=secrets)


def load_witness(path: Path | None, environ: Mapping[str, str], home: Path) -> WitnessConfig:
    """Read a witness's settings: `path`, else the usual place, where there may be none. `spool` is absolute then.

    Raises:
        ConfigError: with every problem in it; also where `path` is not there.

    """
    found = path or settings_path(environ, home)
    name = quoted(str(found), limit=200)
    try:
        raw = tomllib.loads(found.read_text(encoding="utf-8-sig")) if path or _is_there(found) else {}
    except OSError as error:
        message = f"The settings {name} cannot be read: {error.strerror}."
        raise ConfigError(message, hint="Name a file that the user who runs the host may read.") from error
    except (ValueError, RecursionError) as error:
        where = _toml_problem(error) if isinstance(error, ValueError) else Problem("the file", "nests too deeply", "")
        raise InvalidConfigError([where], name=found.name) from None
    sources = Sources(environ, lambda secret: _read_secret(secret, found.parent))
    settings = witness_settings(raw, sources, name=found.name)
    spool = found.absolute().parent / settings.spool if settings.spool else state_path(environ, home)
    return settings.model_copy(update={"spool": str(spool)})


def _toml_problem(error: ValueError) -> Problem:
    message, _, place = str(error).removesuffix(")").rpartition(" (at ")
    if not message:
        message, place = str(error), "the file"
    if "twice" in message or "overwrite" in message or "redefine" in message.lower():
        return Problem(safe(place), safe(message), "a name may stand only once: rename one, or join the two tables")
    return Problem(safe(place), f"this is not TOML: {safe(message)}", "text needs quotes; a table starts with [name]")


def _read_secret(path: str, base: Path) -> str:
    """Read a secret's file; what goes wrong is a problem of the key that names it."""
    named, place = quoted(shown(path)), base / path
    try:
        data = _regular(place, named)
    except PydanticCustomError:
        # It is a ValueError too.
        raise
    except FileNotFoundError:
        raise absent(f"there is no file {named}", "a relative path starts at the configuration's folder") from None
    except IsADirectoryError:
        raise problem(f"{named} is a folder", "name the file in it") from None
    except PermissionError as error:
        raise absent(f"the file {named} cannot be read: {error.strerror}", _MAKE_READABLE) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a path"
        raise problem(f"the file {named} cannot be read: {reason}", _MAKE_READABLE) from None
    if len(data) > _LARGEST_SECRET:
        raise problem(f"the file {named} is larger than 64 KiB", "it must hold the secret and nothing else")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise problem(f"the file {named} is not UTF-8 text", "it must hold the secret and nothing else") from None


def _regular(place: Path, named: str) -> bytes:
    """Read a regular file, a link to one too, as systemd, Docker and Kubernetes hand secrets out.

    Anything else can make whoever opens it wait for ever, gives its content only once, or has effects when it is
    opened. What stands for an open file of this process, such as `/dev/stdin`, is another file for each command.
    """
    if _OPEN_FILE.fullmatch(os.path.normpath(place)):
        raise problem(f"{named} is whatever driftwatch was started with, and no file", _A_FILE)
    state = place.stat()
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError
    _refuse_irregular(state, named)
    # It may be another one by now; without waiting for whoever writes into it.
    with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123 - of a number
        _refuse_irregular(os.fstat(file.fileno()), named)
        return file.read(_LARGEST_SECRET + 1)


def _refuse_irregular(state: os.stat_result, named: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        kinds = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"))
        kind = next((word for fits, word in kinds if fits(state.st_mode)), "a device")
        raise problem(f"{named} is {kind}, and no regular file", _A_FILE)


def _which(command: str, path: str) -> str | None:
    """Find a command as a shell with that PATH would."""
    return shutil.which(command, path=path)
