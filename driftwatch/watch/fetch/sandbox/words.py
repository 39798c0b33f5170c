"""What to say of the sandbox when a look at a server in it fails: whether it is why, how sure that is, what to try."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from driftwatch.model.commands import command
from driftwatch.watch.fetch.sandbox.view import View, is_of_system
from driftwatch.watch.fetch.start import Start, Walls

_PATH = re.compile(r"(?<![\w.:/-])/[\w.@+~-]+(?:/[\w.@+~-]+)*")
_NETWORK = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|getaddrinfo|name resolution|not known|unreachable"
    r"|connection refused|could not resolve|fetch failed|no route",
    re.IGNORECASE,
)
_WRITES = re.compile(r"EROFS|read-only file system|EACCES|EPERM|permission denied|not permitted", re.IGNORECASE)
_LIMITS = {
    "memory": re.compile(r"ENOMEM|out of memory|cannot allocate|memoryerror|bad_alloc", re.IGNORECASE),
    "processes": re.compile(r"EAGAIN|resource temporarily unavailable|can't start new thread", re.IGNORECASE),
    "open_files": re.compile(r"EMFILE|too many open files", re.IGNORECASE),
    "file_size": re.compile(r"EFBIG|ENOSPC|file too large|no space left", re.IGNORECASE),
}
_LACKS = re.compile(r"execvp .*: No such file or directory$")
"""How bubblewrap says that it found no program to run, or not what the program's first line names."""
_NAME = re.compile(r"[^\W_][\w-]*(?:\.[\w-]+)*")
_SHORTEST = 3
"""Letters of a name that is looked for in what a server says: a shorter one is a word by chance."""
_MOST = 1000
"""Names of a folder that are looked for."""

OURS = "bwrap: "
"""What the lines of a log begin with that are bubblewrap's own."""

_SIGNALS = {"cpu": 24, "file_size": 25}
"""What the kernel ends a process with that goes over a limit: SIGXCPU and SIGXFSZ."""


def why(start: Start, *, log: str, code: int | None, name: str, quote: Callable[[str], str]) -> str:
    """Give one sentence about the sandbox of a server that failed, empty where it ran in none.

    `log` is the end of what it wrote on standard error, `code` how it ended (a signal is negative). `quote` makes a
    piece of the log fit to be shown. `name` is that by which a check looks at the very same, empty where none does.
    """
    if not start.around:
        return ""
    if start.walls is None:
        return f"it ran in {start.around}, which has only what its image and sandbox.read hold (docs/sandbox.md)"
    found = next(_signs(start, start.walls, log, code, quote), "")
    if found:
        return found
    unknown = "it ran in driftwatch's sandbox; whether that is why is not known"
    said = next(_away(start, start.walls.view, log, quote), unknown)
    if not name:
        return f"{said} (docs/sandbox.md)"
    return f"{said}: `DRIFTWATCH_SANDBOX=none {command('check', name)}` runs it without (docs/sandbox.md)"


def _signs(start: Start, walls: Walls, log: str, code: int | None, quote: Callable[[str], str]) -> Iterator[str]:
    """Give what points at the sandbox, the surest first."""
    ours = [line.removeprefix(OURS) for line in log.splitlines() if line.startswith(OURS)]
    if ours and _LACKS.match(ours[-1]):
        yield _lacking(start, walls.view, quote)
    elif ours:
        yield f"the sandbox could not start it: {quote(ours[-1])} (docs/sandbox.md)"
    for key, signal in _SIGNALS.items():
        if code == -signal:
            yield f"the sandbox ended it: it went over sandbox.{key}"
    hidden, folder = next(_hidden(walls.view, log), ("", ""))
    if hidden:
        yield f"most likely the sandbox is why: {quote(hidden)} is not in it; name it in sandbox.read"
    if folder:
        yield f"perhaps the sandbox is why: the folder {quote(folder)} is not in it; see sandbox.read and sandbox.write"
    if not walls.network and _NETWORK.search(log):
        yield f'most likely the sandbox is why: it has no network (sandbox.network = "{walls.limits.network}")'
    for key, words in _LIMITS.items():
        if words.search(log):
            yield f"perhaps the sandbox is why: try a higher sandbox.{key}"
    if _WRITES.search(log):
        yield "perhaps the sandbox is why: it may write to its home, to /tmp and to what sandbox.write names"


