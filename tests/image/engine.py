"""Podman, as the proof needs it: on a machine with systemd and cgroups, or on one that has neither."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent

HYBRID = "umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup && exec podman"
"""In a mount namespace of its own: crun takes no mixture of both versions of cgroups."""


class MissingError(Exception):
    """Something that the proof needs is not on this machine."""


@dataclass
class Engine:
    """Runs containers of one image, each with what compose.yaml gives them."""

    image: str
    storage: str = ""
    prefix: list[str] = field(default_factory=lambda: ["podman"])
    loose: list[str] = field(default_factory=list)
    """What this machine needs so that containers start at all."""

    def ask(self, *words: str, quiet: bool = True) -> subprocess.CompletedProcess[str]:
        places = ["--root", f"{self.storage}/images", "--runroot", f"{self.storage}/run"] if self.storage else []
        # Health checks are asked for by the proof itself, and not by timers of systemd.
        environment = {**os.environ, "STORAGE_DRIVER": "vfs", "DISABLE_HC_SYSTEMD": "true"}
        words = (*self.prefix, *places, "--cgroup-manager", "cgroupfs", *words)
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300, check=False)
        if not quiet and done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stderr.strip()}")
        return done

    def told(self, *words: str) -> str:
        return self.ask(*words, quiet=False).stdout.strip()

    def inspect(self, kind: str, name: str) -> dict[str, Any]:
        (found,) = json.loads(self.told(kind, "inspect", name))
        return found

    def run(self, *words: str, options: Sequence[str] = (), image: str = "") -> subprocess.CompletedProcess[str]:
        """Run a container to its end."""
        return self.ask("run", "--rm", *self.loose, *walls(), *options, image or self.image, *words)

    def start(self, name: str, options: Sequence[str], image: str = "") -> None:
        """Start the image as it is, and leave it running."""
        self.told("run", "--detach", "--name", name, *self.loose, *walls(), *options, image or self.image)


def walls() -> list[str]:
    """Give compose.yaml's walls around the service as options; its numbers for cgroups are left out."""
    service = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"]["driftwatch"]
    options = ["--read-only", "--read-only-tmpfs=false"] if service["read_only"] else []
    options += [f"--cap-drop={name}" for name in service["cap_drop"]]
    options += [f"--security-opt={name.removesuffix(':true')}" for name in service["security_opt"]]
    return options + [f"--tmpfs={place}" for place in service["tmpfs"]]


def find(image: str) -> Engine:
    """Find a way in which containers start here.

    Raises:
        MissingError: there is none, or no such image.

    """
    if shutil.which("podman") is None:
        raise MissingError("podman is not installed (apt install podman crun)")
    engine = Engine(image, os.environ.get("STORAGE", ""))
    if engine.ask("image", "exists", image).returncode:
        raise MissingError(f"there is no image {image}: deploy/image/build.sh makes it")
    engine.loose = ["--network=host"]
    plain = engine.run("--version")
    if plain.returncode == 0:
        return engine
    engine.prefix = ["unshare", "--mount", "sh", "-c", f'{HYBRID} "$@"', "podman"]
    engine.loose += ["--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096"]
    tight = engine.run("--version")
    if tight.returncode == 0:
        return engine
    raise MissingError(f"podman starts no container here: {plain.stderr.strip()}; {tight.stderr.strip()}")
