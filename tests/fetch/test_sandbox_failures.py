"""A sandbox that is in the way, or cannot be had: the look says so. And containers, with a stand-in for the engine."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fetch_world import KIT, entry, local, names
from sandbox_world import SERVER, kit_of, look, needs_bwrap, on_path

from driftwatch.config.isolation import SandboxConfig
from driftwatch.config.secret import Secret
from driftwatch.model import Outcome, Unreachable
from driftwatch.watch.fetch.sandbox.able import Able
from driftwatch.watch.fetch.sandbox.choose import Sandboxes
from driftwatch.watch.fetch.sandbox.view import View
from driftwatch.watch.fetch.sandbox.words import why
from driftwatch.watch.fetch.start import Start, Walls

pytestmark = needs_bwrap

READER = """
import json, runpy, sys
open(sys.argv[1].removeprefix('+')).read()
sys.argv = ["over_stdio.py", "honest"]
runpy.run_path({server!r}, run_name="__main__")
"""


def detail(outcome: Outcome) -> str:
    assert isinstance(outcome, Unreachable), outcome
    return outcome.detail


async def test_a_package_that_cannot_be_fetched_says_so(tmp_path: Path) -> None:
    runner = tmp_path / "bin" / "npx"
    runner.parent.mkdir()
    runner.write_text('#!/bin/sh\necho "npm error 404 $(cat $SSL_CERT_FILE) $HTTPS_PROXY" >&2\nexit 1\n')
    runner.chmod(0o755)
    authority = tmp_path / "company.pem"
    authority.write_text("our own certificate")
    server = entry(command="npx", args=("-y", "tickets-mcp"), env=on_path(runner.parent))
    way = {"SSL_CERT_FILE": str(authority), "HTTPS_PROXY": "http://ann:hunter2hunter2@proxy.example"}

    outcome = await look(server, kit_of(tmp_path / "kept", **way))

    assert outcome.code == "start-failed"
    assert "its package cannot be fetched: it exited with code 1" in detail(outcome)
    assert "npm error 404 our own certificate http://***@proxy.example" in detail(outcome)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("notes.txt", 'most likely the sandbox is why: "{tmp}/notes.txt" is not in it; name it in sandbox.read'),
        ("away.txt", 'perhaps the sandbox is why: the folder "{tmp}" is not in it; see sandbox.read and sandbox.write'),
    ],
)
async def test_a_server_that_lacks_a_file_says_that_the_sandbox_may_be_why(
    missing: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    script = tmp_path / "bin" / "reader.py"
    script.write_text(READER.format(server=SERVER))

    outcome = await look(
        entry(command=sys.executable, args=(str(script), f"+{tmp_path}/{missing}")), kit_of(tmp_path / "kept")
    )

    assert said.format(tmp=tmp_path) in detail(outcome)
    assert "it exited with code 1" in detail(outcome)


async def test_what_is_secret_in_a_path_stays_so_in_the_advice(tmp_path: Path) -> None:
    place = tmp_path / "hunter2hunter2"
    place.mkdir()
    code = "import os; open(os.environ['PLACE'] + '/list')"

    outcome = await look(
        entry(command=sys.executable, args=("-c", code), env={"PLACE": Secret(str(place))}), kit_of(tmp_path / "kept")
    )

    assert "hunter2" not in detail(outcome)
    assert "it exited with code 1" in detail(outcome)


@pytest.mark.parametrize(
    ("code", "network", "said"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 1))", "off", "it has no network (sandbox.network"),
        ("open('/usr/new', 'w')", "on", "perhaps the sandbox is why: it may write to its home, to /tmp"),
        ("bytearray(1 << 33)", "on", "perhaps the sandbox is why: try a higher sandbox.memory"),
        (
            "raise SystemExit('no licence')",
            "on",
            "whether that is why is not known: `DRIFTWATCH_SANDBOX=none driftwatch",
        ),
    ],
)
async def test_a_server_that_fails_says_how_sure_it_is_that_the_sandbox_is_why(
    code: str, network: str, said: str, tmp_path: Path
) -> None:
    server = entry(command=sys.executable, args=("-c", code), sandbox=SandboxConfig(network=network), cwd="/usr")

    assert said in detail(await look(server, kit_of(tmp_path)))


@pytest.mark.parametrize(
    ("args", "log", "said"),
    [
        (("serve", "--", "full"), "", 'the folder "{tmp}" that it starts in is empty there; set `cwd`'),
        (("serve", "."), "", 'the folder "{tmp}" that it starts in is empty there; set `cwd`'),
        (("serve", "--port=1"), "no module named settings", 'the folder "{tmp}" that it starts in is empty there'),
        (("serve", "settings.ini"), "no module named notes", 'the folder "{tmp}" that it starts in is empty there'),
        (
            ("--data={tmp}/full",),
            "",
            'the folder "{tmp}/full" that its arguments name is empty there; name it in sandbox',
        ),
        (("{tmp}/full",), "", 'the folder "{tmp}/full" that its arguments name is empty there'),
        (("full/../full/",), "", 'the folder "{tmp}/full" that its arguments name is empty there'),
        (("--key", "{tmp}/settings.ini"), "", 'the file "{tmp}/settings.ini" that its arguments name is not there'),
        (
            ("settings.ini",),
            "",
            'the file "{tmp}/settings.ini" that its arguments name is not there; name it in sandbox',
        ),
        (("{tmp}/shown/a", "{tmp}/bare", "{tmp}/none", "", "\0", "/usr/bin/env"), "", "is not known"),
        (("{tmp}/away",), "", 'the folder "{tmp}/away" that its arguments name is not there; name it in sandbox.read'),
        (("--root={tmp}/away/",), "", 'the folder "{tmp}/away" that its arguments name is not there'),
        (("/", "/tmp", "away"), "", "is not known"),
        (
            ("{tmp}/full",),
            "cannot open {tmp}/settings.ini",
            'most likely the sandbox is why: "{tmp}/settings.ini" is not',
        ),
    ],
)
def test_what_a_server_was_started_with_and_lacks_is_named_where_its_log_names_nothing(
    args: tuple[str, ...], log: str, said: str, tmp_path: Path
) -> None:
    for folder in ("full", "bare", "shown", "away"):
        (tmp_path / folder).mkdir()
    for file in ("full/a", "shown/a", "settings.ini"):
        (tmp_path / file).write_text("x")
    in_folder = "starts in" in said
    empty = tuple(str(tmp_path / one) for one in ("full", "bare")) + ((str(tmp_path),) if in_folder else ())
    view = View(read=(str(tmp_path / "shown"), "/bin"), empty=empty)
    words = ("serve", *(one.format(tmp=tmp_path) for one in args))
    start = Start(
        words, {}, str(tmp_path), Walls("bwrap", frozenset(), view, SandboxConfig(), network=True), "bubblewrap"
    )

    found = why(start, log=log.format(tmp=tmp_path), code=1, name="notes", quote=lambda text: f'"{text}"')

    assert said.format(tmp=tmp_path) in found


def test_a_failure_that_has_nothing_to_do_with_the_folder_is_not_laid_on_it(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text("x")
    walls = Walls("bwrap", frozenset(), View(empty=(str(tmp_path),)), SandboxConfig(), network=True)
    start = Start(("serve", "hello"), {}, str(tmp_path), walls, "bubblewrap")

    found = why(start, log="no licence", code=1, name="", quote=str)

    assert found == "it ran in driftwatch's sandbox; whether that is why is not known (docs/sandbox.md)"


async def test_what_is_no_server_is_said_to_have_ended_without_an_answer_with_what_it_wrote(tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").write_text("")
    server = entry(command="echo", args=("hello",), cwd=str(tmp_path))

    said = detail(await look(server, kit_of(tmp_path / "kept", tmp_path / "driftwatch.toml")))

    assert "it exited with code 0 without answering, as what is no MCP server does" in said
    assert 'what it wrote is no message of MCP: "hello"' in said
    assert "starts in is empty" not in said


async def test_a_program_that_is_there_outside_only_is_named(tmp_path: Path) -> None:
    program = tmp_path / "runner"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    walls = Walls("bwrap", frozenset(), View(), SandboxConfig(), network=True)
    log = f"bwrap: execvp {program}: No such file or directory"
    hidden = Start((str(program),), {}, None, walls, "bubblewrap")
    shown = replace(hidden, walls=replace(walls, view=View(read=(str(tmp_path),))))

    found = [why(one, log=log, code=1, name="", quote=str) for one in (hidden, shown)]

    away, without = found
    assert away == f"the sandbox is why: the program {program} is not in it; name it in sandbox.read"
    assert without.startswith(f"most likely the sandbox is why: what runs {program} (its first line, or its loader)")


async def test_a_server_in_the_folder_of_the_configuration_says_that_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "driftwatch.toml").write_text("")
    (tmp_path / "notes.py").write_text("")
    server = entry(command=sys.executable, args=("-c", "import notes"), cwd=str(tmp_path))

    said = detail(await look(server, kit_of(tmp_path / "kept", tmp_path / "driftwatch.toml")))

    assert f'the folder "{tmp_path}" that it starts in is empty there' in said


async def test_of_what_is_tried_out_no_check_is_named_that_would_start_something_else(tmp_path: Path) -> None:
    server = entry(command=sys.executable, args=("-c", "raise SystemExit('no licence')"), cwd="/usr")

    outcome = await look(server, replace(kit_of(tmp_path), is_trial=True))

    assert "whether that is why is not known (docs/sandbox.md)" in detail(outcome)
    assert "driftwatch check" not in detail(outcome)


async def test_a_program_that_is_not_there_is_no_fault_of_the_sandbox_and_is_said(tmp_path: Path) -> None:
    outcome = await look(entry(command="no-such-program-anywhere"), kit_of(tmp_path))

    assert detail(outcome).endswith('it exited with code 1; no such program: "no-such-program-anywhere"')
    assert "bwrap" not in detail(outcome)


async def test_where_no_sandbox_works_auto_does_without_and_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tries = []

    def broken(environ: Any) -> Able:
        tries.append(environ)
        return Able(reason="bubblewrap does not work here: no namespaces")

    kit = replace(KIT, sandboxes=Sandboxes(tmp_path, try_it=broken))

    outcomes = [await look(local(), kit) for _ in range(2)]

    assert [names(one) for one in outcomes] == [["read", "write"]] * 2
    assert len(tries) == 1
    assert capsys.readouterr().out.count("local servers run without a sandbox") == 1


async def test_where_no_sandbox_works_a_server_that_must_have_one_is_not_started(tmp_path: Path) -> None:
    sandboxes = Sandboxes(tmp_path, try_it=lambda _: Able(reason="bubblewrap does not work here: no namespaces"))

    outcome = await look(local(sandbox=SandboxConfig(kind="bwrap")), replace(KIT, sandboxes=sandboxes))

    assert outcome == Unreachable(
        "start-failed", "it must run in a sandbox, and bubblewrap does not work here: no namespaces"
    )


_ENGINE = """#!{python}
import os, sys
with open({log!r}, "a") as log:
    log.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "run":
    at = sys.argv.index("tickets:1")
    program = sys.argv[sys.argv.index("--entrypoint") + 1]
    os.execv(program, [program, *sys.argv[at + 1:]])
