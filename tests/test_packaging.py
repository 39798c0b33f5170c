"""The wheel is built for real, installed for real, and holds what an installed driftwatch needs."""

from __future__ import annotations

import email.parser
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the pinned backend; nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel alone into an environment of its own, which borrows this one's other packages."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-qq", "--no-deps", "--no-index", wheel)
    places = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    # A folder named in a .pth file is searched, but .pth files inside it are not read: the editable install of this
    # working tree stays out of reach, so that what is imported is what the wheel holds.
    (own / "borrowed.pth").write_text("\n".join(sorted(places)) + "\n", encoding="utf-8")
    return home


def metadata(wheel: Path, name: str) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (path,) = [path for path in archive.namelist() if path.endswith(f".dist-info/{name}")]
        return email.parser.Parser().parsestr(archive.read(path).decode())


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^([a-z0-9-]+)==([\w.]+)", text))


def test_the_wheel_holds_every_file_of_the_package(names: set[str]) -> None:
    files = [path for path in (ROOT / "driftwatch").rglob("*") if path.is_file() and "__pycache__" not in path.parts]

    expected = {path.relative_to(ROOT).as_posix() for path in files}

    assert "driftwatch/py.typed" in expected
    assert expected - names == set()


def test_the_wheel_holds_the_migrations(names: set[str]) -> None:
    files = [path for path in (ROOT / "migrations").rglob("*.py") if "__pycache__" not in path.parts]

    expected = {f"driftwatch/_migrations/{path.relative_to(ROOT / 'migrations').as_posix()}" for path in files}

    assert "driftwatch/_migrations/env.py" in expected
    assert expected - names == set()


def test_the_wheel_brings_the_manual_page_where_man_finds_it_and_nothing_else(names: set[str]) -> None:
    own = f"mcp_driftwatch-{PROJECT['version']}"

    beside = {name for name in names if name.split("/")[0] not in {"driftwatch", f"{own}.dist-info"}}

    assert beside == {f"{own}.data/data/share/man/man1/driftwatch.1"}


def test_the_distribution_has_its_own_name_and_the_command_is_called_driftwatch(wheel: Path) -> None:
    about = metadata(wheel, "METADATA")
    with zipfile.ZipFile(wheel) as archive:
        (path,) = [path for path in archive.namelist() if path.endswith(".dist-info/entry_points.txt")]
        entry_points = archive.read(path).decode()

    assert about["Name"] == "mcp-driftwatch"
    assert about["License-Expression"] == "Apache-2.0"
    assert "driftwatch = driftwatch.__main__:main" in entry_points


def test_the_version_is_the_same_in_the_project_file_and_in_the_package() -> None:
    import driftwatch

    assert driftwatch.__version__ == PROJECT["version"]


def test_an_installed_driftwatch_compares_from_its_own_files(installed: Path, tmp_path: Path) -> None:
    program = (
        "import driftwatch, pathlib, sys\n"
        "assert pathlib.Path(driftwatch.__file__).is_relative_to(sys.prefix), driftwatch.__file__\n"
        'assert not driftwatch.compare({"tools": []}, {"tools": []}).findings\n'
    )

    run(installed / "bin" / "python", "-c", program, cwd=tmp_path)


def test_an_installed_driftwatch_makes_its_database(installed: Path, tmp_path: Path) -> None:
    program = (
        "from datetime import UTC, datetime\n"
        "from driftwatch.store.store import Store\n"
        "Store.open('sqlite:///made.db', clock=lambda: datetime.now(UTC)).close()\n"
    )

    run(installed / "bin" / "python", "-c", program, cwd=tmp_path)

    assert (tmp_path / "made.db").stat().st_size > 0


def test_an_installed_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    done = run(installed / "bin" / "driftwatch", "--version", cwd=tmp_path)

    assert PROJECT["version"] in done.stdout


def test_what_is_tested_is_what_is_run() -> None:
    everything = pins("requirements-dev.txt")

    for name in ("requirements.txt", "requirements-build.txt"):
        assert pins(name).items() <= everything.items()


def test_every_declared_dependency_is_pinned() -> None:
    declared = {re.split(r"[\[<>=~! ]", entry)[0].lower() for entry in PROJECT["dependencies"]}

    assert declared <= pins("requirements.txt").keys()


def test_the_readme_says_how_to_install_it_and_where_the_command_then_is() -> None:
    pages = ("README.md", "docs/quickstart-systemd.md")
    readme, service = ((ROOT / name).read_text(encoding="utf-8") for name in pages)
    install = readme.partition("## Install it\n")[2].partition("\n## ")[0]
    venv = re.search(r"^VENV \?= (\S+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

    assert venv is not None
    assert f"`{venv[1]}/bin/driftwatch`" in install
    pip = [line.partition("bin/pip ")[2] for line in install.splitlines() if "bin/pip " in line]
    shown = [line.replace(" --quiet", "").partition("/opt/driftwatch/bin/pip ")[2] for line in service.splitlines()]
    assert pip == [line for line in shown if line][: len(pip)]
    assert all((ROOT / name).is_file() for name in re.findall(r"-r (\S+)", install))
