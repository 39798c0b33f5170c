"""The systemd unit, its drop-in and what goes with them, read the way systemd reads them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from driftwatch.errors import ConfigError, UsageError
from driftwatch.run.watchdog import SAYING
from tests.boot.steps import DOCUMENT, steps

ROOT = Path(__file__).resolve().parent.parent
SYSTEMD = ROOT / "deploy" / "systemd"
UNIT = SYSTEMD / "driftwatch.service"
LOCAL = SYSTEMD / "driftwatch-local.conf"
BESIDE = SYSTEMD / "driftwatch-ctl"

needs_analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def settings(path: Path) -> list[tuple[str, str]]:
    """Give the assignments of a unit file in order (a key may come again)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#;[")
    return [(key, value) for key, _, value in pairs]


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60, check=False)


def laid(folder: Path, *, local: bool) -> Path:
    """Lay the unit as it is installed, with a program that exists."""
    text, replaced = re.subn(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(encoding="utf-8"))
    assert replaced == 1
    unit = folder / UNIT.name
    unit.write_text(text, encoding="utf-8")
    if local:
        beside = folder / f"{UNIT.name}.d"
        beside.mkdir()
        shutil.copy(LOCAL, beside / "local.conf")
    return unit


@needs_analyze
@pytest.mark.parametrize("local", [False, True])
def test_systemd_accepts_the_unit_with_and_without_its_drop_in(tmp_path: Path, local: bool) -> None:
    done = analyze("verify", str(laid(tmp_path, local=local)))

    assert done.returncode == 0, done.stderr
    assert UNIT.name not in done.stderr


@needs_analyze
@pytest.mark.parametrize(("local", "most"), [(False, 1.1), (True, 2.5)])
def test_the_unit_is_as_closed_as_its_page_says(tmp_path: Path, local: bool, most: float) -> None:
    done = analyze("security", "--offline=true", "--no-pager", str(laid(tmp_path, local=local)))

    found = re.search(r"exposure level for \S+: (\d+\.\d)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= most
    assert f"| {most} |" in DOCUMENT.read_text(encoding="utf-8")


def test_the_unit_does_not_restart_what_starting_again_cannot_cure() -> None:
    kept = dict(settings(UNIT))["RestartPreventExitStatus"].split()

    assert kept == [str(UsageError.exit_code), str(ConfigError.exit_code)]


def test_the_daemon_speaks_often_enough_for_the_watchdog() -> None:
    unit = dict(settings(UNIT))

    assert (unit["Type"], unit["WatchdogSec"]) == ("notify", "2min")
    assert SAYING <= 120


def test_the_drop_in_only_opens_what_the_unit_closes_and_says_why() -> None:
    closed = dict(settings(UNIT))
    lines = LOCAL.read_text(encoding="utf-8").splitlines()
    opened = [line.partition("=")[0] for line in lines if line and line[0] not in "#["]

    assert set(opened) <= closed.keys()
    for key in dict.fromkeys(opened):
        first = next(number for number, line in enumerate(lines) if line.startswith(f"{key}="))
        assert lines[first - 1].startswith("#") or lines[first - 1].startswith("ProtectKernel"), key


def test_commands_beside_the_daemon_are_given_what_the_unit_is_given() -> None:
    unit = settings(UNIT)
    variables = {one for key, value in unit if key == "Environment" for one in value.split()}
    words = shlex.split(BESIDE.read_text(encoding="utf-8").replace("\\\n", " ").split("exec ")[1])

    properties = {
        tuple(one.removeprefix("--property=").split("=", 1)) for one in words if one.startswith("--property=")
    }
    given = {one.removeprefix("--setenv=") for one in words if one.startswith("--setenv=")}

    # systemd names a dynamic user after its unit, and these units have other names.
    assert properties - set(unit) == {("User", UNIT.stem)}
    assert {"DynamicUser", "StateDirectory", "CacheDirectory", "UMask", "LoadCredential"} <= {
        key for key, _ in properties
    }
    # How the log looks is for the journal; commands speak to people.
    assert variables - given == {"DRIFTWATCH_LOG_FORMAT=json"}
    assert given <= variables
    assert words[-2:] == [dict(unit)["ExecStart"].split()[0], "$@"]


@needs_analyze
def test_systemd_accepts_the_commands_beside_the_daemon_as_a_unit(tmp_path: Path) -> None:
    words = shlex.split(BESIDE.read_text(encoding="utf-8").replace("\\\n", " ").split("exec ")[1])
    lines = [one.removeprefix("--property=") for one in words if one.startswith("--property=")]
    lines += [f"Environment={one.removeprefix('--setenv=')}" for one in words if one.startswith("--setenv=")]
    unit = tmp_path / "beside.service"
    unit.write_text("\n".join(["[Service]", "ExecStart=/bin/true", *lines, ""]), encoding="utf-8")

    done = analyze("verify", str(unit))

    assert done.returncode == 0, done.stderr
    assert unit.name not in done.stderr


def test_commands_beside_the_daemon_say_that_they_need_root() -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    as_nobody = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []

    done = subprocess.run(
        [*as_nobody, "sh", "-s", "status"],
        input=BESIDE.read_text(encoding="utf-8"), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert "Try: sudo driftwatch-ctl status" in done.stderr


def test_what_is_booted_is_every_command_of_the_quick_start() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    chapters = steps(text)

    assert list(chapters) == [
        "What it needs", "Install", "Secrets", "Configure", "Start", "Approve", "Reload", "Upgrade", "Stop and remove",
    ]  # fmt: skip
    assert sum(map(len, chapters.values())) == text.count("```sh\n")
    for place in re.findall(r"deploy/\S+", "\n".join(block for blocks in chapters.values() for block in blocks)):
        assert (ROOT / place).exists(), place
