"""What is found out about a server that was started here: real processes, real files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, entry, listed, local
from servers import over_stdio
from servers.layouts import npm_archive, npm_package, npx, python_package, uvx

from driftwatch.config.schema import ServerConfig
from driftwatch.config.secret import Filled, Secret
from driftwatch.watch.fetch.client import McpFetcher
from driftwatch.watch.fetch.kit import Kit

SCRIPT = Path(over_stdio.__file__)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not on the PATH")


def started(*folders: Path, command: str, args: tuple[str, ...] = (), **fields: Any) -> ServerConfig:
    """Give the entry of a server whose command is looked up in these folders first."""
    path = ":".join([*map(str, folders), os.environ["PATH"]])
    return entry(command=command, args=args, env={"PATH": Secret(path)}, **fields)


async def launch(server: ServerConfig) -> dict[str, Any]:
    """Give the launch that a look sees; two looks must see the same."""
    first, second = [(await listed(server)).launch for _ in range(2)]
    assert first == second
    return first


def known(path: Path) -> dict[str, str]:
    """Give what is told of a file."""
    real = path.resolve()
    return {"path": str(real), "digest": f"sha256:{hashlib.sha256(real.read_bytes()).hexdigest()}"}


async def test_a_script_is_told_with_the_program_that_runs_it_and_both_digests() -> None:
    server = local()

    told = await launch(server)

    assert told["executable"] == known(Path(server.command))
    assert told["script"] == known(SCRIPT)
    assert told["args"] == list(server.args)
    assert "package" not in told


async def test_what_handed_over_code_starts_is_not_taken_for_the_server(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("import signal\nsignal.pause()\n")
    code = (
        "import runpy, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, {str(helper)!r}], stdin=subprocess.DEVNULL)\n"
        f"sys.argv[1:] = ['honest']\nrunpy.run_path({str(SCRIPT)!r}, run_name='__main__')\n"
    )

    told = await launch(entry(command=sys.executable, args=("-c", code)))

    assert told["executable"] == known(Path(sys.executable))
    assert "script" not in told


async def test_the_names_of_variables_are_kept_and_no_value() -> None:
    server = local(env={"TOKEN": Secret("hunter2hunter2"), "A": Secret("1")})

    told = await launch(server)

    assert told["env"] == ["A", "TOKEN"]
    assert "hunter2" not in str(told)


async def test_what_was_filled_in_shows_nowhere_not_even_in_a_path_that_was_found_out(tmp_path: Path) -> None:
    script = tmp_path / "server-of-ann.py"
    script.write_text(
        f"import runpy, sys\nsys.argv[1:] = ['honest']\nrunpy.run_path({str(SCRIPT)!r}, run_name='__main__')\n"
    )
    written = Filled(str(script), shown=f"{tmp_path}/server-of-${{NAME}}.py", hidden=("ann.py",))

    told = await launch(entry(command=sys.executable, args=(written,)))

    assert told["args"] == [f"{tmp_path}/server-of-${{NAME}}.py"]
    assert told["script"]["path"] == f"{tmp_path}/server-of-***"


async def test_a_package_behind_npx_is_found_by_the_search_path_that_npx_made(tmp_path: Path) -> None:
    modules = tmp_path / "cache" / "_npx" / "0a1b" / "node_modules"
    server = f"#!{sys.executable}\nimport runpy, sys\nsys.argv[1:] = ['honest']\n"
    folder = npm_package(modules, server=f"{server}runpy.run_path({str(SCRIPT)!r}, run_name='__main__')\n")
    npx(tmp_path / "bin", modules)
    watched = started(tmp_path / "bin", command="npx", args=("-y", "@tickets/mcp"))

    told = await launch(watched)

    package = told["package"]
    assert {key: package[key] for key in ("ecosystem", "name", "asked", "pinned", "version")} == {
        "ecosystem": "npm",
        "name": "@tickets/mcp",
        "asked": "@tickets/mcp",
        "pinned": False,
        "version": "1.2.0",
    }
    assert str(folder) not in str(told)


@needs_node
async def test_a_package_behind_npx_is_found_by_the_file_that_node_runs(tmp_path: Path) -> None:
    modules = tmp_path / "_npx" / "0a1b" / "node_modules"
    npm_package(modules)
    npx(tmp_path / "bin", modules)
    watched = started(tmp_path / "bin", command="npx", args=("-y", "@tickets/mcp@1.2.0"))

    before = await launch(watched)
    npm_package(modules, version="1.3.0")
    updated = await launch(watched)
    npm_package(modules, version="1.3.0", server=(modules / "@tickets/mcp/dist/index.js").read_text() + "// and more\n")
    altered = await launch(watched)

    versions = [one["package"]["version"] for one in (before, updated, altered)]
    assert versions == ["1.2.0", "1.3.0", "1.3.0"]
    assert len({one["package"]["digest"] for one in (before, updated, altered)}) == 3


@needs_node
async def test_notes_that_a_server_writes_beside_its_code_are_no_change_of_the_package(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    folder = npm_package(modules)
    npx(tmp_path / "bin", modules)
    watched = started(tmp_path / "bin", command="npx", args=("@tickets/mcp",))

    before = await launch(watched)
    (folder / "dist" / "memory.json").write_text("{}")
    (folder / "server.log").write_text("started")

    assert await launch(watched) == before


@needs_node
@pytest.mark.parametrize("named", [{"tickets-mcp": "./bin/tickets"}, "bin/tickets"])
async def test_a_program_of_a_package_counts_whatever_its_ending(tmp_path: Path, named: object) -> None:
    modules = tmp_path / "node_modules"
    folder = npm_package(modules)
    (folder / "bin").mkdir()
    program = (folder / "dist" / "index.js").rename(folder / "bin" / "tickets")
    (folder / "package.json").write_text(json.dumps({"name": "@tickets/mcp", "version": "1.2.0", "bin": named}))
    (modules / ".bin" / "tickets-mcp").unlink()
    (modules / ".bin" / "tickets-mcp").symlink_to(program)
    npx(tmp_path / "bin", modules)
    watched = started(tmp_path / "bin", command="npx", args=("@tickets/mcp",))

    before = await launch(watched)
    program.write_text(program.read_text() + "// and more\n")

    assert (await launch(watched))["package"]["digest"] != before["package"]["digest"]


@needs_node
async def test_files_that_never_end_hold_nobody_up(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    folder = npm_package(modules)
    npx(tmp_path / "bin", modules)
    watched = started(tmp_path / "bin", command="npx", args=("@tickets/mcp",))
    os.mkfifo(folder / "dist" / "endless.js")
    (folder / "dist" / "round.js").symlink_to("round.js")
    (folder / "dist" / "zero.js").symlink_to("/dev/zero")

    async with asyncio.timeout(20):
        told = await launch(watched)

    assert told["package"]["version"] == "1.2.0"
    assert told["package"]["digest"].startswith("sha256:")


@needs_node
async def test_node_with_a_path_into_an_installed_package_names_the_package(tmp_path: Path) -> None:
    folder = npm_package(tmp_path / "node_modules")

    told = await launch(entry(command="node", args=(str(folder / "dist" / "index.js"),)))

    assert told["package"].keys() == {"ecosystem", "name", "version", "digest"}
    assert told["package"]["name"] == "@tickets/mcp"
    assert "script" not in told


@needs_node
async def test_a_command_that_is_a_program_of_an_installed_package_names_the_package(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    folder = npm_package(modules)

    told = await launch(started(modules / ".bin", command="tickets-mcp"))

    assert told["executable"]["path"] == str(folder / "dist" / "index.js")
    assert (told["package"]["name"], told["package"]["version"]) == ("@tickets/mcp", "1.2.0")


@pytest.mark.parametrize("spec", ["tickets-mcp", "tickets_mcp==1.2.0"])
async def test_a_package_behind_uvx_is_found_in_the_environment_that_uvx_made(tmp_path: Path, spec: str) -> None:
    python_package(tmp_path / "archive")
    uvx(tmp_path / "bin", tmp_path / "archive")

    told = await launch(started(tmp_path / "bin", command="uvx", args=(spec,)))

    package = told["package"]
    assert (package["ecosystem"], package["name"], package["version"]) == ("pypi", "tickets-mcp", "1.2.0")
    assert package["digest"].startswith("sha256:")


async def test_where_a_distribution_is_installed_does_not_count_and_what_is_in_it_does(tmp_path: Path) -> None:
    found = []
    for place in ("one", "other"):
        site = python_package(tmp_path / place)
        uvx(tmp_path / "bin", tmp_path / place)
        found.append(await launch(started(tmp_path / "bin", command="uvx", args=("tickets-mcp",))))
    with (site / "tickets_mcp" / "__init__.py").open("a") as file:
        file.write("# and more\n")
    found.append(await launch(started(tmp_path / "bin", command="uvx", args=("tickets-mcp",))))

    one, other, altered = (told["package"] for told in found)
    assert one == other
    assert altered["version"] == one["version"]
    assert altered["digest"] != one["digest"]


@pytest.mark.parametrize("args", [("-m", "tickets_mcp"), ("-um", "tickets_mcp", "--x"), ("{prefix}/bin/tickets-mcp",)])
async def test_python_with_a_module_or_a_program_names_the_distribution(tmp_path: Path, args: tuple[str, ...]) -> None:
    python_package(tmp_path / "env")
    words = tuple(word.format(prefix=tmp_path / "env") for word in args)

    told = await launch(entry(command=str(tmp_path / "env" / "bin" / "python"), args=words))

    assert told["package"]["name"] == "tickets-mcp"
    assert told["package"]["version"] == "1.2.0"


async def test_a_module_in_the_folder_of_the_server_is_a_script(tmp_path: Path) -> None:
    site = python_package(tmp_path / "env")
    shutil.copytree(site / "tickets_mcp", tmp_path / "work" / "tickets_mcp")

    told = await launch(entry(command=sys.executable, args=("-m", "tickets_mcp"), cwd=str(tmp_path / "work")))

    assert told["script"]["path"] == str((tmp_path / "work" / "tickets_mcp" / "__main__.py").resolve())
    assert told["cwd"] == str(tmp_path / "work")


async def test_an_image_is_told_by_the_id_that_its_tag_has_here(tmp_path: Path) -> None:
    program, args = local().command, local().args
    engine = tmp_path / "bin" / "docker"
    engine.parent.mkdir()
    ids = tmp_path / "ids"
    ids.write_text("sha256:" + "a" * 64)
    engine.write_text(f'#!/bin/sh\n[ "$1" = image ] && exec cat {ids}\nexec {program} {" ".join(args)}\n')
    engine.chmod(0o755)
    watched = started(engine.parent, command="docker", args=("run", "-i", "--rm", "tickets:1"))

    told = await launch(watched)
    ids.write_text("no such image")
    unknown = await listed(watched)

    assert told["package"] == {
        "ecosystem": "oci",
        "name": "tickets",
        "asked": "tickets:1",
        "pinned": False,
        "digest": "sha256:" + "a" * 64,
    }
    assert unknown.unsettled == ("package",)
    assert "digest" not in unknown.launch["package"]


async def test_a_file_that_did_not_change_is_read_once(tmp_path: Path) -> None:
    kit = Kit(environ=KIT.environ, grace=KIT.grace)

    await McpFetcher(kit).fetch(local(), era=None)
    read = dict(kit.resolver.digests._known)
    await McpFetcher(kit).fetch(local(), era=None)

    assert {path: id(kept) for path, kept in read.items()} == {
        path: id(kept) for path, kept in kit.resolver.digests._known.items()
    }


@needs_node
@pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not on the PATH")
async def test_the_real_npx_starts_an_archive_and_its_package_is_found(tmp_path: Path) -> None:
    archive = npm_archive(tmp_path / "tickets.tgz")
    cache = {"npm_config_cache": Secret(str(tmp_path / "cache")), "npm_config_offline": Secret("true")}

    told = await launch(
        entry(
            command="npx",
            args=("--yes", f"file:{archive}"),
            env={**cache, "HOME": Secret(str(tmp_path)), "npm_config_update_notifier": Secret("false")},
            times={"start": 60.0, "look": 120.0},
        )
    )

    package = told["package"]
    assert (package["name"], package["version"], package["pinned"]) == ("tickets-mcp", "1.2.0", True)
    assert package["digest"].startswith("sha256:")
