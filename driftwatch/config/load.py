"""From a file and the environment to `Settings`. With `files`, the only part of this room that reads files.

Every problem is reported at once. Relative paths in a configuration are relative to the folder that the file is in.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from driftwatch.config.build import Surroundings, build
from driftwatch.config.files import is_there, read_secret, toml_problem
from driftwatch.config.policy import UNCHECKED, Known
from driftwatch.config.programs import output_of
from driftwatch.config.schema import Settings
from driftwatch.config.words import InvalidConfigError, Problem, quoted, safe
from driftwatch.errors import ConfigError

_PLACES = (Path("driftwatch.toml"), Path("/etc/driftwatch/driftwatch.toml"))
_LARGEST_FILE = 4 * 2**20


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
    found = next((cwd / place for place in _PLACES if is_there(cwd / place)), None)
    if found is None:
        looked = " and ".join(safe(str(cwd / place)) for place in _PLACES)
        raise ConfigError(
            f"No configuration was found. Looked at {looked}.",
            hint="Make one from your MCP host's file with `driftwatch import FILE > driftwatch.toml`, start from "
            "deploy/driftwatch.toml, or name one with --config or DRIFTWATCH_CONFIG.",
        )
    return found


def _asked_for(place: Path, asked: Path, by: str) -> Path:
    if not is_there(place):
        message = f"There is no configuration at {quoted(str(asked))}, which {by} names."
        raise ConfigError(message, hint="Check the path, or leave it out to see how to start.")
    return place


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
        raise InvalidConfigError([toml_problem(error)], name=name) from None
    around = Surroundings(
        environ,
        base.absolute(),
        read=lambda path: read_secret(path, base),
        which=_which,
        run=partial(output_of, environ=environ, base=base.absolute()),
        known=known,
    )
    return build(raw, around, name=name, secrets=secrets)


def _which(command: str, path: str) -> str | None:
    """Find a command as a shell with that PATH would."""
    return shutil.which(command, path=path)
