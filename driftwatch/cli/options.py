"""Options and arguments that several commands share."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from driftwatch.cli.exits import NEVER, FailOn
from driftwatch.errors import UsageError
from driftwatch.model import Axis, Severity
from driftwatch.report.formats import Form


class Format(StrEnum):
    """How to print."""

    TEXT = "text"
    JSON = "json"


class Profile(StrEnum):
    """How much the rules weigh: the names of the judge's profiles."""

    BALANCED = "balanced"
    STRICT = "strict"
    DIRECTORY = "directory"


Output: TypeAlias = Annotated[Format, typer.Option("--format", help="For people, or for programs.")]
Written: TypeAlias = Annotated[
    Form, typer.Option("--format", help="For people, for programs, for a pull request, or for what reads reports.")
]


def _fail_on(written: str | FailOn) -> FailOn:
    """Read a threshold; the default is one already."""
    if isinstance(written, FailOn):
        return written
    try:
        return FailOn.read(written)
    except ValueError:
        severities, axes = (", ".join(kind) for kind in ((*Severity, NEVER), Axis))
        message = f"{written!r} is none of {severities}, nor one of these after an axis ({axes}), as in security:high"
        raise typer.BadParameter(message) from None


Threshold: TypeAlias = Annotated[
    list[FailOn],
    typer.Option(
        "--fail-on",
        metavar="[AXIS:]SEVERITY",
        parser=_fail_on,
        help="End with exit code 1 from this severity on: info, low, medium, high, critical or never; of one axis only "
        "as in security:high or contract:medium. May be given more than once.",
    ),
]
ShowHidden: TypeAlias = Annotated[bool, typer.Option("--show-hidden", help="Show what the policy hides too.")]
Weights: TypeAlias = Annotated[
    Profile | None,
    typer.Option("--profile", help="How much the rules weigh (docs/policy.md); else balanced."),
]
PolicyFile: TypeAlias = Annotated[
    Path | None, typer.Option("--policy", metavar="FILE", help="Apply the policy of this configuration.")
]
AsServer: TypeAlias = Annotated[
    str | None,
    typer.Option("--as", metavar="SERVER", help="With --policy: apply what it says of this server, expectations too."),
]
Show: TypeAlias = Annotated[Severity, typer.Option("--show", help="Show findings from this severity on.")]
Full: TypeAlias = Annotated[bool, typer.Option("--full", help="Cut nothing, however long it is.")]
Explain: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Show each suspect stretch of text in its sentence, and say what was looked at (in JSON: only that).",
    ),
]
AskModel: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--second-opinion",
        metavar="FILE",
        help="Ask the model that this configuration names ([second_opinion]) about suspect texts; they are sent to it.",
    ),
]
SettingsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="The witness's settings. Default: witness.toml in your settings."),
]
ServerName: TypeAlias = Annotated[str, typer.Argument(metavar="SERVER", help="The configured name of the server.")]
Digest: TypeAlias = Annotated[
    str | None,
    typer.Option("--digest", metavar="DIGEST", help="A snapshot that it showed; 8 digits are enough."),
]
By: TypeAlias = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides. Default: your login.")]
OnServer: TypeAlias = Annotated[
    str | None, typer.Option("--server", metavar="SERVER", help="Only what is about this server.")
]
Limit: TypeAlias = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="At most so many, newest first.")]

_PREFIX = re.compile(r"(sha256:)?[0-9a-f]{8,64}")


def checked(digest: str | None) -> str | None:
    """Accept a digest or its first 8 digits and more.

    Raises:
        UsageError: it is not one.

    """
    if digest is None or _PREFIX.fullmatch(digest.lower()):
        return digest.lower() if digest else None
    raise UsageError(f"{digest!r} is not a digest.", hint="Give at least the first 8 of its hex digits.")
