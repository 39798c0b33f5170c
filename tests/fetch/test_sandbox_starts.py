"""Honest servers in the sandbox: they start, they are told of as without one, and what fails says what to try."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, entry, local, names
from sandbox_world import SERVER, SERVERS, doing, kit_of, look, needs_bwrap, on_path, told
from servers import hostile
from servers.layouts import npm_archive, npm_package, python_package, uvx

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Era, Listed
from driftwatch.watch.fetch.base import HeldSession
from driftwatch.watch.fetch.kit import Kit
from driftwatch.watch.fetch.listen import McpListener
from driftwatch.watch.fetch.sandbox import enter

pytestmark = needs_bwrap
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not on the PATH")
needs_npx = pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not on the PATH")


WITH_SERVERS = SandboxConfig(read=(SERVERS,))


async def launch(server: ServerConfig, kit: Kit) -> Any:
    outcome = await look(server, kit)
    assert isinstance(outcome, Listed), outcome
    return outcome.launch


def _script(folder: Path) -> ServerConfig:
    return local()


def _module(folder: Path) -> ServerConfig:
    python_package(folder / "env")
    return entry(command=str(folder / "env" / "bin" / "python"), args=("-m", "tickets_mcp"), sandbox=WITH_SERVERS)


def _program(folder: Path) -> ServerConfig:
    python_package(folder / "env")
    return entry(command="tickets-mcp", env=on_path(folder / "env" / "bin"), sandbox=WITH_SERVERS)


def _linked(folder: Path) -> ServerConfig:
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    return entry(command=str(folder / "bin" / "python"), args=local().args)


def _node(folder: Path) -> ServerConfig:
    npm_package(folder / "node_modules")
    return entry(command="node", args=(str(folder / "node_modules" / "@tickets" / "mcp" / "dist" / "index.js"),))


def _relative(folder: Path) -> ServerConfig:
    npm_package(folder / "node_modules")
    return entry(command="node", args=("node_modules/@tickets/mcp/dist/index.js",), cwd=str(folder))


@pytest.mark.parametrize(
    "made",
    [
        _script,
        _module,
        _program,
        _linked,
        pytest.param(_node, marks=needs_node),
        pytest.param(_relative, marks=needs_node),
    ],
)
async def test_how_a_server_is_started_is_told_as_it_is_without_a_sandbox(made: Any, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    server = made(tmp_path / "work")

    inside = await launch(server, kit_of(tmp_path / "kept"))
    outside = await launch(server, KIT)

    assert inside == outside
    assert {"executable", "script", "package"} & set(inside)


@needs_npx
@needs_node
@pytest.mark.parametrize("network", ["on", "off", "fetch-only"])
async def test_the_real_npx_is_told_as_without_a_sandbox_whatever_the_network(network: str, tmp_path: Path) -> None:
    archive = npm_archive(tmp_path / "tickets.tgz")
    outside = {"npm_config_cache": Secret(str(tmp_path / "cache")), "npm_config_update_notifier": Secret("false")}
    server = entry(
        command="npx",
        args=("--yes", f"file:{archive}"),
        env={**outside, "npm_config_offline": Secret("true")},
        sandbox=SandboxConfig(network=network),
        times={"start": 60.0, "look": 120.0},
    )

    inside = await launch(server, kit_of(tmp_path / "kept"))

    assert inside == await launch(server, replace(KIT, environ={**KIT.environ, "HOME": str(tmp_path)}))
    assert (inside["package"]["name"], inside["package"]["version"]) == ("tickets-mcp", "1.2.0")


@needs_node
async def test_a_package_is_fetched_without_the_servers_own_variables_and_started_from_what_it_cannot_write(
    tmp_path: Path,
) -> None:
    """A stand-in for `npx` fetches: it fails where it is given what is none of an installer's business."""
    packed = tmp_path / "packed"
    npm_package(packed / "node_modules", name="tickets-mcp")
    runner = tmp_path / "bin" / "npx"
    runner.parent.mkdir()
    runner.write_text(_NPX.format(packed=packed, python=sys.executable))
    runner.chmod(0o755)
    server = entry(
        command="npx",
        args=("-y", "tickets-mcp@1.2.0", "--quiet"),
        env={**on_path(runner.parent), "TICKETS_TOKEN": Secret("hunter2hunter2")},
        sandbox=SandboxConfig(read=(str(packed),), network="fetch-only"),
    )
    kit = kit_of(tmp_path / "kept")

    first = await launch(server, kit)
    asked = await launch(server, kit)

    assert first == asked
    assert (first["package"]["version"], first["package"]["asked"]) == ("1.2.0", "tickets-mcp@1.2.0")
    (note,) = (tmp_path / "kept" / "watched" / "packages").glob("*/cache/fetched-with")
    assert json.loads(note.read_text()) == {
        "words": ["--yes", "-y", "--package", "tickets-mcp@1.2.0", "--", "true"],
        "times": 1,
    }


_NPX = """#!{python}
import json, os, pathlib, shutil, sys
assert "TICKETS_TOKEN" not in os.environ, "an installer sees the token"
cache = pathlib.Path(os.environ["npm_config_cache"])
note = cache / "fetched-with"
times = json.loads(note.read_text())["times"] + 1 if note.exists() else 1
note.write_text(json.dumps({{"words": sys.argv[1:], "times": times}}))
into = cache / "_npx" / "0a1b"
shutil.copytree("{packed}/node_modules", into / "node_modules", symlinks=True, dirs_exist_ok=True)
about = {{"_npx": {{"packages": ["tickets-mcp@1.2.0"]}}, "dependencies": {{"tickets-mcp": "1.2.0"}}}}
(into / "package.json").write_text(json.dumps(about))
"""


