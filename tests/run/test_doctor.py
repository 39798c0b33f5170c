"""Every fault that is made real here, and the line that the doctor has for it."""

from __future__ import annotations

import os
import resource
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from driftwatch.cli.ground import KNOWN
from driftwatch.model import Actor, Unreachable
from driftwatch.review.audit import note_configuration
from driftwatch.run.doctor import Around, Examination, Wanted, worst
from driftwatch.run.doctor_files import read
from driftwatch.run.doctor_lines import Area, Line, State
from driftwatch.store.holding import Reload, held, lock_path
from driftwatch.store.store import Store
from tests.blank import blank
from tests.contracts.http import closed_port
from tests.fakes import FrozenClock

BASE = """
[daemon]
concurrency = 4
[web]
listen = "127.0.0.1:0"
[channels.ops]
kind = "command"
command = "/bin/true"
[servers.notes]
url = "http://127.0.0.1:9/mcp"
"""

SECRET = "not-for-eyes-4711"


@dataclass
class World:
    """A machine on which all is well, before a test breaks something on it."""

    folder: Path
    stack: ExitStack
    config: str = BASE
    environ: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    seconds: float = 20.0
    clock: FrozenClock = field(default_factory=lambda: FrozenClock(datetime.now(UTC)))

    @property
    def database(self) -> Path:
        return self.folder / "driftwatch.db"

    @property
    def file(self) -> Path:
        return self.folder / "driftwatch.toml"

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.database)) as connection, connection:
            for one in statements:
                connection.execute(one)

    def store(self) -> Store:
        return self.stack.enter_context(Store.open(f"sqlite:///{self.database}", clock=self.clock))

    async def examined(self) -> list[Line]:
        if not self.file.exists() and self.config:
            self.file.write_text(self.config, encoding="utf-8")
            self.file.chmod(0o600)
        found = read(self.file, self.environ, KNOWN, now=self.clock())
        around = Around(self.environ, self.folder / "home", os.geteuid(), self.clock)
        return await Examination(found, around, Wanted(self.seconds, offline=True)).run()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    tmp_path.chmod(0o700)
    blank(tmp_path / "driftwatch.db")
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def misspelt(world: World) -> None:
    world.config += 'tiemout = "5s"\n'


def two_problems(world: World) -> None:
    world.config += "notices = 3\nenabled = 4\n"


def secret_unset(world: World) -> None:
    world.config += 'bearer = {env = "NOBODY_SETS_THIS"}\n'


def no_configuration(world: World) -> None:
    world.config = ""


def warned(world: World) -> None:
    world.config = world.config.replace("http://127.0.0.1:9", "http://mcp.example.com") + f'bearer = "{SECRET}"\n'


def configuration_for_all(world: World) -> None:
    world.file.write_text(world.config, encoding="utf-8")
    world.file.chmod(0o666)


def secret_written_out_for_all(world: World) -> None:
    world.file.write_text(world.config + f'bearer = "{SECRET}"\nenv = {{}}\n', encoding="utf-8")
    world.file.chmod(0o644)


def secret_for_all(world: World) -> None:
    (world.folder / "token").write_text(SECRET, encoding="utf-8")
    (world.folder / "token").chmod(0o644)
    world.config += 'bearer = {file = "token"}\n'


def database_for_all(world: World) -> None:
    world.database.chmod(0o644)


def settings_for_all(world: World) -> None:
    place = world.folder / "home" / ".config" / "driftwatch" / "witness.toml"
    place.parent.mkdir(parents=True)
    place.write_text(f'url = "http://127.0.0.1:8642"\ntoken = "dw_{SECRET}"\n', encoding="utf-8")
    place.chmod(0o644)


def older_schema(world: World) -> None:
    world.sql("UPDATE driftwatch_version SET version_num = '0006'")


def newer_schema(world: World) -> None:
    world.sql("UPDATE driftwatch_version SET version_num = '9999'")


def damaged(world: World) -> None:
    with world.database.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 5))


def of_another(world: World) -> None:
    world.database.unlink()
    world.sql("CREATE TABLE recipes (name TEXT)")


def gone(world: World) -> None:
    world.database.unlink()
    lock_path(world.database).write_text("{}", encoding="utf-8")


def not_made_yet(world: World) -> None:
    world.database.unlink()


def no_folder(world: World) -> None:
    world.config += '[database]\nurl = "sqlite:///nowhere/driftwatch.db"\n'


def rewritten(world: World) -> None:
    world.file.write_text(world.config, encoding="utf-8")
    settings = read(world.file, world.environ, KNOWN, now=world.clock()).settings
    assert settings is not None
    note_configuration(world.store(), settings, by=Actor("ann", "cli"))
    world.sql("UPDATE audit SET who = 'eve'")


def much_waits_beside(world: World) -> None:
    beside = world.database.with_name("driftwatch.db-wal")
    beside.touch(mode=0o600)
    os.truncate(beside, 65 * 2**20)


