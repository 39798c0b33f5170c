"""Secrets that a program gives: it is started without a shell, for a bounded time, and only its output is read."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from driftwatch.config.secret import absent, problem, shown
from driftwatch.config.units import say_seconds
from driftwatch.config.words import quoted

LARGEST: Final = 64 * 2**10
"""Bytes of the longest secret."""

_STEP: Final = 0.05
"""Seconds between two looks whether the program has ended: what it started may keep its output open."""


def output_of(words: Sequence[str], seconds: float, *, environ: Mapping[str, str], base: Path) -> str:
    """Start a program and give what it writes on standard output, decoded.

    It has the environment of driftwatch, nothing to read, and starts in `base`, where a path begins too. What it says
    on standard error is thrown away: secrets may stand in it. Past its time all of it is ended.

    Raises:
        PydanticCustomError: what `problem` or `absent` makes; it names the program and nothing of what came of it.

    """
    named = quoted(shown(words[0]), limit=100)
    program = str(base / words[0]) if "/" in words[0] else words[0]
    try:
        child = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=base,
            env=dict(environ),
            # A group of its own can be ended as a whole, and Ctrl-C at the terminal does not reach it.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no command"
        raise absent(f"the program {named} cannot be started: {why}", "correct the command, or install it") from None
    with child:
        data = _read(child, child.stdout.fileno() if child.stdout else -1, time.monotonic() + seconds)
        if data is None:
            _end(child)
            hint = 'see what it waits for, or give it longer: timeout = "30s"'
            raise absent(f"the program {named} did not give the secret within {say_seconds(seconds)}", hint)
        if len(data) > LARGEST:
            _end(child)
            raise problem(f"the program {named} gives more than 64 KiB", "it must give the secret and nothing else")
        code = child.wait()
    if code != 0:
        how = f"with exit code {code}" if code > 0 else f"by signal {-code}"
        hint = "start it by hand, as driftwatch's user, to see why"
        raise absent(f"the program {named} ended {how}", hint)
    try:
        return data.decode()
    except UnicodeDecodeError:
        hint = "it must give the secret and nothing else"
        raise problem(f"what the program {named} gives is not UTF-8 text", hint) from None


def _read(child: subprocess.Popen[bytes], handle: int, until: float) -> bytes | None:
    """Read until the program has ended, or one byte more than is allowed; None when its time is over before."""
    parts, left, is_open = list[bytes](), LARGEST + 1, True
    while left > 0:
        has_ended = child.poll() is not None
        if time.monotonic() > until and not has_ended:
            return None
        if not is_open:
            if has_ended:
                break
            time.sleep(_STEP / 10)
            continue
        ready, _, _ = select.select([handle], [], [], 0 if has_ended else _STEP)
        if ready:
            part = os.read(handle, left)
            parts.append(part)
            left -= len(part)
            is_open = bool(part)
        elif has_ended:
            break
    return b"".join(parts)


def _end(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
