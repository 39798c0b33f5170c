"""Whether bubblewrap works here, tried once: it may be missing, old, or kept from making namespaces."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from driftwatch.config.words import safe
from driftwatch.watch.fetch.sandbox.bwrap import FEATURES, arguments
from driftwatch.watch.fetch.sandbox.view import HOME, system

_PATIENCE = 5.0
_SIZE = 1 << 20


@dataclass(frozen=True)
class Able:
    """Where bubblewrap is and what it can, or the `reason` why it is of no use here (empty where it works)."""

    program: str = ""
    features: frozenset[str] = FEATURES
    reason: str = ""


def able(environ: Mapping[str, str]) -> Able:
    """Try to put the simplest of programs into a sandbox. Takes some milliseconds, some seconds at most."""
    program = shutil.which("bwrap", path=environ.get("PATH"))
    if program is None:
        return Able(reason="bubblewrap (the program bwrap) is not installed")
    said = _tried(program, environ, FEATURES)
    if said is None:
        return Able(program)
    known = _known(program, environ)
    if known < FEATURES:
        said = _tried(program, environ, known)
    return Able(program, known, f"bubblewrap does not work here: {said}" if said is not None else "")


def _tried(program: str, environ: Mapping[str, str], features: frozenset[str]) -> str | None:
    """Try once; give what it says where it fails, None where it works."""
    view = system(HOME, network=False)
    words = arguments(view, ("/bin/sh", "-c", ":"), cwd="/", network=False, size=_SIZE, features=features)
    done = _run([program, *words], environ)
    if done is None:
        return "it cannot be run"
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = safe(lines[-1].removeprefix("bwrap: ")) if lines else f"it ended with {done.returncode}"
    return None if done.returncode == 0 else said


def _known(program: str, environ: Mapping[str, str]) -> frozenset[str]:
    done = _run([program, "--help"], environ)
    text = (done.stdout + done.stderr).decode("utf-8", "replace") if done is not None else ""
    return frozenset(one for one in FEATURES if re.search(rf"^\s*{one}\b", text, re.MULTILINE))


def _run(words: list[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[bytes] | None:
    path = {"PATH": environ["PATH"]} if "PATH" in environ else {}
    try:
        return subprocess.run(
            words, env=path, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
