"""Reading what stands in files: secrets, and the settings of a witness, which needs to load little of this room."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from pydantic_core import PydanticCustomError

from driftwatch.config.programs import output_of
from driftwatch.config.secret import Sources, absent, problem, shown
from driftwatch.config.witnessing import WitnessConfig, correct, settings_path, state_path, witness_settings
from driftwatch.config.words import InvalidConfigError, Problem, quoted, safe
from driftwatch.errors import ConfigError

_LARGEST_SECRET = 64 * 2**10
_MAKE_READABLE = "make it readable for driftwatch's user"
_A_FILE = "write the secret into a file, or use a variable of the environment"
_OPEN_FILE = re.compile(r"/dev/(stdin|stdout|stderr|fd/.*)|/proc/[^/]+(/task/[^/]+)?/fd/.*")


def is_there(path: Path) -> bool:
    """Say whether something is there. What may not be looked at counts: reading it then says why it fails."""
    try:
        path.stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def load_witness(path: Path | None, environ: Mapping[str, str], home: Path) -> WitnessConfig:
    """Read a witness's settings: `path`, else the usual place, where there may be none. `spool` is absolute then.

    Raises:
        ConfigError: with every problem in it; also where `path` is not there.

    """
    found = path or settings_path(environ, home)
    name = quoted(str(found), limit=200)
    try:
        raw = tomllib.loads(found.read_text(encoding="utf-8-sig")) if path or is_there(found) else {}
    except OSError as error:
        message = f"The settings {name} cannot be read: {error.strerror}."
        raise ConfigError(message, hint="Name a file that the user who runs the host may read.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidConfigError([_unreadable(error)], name=found.name, hint=correct(path)) from None
    run = partial(output_of, environ=environ, base=found.absolute().parent)
    sources = Sources(environ, lambda secret: read_secret(secret, found.parent), run=run)
    settings = witness_settings(raw, sources, name=found.name, hint=correct(path))
    spool = found.absolute().parent / settings.spool if settings.spool else state_path(environ, home)
    return settings.model_copy(update={"spool": str(spool)})


def _unreadable(error: ValueError | RecursionError) -> Problem:
    if isinstance(error, UnicodeDecodeError):
        return Problem("the file", "is not UTF-8 text", "save it as UTF-8")
    if isinstance(error, RecursionError):
        return Problem("the file", "nests too deeply", "the settings are a few lines: docs/witness.md")
    return toml_problem(error)


def toml_problem(error: ValueError) -> Problem:
    """Say what is wrong with a text that is no TOML, and where."""
    message, _, place = str(error).removesuffix(")").rpartition(" (at ")
    if not message:
        message, place = str(error), "the file"
    if "twice" in message or "overwrite" in message or "redefine" in message.lower():
        return Problem(safe(place), safe(message), "a name may stand only once: rename one, or join the two tables")
    return Problem(safe(place), f"this is not TOML: {safe(message)}", "text needs quotes; a table starts with [name]")


def read_secret(path: str, base: Path) -> str:
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