def _hidden(view: View, log: str) -> Iterator[tuple[str, str]]:
    """Give what a log names that is there outside of the sandbox and not in it: the path itself, or its folder."""
    shown, own = (*view.read, *view.write), {*view.scratch, *view.kept}
    folders = []
    for found in _PATH.findall(log):
        path = found.rstrip(".")
        if is_of_system(path) or any(path == one or path.startswith(f"{one}/") for one in shown):
            continue
        if _is_there(path):
            yield path, ""
        elif (folder := path.rpartition("/")[0]) not in own and _is_there(folder):
            folders.append(folder)
    yield from (("", folder) for folder in folders)


def _lacking(start: Start, view: View, quote: Callable[[str], str]) -> str:
    """Say what is missing of a program that could not be started for that: itself anywhere, in the sandbox, or more."""
    word, cwd = start.words[0], start.cwd or "/"
    found = os.path.join(cwd, word) if "/" in word else shutil.which(word, path=start.env.get("PATH"))  # noqa: PTH118
    path = os.path.normpath(found) if found else ""
    if not _is_there(path):
        return f"no such program: {quote(word)}"
    if not _is_shown(path, view):
        return f"the sandbox is why: the program {quote(path)} is not in it; name it in sandbox.read"
    return (
        f"most likely the sandbox is why: what runs {quote(path)} (its first line, or its loader) is not in it; name "
        "it in sandbox.read"
    )


def _away(start: Start, view: View, log: str, quote: Callable[[str], str]) -> Iterator[str]:
    """Give what a server was started with that is there outside of the sandbox and not in it."""
    cwd = start.cwd or "/"
    if cwd in view.empty and _is_meant(cwd, start.words, log):
        yield (
            f"perhaps the sandbox is why: the folder {quote(cwd)} that it starts in is empty there; set `cwd` to one of"
            " its own (without driftwatch's files in it), or name what it needs in sandbox.read"
        )
    for word in dict.fromkeys(part for one in start.words[1:] for part in (one, one.partition("=")[2])):
        path = os.path.normpath(os.path.join(cwd, word)) if word and "\0" not in word else ""  # noqa: PTH118
        if path in view.empty and path != cwd and _has_anything(path):
            yield (
                f"perhaps the sandbox is why: the folder {quote(path)} that its arguments name is empty there; name it"
                " in sandbox.read, or in sandbox.write"
            )
        elif os.path.isfile(path) and not _is_shown(path, view):  # noqa: PTH113
            yield (
                f"perhaps the sandbox is why: the file {quote(path)} that its arguments name is not there; name it in"
                " sandbox.read"
            )
        elif "/" in word and _is_hidden_folder(path, view):
            yield (
                f"perhaps the sandbox is why: the folder {quote(path)} that its arguments name is not there; name it in"
                " sandbox.read, or in sandbox.write"
            )


def _is_meant(cwd: str, words: Sequence[str], log: str) -> bool:
    """Say whether a command, its arguments or the server's own words refer to anything in the folder it starts in."""
    try:
        there = {one.name for one in islice(Path(cwd).iterdir(), _MOST)}
    except OSError:
        return False
    if not there:
        return False
    program, *arguments = words
    named = [program] if "/" in program else []
    named += [part for one in arguments for part in (one, one.partition("=")[2])]
    paths = [os.path.normpath(os.path.join(cwd, one)) for one in named if one and "\0" not in one]  # noqa: PTH118
    if any(path == cwd or (path.startswith(f"{cwd}/") and _is_there(path)) for path in paths):
        return True
    known = there | {Path(name).stem for name in there}
    return cwd in log or any(len(name) >= _SHORTEST and name in known for name in _NAME.findall(log))


def _is_hidden_folder(path: str, view: View) -> bool:
    """Say whether a path is a folder of which nothing is in the sandbox."""
    places = (*view.read, *view.write, *view.kept, *view.scratch, *view.empty)
    is_above = any(one == path or one.startswith(f"{path.rstrip('/')}/") for one in places)
    return os.path.isdir(path) and not is_above and not _is_shown(path, view)  # noqa: PTH112


def _is_shown(path: str, view: View) -> bool:
    places = (*view.read, *view.write, *view.kept)
    return is_of_system(path) or any(path == one or path.startswith(f"{one}/") for one in places)


def _has_anything(folder: str) -> bool:
    try:
        return any(True for _ in Path(folder).iterdir())
    except OSError:
        return False


def _is_there(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):
        return False
