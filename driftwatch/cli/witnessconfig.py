"""The witness's settings, made when it is first put into a host's file: where the daemon is, and a token for it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from driftwatch.cli.ground import now, origin, person
from driftwatch.cli.messages import CHARS
from driftwatch.cli.stored import opened
from driftwatch.config import toml
from driftwatch.config.files import load_witness
from driftwatch.config.schema import Settings
from driftwatch.config.witnessing import settings_path, state_path
from driftwatch.errors import ConfigError, StoreError, UsageError
from driftwatch.model import Role
from driftwatch.web import accounts

SCOPE = "looks"

_ELSEWHERE = (
    "Where the daemon runs: driftwatch token add NAME --scope looks. Put the token into a file here, and name both: "
    "--url URL --token-file FILE"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person gave: the file of the settings, the daemon's URL, the file that holds a token."""

    config: Path | None = None
    url: str = ""
    token_file: Path | None = None

    @property
    def path(self) -> Path:
        """Where the settings are, or are to be."""
        return (self.config or settings_path(os.environ, Path.home())).absolute()


def ready(wanted: Wanted, settings: Settings) -> str:
    """See that settings are there or can be made; give their path where a host's command must name it, else nothing.

    A host may start servers without the variables of a shell, so only the place that needs none goes without saying.

    Raises:
        ConfigError: those that are there cannot be used, or it is not known where the daemon is.
        UsageError: what was given does not go together.

    """
    if wanted.path.exists():
        if wanted.url or wanted.token_file:
            hint = f"Change url and token in it, or take it away first: {wanted.path}"
            raise UsageError("The witness has settings already, which say where the daemon is.", hint=hint)
        if not load_witness(wanted.path, os.environ, Path.home()).url:
            raise ConfigError(f"{wanted.path} does not say where the daemon is.", hint="Write url and token into it.")
    elif wanted.url and wanted.token_file is None:
        raise UsageError("A daemon elsewhere wants a token of its own.", hint=_ELSEWHERE)
    elif wanted.token_file is not None and not wanted.token_file.is_file():
        raise UsageError(f"There is no file {wanted.token_file}.", hint=_ELSEWHERE)
    elif not wanted.url:
        _own_url(settings)
    usual = settings_path({}, Path.home())
    return "" if wanted.path == usual else str(wanted.path)


def announced(wanted: Wanted, settings: Settings) -> Iterator[str]:
    """Say what `make` would make; nothing where there are settings already."""
    if wanted.path.exists():
        return
    token = f"the token in {wanted.token_file}" if wanted.token_file else "a new token, which may hand in looks only"
    where = wanted.url or _own_url(settings)
    yield f"The witness has no settings yet: {wanted.path} will name the daemon at {where} and {token}."


def make(context: typer.Context, wanted: Wanted, settings: Settings, *, by: str | None) -> tuple[str, ...]:
    """Make the settings where there are none, and give what to say of that.

    Raises:
        UsageError: the file cannot be written.
        StoreError: the token could not be made. Nothing is left of the settings then.

    """
    if wanted.path.exists():
        return ()
    url = wanted.url or _own_url(settings)
    try:
        wanted.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(wanted.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - of a number
            try:
                token, said = _token(context, wanted, settings, by)
                file.write(_text(url, token))
            except BaseException:
                wanted.path.unlink(missing_ok=True)
                raise
    except OSError as error:
        message = f"{wanted.path} cannot be written: {error.strerror}."
        raise UsageError(message, hint="Nothing was changed. Name another place with --settings.") from error
    return (f"Made {wanted.path}, for you alone to read: it names the daemon at {url}.", *filter(None, [said]))


def _own_url(settings: Settings) -> str:
    """Give the URL of the daemon that runs by this configuration."""
    address = settings.web.address
    if not settings.web.enabled or not address.port:
        message = "This configuration does not say at which address the daemon takes looks ([web])."
        raise ConfigError(message, hint=_ELSEWHERE)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104 - the other way round
    return f"http://{type(address)(host, address.port)}"


def _token(context: typer.Context, wanted: Wanted, settings: Settings, by: str | None) -> tuple[str, str]:
    """Give the token as the settings spell it, and what to say of it."""
    if wanted.token_file is not None:
        return f"{{ file = {toml.string(str(wanted.token_file.absolute()))} }}", ""
    name = re.sub(r"[^A-Za-z0-9._@+-]", "-", f"witness-{origin().removeprefix('cli ')}")[:64]
    try:
        with opened(context, settings) as store:
            made, secret = accounts.add_token(
                store,
                secrets.token_bytes,
                name,
                Role.VIEWER,
                scopes=[SCOPE],
                lasts=None,
                by=person(by),
                now=now(context),
            )
    except StoreError as error:
        raise StoreError(error.message, hint=_ELSEWHERE) from error
    said = f"Made the token {made.id[:CHARS]} for it: it hands in looks and does nothing else, until it is revoked."
    return toml.string(secret), said


def _text(url: str, token: str) -> str:
    """Write the settings. A folder that a variable names is written down: hosts may not have the variable."""
    lines = ["# Where witnesses of this user take what they saw. docs/witness.md", f"url = {toml.string(url)}"]
    lines.append(f"token = {token}")
    folder = state_path(os.environ, Path.home())
    if folder != state_path({}, Path.home()):
        lines.append(f"spool = {toml.string(str(folder))}")
    return "\n".join(lines) + "\n"