def clock_set_back(world: World) -> None:
    ahead = world.clock() + timedelta(hours=2)
    away = Unreachable("connect", "refused")
    world.store().record_failure("notes", outcome=away, at=ahead, next_at=ahead, era=None)


def port_taken(world: World) -> None:
    taken = world.stack.enter_context(socket.socket())
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    world.config = world.config.replace("127.0.0.1:0", f"127.0.0.1:{taken.getsockname()[1]}")


def pages_hang(world: World) -> None:
    world.seconds = 2.0
    port_taken(world)
    behind(world)


def pages_are_away(world: World) -> None:
    world.config = world.config.replace("127.0.0.1:0", f"127.0.0.1:{closed_port()}")
    behind(world)


def in_clear_text(world: World) -> None:
    world.config = world.config.replace("127.0.0.1:0", "0.0.0.0:0")


def through_an_unnamed_proxy(world: World) -> None:
    world.config = world.config.replace("[web]", 'public_url = "https://watch.example.com"\n[web]')


def behind(world: World) -> None:
    world.stack.enter_context(held(f"sqlite:///{world.database}", doing="run", now=world.clock()))


def not_reloaded(world: World) -> None:
    hold = world.stack.enter_context(held(f"sqlite:///{world.database}", doing="run", now=world.clock()))
    hold.note(Reload(begun=1, done=1, at="2026-03-01T02:00:00+00:00", code=3, words="servers.notes: no url"))


def of_another_version(world: World) -> None:
    world.stack.enter_context(held(f"sqlite:///{world.database}", doing="run", now=world.clock()))
    lock = lock_path(world.database)
    text = lock.read_text(encoding="utf-8")
    start = text.index('"version": "') + len('"version": "')
    lock.write_text(f"{text[:start]}0.0.1{text[text.index(chr(34), start) :]}", encoding="utf-8")


def restoring(world: World) -> None:
    world.stack.enter_context(held(f"sqlite:///{world.database}", doing="restore", now=world.clock()))


def few_files(world: World) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    world.stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, before[1]))
    world.config = world.config.replace("[servers.notes]\n", "[servers.notes]\n") + "".join(
        f'[servers.n{number}]\nurl = "http://127.0.0.1:9/{number}"\n' for number in range(200)
    )


def small_files(world: World) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    world.stack.callback(resource.setrlimit, resource.RLIMIT_FSIZE, before)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**30, before[1]))


def no_sandbox(world: World) -> None:
    world.environ["PATH"] = str(world.folder)
    world.config += '[servers.files]\ncommand = "/bin/true"\n'


def must_be_sandboxed(world: World) -> None:
    world.environ["PATH"] = str(world.folder)
    world.config += '[servers.files]\ncommand = "/bin/true"\nsandbox = "bwrap"\n'


def no_engine(world: World) -> None:
    world.environ["PATH"] = str(world.folder)
    world.config += '[servers.files]\ncommand = "/bin/true"\nsandbox = {kind = "container", image = "example/files"}\n'


def in_nothing(world: World) -> None:
    world.config += '[servers.files]\ncommand = "/bin/true"\nsandbox = "none"\n'


def witness_misspelt(world: World) -> None:
    settings_for_all(world)
    place = world.folder / "home" / ".config" / "driftwatch" / "witness.toml"
    place.write_text('address = "http://127.0.0.1:8642"\n', encoding="utf-8")


def witness_nowhere(world: World) -> None:
    settings_for_all(world)
    (world.folder / "home" / ".config" / "driftwatch" / "witness.toml").write_text("", encoding="utf-8")


