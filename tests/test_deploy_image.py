"""What the image is made with: its bill of materials, the pins of what writes it, and the script that builds it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
IMAGE = ROOT / "deploy" / "image"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
LISTED = """\
zlib1g:amd64\t1:1.3.dfsg+really1.3.1-1+b1\tamd64\tinstalled
base-files\t13.8\tamd64\tinstalled
gone\t1.0\tall\tconfig-files
"""
RELEASE = 'ID=debian\nVERSION_ID="13"\n# a comment = nothing\nNAME=Debian\n'


@pytest.fixture(scope="module")
def bill() -> ModuleType:
    spec = importlib.util.spec_from_file_location("image_bill", IMAGE / "sbom.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


def pins(path: Path) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([a-z0-9-]+)==([\w.]+)", path.read_text(encoding="utf-8")))


def service() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"]["driftwatch"]


def test_each_installed_debian_package_is_named_as_advisories_name_it(bill: ModuleType) -> None:
    components = bill.debian(LISTED, bill.release(RELEASE))

    assert [(one["name"], one["version"], one["purl"]) for one in components] == [
        ("base-files", "13.8", "pkg:deb/debian/base-files@13.8?arch=amd64&distro=debian-13"),
        (
            "zlib1g",
            "1:1.3.dfsg+really1.3.1-1+b1",
            "pkg:deb/debian/zlib1g@1%3A1.3.dfsg%2Breally1.3.1-1%2Bb1?arch=amd64&distro=debian-13",
        ),
    ]


def test_a_base_without_a_number_is_named_by_its_name_alone(bill: ModuleType) -> None:
    (first, _) = bill.debian(LISTED, bill.release("ID=debian\n"))

    assert first["purl"].endswith("&distro=debian")


def test_what_is_added_to_the_bill_stands_among_its_dependencies_too(bill: ModuleType) -> None:
    before = {"components": [{"bom-ref": "rich==14"}], "dependencies": [{"ref": "rich==14"}], "version": 1}

    joined = bill.join(before, [bill.python("3.13.5")])

    assert [one["bom-ref"] for one in joined["components"]] == ["rich==14", "pkg:generic/python@3.13.5"]
    assert [one["ref"] for one in joined["dependencies"]] == ["rich==14", "pkg:generic/python@3.13.5"]
    assert joined["version"] == 1
    assert len(before["components"]) == 1


def test_the_tool_that_writes_the_bill_is_pinned_and_agrees_with_the_other_pins() -> None:
    path = IMAGE / "requirements.txt"
    text = path.read_text(encoding="utf-8")
    ours, known = pins(path), pins(ROOT / "requirements-dev.txt")

    assert "cyclonedx-bom" in ours
    assert "://" not in text
    assert text.count("==") <= text.count("--hash=sha256:")
    assert {name: (version, known[name]) for name, version in ours.items() if known.get(name, version) != version} == {}


def test_the_image_and_what_runs_it_bear_the_version_of_the_project(dockerfile: str) -> None:
    assert re.findall(r"^ARG VERSION=(.*)$", dockerfile, re.MULTILINE) == [VERSION]
    assert service()["image"] == f"driftwatch:{VERSION}"


def test_compose_takes_another_base_and_falls_back_to_that_of_the_dockerfile(dockerfile: str) -> None:
    (base,) = re.findall(r"^ARG PYTHON_IMAGE=(.*)$", dockerfile, re.MULTILINE)

    assert service()["build"]["args"] == {"PYTHON_IMAGE": "${PYTHON_IMAGE:-" + base + "}"}


def test_the_bill_lies_where_the_documentation_says(dockerfile: str) -> None:
    (place,) = re.findall(r"sbom\.cdx\.json (/\S+)$", dockerfile, re.MULTILINE)

    assert place in (ROOT / "docs" / "container.md").read_text(encoding="utf-8")


def test_the_builder_says_what_is_missing(tmp_path: Path) -> None:
    for name in ("dirname", "sh"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)

    done = subprocess.run(
        [IMAGE / "build.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=30, check=False
    )

    assert done.returncode == 69
    assert "buildah is not installed" in done.stderr