"""


async def test_a_container_is_run_by_the_engine_that_is_there_and_removed_at_the_end(tmp_path: Path) -> None:
    engine, log = tmp_path / "bin" / "podman", tmp_path / "log"
    engine.parent.mkdir()
    engine.write_text(_ENGINE.format(python=sys.executable, log=str(log)))
    engine.chmod(0o755)
    kit = replace(kit_of(tmp_path / "kept"), environ={**KIT.environ, "PATH": f"{engine.parent}:{os.environ['PATH']}"})
    sandbox = SandboxConfig(kind="container", image="tickets:1", network="off")

    outcome = await look(local(sandbox=sandbox, env={"TOKEN": Secret("hunter2hunter2")}), kit)

    assert names(outcome) == ["read", "write"]
    assert getattr(outcome, "unsettled", None) == ("executable", "script", "package")
    run, removed = log.read_text().splitlines()
    assert "--network none" in run
    assert "--env TOKEN" in run
    assert "hunter2" not in run
    name = run.split("--name ")[1].split()[0]
    assert removed == f"rm --force {name}"


async def test_a_container_needs_an_engine(tmp_path: Path) -> None:
    kit = replace(kit_of(tmp_path), environ={**KIT.environ, "PATH": str(tmp_path)})

    outcome = await look(local(sandbox=SandboxConfig(kind="container", image="tickets:1")), kit)

    assert detail(outcome) == "it must run in a container, and neither podman nor docker is on the PATH"