FAULTS: dict[Callable[[World], None], tuple[Area, State, str, str]] = {
    misspelt: (Area.CONFIGURATION, State.PROBLEM, "tiemout", "timeout"),
    two_problems: (Area.CONFIGURATION, State.PROBLEM, "enabled", "true"),
    secret_unset: (Area.CONFIGURATION, State.PROBLEM, "NOBODY_SETS_THIS", ""),
    no_configuration: (Area.CONFIGURATION, State.PROBLEM, "There is no configuration", "Check the path"),
    warned: (Area.CONFIGURATION, State.WARNING, "anyone on the way can read", ""),
    configuration_for_all: (Area.PERMISSIONS, State.PROBLEM, "everybody may write it", "chmod o-w"),
    secret_written_out_for_all: (Area.PERMISSIONS, State.PROBLEM, "stands in it: servers.notes.bearer", "chmod o-r"),
    secret_for_all: (Area.PERMISSIONS, State.PROBLEM, "it holds a secret", "chmod o-rwx"),
    database_for_all: (Area.PERMISSIONS, State.PROBLEM, "may read it", "chmod o-rwx"),
    settings_for_all: (Area.PERMISSIONS, State.PROBLEM, "a token of the daemon", "chmod o-rwx"),
    older_schema: (Area.DATABASE, State.PROBLEM, "has the schema 0006", "driftwatch db upgrade"),
    newer_schema: (Area.DATABASE, State.PROBLEM, "9999", "driftwatch"),
    damaged: (Area.DATABASE, State.PROBLEM, "damaged", "driftwatch restore"),
    of_another: (Area.DATABASE, State.PROBLEM, "belongs to another program", "[database] url"),
    gone: (Area.DATABASE, State.PROBLEM, "is gone; there was one", "driftwatch restore"),
    not_made_yet: (Area.DATABASE, State.WARNING, "there is no database", "driftwatch run"),
    no_folder: (Area.DATABASE, State.PROBLEM, "does not exist", "Create it"),
    rewritten: (Area.DATABASE, State.PROBLEM, "the audit log does not hold", "driftwatch audit verify"),
    much_waits_beside: (Area.DATABASE, State.WARNING, "wait beside the database", "lsof"),
    clock_set_back: (Area.CLOCK, State.PROBLEM, "2 h ahead of this clock", "Set the clock"),
    port_taken: (Area.WEB, State.PROBLEM, "another program listens there", "[web] listen"),
    pages_hang: (Area.WEB, State.PROBLEM, "nothing is answered within", "Restart it if it hangs"),
    pages_are_away: (Area.WEB, State.PROBLEM, "nobody listens", "Look at its log"),
    in_clear_text: (Area.WEB, State.WARNING, "passwords go in clear text", "proxy"),
    through_an_unnamed_proxy: (Area.WEB, State.WARNING, "through a proxy, which is not named", "proxy_from"),
    behind: (Area.DAEMON, State.PROBLEM, "not looked at when due: notes", "Look at its log"),
    not_reloaded: (Area.DAEMON, State.PROBLEM, "servers.notes: no url", "driftwatch reload"),
    of_another_version: (Area.DAEMON, State.WARNING, "driftwatch 0.0.1", "Restart it"),
    restoring: (Area.DAEMON, State.WARNING, "held by driftwatch restore", "Wait"),
    few_files: (Area.LIMITS, State.PROBLEM, "may open 512 files", "LimitNOFILE="),
    small_files: (Area.LIMITS, State.WARNING, "no file may be larger", "LimitFSIZE"),
    no_sandbox: (Area.SANDBOX, State.WARNING, "without a sandbox: bubblewrap", "Install bubblewrap"),
    must_be_sandboxed: (Area.SANDBOX, State.PROBLEM, "so it is not started: bubblewrap", "Install bubblewrap"),
    no_engine: (Area.SANDBOX, State.PROBLEM, "neither podman nor docker", "Install podman"),
    in_nothing: (Area.SANDBOX, State.WARNING, "none, as configured", "kind"),
    witness_misspelt: (Area.WITNESS, State.PROBLEM, "address", "witness status"),
    witness_nowhere: (Area.WITNESS, State.PROBLEM, "not said where the daemon is", "Write url and token"),
}


@pytest.mark.parametrize("break_it", FAULTS, ids=lambda one: one.__name__)
async def test_each_fault_has_a_line_that_says_what_to_do(world: World, break_it: Callable[[World], None]) -> None:
    area, state, what, do = FAULTS[break_it]
    break_it(world)

    lines = await world.examined()

    fitting = [line for line in lines if (line.area, line.state) == (area, state)]
    said = [line for line in fitting if what in f"{line.subject}: {line.what}" and do in line.do]
    assert said, [line for line in lines if line.state is not State.OK]
    assert all(line.do for line in lines if line.state is not State.OK)
    assert not any(SECRET in repr(line) for line in lines)


async def test_where_all_is_well_nothing_is_wrong_but_that_no_daemon_and_no_person_is_there(world: World) -> None:
    lines = await world.examined()

    others = [line for line in lines if line.state is not State.OK]
    assert [line.what for line in others] == [
        "no daemon watches with this database",
        "nobody can sign in: there is neither a user nor a token",
    ]
    assert worst(lines) is State.WARNING


async def test_one_wrong_table_hides_nothing_of_the_rest(world: World) -> None:
    misspelt(world)

    lines = await world.examined()

    areas = {line.area for line in lines}
    assert areas > {Area.CONFIGURATION, Area.DATABASE, Area.DAEMON, Area.CLOCK, Area.LIMITS, Area.WEB}


async def test_an_examination_writes_nothing_into_the_database(world: World) -> None:
    world.file.write_text(world.config, encoding="utf-8")
    before = world.database.read_bytes()

    await world.examined()

    assert world.database.read_bytes() == before
    beside = {"driftwatch.db-shm", "driftwatch.db-wal"}  # of SQLite, whoever reads
    assert {one.name for one in world.folder.iterdir()} - beside == {"driftwatch.db", "driftwatch.toml"}
