"""Writing a host's file anew: whole or not at all, as the file that it was, and only if nobody else wrote it meanwhile.

Links are followed to the real file. Mode, owner and group stay, and extended attributes on Linux.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from driftwatch.config.hostedit import LARGEST
from driftwatch.config.words import quoted
from driftwatch.errors import UsageError

_AGAIN = "Nothing was written. Do it again; close the host first if it writes this file all the time."


@dataclass(frozen=True, slots=True)
class Held:
    """A file as it was read: its real path, what it holds, and what the system says of it."""

    path: Path
    data: bytes
    state: os.stat_result

    @property
    def digest(self) -> str:
        """Give the digest of what it holds."""
        return digest_of(self.data)

    @property
    def text(self) -> str:
        """Give what it holds as text; a mark at its beginning stays there.

        Raises:
            UsageError: it is not UTF-8.

        """
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            message = f"{quoted(str(self.path), limit=200)} is not UTF-8 (byte {error.start})."
            raise UsageError(message, hint="Nothing was written. Save the file as UTF-8.") from None


def digest_of(data: bytes) -> str:
    """Give the digest of a file's content."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def hold(path: Path) -> Held:
    """Read a file.

    Raises:
        UsageError: there is none, it cannot be read, or it is no regular file that a person keeps.

    """
    named = quoted(str(path), limit=200)
    try:
        real = path.resolve(strict=True)
        # A pipe that nobody writes to must not hold us.
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - of a number
            state = os.fstat(descriptor)
            data = file.read(LARGEST + 1) if stat.S_ISREG(state.st_mode) else b""
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "the links lead in a circle"
        raise UsageError(f"{named} cannot be read: {why}.", hint="Check the path and its permissions.") from error
    if not stat.S_ISREG(state.st_mode):
        raise UsageError(f"{named} is no regular file.", hint="Name the file in which the host keeps its servers.")
    if len(data) > LARGEST:
        raise UsageError(f"{named} is larger than {LARGEST // 2**20} MiB.", hint="Is it the file of a host?")
    return Held(real, data, state)


def check_writable(held: Held) -> None:
    """Refuse a file that must not, or cannot, be put in the place of what it is.

    Raises:
        UsageError: with the reason.

    """
    named, folder = quoted(str(held.path), limit=200), held.path.parent
    if not held.state.st_mode & stat.S_IWUSR:
        raise UsageError(f"{named} may only be read.", hint=f"Allow it, if it is yours: chmod u+w {held.path}")
    if held.state.st_nlink > 1:
        raise UsageError(
            f"{named} has more names than this one (hard links), and they would be two files afterwards.",
            hint="Make the others symbolic links, then do it again.",
        )
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise UsageError(
            f"Nothing can be written in the folder {quoted(str(folder), limit=200)}.",
            hint="Do it as the user whom the folder belongs to.",
        )


def put(held: Held, data: bytes) -> None:
    """Write other content into a file that was read.

    Raises:
        UsageError: it is not as it was any more, or it could not be written. Nothing changed then.

    """
    check_writable(held)
    real = held.path
    fresh = real.with_name(f".{real.name[:80]}.{secrets.token_hex(6)}")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:  # noqa: PTH123
            file.write(data)
            file.flush()
            _as_before(file.fileno(), held)
            os.fsync(file.fileno())
        if not _is_same(held):
            raise UsageError(f"{quoted(str(real), limit=200)} was changed by somebody else.", hint=_AGAIN)
        fresh.replace(real)
    except OSError as error:
        message = f"{quoted(str(real), limit=200)} cannot be written: {error.strerror}."
        raise UsageError(message, hint="Nothing was changed. Check the folder, its owner and the disk.") from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
    _for_good(real.parent)


def _as_before(descriptor: int, held: Held) -> None:
    """Give the new file owner, attributes and mode of the old one. By its number: its name may be another's by now."""
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (held.state.st_uid, held.state.st_gid):
        os.fchown(descriptor, held.state.st_uid, held.state.st_gid)
    if sys.platform == "linux":
        for name in os.listxattr(held.path):
            with contextlib.suppress(OSError):  # Some belong to the system.
                os.setxattr(descriptor, name, os.getxattr(held.path, name))
    os.fchmod(descriptor, stat.S_IMODE(held.state.st_mode))


def _is_same(held: Held) -> bool:
    state = held.path.lstat()
    was = held.state
    return (state.st_dev, state.st_ino) == (was.st_dev, was.st_ino) and held.path.read_bytes() == held.data


def _for_good(folder: Path) -> None:
    """Have the folder written to the disk, where it can be; the file is in its place already."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
