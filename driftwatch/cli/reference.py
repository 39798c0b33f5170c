"""The reference of all commands as Markdown, made from the commands themselves.

`python -m driftwatch.cli.reference > docs/commands.md` brings the page up to date; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from driftwatch.cli.app import command

INTRODUCTION = """\
# Commands

Made by `python -m driftwatch.cli.reference`; do not edit. What the commands end with is in [exit codes](exit-codes.md).
"""


def reference() -> str:
    """Give the whole page."""
    root = command()
    context = typer.Context(root, info_name="driftwatch")
    return "\n".join([INTRODUCTION, *_page(root, context, "driftwatch")])


def walk(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Give every command that does something, with its full name: `driftwatch config check`."""
    context = typer.Context(group, info_name=name)
    for part in group.list_commands(context):
        one = group.get_command(context, part)
        inner = hasattr(one, "list_commands")
        if not inner or one.invoke_without_command:
            yield f"{name} {part}", one
        if inner:
            yield from walk(one, f"{name} {part}")


def _page(root: Any, context: typer.Context, name: str) -> Iterator[str]:
    """Give the lines of the page after its introduction."""
    yield from _entry(root, f"{name} [OPTIONS] COMMAND [ARGS]...", "## driftwatch", context)
    for full, one in walk(root, name):
        yield from _entry(one, f"{full} {usage(one, full)}".rstrip(), f"## {full}", context)


def usage(one: Any, full: str) -> str:
    """Give what stands after a command's name."""
    return " ".join(one.collect_usage_pieces(typer.Context(one, info_name=full)))


def _entry(one: Any, usage: str, heading: str, context: typer.Context) -> Iterator[str]:
    """Give one command: heading, usage, help, and a list of its arguments and options."""
    yield from (heading, "", f"    {usage}", "", " ".join((one.help or "").split()), "")
    rows = [_line(*row(param, context)) for param in one.params if not getattr(param, "hidden", False)]
    yield from rows
    yield from [""] if rows else []


def row(param: Any, context: typer.Context) -> tuple[str, str]:
    """Give one argument or option: how it is written, and what it does."""
    record = param.get_help_record(context)
    names, words = record if record is not None else (param.human_readable_name, "")
    return names, " ".join(words.split())


def _line(names: str, words: str) -> str:
    """Give one argument or option as a line of a list."""
    return f"- `{names}`: {words}"


if __name__ == "__main__":
    print(reference(), end="")
