"""Options and arguments that several commands share."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from driftwatch.cli.exits import FailOn
from driftwatch.errors import UsageError
from driftwatch.model import Severity


class Format(StrEnum):
    """How to print."""

    TEXT = "text"
    JSON = "json"


Output: TypeAlias = Annotated[Format, typer.Option("--format", help="For people, or for programs.")]
Threshold: TypeAlias = Annotated[FailOn, typer.Option("--fail-on", help="End with exit code 1 from this severity on.")]
Show: TypeAlias = Annotated[Severity, typer.Option("--show", help="Show findings from this severity on.")]
Full: TypeAlias = Annotated[bool, typer.Option("--full", help="Cut nothing, however long it is.")]
ServerName: TypeAlias = Annotated[str, typer.Argument(metavar="SERVER", help="The configured name of the server.")]
Digest: TypeAlias = Annotated[
    str | None,
    typer.Option("--digest", metavar="DIGEST", help="A snapshot that it showed; 8 digits are enough."),
]
By: TypeAlias = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides. Default: your login.")]
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
