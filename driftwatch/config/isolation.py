"""The table of the sandbox that local servers run in: what they may see, reach and use up (docs/sandbox.md).

`sandbox = "none"` is short for `sandbox = { kind = "none" }`, in the defaults and in a server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from pydantic import Field

from driftwatch.config.secret import Unresolved, shown, under
from driftwatch.config.table import Conflict, Table
from driftwatch.config.values import Count, Line, Seconds, Size
from driftwatch.config.words import quoted

SandboxKind = Literal["auto", "bwrap", "container", "none"]
Network = Literal["on", "off", "fetch-only"]
Home = Literal["kept", "empty"]

_OF_THE_SYSTEM = ("/proc", "/sys", "/dev", "/run", "/tmp", "/var/run")  # noqa: S108 - named to be refused
"""Folders that the sandbox has of its own, or through whose sockets a server would be out of it."""

_TELLING = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".password-store", ".mozilla"})
"""Folders in which people keep keys and passwords."""

_ENGINES = frozenset({"docker.sock", "podman.sock", "containerd.sock", "crio.sock"})
"""Sockets through which whoever reaches them starts what he likes outside of any sandbox."""


class SandboxConfig(Table):
    """What a local server runs in. Servers with a URL start nothing, so it says nothing of them."""

    kind: SandboxKind = Field(
        default="auto",
        description="`bwrap` uses bubblewrap and fails a look where that does not work; `auto` uses it where it does, "
        "and says where it does not; `container` runs `image` in Podman or Docker; `none` runs the command as it is.",
    )
    network: Network = Field(
        default="on",
        description="`off` leaves a loopback of its own. `fetch-only` lets `npx` and `uvx` fetch the package with the "
        "network on, and lists it with the network off.",
    )
    home: Home = Field(
        default="kept",
        description="Whether its home folder, which no other server sees, is `kept` from look to look. A server that "
        "counts its starts there turns only if it is; `empty` gives it a new one each time.",
    )
    read: tuple[Line, ...] = Field(
        default=(), description="More files and folders that it may read, relative to this file's folder."
    )
    write: tuple[Line, ...] = Field(
        default=(), description="Files and folders that it may also write, relative to this file's folder."
    )
    image: Line | None = Field(
        default=None, description="The image that the command is run in, e.g. `node:22-slim`. For `container` only."
    )
    cpu: Seconds = Field(default=600.0, description="Time of a processor that one process may use.")
    memory: Size = Field(
        default=2 * 2**30,
        description="Memory that one process may ask for, and that all of them may use together.",
    )
    processes: Count = Field(default=512, description="The most processes and threads at a time.")
    open_files: Count = Field(default=1024, description="The most files that one process may hold open.")
    file_size: Size = Field(
        default=256 * 2**20,
        description="The largest file that it may write. Its home holds that much in all, and so do its /tmp and its "
        "/dev/shm, which are in memory.",
    )

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold an image for a container, and no fetching where the image holds the program."""
        if given.get("kind") != "container":
            return
        if not given.get("image"):
            yield Conflict("kind", "a container needs an image", 'write image = "…": the image that holds the program')
        if given.get("network") == "fetch-only":
            hint = "write on or off; an image can hold the package already"
            yield Conflict("network", "fetch-only does not go with a container, which is made anew each time", hint)


class Wrong(NamedTuple):
    """A path that cannot be shown to a server: the key and the place in its list, what is wrong, what to do."""

    key: str
    number: int
    message: str
    hint: str


@dataclass(frozen=True)
class Private:
    """What no server may see: driftwatch's database (None where it has no file), its folder, the home folder."""

    database: Path | None
    folder: Path
    home: Path | None

    def wrong_with(self, sandbox: SandboxConfig) -> Iterator[Wrong]:
        """Give each path that would show a server what it is kept from."""
        for key, paths in (("read", sandbox.read), ("write", sandbox.write)):
            for index, path in enumerate(paths):
                if isinstance(path, Unresolved):
                    continue
                found = self._wrong(path)
                if found is not None:
                    yield Wrong(key, index, f"{quoted(shown(path))} {found[0]}", found[1])

    def _wrong(self, path: str) -> tuple[str, str] | None:
        try:
            real = Path(path).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            return f"cannot be used: {getattr(error, 'strerror', None) or 'it is no path'}", "correct the path"
        narrower = "name the files or folders in it that the server needs"
        own = [self.folder, *([self.database] if self.database is not None else [])]
        refused = (
            (real == real.parent, "is everything there is", narrower),
            (self.home is not None and _holds(real, self.home), "is, or holds, a home folder", narrower),
            (
                any(_holds(real, one) for one in own) or _is_of_database(real, self.database),
                "is, or holds, driftwatch's own configuration or database",
                "keep the server's files in another folder",
            ),
            (
                str(real) in _OF_THE_SYSTEM or real.name in _ENGINES,
                "would lead out of the sandbox",
                "take it out; no setting makes that safe",
            ),
        )
        return next(((message, hint) for holds, message, hint in refused if holds), None)


def sqlite_file(url: str) -> Path | None:
    """Give the file of a SQLite database by its URL, None for any other database."""
    prefix = "sqlite:///"
    path = url.removeprefix(prefix).partition("?")[0]
    return Path(path) if url.startswith(prefix) and path.startswith("/") else None


def _holds(outer: Path, inner: Path) -> bool:
    return inner.is_relative_to(outer)


def _is_of_database(path: Path, database: Path | None) -> bool:
    return database is not None and path.parent == database.parent and path.name.startswith(database.name)


def spelled_out(table: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """Give a server's table, or the defaults, with the sandbox as a table whose paths are absolute."""
    said = table.get("sandbox")
    if isinstance(said, str):
        said = {"kind": said}
    if not isinstance(said, Mapping):
        return dict(table)
    placed = {key: _placed(value, base) if key in {"read", "write"} else value for key, value in said.items()}
    return {**table, "sandbox": placed}


def _placed(paths: Any, base: Path) -> Any:
    """Make paths absolute; wrong types are left to the schema."""
    if not isinstance(paths, list):
        return paths
    return [
        under(base, path) if isinstance(path, str) and path.strip() and not isinstance(path, Unresolved) else path
        for path in paths
    ]


def doubtful(sandbox: SandboxConfig) -> Iterator[Wrong]:
    """Give each path that may be shown and likely should not be, and each that is not there."""
    for key, paths in (("read", sandbox.read), ("write", sandbox.write)):
        for number, path in enumerate(paths):
            if isinstance(path, Unresolved):
                continue
            telling = _TELLING & set(PurePosixPath(path).parts)
            if telling:
                message = f"people keep keys and passwords in {min(telling)}"
                yield Wrong(key, number, message, "show the server only the file that it needs")
            if not _is_there(path):
                hint = "write ${HOME} for ~" if "/~" in path else "make it, or correct the path"
                yield Wrong(key, number, f"{quoted(shown(path))} is not there, so the sandbox leaves it out", hint)


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
