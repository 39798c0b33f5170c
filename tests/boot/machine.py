"""A Debian machine to try things on: laid by debootstrap, booted by systemd-nspawn, entered by nsenter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

TOOLS = ("debootstrap", "systemd-nspawn", "nsenter", "git", "openssl")

PASSED = re.compile(r"^(https?|ftp|all|no)_proxy$|^PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|PROXY)$", re.IGNORECASE)
"""What of this machine's environment says how registries are reached."""

_PIP = re.compile(r"^(?:global|install|:env:)\.(index-url|extra-index-url|trusted-host|proxy)='(https?:.*|[^/:]+)'$")
_APT = re.compile(r"^Acquire::(http|https|Retries|Check-Valid-Until|Check-Date)\b.*;$")

_DULL = re.compile(
    r"\(Reading database|(Selecting|Preparing|Unpacking|Setting up|Processing|Running hooks|Updating)|\s*$"
)
"""What apt says at length."""


_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class BootError(Exception):
    """The machine did not do what it was to do."""


def why_not() -> str:
    """Say what keeps this machine from booting another one; empty where nothing does."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "it takes root on Linux"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"not installed: {', '.join(missing)} (Debian: debootstrap, systemd-container)" if missing else ""


class Machine:
    """One tree, and what runs in it."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of trees."""
        self.folder = folder
        self.say: Callable[[str], None] = print
        """Told what scripts print."""
        self.tree = folder / "tree"
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def lay(self, suite: str, mirror: str) -> None:
        """Lay a fresh tree: what debootstrap made is kept for the next time."""
        base = self.folder / f"base-{suite}"
        if not (base / "etc" / "debian_version").exists():
            shutil.rmtree(base, ignore_errors=True)
            made = self.folder / f"making-{suite}"
            shutil.rmtree(made, ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / "debootstrap.log").open("wb") as log:
                command = ["debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus", suite, str(made)]
                subprocess.run([*command, *([mirror] if mirror else [])], check=True, stdout=log, stderr=log)
            made.rename(base)
        shutil.rmtree(self.tree, ignore_errors=True)
        subprocess.run(["cp", "--archive", "--reflink=auto", str(base), str(self.tree)], check=True)

    def connect(self) -> None:
        """Let apt and pip in the tree reach what they reach here. Nothing of it leaves the tree."""
        shown = _said(sys.executable, "-m", "pip", "config", "list").splitlines()
        lines = [f"{found[1]} = {found[2]}" for found in map(_PIP.match, shown) if found]
        trusted = next(filter(None, map(os.environ.get, ("PIP_CERT", "SSL_CERT_FILE"))), "")
        if trusted:
            self.write("/etc/registries.crt", Path(trusted).read_text())
            lines.append("cert = /etc/registries.crt")
        self.write("/etc/pip.conf", "\n".join(["[global]", "timeout = 180", *lines, ""]))
        apt = [line for line in _said("apt-config", "dump").splitlines() if _APT.match(line)]
        self.write("/etc/apt/apt.conf.d/99registries", "\n".join([*apt, ""]))

    def write(self, place: str, text: str) -> None:
        """Write a file in the tree, before or while it runs."""
        file = self.tree / place.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def boot(self) -> str:
        """Boot; give what systemd says of itself once it is through."""
        with (self.folder / "console.log").open("wb") as log:
            self._nspawn = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot", f"--directory={self.tree}",
                 "--resolv-conf=copy-host", "--console=pipe"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self.until("systemd runs", self._found)
        self.until("systemd answers", lambda: self.ask("systemctl is-system-running") in {"running", "degraded"})
        return self.ask("systemctl is-system-running")

    def run(self, script: str, *, trace: bool = True) -> None:
        """Run a script as root, as it is, and say what it prints.

        Raises:
            BootError: it failed.

        """
        self.write("/root/step.sh", script)
        command = self._inside("sh", "-eux" if trace else "-eu", "/root/step.sh")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
            for line in running.stdout or ():
                if not _DULL.match(line):
                    self.say(f"      {line.rstrip()}")
        if running.returncode:
            raise BootError(f"this ended with {running.returncode}:\n{script}")

    def ask(self, script: str) -> str:
        """Give what a script prints, whatever it ends with."""
        command = self._inside("sh", "-c", script)
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    def until(self, what: str, holds: Callable[[], object], *, patience: float = 60) -> float:
        """Wait until something holds; give the seconds that it took.

        Raises:
            BootError: it did not in time.

        """
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > patience:
                raise BootError(f"not within {patience:.0f} seconds: {what}")
            if self._nspawn is not None and self._nspawn.poll() is not None:
                raise BootError(f"the machine is gone (its console: {self.folder / 'console.log'})")
            time.sleep(0.2)
        return time.monotonic() - began

    def off(self) -> int:
        """Power off; give what systemd-nspawn ended with."""
        if self._nspawn is None:
            return 0
        if self._nspawn.poll() is None:
            self.ask("systemctl poweroff")
        try:
            return self._nspawn.wait(60)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            return self._nspawn.wait()

    def _found(self) -> bool:
        """Find the first process of the machine: systemd-nspawn starts another one before it."""
        assert self._nspawn is not None
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
        firsts = [pid for pid in children if Path(f"/proc/{pid}/comm").read_text().strip() == "systemd"]
        self._leader = int(firsts[0]) if firsts else 0
        return bool(firsts)

    def _inside(self, *command: str) -> list[str]:
        given = [f"{name}={value}" for name, value in os.environ.items() if PASSED.match(name)]
        enter = ["nsenter", f"--target={self._leader}", "--mount", "--uts", "--ipc", "--pid", "--cgroup"]
        around = ["env", "-i", "--chdir=/root/driftwatch", "HOME=/root", "LANG=C.UTF-8", f"PATH={_PATH}", *given]
        return [*enter, "--root", "--wd=/", *around, "DEBIAN_FRONTEND=noninteractive", *command]


def _said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""
