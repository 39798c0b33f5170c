"""The settings of a witness: a small file of the person who runs a host, apart from the daemon's configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_core import PydanticCustomError

from driftwatch.config.secret import Sources, fill, words_of
from driftwatch.config.table import Table
from driftwatch.config.values import Count, Seconds, Size, Text, Token, UrlIfAny
from driftwatch.config.words import InvalidConfigError, Problem
from driftwatch.model.commands import command

VARIABLES = {"DRIFTWATCH_WITNESS_URL": "url", "DRIFTWATCH_WITNESS_TOKEN": "token"}
"""The keys that a variable sets instead of the file; an empty variable counts as not set."""


def correct(path: Path | None) -> str:
    """Say what to do about settings that cannot be used, `path` where they were named. Sessions go on."""
    look = command("witness", "status", *(("--settings", str(path)) if path else ()))
    return f"Correct it, then run `{look}`. Meanwhile what agents are shown is kept, and not delivered."


FILE = Path("driftwatch", "witness.toml")
"""Where the settings stand in the folder of a person's settings."""

FOLDER = Path("driftwatch", "witness")
"""Where looks wait, in the folder of a person's state."""


INSTALLS = Path("driftwatch", "installed")
"""Where backups of hosts' files are, in the folder of a person's state."""


class WitnessConfig(Table):
    """Where a witness takes what it saw, and how much of it may wait."""

    url: UrlIfAny = Field(
        default="", description="Where the daemon answers, e.g. `http://127.0.0.1:8642`. Without it nothing is sent."
    )
    token: Token | None = Field(
        default=None, exclude=True, repr=False, description="A token of the daemon, of the scope `looks`."
    )
    spool: Text = Field(default="", description="The folder in which looks wait until they are delivered.")
    spool_looks: Count = Field(default=200, description="The most looks that wait.")
    spool_bytes: Size = Field(default=64 * 2**20, description="The most bytes that wait.")
    timeout: Seconds = Field(default=10.0, description="How long the daemon may take for one look.")


def settings_path(environ: Mapping[str, str], home: Path) -> Path:
    """Give the usual place of the settings (`$XDG_CONFIG_HOME/driftwatch/witness.toml`)."""
    return _below(environ.get("XDG_CONFIG_HOME", ""), home / ".config") / FILE


def state_path(environ: Mapping[str, str], home: Path) -> Path:
    """Give the folder in which looks wait where the settings name none (`$XDG_STATE_HOME/driftwatch/witness`)."""
    return _below(environ.get("XDG_STATE_HOME", ""), home / ".local" / "state") / FOLDER


def installs_path(environ: Mapping[str, str], home: Path) -> Path:
    """Give the folder that remembers where the witness was put into hosts' files, and what was there before."""
    return _below(environ.get("XDG_STATE_HOME", ""), home / ".local" / "state") / INSTALLS


def witness_settings(raw: Mapping[str, Any], sources: Sources, *, name: str, hint: str) -> WitnessConfig:
    """Make the settings of a decoded file and the environment; `hint` is what to do about any problem.

    Raises:
        InvalidConfigError: with every problem in it.

    """
    problems: list[Problem] = []
    given = dict(raw)
    named = {key: variable for variable, key in VARIABLES.items() if sources.environ.get(variable)}
    given |= {key: sources.environ[variable] for key, variable in named.items()}
    values = dict(_filled(given, sources, named, problems))
    try:
        made = WitnessConfig.model_validate(values, context=sources)
    except ValidationError as error:
        for line in error.errors(include_url=False, include_input=False):
            place = ".".join(str(step) for step in line["loc"])
            problems.append(Problem(named.get(place, place), line["ctx"]["message"], line["ctx"]["hint"]))
    if problems:
        raise InvalidConfigError(problems, name=name, hint=hint)
    return made


def _filled(
    given: Mapping[str, Any], sources: Sources, named: Mapping[str, str], problems: list[Problem]
) -> Iterator[tuple[str, Any]]:
    """Fill `${NAME}` into the strings of the file; what cannot be filled is a problem, and left out."""
    for key, value in given.items():
        if key in named or not isinstance(value, str) or "${" not in value:
            yield key, value
            continue
        try:
            yield key, fill(value, sources)
        except PydanticCustomError as error:
            problems.append(Problem(key, *words_of(error)))


def _below(named: str, usual: Path) -> Path:
    """Give a folder of the XDG base directories; a relative one counts as not set, as their specification has it."""
    return Path(named) if named.startswith("/") else usual
