"""The container, the systemd unit and the compose file are read the way their own tools read them."""

from __future__ import annotations

import json
import re
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
