"""The house rules that a parser can hold: layers, fences, pure rooms, sizes, names."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "driftwatch"

# Imports only go down, so only to a smaller number; rooms on one level do not know each other.
LEVELS = {
    "errors": 0,
    "model": 0,
    "config": 1,
    "judge": 1,
    "store": 1,
    "report": 2,
    "tell": 3,
    "watch": 4,
    "review": 5,
    "web": 6,
    "run": 7,
    "cli": 8,
    "__main__": 9,
}

# `driftwatch/__init__.py` is the public interface, not a room.
FACADE_MAY_IMPORT = {"model", "judge"}
MIGRATIONS_MAY_IMPORT = {"model", "errors", "store"}

# Third-party package → the only places (below the repository's root) that may import it.
FENCES = {
    "alembic": ("driftwatch/store/", "migrations/"),
    "apscheduler": ("driftwatch/run/",),
    "argon2": ("driftwatch/web/",),
    "deepdiff": ("driftwatch/judge/diff.py",),
    "fastapi": ("driftwatch/web/",),
    "h11": ("driftwatch/watch/witness/forward.py", "driftwatch/watch/witness/remote/", "driftwatch/run/serving.py"),
    "httpx": ("driftwatch/tell/channels/", "driftwatch/watch/supply"),
    "httpcore2": ("driftwatch/watch/fetch/",),
    "httpx2": ("driftwatch/watch/fetch/",),
    "aiosmtplib": ("driftwatch/tell/channels/",),
    "apprise": ("driftwatch/tell/channels/",),
    "jinja2": (
        "driftwatch/web/",
        "driftwatch/config/template.py",
        "driftwatch/config/sandbox.py",
        "driftwatch/config/steps.py",
    ),
    "mcp": ("driftwatch/watch/fetch/",),
    "mcp_types": ("driftwatch/watch/fetch/",),
    "opentelemetry": ("driftwatch/run/tracing.py",),
    "prometheus_client": ("driftwatch/run/metrics",),
    "rich": ("driftwatch/cli/",),
    "sqlalchemy": ("driftwatch/store/", "migrations/"),
    "sse_starlette": ("driftwatch/web/",),
    "starlette": ("driftwatch/web/",),
    "typer": ("driftwatch/cli/",),
    "uvicorn": ("driftwatch/run/",),
}

# Only the wiring, and the room that holds it, knows a concrete class by name.
CONCRETE = {
    "Alertmanager": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "Apprise": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "Command": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "Email": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "McpFetcher": ("driftwatch/watch/fetch/", "driftwatch/run/"),
    "PagerDuty": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "Slack": ("driftwatch/tell/channels/", "driftwatch/run/"),
    "Webhook": ("driftwatch/tell/channels/", "driftwatch/run/"),
}

PURE = (
    "driftwatch/config/",
    "driftwatch/errors.py",
    "driftwatch/judge/",
    "driftwatch/model",
    "driftwatch/report/",
    "driftwatch/tell/alerts.py",
    "driftwatch/tell/batch.py",
    "driftwatch/tell/health.py",
    "driftwatch/tell/payload.py",
    "driftwatch/tell/retry.py",
    "driftwatch/tell/routes.py",
    "driftwatch/tell/samples.py",
    "driftwatch/tell/templates.py",
    "driftwatch/tell/words.py",
    "driftwatch/tell/told.py",
    "driftwatch/watch/opinion/answer.py",
    "driftwatch/watch/opinion/question.py",
    "driftwatch/watch/schedule.py",
    "driftwatch/watch/witness/bodies.py",
    "driftwatch/watch/witness/gathering.py",
    "driftwatch/watch/witness/lines.py",
    "driftwatch/watch/witness/messages.py",
    "driftwatch/watch/witness/packing.py",
    "driftwatch/watch/witness/session.py",
    "driftwatch/watch/witness/walks.py",
)
NOT_PURE = ("driftwatch/config/files.py", "driftwatch/config/load.py", "driftwatch/config/programs.py")

# What brings a clock, randomness, the environment or the outside world into a room.
IMPURE = {
    "asyncio", "anyio", "http", "logging", "multiprocessing", "os", "random", "secrets", "select", "shutil", "signal",
    "socket", "sqlite3", "ssl", "structlog", "subprocess", "tempfile", "threading", "time", "uuid",
}  # fmt: skip

FORBIDDEN_NAMES = {"common", "core", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}

# What `import driftwatch` and an offline comparison must not load.
HEAVY = (
    "alembic",
    "apscheduler",
    "argon2",
    "fastapi",
    "httpx",
    "httpx2",
    "mcp",
    "rich",
    "sqlalchemy",
    "starlette",
    "typer",
    "uvicorn",
)


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(imports_of(tree(path), path.relative_to(ROOT).parent.parts))


def imports_of(module: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Give every dotted name that a module of `package` imports, under TYPE_CHECKING and inside functions too.

    For `from a import b` that is both `a` and `a.b`, since b may be a module. A module named in a literal to
    `import_module` counts as well.
    """
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield node.lineno, base
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            literals = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
            yield from ((node.lineno, name) for name in literals if isinstance(name, str))


