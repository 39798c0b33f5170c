"""Which folders may be shown to a server because its program lies in them, and which never."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_SHARED = frozenset(
    {"/", "/home", "/Users", "/tmp", "/var", "/var/tmp", "/var/lib", "/var/cache", "/etc", "/opt", "/srv"}  # noqa: S108
    | {"/mnt", "/media", "/run", "/proc", "/sys", "/dev", "/data"}
)
"""Folders that hold what many programs and people keep."""

_PERSONAL = frozenset(
    {"Desktop", "Documents", "Downloads", "bin", "snap", ".local/bin", ".local/lib", ".local/share", ".local/state"}
)
"""Folders of a home folder that hold more than one program's files."""

_KEYS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".mozilla"})
_VERSIONS = frozenset({".pyenv", ".rbenv", ".nodenv"})
"""Folders of a home folder that hold versions of an interpreter and nothing else."""


@dataclass(frozen=True)
class Guard:
    """What must not be shown: home folders whole, and whatever holds driftwatch's own files (`private`)."""

    homes: frozenset[Path]
    private: tuple[Path, ...] = ()

    @classmethod
    def of(cls, homes: Iterable[str], private: Iterable[Path]) -> Guard:
        """Take home folders (what is no absolute path is left out) and driftwatch's own files."""
        known = {_real(Path(home)) for home in (*homes, "/root") if home.startswith("/")}
        return cls(frozenset(known), tuple(_real(path) for path in private))

    def allows(self, folder: str) -> bool:
        """Say whether a whole folder may be shown."""
        real = _real(Path(folder))
        if str(real) in _SHARED or any(one.is_relative_to(real) for one in (*self.homes, *self.private)):
            return False
        inside = self._in_home(real)
        return inside is None or not _is_kept(real, inside)

    def allows_file(self, file: str) -> bool:
        """Say whether a single file may be shown that the configuration names."""
        real = _real(Path(file))
        inside = self._in_home(real) or ()
        return real not in self.private and not (inside and inside[0] in _KEYS)

    def holds(self, path: str) -> bool:
        """Say whether something lies in driftwatch's own folders, such as what was fetched for a server."""
        real = _real(Path(path))
        return any(real.is_relative_to(one) for one in self.private)

    def _in_home(self, real: Path) -> tuple[str, ...] | None:
        """Give the steps from the home folder that a folder is in, None where it is in none."""
        home = next((one for one in self.homes if real.is_relative_to(one)), None)
        if home is not None:
            return real.relative_to(home).parts
        steps = real.parts
        return steps[3:] if len(steps) > 2 and steps[1] in {"home", "Users"} else None


def _is_kept(real: Path, inside: tuple[str, ...]) -> bool:
    """Say whether a folder of a home folder is a person's, and no program's."""
    if not inside or inside[0] in _KEYS or "/".join(inside) in _PERSONAL:
        return True
    # Of what lies in folders such as ~/.config nothing is known.
    is_dotted = len(inside) == 1 and inside[0].startswith(".")
    return is_dotted and inside[0] not in _VERSIONS and not (real / "pyvenv.cfg").is_file()


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path
