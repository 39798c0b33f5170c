"""The container, the systemd unit and the compose file are read the way their own tools read them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
UNIT = ROOT / "deploy" / "systemd" / "driftwatch.service"
COMPOSE = ROOT / "deploy" / "compose.yaml"
UID = "10001"
DATA = "/var/lib/driftwatch"
CONFIG = "/etc/driftwatch/driftwatch.toml"


def instructions(text: str) -> list[tuple[str, str]]:
    """Split a Dockerfile into (instruction, arguments), continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [(word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines())]


def stages(text: str) -> list[list[tuple[str, str]]]:
    """Split a Dockerfile at its FROM lines; what stands before the first one comes first."""
    found: list[list[tuple[str, str]]] = [[]]
    for word, rest in instructions(text):
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest))
    return found


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def final(dockerfile: str) -> list[tuple[str, str]]:
    return stages(dockerfile)[-1]


@pytest.fixture(scope="module")
def service() -> Mapping[str, Any]:
    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]["driftwatch"]


def value_of(stage: list[tuple[str, str]], word: str) -> str:
    return next(rest for found, rest in stage if found == word)


def settings(path: Path) -> list[tuple[str, str]]:
    """Give the assignments of a unit file in order (a key may come again)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#;[")
    return [(key, value) for key, _, value in pairs]


def test_every_stage_starts_from_the_one_base_that_an_argument_names(dockerfile: str) -> None:
    before, build, bill, final = stages(dockerfile)

    assert [word for word, _ in before] == ["ARG"]
    assert re.fullmatch(r"PYTHON_IMAGE=python:3\.1[123]-slim-\w+", before[0][1])
    assert build[0] == ("FROM", "${PYTHON_IMAGE} AS build")
    assert bill[0] == ("FROM", "build AS bill")
    assert final[0] == ("FROM", "${PYTHON_IMAGE}")


def test_the_image_copies_only_what_exists_and_what_the_builder_is_given(dockerfile: str) -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    given = {line.removeprefix("!") for line in ignored if line.startswith("!")}

    copied = {
        source
        for word, rest in instructions(dockerfile)
        if word == "COPY" and not rest.startswith("--from=")
        for source in rest.split()[:-1]
    }

    assert copied == given
    assert [source for source in sorted(copied) if not (ROOT / source).exists()] == []


def test_the_image_installs_only_what_has_a_hash(dockerfile: str) -> None:
    runs = " && ".join(rest for word, rest in instructions(dockerfile) if word == "RUN")
    installs = [command for command in runs.split("&&") if " install " in command and " pip " in command]

    assert installs
    assert all("--require-hashes" in command or "--no-deps --no-index" in command for command in installs)


def test_the_image_runs_as_a_fixed_user_that_is_not_root(final: list[tuple[str, str]]) -> None:
    created = " ".join(rest for word, rest in final if word == "RUN")

    assert value_of(final, "USER") == f"{UID}:{UID}"
    assert f"--uid {UID}" in created
    assert f"--gid {UID}" in created


def test_the_image_runs_the_daemon_and_asks_it_for_its_health(final: list[tuple[str, str]]) -> None:
    health = value_of(final, "HEALTHCHECK")

    assert json.loads(health[health.index("[") :]) == ["driftwatch", "healthcheck"]
    assert json.loads(value_of(final, "ENTRYPOINT")) == ["driftwatch"]
    assert json.loads(value_of(final, "CMD")) == ["run"]


def test_the_image_the_unit_and_the_compose_file_agree_on_places(
    final: list[tuple[str, str]], service: Mapping[str, Any]
) -> None:
    image = value_of(final, "ENV")
    unit = [value for key, value in settings(UNIT) if key == "Environment"]
    mounts = [volume.split(":")[1] for volume in service["volumes"]]

    for setting in (f"DRIFTWATCH_CONFIG={CONFIG}", f"DRIFTWATCH_DATABASE_URL=sqlite:///{DATA}/driftwatch.db"):
        assert setting in image.split()
        assert setting in unit
    assert json.loads(value_of(final, "VOLUME")) == [DATA]
    assert mounts == [CONFIG, DATA]


def test_the_compose_service_writes_only_to_its_volume_and_to_memory(service: Mapping[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert [entry.split(":")[0] for entry in service["tmpfs"]] == ["/tmp"]


def test_the_compose_service_builds_this_repository_and_checks_its_health(service: Mapping[str, Any]) -> None:
    context = (COMPOSE.parent / service["build"]["context"]).resolve()

    assert context == ROOT
    assert service["healthcheck"]["test"] == ["CMD", "driftwatch", "healthcheck"]
    assert (COMPOSE.parent / f"{service['env_file'][0]}.example").exists()


def test_docker_compose_accepts_the_file(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker with its compose plugin is not installed")
    deploy = tmp_path / "deploy"
    shutil.copytree(COMPOSE.parent, deploy)
    shutil.copy(deploy / "driftwatch.env.example", deploy / "driftwatch.env")

    done = subprocess.run(
        [docker, "compose", "--file", str(deploy / COMPOSE.name), "config", "--quiet"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    text, replaced = re.subn(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(encoding="utf-8"))
    copy = tmp_path / UNIT.name
    copy.write_text(text, encoding="utf-8")

    done = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False)

    assert replaced == 1
    assert done.returncode == 0, done.stderr
    assert UNIT.name not in done.stderr


def test_the_unit_keeps_out_of_reach_what_the_daemon_does_not_need(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    copy = tmp_path / UNIT.name
    shutil.copy(UNIT, copy)

    # systemd's own scale from 0 (locked down) to 10 (open), in tenths.
    done = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=25", "--no-pager", str(copy)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-500:] + done.stderr


def commands_beside_the_daemon() -> list[list[str]]:
    """Give the words of each `systemd-run` that the README shows."""
    text = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line) for line in text.splitlines() if line.startswith("    systemd-run ")]


def options(words: list[str], name: str) -> list[tuple[str, str]]:
    """Give the settings that `--name=KEY=VALUE` passes."""
    given = [word.removeprefix(f"--{name}=") for word in words if word.startswith(f"--{name}=")]
    return [(key, value) for key, _, value in (one.partition("=") for one in given)]


def test_commands_beside_the_daemon_are_given_what_the_unit_is_given() -> None:
    unit = settings(UNIT)
    variables = [(key, value) for key, _, value in (v.partition("=") for k, v in unit if k == "Environment")]

    shown = commands_beside_the_daemon()

    assert len(shown) == 2
    for words in shown:
        properties = options(words, "property")
        # systemd names a dynamic user after its unit, and this unit has another name.
        assert set(properties) - set(unit) == {("User", UNIT.stem)}
        assert {"DynamicUser", "StateDirectory", "UMask"} <= dict(properties).keys()
        assert {"DRIFTWATCH_CONFIG", "DRIFTWATCH_DATABASE_URL"} <= dict(options(words, "setenv")).keys()
        assert set(options(words, "setenv")) <= set(variables)
        assert words[-2] == dict(unit)["ExecStart"].split()[0]
    assert [words[-1] for words in shown if "EnvironmentFile" in dict(options(words, "property"))] == ["selftest"]


def test_systemd_accepts_the_commands_beside_the_daemon_as_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    for number, words in enumerate(commands_beside_the_daemon()):
        lines = [f"{key}={value}" for key, value in options(words, "property")]
        lines += [f"Environment={key}={value}" for key, value in options(words, "setenv")]
        unit = tmp_path / f"beside-{number}.service"
        unit.write_text("\n".join(["[Service]", "ExecStart=/bin/true", *lines, ""]), encoding="utf-8")

        done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False)

        assert done.returncode == 0, done.stderr
        assert unit.name not in done.stderr


def test_the_unit_does_not_restart_what_starting_again_cannot_cure() -> None:
    from driftwatch.errors import ConfigError, UsageError

    kept = dict(settings(UNIT))["RestartPreventExitStatus"].split()

    assert kept == [str(UsageError.exit_code), str(ConfigError.exit_code)]
