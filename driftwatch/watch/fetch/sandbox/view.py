"""What a sandboxed program sees of the machine, as data: the system's part is read from the disk once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

HOME = "/home/sandbox"
"""The home folder in the sandbox, unless the configuration sets another."""

USER = 1000
"""The number of the user and of the group in the sandbox. Outside it stays driftwatch's own."""

_STORES = ("/nix/store", "/gnu/store", "/run/current-system")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    *("alternatives", "crypto-policies", "fonts", "gai.conf", "host.conf", "java-*", "ld.so.cache", "ld.so.conf"),
    *("ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release", "pki/ca-trust/extracted"),
    *("pki/tls/cert.pem", "pki/tls/certs", "protocols", "services", "ssl/cert.pem", "ssl/certs", "ssl/openssl.cnf"),
    "timezone",
)
"""What is shown of /etc. Not `ssl` whole: private keys lie beside the certificates."""

_OF_THE_NETWORK = ("hosts", "resolv.conf")
"""What is shown of /etc besides, where the network is on."""


@dataclass(frozen=True)
class View:
    """What is there: everything else is not. All paths are absolute, and the same inside as outside.

    `empty` are folders that are there with nothing in them, `scratch` writable ones in memory, `files` are of our own,
    and `kept` are writable folders that lie elsewhere outside: where they are inside, and where outside.
    """

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    scratch: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def is_of_system(path: str) -> bool:
    """Say whether a path lies in what every sandbox shows of the system."""
    return any(path == place or path.startswith(f"{place}/") for place in (*_SYSTEM, *_STORES))


def system(home: str, *, network: bool) -> View:
    """Give the part of the machine that every program needs, and a user of its own."""
    folders = [Path(place) for place in (*_SYSTEM, *_STORES)]
    settings = [found for name in _SETTINGS for found in sorted(Path("/etc").glob(name))]
    settings += [Path("/etc", name) for name in _OF_THE_NETWORK if network]
    files = {
        "/etc/passwd": f"sandbox:x:{USER}:{USER}:sandbox:{home}:/bin/sh\n".encode(),
        "/etc/group": f"sandbox:x:{USER}:\n".encode(),
    }
    if not network:
        files["/etc/hosts"] = b"127.0.0.1 localhost sandbox\n::1 localhost\n"
    shown = [one for one in folders if one.exists() and not one.is_symlink()]
    return View(
        read=tuple(str(one) for one in (*shown, *settings) if one.exists()),
        empty=("/run", "/var"),
        links={str(one): str(one.readlink()) for one in folders if one.is_symlink()} | {"/var/tmp": "../tmp"},  # noqa: S108
        files=files,
    )
