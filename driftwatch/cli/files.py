"""Read the files that a person names: bounded, strict about UTF-8 and JSON, errors with line and column."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from driftwatch.errors import UnreadableInputError, UsageError
from driftwatch.judge import pointer as at
from driftwatch.model import Json, Oddity

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are refused: no listing that a model could use is that large."""

STDIN = "-"


def name_of(path: str) -> str:
    """Name a file in messages."""
    return "stdin" if path == STDIN else path


def only_one_stdin(*paths: str) -> None:
    """Refuse to read stdin twice."""
    if paths.count(STDIN) > 1:
        raise UsageError("Only one of the files can be stdin.", hint="Give the other one by its path.")


def read_text(path: str) -> str:
    """Read a UTF-8 file (`-` is stdin), with or without a byte order mark.

    Raises:
        UnreadableInputError: there is no such file, it is too large, or it is not UTF-8.

    """
    data = _read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise UnreadableInputError(
            f"{name_of(path)}: line {line}, byte {column}: not valid UTF-8 (0x{data[error.start]:02x}).",
            hint=f"{_encoded(data)}Save the file as UTF-8.",
        ) from error


def read_json(path: str) -> tuple[Json, tuple[Oddity, ...]]:
    """Read a JSON file. Names that stand twice in one object are told as oddities, with the values that lost.

    Raises:
        UnreadableInputError: as for `read_text`, or it is not JSON.

    """
    text = read_text(path)
    doubled: dict[int, tuple[dict[str, Json], list[tuple[str, Json]]]] = {}

    def keep(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        kept = dict(pairs)
        if len(kept) < len(pairs):
            last = {name: number for number, (name, _) in enumerate(pairs)}
            # The object is held on to, so that its id stays its own.
            doubled[id(kept)] = kept, [pair for number, pair in enumerate(pairs) if last[pair[0]] != number]
        return kept

    try:
        value = json.loads(text, object_pairs_hook=keep)
    except json.JSONDecodeError as error:
        message = f"{name_of(path)}: line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}."
        raise UnreadableInputError(message, hint=_hint(text)) from error
    except RecursionError as error:
        message = f"{name_of(path)}: lists and objects are nested too deep to be read."
        raise UnreadableInputError(message, hint="No listing that a model could use is nested like that.") from error
    except ValueError as error:  # what Python refuses to make a number of
        most = sys.get_int_max_str_digits()
        message = f"{name_of(path)}: a number in it has more than {most:,} digits."
        raise UnreadableInputError(message, hint="No listing needs such a number. Look for it in the file.") from error
    return value, tuple(_twice(value, doubled)) if doubled else ()


def _twice(value: Json, doubled: dict[int, tuple[dict[str, Json], list[tuple[str, Json]]]]) -> Iterator[Oddity]:
    """Give every value that lost to a later one of its name, those inside such values too."""
    waiting: list[tuple[str, Json]] = [("", value)]
    while waiting:
        above, held = waiting.pop()
        for place, found in at.walk(held, above):
            for name, earlier in doubled[id(found)][1] if id(found) in doubled else ():
                yield Oddity("duplicate-key", at.join(place, name), "", {name: earlier})
                waiting.append((at.join(place, name), earlier))


def _encoded(data: bytes) -> str:
    """Say in which other encoding bytes seem to be, empty where nothing tells it."""
    wide = data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))
    if not wide and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ""
    return f"This looks like {'UTF-32' if wide else 'UTF-16'}, as Windows programs write it. "


def _hint(text: str) -> str:
    """Say what the file seems to be instead."""
    if not text.strip():
        return "The file is empty."
    if "\0" in text[:8]:
        return "This looks like UTF-16 or UTF-32 without a mark at its beginning. Save the file as UTF-8."
    if text.lstrip().startswith("<"):
        return "This looks like HTML or XML. A listing is JSON: the answer to tools/list, or a list of tools."
    return "A listing is JSON: the answer to tools/list, a list of tools, or the output of driftwatch export."


def _read_bytes(path: str) -> bytes:
    """Read at most `MAX_BYTES`."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableInputError(
            f"Cannot read {path}: {error.strerror or error}.", hint="Check the path and its permissions."
        ) from error
    if len(data) > MAX_BYTES:
        raise UnreadableInputError(f"{name_of(path)} is larger than {MAX_BYTES // 1024 // 1024} MiB.")
    return data
