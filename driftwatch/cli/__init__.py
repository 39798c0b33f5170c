"""cli: parse, call a verb, print, end with an exit code. The only room that knows Typer and Rich."""

from driftwatch.cli.main import main

__all__ = ["main"]
