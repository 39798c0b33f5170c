"""The witness is put into a host's file and taken out again, and the file is what it was."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from witness.hosting import NOTES, SHAPES, line_of, settings, starts

from driftwatch.config.wrapped import Wrapped, read_back
from driftwatch.errors import UsageError
from driftwatch.watch.witness.filing import hold
from driftwatch.watch.witness.installing import UNWATCHED, Plan, install, plan, uninstall
from driftwatch.watch.witness.remembering import Memories

AT = "2026-03-01T12:00:00+00:00"
BOTH = '[servers.notes]\ncommand = "notes-mcp"\n[servers.docs]\ncommand = "docs-mcp"\n'
TWO = '{"mcpServers": {"notes": {"command": "notes-mcp"}, /* 2 */ "docs": {"command": "docs-mcp", "args": []}}}\n'


@pytest.fixture
def memories(tmp_path: Path) -> Memories:
    return Memories(tmp_path / "state" / "installed")


def planned(path: Path, host: str = "desk", config: str = "", only: tuple[str, ...] = (), text: str = "") -> Plan:
    return plan(path, host, settings(text), starts(path.parent), only=only, config=config)


def put_in(path: Path, memories: Memories, **options: object) -> Plan:
    one = planned(path, **options)  # type: ignore[arg-type]
    install(one, memories, AT)
    return one


def two(folder: Path) -> Path:
    path = folder / "mcp.json"
    path.write_text(TWO)
    return path


async def descriptions(line: list[str], home: Path) -> list[str | None]:
    """Start what a host would start, as a host does, and ask for the tools."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    transport = stdio_client(StdioServerParameters(command=line[0], args=line[1:], env=environ))
    async with Client(transport, mode="legacy", cache=None) as agent:
        return [tool.description for tool in (await agent.list_tools()).tools]


async def test_each_shape_of_file_is_installed_started_by_an_agent_and_put_back(
    tmp_path: Path, memories: Memories
) -> None:
    paths = []
    for name, text in SHAPES.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(text.encode())

        put_in(paths[-1], memories)

    lines = [line_of(path) for path in paths]
    seen = await asyncio.gather(*(descriptions(line, tmp_path) for line in lines))
    undone = [uninstall(path, memories) for path in paths]

    assert [read_back(line) for line in lines] == [Wrapped("notes", NOTES, "desk")] * len(SHAPES)
    assert seen == [["Search the notes."]] * len(SHAPES)
    assert [one.exact for one in undone] == [True] * len(SHAPES)
    assert [path.read_bytes().decode() for path in paths] == list(SHAPES.values())
    assert memories.all() == ()
    assert [path.name for path in memories.folder.iterdir()] == ["lock"]


def test_the_link_the_mode_and_the_owner_stay(tmp_path: Path, memories: Memories) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = two(tmp_path / "dotfiles")
    real.chmod(0o640)
    link = tmp_path / "mcp.json"
    link.symlink_to("dotfiles/mcp.json")
    before = real.stat()

    put_in(link, memories, text=BOTH)

    after = real.stat()
    assert link.is_symlink()
    assert [getattr(after, key) for key in ("st_mode", "st_uid", "st_gid")] == [
        getattr(before, key) for key in ("st_mode", "st_uid", "st_gid")
    ]
    assert uninstall(link, memories).exact
    assert (link.is_symlink(), real.read_text()) == (True, TWO)
    assert [path.name for path in real.parent.iterdir()] == ["mcp.json"]


def test_what_was_there_is_kept_for_this_user_alone(tmp_path: Path, memories: Memories) -> None:
    put_in(two(tmp_path), memories, text=BOTH)

    (memory,) = memories.all()
    assert memories.backup(memory) == TWO.encode()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in memories.folder.iterdir()]
    assert (stat.S_IMODE(memories.folder.stat().st_mode), modes) == (0o700, [0o600] * 3)