def rooms_imported(path: Path) -> Iterator[tuple[int, str]]:
    """Give the rooms of driftwatch that a file imports; an empty name is the public interface itself."""
    for line, name in imports(path):
        first, *rest = name.split(".")
        if first == "driftwatch" and rest and (rest[0] in LEVELS or (PACKAGE / rest[0]).exists()):
            yield line, rest[0]


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def allowed(room: str) -> set[str]:
    if room == "__init__":
        return FACADE_MAY_IMPORT
    return {other for other, level in LEVELS.items() if level < LEVELS[room]} | {room}


def test_every_file_of_the_package_is_in_a_known_room() -> None:
    rooms = {room_of(path) for path in python_files("driftwatch")}

    assert rooms <= {*LEVELS, "__init__"}


def test_imports_only_go_down() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {room}"
        for path in python_files("driftwatch")
        for line, room in rooms_imported(path)
        if room not in allowed(room_of(path))
    ]

    assert wrong == []


def test_migrations_know_only_the_store() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {room}"
        for path in python_files("migrations")
        for line, room in rooms_imported(path)
        if room not in MIGRATIONS_MAY_IMPORT
    ]

    assert wrong == []


@pytest.mark.parametrize("package", sorted(FENCES))
def test_a_third_party_package_stays_behind_its_fence(package: str) -> None:
    wrong = sorted(
        {
            f"{relative(path)}:{line}"
            for path in python_files("driftwatch", "migrations")
            for line, name in imports(path)
            if name.split(".")[0] == package and not relative(path).startswith(FENCES[package])
        }
    )

    assert wrong == []


@pytest.mark.parametrize("name", sorted(CONCRETE))
def test_only_the_wiring_names_a_concrete_class(name: str) -> None:
    wrong = [
        f"{relative(path)}:{line}"
        for path in python_files("driftwatch")
        for line, imported in imports(path)
        if imported.split(".")[-1] == name and not relative(path).startswith(CONCRETE[name])
    ]

    assert wrong == []


def test_pure_rooms_import_no_clock_no_randomness_and_no_outside_world() -> None:
    wrong = sorted(
        {
            f"{relative(path)}:{line} imports {name}"
            for path in python_files("driftwatch")
            if relative(path).startswith(PURE) and not relative(path).startswith(NOT_PURE)
            for line, name in imports(path)
            if name.split(".")[0] in IMPURE
        }
    )

    assert wrong == []


def test_pure_rooms_do_not_ask_for_the_time() -> None:
    wrong = [
        f"{relative(path)}:{node.lineno} calls {ast.unparse(node.func)}"
        for path in python_files("driftwatch")
        if relative(path).startswith(PURE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(("datetime.now", "datetime.utcnow", "date.today", "datetime.today"))
    ]

    assert wrong == []


def test_no_file_has_more_than_400_lines() -> None:
    too_long = {
        relative(path): lines
        for path in python_files("driftwatch", "migrations", "tests", "benchmarks")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }

    assert too_long == {}


def test_no_function_has_more_than_50_lines() -> None:
    # Tests are left out: one that shows a whole message body reads best in one piece.
    too_long = [
        f"{relative(path)}:{node.lineno} {node.name} has {length} lines"
        for path in python_files("driftwatch", "migrations", "benchmarks")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > 50
    ]

    assert too_long == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    nameless = [
        relative(path)
        for path in python_files("driftwatch", "migrations", "tests", "benchmarks")
        if FORBIDDEN_NAMES & {path.stem, *path.relative_to(ROOT).parts}
    ]

    assert nameless == []


def test_importing_driftwatch_and_comparing_loads_no_daemon_no_database_and_no_web_server() -> None:
    program = (
        "import sys, driftwatch\n"
        'driftwatch.compare({"tools": []}, {"tools": [{"name": "read", "inputSchema": {"type": "object"}}]})\n'
        'driftwatch.scan({"tools": []})\n'
        "print(*sys.modules, sep='\\n')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded & set(HEAVY) == set()


def test_relative_imports_late_imports_and_imports_for_types_are_seen() -> None:
    source = (
        "from typing import TYPE_CHECKING\n"
        "from ...store import tables\n"
        "if TYPE_CHECKING:\n"
        "    from driftwatch.web import pages\n"
        "def later():\n"
        "    import importlib\n"
        "    importlib.import_module('driftwatch.run.daemon')\n"
    )

    names = {name for _, name in imports_of(ast.parse(source), ("driftwatch", "judge", "rules"))}

    assert {"driftwatch.store.tables", "driftwatch.web.pages", "driftwatch.run.daemon"} <= names
