"""Where output goes: text, JSON and tables on stdout, progress and questions on stderr."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TextIO

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from driftwatch.cli.spelling import spelled
from driftwatch.errors import UnwritableOutputError
from driftwatch.model import Json
from driftwatch.report import sentence
from driftwatch.report.lines import Line, Piece, paint, wrap
from driftwatch.report.shape import written

MIN_WIDTH, MAX_WIDTH, PIPE_WIDTH = 20, 120, 80
"""Columns: the narrowest and widest layout on a terminal, and the one in a pipe
where COLUMNS asks for none."""

AWAITED_SHOWN = 3
"""Names of what is awaited that the progress line shows; the rest is counted."""


class PipeClosedError(Exception):
    """The reader of stdout went away."""


class Colour(StrEnum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Terminal:
    """The two output streams of one command, with what they can show."""

    def __init__(self, colour: Colour, environ: Mapping[str, str]) -> None:
        """Decide on colour: the option first, then NO_COLOR (https://no-color.org), then what stdout is."""
        on_terminal = sys.stdout.isatty()
        wanted = on_terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        self.colour = wanted if colour is Colour.AUTO else colour is Colour.ALWAYS
        columns = shutil.get_terminal_size().columns if on_terminal else _asked_width(environ)
        self.width = min(max(columns, MIN_WIDTH), MAX_WIDTH)

    def write(self, text: str) -> None:
        """Write text that is already safe for a terminal.

        Raises:
            PipeClosedError: its reader went away.
            UnwritableOutputError: it could not be written for another reason, such as a full disk.

        """
        self._out(spelled(text, encoding_of(sys.stdout), width=self.width))

    def _out(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise PipeClosedError from error
        except OSError as error:
            raise unwritable(error) from error

    def say(self, text: str = "") -> None:
        """Write a sentence, broken into lines below its own indent; what is hidden in it becomes visible."""
        indent = " " * (len(text) - len(text.lstrip(" ")))
        self.lines(wrap([Piece(sentence(text))], width=self.width, rest=f"{indent}  "))

    def lines(self, lines: Iterable[Line]) -> None:
        """Write lines of pieces that are already safe for a terminal."""
        self.write("".join(paint(line, colour=self.colour) + "\n" for line in lines))

    def json(self, value: Json) -> None:
        """Write a value as JSON in ASCII, so that nothing in it can speak to the terminal."""
        self.write(written(value))

    def document(self, text: str) -> None:
        """Write a whole document that is safe for a terminal: its lines stay as they are, however long."""
        self._out(spelled(text, encoding_of(sys.stdout)))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, whole: int = 0) -> None:
        """Write a table. Cells are made safe; long ones are folded, never cut.

        The first `whole` columns are never folded: they hold short words of our own that people copy.
        """
        table = Table(box=None, pad_edge=False, header_style="bold")
        for number, column in enumerate(columns):
            table.add_column(column, overflow="fold", no_wrap=number < whole)
        for row in rows:
            table.add_row(*(cell if isinstance(cell, Text) else Text(self._spelled(sentence(cell))) for cell in row))
        console = self._console()
        with console.capture() as capture:
            console.print(table)
        self.write("".join(line.rstrip() + "\n" for line in capture.get().splitlines()))

    def _spelled(self, text: str) -> str:
        return spelled(text, encoding_of(sys.stdout))

    def _console(self) -> Console:
        """Make a Rich console that writes nothing of its own: no markup, no links, no emoji names."""
        return Console(
            file=sys.stdout,
            width=self.width,
            force_terminal=self.colour,
            no_color=not self.colour,
            color_system="standard" if self.colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )


def _asked_width(environ: Mapping[str, str]) -> int:
    """Give the width that COLUMNS asks for in a pipe; without a usable number the usual one."""
    asked = environ.get("COLUMNS", "")
    return int(asked) if asked.isascii() and asked.isdigit() and 0 < len(asked) < 6 and int(asked) else PIPE_WIDTH


def safe_lines(text: str) -> str:
    """Make a message safe that may have several lines."""
    return "\n".join(sentence(line) for line in text.split("\n"))


def warn(text: str) -> None:
    """Write one line to stderr."""
    print(spelled(safe_lines(text), encoding_of(sys.stderr)), file=sys.stderr, flush=True)


def encoding_of(stream: TextIO) -> str:
    """Give the encoding of a stream; one that has none takes every character."""
    return stream.encoding or "utf-8"


def unwritable(error: OSError) -> UnwritableOutputError:
    """Make the error that says why the output could not be written."""
    return UnwritableOutputError(f"Cannot write the output: {error.strerror or type(error).__name__}.")


@contextmanager
def progress(label: str, names: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """Show on stderr what is still awaited, on a terminal only. Gives the function to call with each name done."""
    console = Console(stderr=True)
    if not sys.stderr.isatty() or not console.is_terminal:
        yield lambda _: None
        return
    awaited = list(dict.fromkeys(names))
    columns = (TextColumn("{task.description}", markup=False), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(_awaited(label, awaited), total=len(awaited))

        def done(name: str) -> None:
            awaited.remove(name)
            bar.update(task, advance=1, description=_awaited(label, awaited))

        yield done


def _awaited(label: str, names: Sequence[str]) -> str:
    """Name the first few that are awaited, and count the rest."""
    more = f" and {len(names) - AWAITED_SHOWN} more" if len(names) > AWAITED_SHOWN else ""
    return f"{label} at {sentence(', '.join(names[:AWAITED_SHOWN]))}{more}" if names else "Sending what is due"


def interactive() -> bool:
    """Whether a person can be asked: both ends are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> bool:
    """Ask yes or no on stderr. Anything but y or yes is no."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