@pytest.mark.parametrize("network", ["on", "fetch-only"])
async def test_a_package_behind_uvx_is_told_as_without_a_sandbox(network: str, tmp_path: Path) -> None:
    python_package(tmp_path / "archive")
    uvx(tmp_path / "bin", tmp_path / "archive")
    sandbox = SandboxConfig(read=(SERVERS, str(tmp_path / "archive"), sys.base_prefix), network=network)
    server = entry(command="uvx", args=("tickets-mcp",), env=on_path(tmp_path / "bin"), sandbox=sandbox)

    inside = await launch(server, kit_of(tmp_path / "kept"))

    assert inside == await launch(server, KIT)
    assert inside["package"]["version"] == "1.2.0"


async def test_a_folder_that_a_server_is_pointed_at_is_there_and_empty_and_a_file_is_shown(tmp_path: Path) -> None:
    documents, settings = tmp_path / "documents", tmp_path / "settings.json"
    documents.mkdir()
    (documents / "diary.txt").write_text("dear diary")
    settings.write_text("{}")
    kit = kit_of(tmp_path / "kept")

    seen = told(await look(doing(hostile.lists, str(documents), f"--at={settings}"), kit))
    read = told(await look(doing(hostile.reads, f"+{settings}", env={"SETTINGS": Secret(str(settings))}), kit))

    assert seen[str(documents)] == []
    assert read == {str(settings): "done"}


async def test_a_server_beside_driftwatchs_own_files_is_shown_without_them(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    shutil.copy(hostile.__file__, script)
    own = [tmp_path / "driftwatch.toml", tmp_path / "watch.db"]
    for file in own:
        file.write_text("ours")
    server = entry(command=sys.executable, args=("server.py", "lists", f"+{tmp_path}"), cwd=str(tmp_path))

    seen = told(await look(server, kit_of(tmp_path / "watch.db.sandbox", *own)))

    assert seen == {str(tmp_path): ["server.py"]}


async def test_a_variable_that_loads_code_loads_none_into_what_builds_the_sandbox(tmp_path: Path) -> None:
    server = doing(hostile.tells, "x", env={"LD_PRELOAD": Secret("/nowhere/evil.so")})

    outcome = await look(server, kit_of(tmp_path))

    assert "LD_PRELOAD" in told(outcome)["names"]


def test_what_loads_code_is_kept_from_the_environment_of_bubblewrap() -> None:
    loading, rest = enter._apart({"LD_PRELOAD": "a", "GLIBC_TUNABLES": "b", "PATH": "c", "LDAP": "d"})

    assert (set(loading), set(rest)) == ({"LD_PRELOAD", "GLIBC_TUNABLES"}, {"PATH", "LDAP"})


def test_nothing_is_let_go_while_nobody_knows_whose_limits_to_set() -> None:
    told, info = os.pipe()

    with pytest.raises(TimeoutError):
        enter._child(told, patience=0.0)
    os.close(info)

    assert enter._child(told, patience=0.0) is None
    os.close(told)


async def test_none_is_none(tmp_path: Path) -> None:
    server = doing(hostile.tells, "x", sandbox={"kind": "none"})

    found = told(await look(server, kit_of(tmp_path / "kept")))

    assert "TMPDIR" not in found["names"]
    assert not (tmp_path / "kept").exists()


async def test_a_command_that_runs_a_container_itself_is_left_alone(tmp_path: Path) -> None:
    engine = tmp_path / "bin" / "docker"
    engine.parent.mkdir()
    engine.write_text(f'#!/bin/sh\n[ "$1" = image ] && exit 1\nexec {sys.executable} {" ".join(local().args)}\n')
    engine.chmod(0o755)
    server = entry(command="docker", args=("run", "-i", "--rm", "tickets:1"), env=on_path(engine.parent))

    outcome = await look(server, kit_of(tmp_path / "kept"))

    assert names(outcome) == ["read", "write"]
    assert not (tmp_path / "kept").exists()


_TIDY = """
import runpy, signal, sys
sys.path.insert(0, {servers!r})
def leave(*_):
    open(sys.argv[1] + "/left", "w").write("in order")
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
try:
    notes, sys.argv = sys.argv, ["over_stdio.py", "honest"]
    runpy.run_path({server!r}, run_name="__main__")
finally:
    sys.argv = notes
    signal.pause()
"""


async def test_a_server_that_does_not_go_by_itself_is_asked_before_the_sandbox_ends(tmp_path: Path) -> None:
    script, notes = tmp_path / "bin" / "tidy.py", tmp_path / "notes"
    for folder in (script.parent, notes):
        folder.mkdir()
    script.write_text(_TIDY.format(server=SERVER, servers=SERVERS))
    sandbox = SandboxConfig(read=(SERVERS,), write=(str(notes),))

    outcome = await look(
        entry(command=sys.executable, args=(str(script), str(notes)), sandbox=sandbox), kit_of(tmp_path / "kept")
    )

    assert names(outcome) == ["read", "write"]
    assert (notes / "left").read_text() == "in order"


async def test_a_session_that_is_held_for_notices_is_in_the_sandbox_too(tmp_path: Path) -> None:
    held: asyncio.Queue[HeldSession] = asyncio.Queue()
    server = local("listens", sandbox=SandboxConfig(kind="bwrap"))
    listener = McpListener(kit_of(tmp_path))
    listening = asyncio.create_task(
        listener.listen(server, era=Era.HANDSHAKE, on_ready=held.put_nowait, on_notice=lambda: None)
    )
    async with asyncio.timeout(20):
        outcome = await (await held.get()).fetch()

    listening.cancel()
    await asyncio.wait([listening])

    assert names(outcome) == ["read", "write"]
    assert (tmp_path / "watched" / "home").is_dir()
