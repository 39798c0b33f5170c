"""What most commands begin with: the configuration, the time, the person."""

from __future__ import annotations

import getpass
import os
import platform
from datetime import datetime

import typer

from driftwatch.cli.app import call_of
from driftwatch.config.load import load
from driftwatch.config.policy import Known
from driftwatch.config.schema import Settings
from driftwatch.errors import UsageError
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Area
from driftwatch.model import Actor

KNOWN = Known(
    rules=[rule.id for rule in RULES],
    areas=[area.value for area in Area],
    categories=sorted({category for rule in RULES for category in rule.categories}),
)
"""What a policy and a channel may name."""


def now(context: typer.Context) -> datetime:
    """Read the clock of this call, in UTC."""
    return call_of(context).clock()


def settings_of(context: typer.Context, *, secrets: bool = False) -> Settings:
    """Find and load the configuration.

    `secrets` is for the commands that look, send, or check the configuration itself. All others must work in any
    shell: for them, a variable that is not set and a secret's file that they may not read are no errors.

    Raises:
        ConfigError: there is none, or it has problems.

    """
    return load(call_of(context).config, os.environ, secrets=secrets, known=KNOWN)


def person(by: str | None) -> Actor:
    """Say who decides, what was given or the login name, and from where: login name and machine.

    Raises:
        UsageError: neither is known.

    """
    name = by.strip() if by and by.strip() else _login()
    if not name:
        raise UsageError("Nobody knows who you are.", hint="Give your name with --by.")
    return Actor(name, origin())


def origin() -> str:
    """Say from where this command was called: `cli LOGIN@MACHINE`."""
    return f"cli {_login() or '?'}@{platform.node() or '?'}"


def _login() -> str:
    """Give the login name, empty where there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""
