"""completion: what lets a shell complete commands and options. Typer writes the scripts, and answers the shell."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from driftwatch.cli.app import ASKED_BY_A_SHELL, call_of, commands

app = commands()


class Shell(StrEnum):
    """A shell that a script is written for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@app.command()
def completion(
    context: typer.Context,
    shell: Annotated[Shell, typer.Argument(help="Which shell it is for.", show_default=False)],
) -> None:
    """Print what makes a shell complete commands and options, as in: eval "$(driftwatch completion bash)"."""
    script = get_completion_script(prog_name="driftwatch", complete_var=ASKED_BY_A_SHELL, shell=shell.value)
    call_of(context).terminal.write(f"{script}\n")