def test_a_second_install_adds_what_is_new_and_uninstall_still_gives_the_first_file(
    tmp_path: Path, memories: Memories
) -> None:
    path = two(tmp_path)

    put_in(path, memories, text=BOTH, only=("notes",))
    second = put_in(path, memories, text=BOTH, host="other")

    assert [change.place[-1] for change in second.changes] == ["docs"]
    assert [one.why for one in second.choices] == ["it is witnessed already, as notes in desk", ""]
    assert planned(path, text=BOTH).changes == ()
    assert uninstall(path, memories).exact
    assert path.read_text() == TWO


def test_two_hosts_that_share_a_file_share_its_witness(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    link = tmp_path / "of_the_other.json"
    link.symlink_to(path)

    put_in(path, memories, text=BOTH, host="one")

    assert {one.why for one in planned(link, host="other", text=BOTH).choices} == {
        "it is witnessed already, as notes in one",
        "it is witnessed already, as docs in one",
    }
    assert uninstall(link, memories).exact
    assert path.read_text() == TWO


def test_in_a_file_that_the_host_wrote_anew_only_the_wrapping_is_undone(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH, only=("notes",))
    document = json.loads(path.read_text().replace("/* 2 */", ""))
    path.write_text(json.dumps({**document, "numStartups": 4}, indent=2))

    put_in(path, memories, text=BOTH)
    undone = uninstall(path, memories)

    # The memory of the second install knows the file as it was written anew, without the first one's words.
    assert undone.exact
    assert json.loads(path.read_text()) == {
        "mcpServers": {"notes": {"command": "notes-mcp"}, "docs": {"command": "docs-mcp", "args": []}},
        "numStartups": 4,
    }


def test_what_the_host_added_since_stays(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH)
    path.write_text(path.read_text().replace("/* 2 */", '"new": {"command": "x"},'))

    undone = uninstall(path, memories)

    assert (undone.exact, len(undone.done)) == (False, 2)
    assert path.read_text() == TWO.replace("/* 2 */", '"new": {"command": "x"},')


def test_without_a_memory_the_file_itself_says_what_it_wraps(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH)

    undone = uninstall(path, Memories(tmp_path / "nowhere"))

    assert [one.name for one in undone.done] == ["notes", "docs"]
    assert path.read_text() == TWO.replace('"notes-mcp"', '"notes-mcp", "args": []')
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("damage", ["backup", "json"])
def test_a_damaged_memory_loses_nothing(damage: str, tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH)
    (kept,) = memories.folder.glob(f"*.{damage}")
    kept.write_bytes(b"{")

    uninstall(path, memories)

    assert json.loads(path.read_text().replace("/* 2 */", ""))["mcpServers"]["notes"]["command"] == "notes-mcp"


def test_a_machine_that_stops_between_memory_and_file_leaves_nothing_to_undo(
    tmp_path: Path, memories: Memories
) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH, only=("notes",))
    first = path.read_bytes()
    put_in(path, memories, text=BOTH)
    path.write_bytes(first)

    assert uninstall(path, memories).exact
    assert path.read_text() == TWO
    put_in(path, memories, text=BOTH)
    path.write_text(TWO)
    assert uninstall(path, memories).exact


def test_a_file_that_is_gone_is_forgotten(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH)
    path.unlink()

    assert uninstall(path, memories).gone
    assert memories.all() == ()


# --------------------------------------------------------------- what is refused


