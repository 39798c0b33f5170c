"""The manual page `driftwatch(1)`, made from the commands themselves.

`python -m driftwatch.cli.manual > docs/driftwatch.1` brings it up to date; a test compares them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import typer

from driftwatch import __version__
from driftwatch.cli.app import command
from driftwatch.cli.exits import MEANING
from driftwatch.cli.reference import row, usage, walk

ENVIRONMENT = {
    "DRIFTWATCH_CONFIG": "The configuration, where --config names none.",
    "DRIFTWATCH_DATABASE_URL": "Wins over database.url.",
    "DRIFTWATCH_LOG_FORMAT": "Wins over daemon.log_format.",
    "DRIFTWATCH_LOG_LEVEL": "Wins over daemon.log_level.",
    "DRIFTWATCH_PUBLIC_URL": "Wins over daemon.public_url.",
    "DRIFTWATCH_SANDBOX": "Wins over defaults.sandbox.kind.",
    "DRIFTWATCH_WEB_LISTEN": "Wins over web.listen.",
    "DRIFTWATCH_WITNESS_TOKEN": "The token by which a witness hands in looks, where it has no settings.",
    "DRIFTWATCH_WITNESS_URL": "Where a witness hands them in.",
    "CREDENTIALS_DIRECTORY": "Where systemd put the credentials that the configuration names.",
    "NO_COLOR": "Nothing is coloured when this is set, unless --colour says otherwise.",
    "COLUMNS": "How wide the terminal is.",
    "XDG_CACHE_HOME": "Where sandboxes keep what they may keep; ~/.cache without it.",
    "XDG_CONFIG_HOME": "Where the settings of the witness and of hosts lie; ~/.config without it.",
    "XDG_STATE_HOME": "Where the witness keeps looks that wait; ~/.local/state without it.",
}
"""What a person may set, and what it does. What service managers and OpenTelemetry set has pages of its own."""

_FILES = {
    "driftwatch.toml": "The configuration, in the folder where driftwatch is run.",
    "driftwatch.db": "The database, beside the configuration, unless database.url says otherwise.",
    "driftwatch.lock.json": "What is approved, for checking without a database; beside the configuration.",
}


_WIDTH = 70
"""Characters to a line of the source; escapes make it longer, and readers of troff complain from 80 on."""


def manual() -> str:
    """Give the whole page, as troff."""
    root = command()
    context = typer.Context(root, info_name="driftwatch")
    return "\n".join(_page(root, context)) + "\n"


def _page(root: Any, context: typer.Context) -> Iterator[str]:
    """Give the lines of the page."""
    summary = " ".join((root.help or "").split())
    yield f'.TH DRIFTWATCH 1 "" "driftwatch {__version__}" "User Commands"'
    yield from (".SH NAME", *_sentences(f"driftwatch - {summary[0].lower()}{summary[1:].rstrip('.')}"))
    yield from (".SH SYNOPSIS", ".B driftwatch", _plain("[OPTIONS] COMMAND [ARGS]..."))
    yield from (".SH DESCRIPTION", *_sentences(_ABOUT))
    yield from (".SH OPTIONS", "These may also stand after the command.")
    yield from _rows(root, context)
    yield ".SH COMMANDS"
    for full, one in walk(root, "driftwatch"):
        yield from (f".SS {_plain(full)}", f".B {_plain(full)}", _plain(usage(one, full)), ".PP")
        yield from _sentences(" ".join((one.help or "").split()))
        yield from _rows(one, context)
    yield ".SH EXIT STATUS"
    for code, meaning in MEANING.items():
        yield from _entry(str(int(code)), meaning.replace("`", ""))
    yield from _listed("ENVIRONMENT", ENVIRONMENT)
    yield from _listed("FILES", _FILES)
    yield from (".SH SEE ALSO", *_sentences("docs/README.md of the distribution says which page is for what."))


_ABOUT = (
    "driftwatch fetches what MCP servers show to models, compares it with what a person approved, says what changed "
    "and what that means, and tells people. It watches and never gates: it calls no tool and blocks nothing."
)


def _rows(one: Any, context: typer.Context) -> Iterator[str]:
    """Give the arguments and options of one command."""
    for param in one.params:
        if not getattr(param, "hidden", False):
            yield from _entry(*row(param, context))


def _listed(heading: str, entries: dict[str, str]) -> Iterator[str]:
    """Give a section of names and what each means."""
    yield f".SH {heading}"
    for name, words in entries.items():
        yield from _entry(name, words)


def _entry(name: str, words: str) -> Iterator[str]:
    """Give one name and what it means."""
    yield from (".TP", f".B {_plain(name)}", *_sentences(words))


def _sentences(text: str) -> Iterator[str]:
    """Give each sentence from a line of its own on, as troff wants it, in lines that are not too long."""
    for sentence in text.replace(". ", ".\n").split("\n"):
        for line in textwrap.wrap(sentence, _WIDTH, break_long_words=False, break_on_hyphens=False):
            yield _plain(line)


def _plain(text: str) -> str:
    """Write words such that troff reads none of them as a request or an escape."""
    written = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace('"', "\\(dq")
    return f"\\&{written}" if written.startswith((".", "'")) else written


if __name__ == "__main__":
    print(manual(), end="")
