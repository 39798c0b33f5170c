"""From a file and the environment to `Settings`. With `files`, the only part of this room that reads files.

Every problem is reported at once. Relative paths in a configuration are relative to the folder that the file is in.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from driftwatch.config.build import NAMED, Surroundings, build
from driftwatch.config.files import is_there, read_secret, toml_problem
from driftwatch.config.policy import UNCHECKED, Known
from driftwatch.config.programs import output_of
from driftwatch.config.schema import Settings
from driftwatch.config.secret import under
from driftwatch.config.words import InvalidConfigError, Problem, path_of, quoted, safe
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
    noted: Callable[[str], None] = lambda _: None,
) -> Settings:
    """Read the configuration (the one that `find` gives). Raises `ConfigError` with every problem in it.

    With `secrets=False` a variable that is not set and a secret's file that is out of reach are no problem: a
    placeholder stands for them, whose `reveal()` raises `ConfigError`. That is for who neither looks nor sends.
    `known` holds the ids that a policy and a channel may name; without it they are not checked. `noted` is told of
    every file that a secret is read from.
    """
    found, text = _text(path, environ, cwd)
    settings = parse(text, environ, base=found.parent, name=found.name, secrets=secrets, known=known, noted=noted)
    return settings.model_copy(update={"path": found})


def _text(path: Path | None, environ: Mapping[str, str], cwd: Path | None) -> tuple[Path, str]:
    """Give the configuration's place and what stands in it. Raises `ConfigError`."""
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
        return found, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = Problem(f"byte {error.start}", "this is not UTF-8", "save the file as UTF-8")
        raise InvalidConfigError([where], name=found.name) from None


def load_rest(path: Path | None, environ: Mapping[str, str], *, known: Known = UNCHECKED) -> Settings:
    """Read what is left of a configuration without the servers, channels and other tables that have problems.

    Without secrets, as `load` can, and for looking only: no daemon may be started with it. Raises `ConfigError` where
    too little is left, also where it is the database that has a problem: another one must not be taken for it.
    """
    found, text = _text(path, environ, None)
    raw = _decoded(text, found.name)
    around = _around(environ, found.parent, known, lambda _: None)
    while True:
        try:
            settings = build(raw, around, name=found.name, secrets=False)
        except InvalidConfigError as error:
            left = without(raw, error.problems)
            if left == raw or left.get("database") != raw.get("database"):
                raise
            if left.get("defaults") != raw.get("defaults"):
                # What servers run in, and where they may lead, may be written there: they must not be started without.
                left = {section: table for section, table in left.items() if section not in {"servers", "inventory"}}
            raw = left
        else:
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
    noted: Callable[[str], None] = lambda _: None,
) -> Settings:
    """Read the text of a configuration; relative paths start at `base`. Raises `ConfigError` with every problem.

    `secrets`, `known` and `noted` are what they are for `load`.
    """
    around = _around(environ, base, known, noted)
    return build(_decoded(text, name), around, name=name, secrets=secrets)


def _decoded(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        where = Problem("the file", "is nested too deeply to be read", "four levels are enough")
        raise InvalidConfigError([where], name=name) from None
    except ValueError as error:
        raise InvalidConfigError([toml_problem(error)], name=name) from None


def _around(environ: Mapping[str, str], base: Path, known: Known, noted: Callable[[str], None]) -> Surroundings:
    def secret_in(path: str) -> str:
        noted(under(base.absolute(), path))
        return read_secret(path, base)

    return Surroundings(
        environ,
        base.absolute(),
        read=secret_in,
        which=_which,
        run=partial(output_of, environ=environ, base=base.absolute()),
        known=known,
    )


def without(raw: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """Give a decoded file without its tables that problems are about; one of many of a kind goes alone."""
    left: dict[str, Any] = {}
    for section, table in raw.items():
        if section in NAMED and isinstance(table, dict):
            good = {name: one for name, one in table.items() if not _is_about(problems, section, name)}
            if good == table and _is_about(problems, section):
                continue
            left[section] = good
        elif not _is_about(problems, section):
            left[section] = table
    return left


def _is_about(problems: Sequence[Problem], *location: str) -> bool:
    place = path_of(location)
    return any(one.path == place or one.path.startswith((f"{place}.", f"{place}[")) for one in problems)


def _which(command: str, path: str) -> str | None:
    """Find a command as a shell with that PATH would."""
    return shutil.which(command, path=path)