def test_a_file_that_changed_since_it_was_planned_is_not_written(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    one = planned(path, text=BOTH)
    path.write_text(TWO + "\n")

    with pytest.raises(UsageError, match="changed by somebody else"):
        install(one, memories, AT)

    assert path.read_text() == TWO + "\n"
    assert memories.all() == ()
    assert sorted(found.name for found in tmp_path.iterdir()) == ["driftwatch", "mcp.json", "state"]


def test_when_a_second_install_is_refused_the_memory_of_the_first_stays(tmp_path: Path, memories: Memories) -> None:
    path = two(tmp_path)
    put_in(path, memories, text=BOTH, only=("notes",))
    one = planned(path, text=BOTH)
    path.write_text(path.read_text() + "\n")
    (before,) = memories.all()

    with pytest.raises(UsageError, match="changed by somebody else"):
        install(one, memories, AT)

    assert memories.all() == (before,)
    assert memories.backup(before) == TWO.encode()


def test_a_file_that_may_only_be_read_is_left_alone(tmp_path: Path) -> None:
    path = two(tmp_path)
    path.chmod(0o444)

    with pytest.raises(UsageError, match="may only be read"):
        planned(path, text=BOTH)


def test_a_file_of_several_names_is_left_alone(tmp_path: Path) -> None:
    path = two(tmp_path)
    (tmp_path / "twin.json").hardlink_to(path)

    with pytest.raises(UsageError, match="hard links"):
        planned(path, text=BOTH)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that everybody may read; one of a test is for its own user alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_folder_in_which_nothing_may_be_written_is_left_alone(open_folder: Path) -> None:
    path = two(open_folder)
    how = starts(open_folder)
    open_folder.chmod(0o555)
    mine = os.geteuid()
    if mine == 0:
        os.chown(path, 65534, 65534)
        os.setresuid(-1, 65534, -1)
    try:
        with pytest.raises(UsageError, match="Nothing can be written in the folder"):
            plan(path, "desk", settings(BOTH), how, only=(), config="")
    finally:
        if mine == 0:
            os.setresuid(-1, mine, -1)
        open_folder.chmod(0o755)

    assert path.read_text() == TWO


@pytest.mark.parametrize("sort", ["pipe", "folder", "absent", "circle", "utf-16"])
def test_what_is_no_file_of_a_host_is_refused(sort: str, tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    if sort == "pipe":
        os.mkfifo(path)
    elif sort == "folder":
        path.mkdir()
    elif sort == "circle":
        path.symlink_to(path)
    elif sort == "utf-16":
        path.write_text(TWO, encoding="utf-16")

    with pytest.raises(UsageError):
        assert hold(path).text


# --------------------------------------------------------------- which servers


def test_only_local_servers_that_are_watched_are_wrapped_and_the_others_say_why(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    wrapped = {"command": "driftwatch", "args": ["witness", "docs", "--", "docs-mcp"]}
    entries = {
        "renamed": {"command": "notes-mcp"},
        "docs": {"command": "uvx", "args": ["docs-mcp"]},
        "other": {"command": "other-mcp"},
        "far": {"url": "https://far.example/mcp"},
        "by-hand": wrapped,
        "off": {"command": "notes-mcp", "disabled": True},
    }
    path.write_text(json.dumps({"mcpServers": entries}))

    one = planned(path, text=BOTH + '[servers.far]\nurl = "https://far.example/mcp"\n')

    found = {choice.launch.name: (choice.server, choice.same, choice.why) for choice in one.choices}
    assert found == {
        "renamed": ("notes", True, ""),
        "docs": ("docs", False, ""),
        "other": ("", False, UNWATCHED),
        "far": ("far", True, "it is a remote server"),
        "by-hand": ("docs", True, "it is witnessed already, as docs in agent"),
        "off": ("notes", True, "it is switched off in the host"),
    }
    assert [change.place[-1] for change in one.changes] == ["renamed", "docs"]


def test_a_server_with_variables_of_its_own_python_is_started_in_the_way_that_they_cannot_disturb(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"notes": {"command": "notes-mcp", "env": {"PYTHONHOME": "/opt"}}}}')

    one = planned(path, text=BOTH, config="/etc/witness.toml")

    assert one.changes[0].new_line[:9] == (
        "/opt/python",
        "-I",
        "-m",
        "driftwatch",
        "witness",
        "notes",
        "--host",
        "desk",
        "--settings",
    )
