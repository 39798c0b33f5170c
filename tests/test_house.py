"""What is committed works on any machine, and what the documents say about files is true."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Written in pieces, so that this file does not hold what it looks for.
REGISTRIES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "yarn" + "pkg.com",
    "deb." + "debian.org",
    "snapshot." + "debian.org",
    "crates" + ".io",
    "proxy.golang" + ".org",
    "rubygems" + ".org",
    "repo.maven" + ".apache.org",
]
MACHINE_PATHS = [
    r"(?<![\w.~-])/wor" + r"k/(?:main|shared|\.library)\b",
    r"(?<![\w.~-])/tm" + r"p/dw\b",
    r"(?<![\w.~-])/op" + r"t/(?:pypi|wheels)\b",
    r"(?<![\w.~-])/roo" + r"t/\.(?:cache|config|local|pyenv)\b",
]
INDEX_LINES = [
    r"(?:^|\s)--(?:extra-)?inde" + r"x-url\b",
    r"(?:^|\s)--find-lin" + r"ks\b",
    r"(?:^|\s)--trusted-ho" + r"st\b",
    r"^\s*(?:extra-)?inde" + r"x-url\s*=",
    r"PIP_(?:EXTRA_)?INDE" + r"X_URL",
    r"UV_(?:DEFAULT_|EXTRA_)?INDE" + r"X\b",
]

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "deploy/**/*.md")
FOLDERS = {".ci", "benchmarks", "deploy", "docs", "driftwatch", "migrations", "tests"}


@cache
def committed() -> tuple[Path, ...]:
    """Give the files under version control; none when this is not a clone."""
    # The owner of the folder may be another user than the one who runs the tests (a mounted folder).
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60)
    except FileNotFoundError:
        return ()
    names = done.stdout.decode().split("\0") if done.returncode == 0 else []
    return tuple(ROOT / name for name in names if name and (ROOT / name).is_file())


def places(patterns: list[str], *, flags: re.RegexFlag = re.NOFLAG, leave_out: tuple[str, ...] = ()) -> list[str]:
    """Give file and line of every match in the committed files; skip the test when they cannot be listed."""
    if not committed():
        pytest.skip("not a git clone, or git is not installed")
    wanted = re.compile("|".join(patterns), flags | re.MULTILINE)
    found = []
    for path in committed():
        if path.relative_to(ROOT).as_posix().startswith(leave_out):
            continue
        text = path.read_bytes().decode("utf-8", errors="replace")
        found += [
            f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}: {match.group().strip()}"
            for match in wanted.finditer(text)
        ]
    return found


def documents() -> list[Path]:
    return sorted(path for pattern in DOCUMENTS for path in ROOT.glob(pattern))


def cited_paths(text: str) -> set[str]:
    """Give what stands in backticks and begins with a folder of this repository."""
    quoted = re.findall(r"`([\w.*-]+(?:/[\w.*-]+)+/?)`", text)
    return {
        path for path in quoted if path.split("/")[0] in FOLDERS and ("." in path.rsplit("/", 1)[-1] or path[-1] == "/")
    }


def test_no_committed_file_names_a_package_registry() -> None:
    assert places([re.escape(host) for host in REGISTRIES], flags=re.IGNORECASE) == []


def test_no_committed_file_names_a_path_of_one_machine() -> None:
    assert places(MACHINE_PATHS) == []


def test_no_committed_file_says_where_packages_come_from() -> None:
    # Rules look for such options in hostile texts, so they and their tests spell them.
    assert places(INDEX_LINES, leave_out=("driftwatch/judge/", "tests/")) == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-build.txt", "requirements-dev.txt"])
def test_requirements_are_pins_with_hashes_and_nothing_else(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]

    pin = re.compile(r"[a-z0-9-]+==[\w.]+(?: ; [\w\s.'=<>!()]+?)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")

    assert lines
    assert [line[:60] for line in lines if not pin.fullmatch(line)] == []


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_that_a_document_cites_exists(document: Path) -> None:
    cited = cited_paths(document.read_text(encoding="utf-8"))

    assert [path for path in sorted(cited) if not any(ROOT.glob(path))] == []


def test_a_path_in_backticks_is_seen_and_other_words_are_not() -> None:
    text = (
        "`driftwatch/model.py`, `tests/judge/`, `application/json`, `driftwatch/1`, driftwatch/errors.py, `make test`"
    )

    assert cited_paths(text) == {"driftwatch/model.py", "tests/judge/"}


def test_the_change_log_has_a_place_for_the_next_release() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert re.search(r"(?m)^## \[?Unreleased\]?$", text)


def test_ci_runs_the_test_command_that_the_readme_gives() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert re.search(r"(?m)^\s*make test$", readme)
    assert re.search(r"(?m)^step make test\b", script)
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
