"""Run inside of the image, by its own Python: says as JSON what is there. Needs nothing but the standard library."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import stat
import sys
from pathlib import Path

BILL = Path("/usr/share/driftwatch/sbom.cdx.json")
MAKERS = ("cc", "gcc", "g++", "clang", "ld", "as", "make", "cpp", "rustc", "go")
INSTALLERS = ("pip", "pip3", "uv", "pipx")


def canonical(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def walked() -> tuple[list[str], list[str]]:
    """Give what this user may write, and what runs as somebody else, of the image's own file system."""
    device, writable, raised = Path("/").stat().st_dev, [], []
    for folder, names, files in os.walk("/"):
        names[:] = [name for name in names if os.lstat(f"{folder}/{name}").st_dev == device]
        writable += [folder] if os.access(folder, os.W_OK) else []
        for name in files:
            about = os.lstat(f"{folder}/{name}")
            if stat.S_ISREG(about.st_mode) and about.st_mode & (stat.S_ISUID | stat.S_ISGID):
                raised.append(f"{folder}/{name}")
    return writable, raised


def to_compile() -> int:
    """Count the modules that a start would have to compile: all but those whose compiled file is taken unasked."""
    (packages,) = (Path(place) for place in sys.path if place.endswith("site-packages"))
    kept = {Path(importlib.util.cache_from_source(source)) for source in map(str, packages.rglob("*.py"))}
    return sum(not path.exists() or path.read_bytes()[4:8] != b"\x01\0\0\0" for path in kept)


def main() -> None:
    bill = json.loads(BILL.read_text())
    installed = {canonical(one.metadata["Name"]): one.version for one in importlib.metadata.distributions()}
    named = [bill["metadata"]["component"], *bill["components"]]
    listed = {
        canonical(one["name"]): one["version"]
        for one in named
        if not one.get("purl", "pkg:pypi/").startswith("pkg:deb/")
    }
    python = ".".join(map(str, sys.version_info[:3]))
    writable, raised = walked()
    said = {
        "user": [os.geteuid(), os.getegid()],
        "programs": [name for name in (*MAKERS, *INSTALLERS) if shutil.which(name)],
        "modules": [name for name in ("pip", "ensurepip", "setuptools", "hatchling") if importlib.util.find_spec(name)],
        "writable": writable,
        "raised": raised,
        "to_compile": to_compile(),
        "left": [name for name in ("/etc/pip.conf", "/run/secrets/pip", "/run/secrets/pip-ca") if Path(name).exists()],
        "unlisted": sorted({*installed.items(), ("python", python)} ^ {*listed.items()}),
        "distributions": len(installed),
        "debian": sum(one.get("purl", "").startswith("pkg:deb/") for one in named),
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
