"""The doctor among real servers and channels: what each fault of theirs comes to, and what is not done to them."""

from __future__ import annotations

import json
import os
import ssl
import sys
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from driftwatch.cli.ground import KNOWN
from driftwatch.config.channels import EmailConfig
from driftwatch.config.secret import Secret
from driftwatch.model import SendVerdict
from driftwatch.run.doctor import Around, Examination, Wanted
from driftwatch.run.doctor_files import read
from driftwatch.run.doctor_lines import Area, Line, State, Sure
from driftwatch.tell.channels.email import Email
from driftwatch.tell.channels.reach import reach
from tests.blank import blank
from tests.contracts.http import closed_port
from tests.contracts.smtp import authority, post_office
from tests.servers.http_parts import Reply, Request
from tests.servers.keys import Authority
from tests.servers.over_http import HttpServer
from tests.servers.over_stdio import command

SECRET = "not-for-eyes-4711"
HOOK = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"


def utc_now() -> datetime:
    return datetime.now(UTC)


async def examined(folder: Path, config: str, *, seconds: float = 20.0, send: bool = False) -> list[Line]:
    blank(folder / "driftwatch.db")
    (folder / "driftwatch.toml").write_text(f"[web]\nenabled = false\n{config}", encoding="utf-8")
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "home")}
    found = read(folder / "driftwatch.toml", environ, KNOWN, now=utc_now())
    around = Around(environ, folder / "home", os.geteuid(), utc_now)
    return await Examination(found, around, Wanted(seconds, send=send)).run()


def about(lines: list[Line], subject: str) -> Line:
    (found,) = [line for line in lines if line.subject == subject and line.area in {Area.SERVERS, Area.CHANNELS}]
    return found


def late(hours: int) -> object:
    """Make a server that answers as it should, and is that much ahead of the time."""

    async def fault(server: HttpServer, request: Request, reply: Reply) -> bool:
        if request.verb != "POST":
            return False
        answer = server.script.answer(request.message)
        date = format_datetime(utc_now() + timedelta(hours=hours), usegmt=True)
        await reply.whole(202 if answer is None else 200, answer or b"", date=date)
        return True

    return fault


async def test_each_server_and_channel_that_cannot_be_reached_has_a_line_of_its_own(tmp_path: Path) -> None:
    program, args = command("honest", "none")
    async with AsyncExitStack() as stack:
        well = await stack.enter_async_context(HttpServer("honest", late(1)))  # type: ignore[arg-type]
        too = await stack.enter_async_context(HttpServer("honest", late(1)))  # type: ignore[arg-type]
        locked = await stack.enter_async_context(HttpServer("honest", "401"))
        office = await stack.enter_async_context(post_office({"AUTH": "535 5.7.8 no"}))
        port = closed_port()
        lines = await examined(
            tmp_path,
            f"""
[servers.well]
url = "{well.url}"
[servers.too]
url = "{too.url}"
[servers.locked]
url = "{locked.url}"
bearer = "{SECRET}"
[servers.gone]
url = "http://127.0.0.1:{port}/mcp"
[servers.nameless]
url = "http://nowhere.invalid/mcp"
[servers.local]
command = {json.dumps(program)}
args = {json.dumps(args)}
sandbox = "none"
[servers.missing]
command = "/nonexistent/program"
sandbox = "none"
[channels.hook]
url = "http://127.0.0.1:{port}/hook"
secret = "{HOOK}"
[channels.answers]
url = "{well.origin}/hook"
secret = "{HOOK}"
[channels.mail]
kind = "email"
host = "127.0.0.1"
port = {office.port}
security = "starttls"
username = "ops"
password = "{SECRET}"
sender = "a@example.com"
to = ["b@example.com"]
[channels.program]
kind = "command"
command = "/nonexistent/program"
[channels.other]
kind = "command"
command = {json.dumps(sys.executable)}
""",
        )

    told = {line.subject: (line.state, line.what) for line in lines if line.area in {Area.SERVERS, Area.CHANNELS}}
    assert not [line for line in lines if line.area is Area.CONFIGURATION and line.state is State.PROBLEM]
    assert {name: state for name, (state, _) in told.items()} == {
        **dict.fromkeys(["well", "too", "local", "answers", "other"], State.OK),
        **dict.fromkeys(["locked", "gone", "nameless", "missing", "hook", "mail", "program"], State.PROBLEM),
    }
    assert "could be looked at whole" in told["well"][1]
    assert "(unauthorized)" in told["locked"][1]
    assert about(lines, "locked").sure is Sure.CERTAIN
    assert about(lines, "locked").do == "Check its credentials: bearer, headers or oauth."
    assert "(connect)" in told["gone"][1]
    assert "(dns)" in told["nameless"][1]
    assert "(start-failed)" in told["missing"][1]
    assert "no connection" in told["hook"][1]
    assert "only a message shows" in told["answers"][1]
    assert "the secure connection failed" in told["mail"][1]  # nobody vouches for it, so no password was sent
    assert not office.requests
    assert all("/hook" not in request.path for request in well.requests)
    assert not any(SECRET in repr(line) or HOOK in repr(line) for line in lines)
    (clock,) = [line for line in lines if (line.area, line.check) == (Area.CLOCK, "others")]
    assert (clock.state, "behind by" in clock.what) == (State.PROBLEM, True)


@pytest.mark.parametrize(
    ("script", "verdict", "detail"),
    [({}, SendVerdict.DONE, "signed in"), ({"AUTH": "535 5.7.8 no"}, SendVerdict.RETRY, "SMTP 535 to the sign-in")],
)
async def test_a_mail_server_is_signed_in_at_and_gets_no_mail(
    script: dict[str, str], verdict: SendVerdict, detail: str
) -> None:
    async with post_office(script) as office:
        given = {"host": "127.0.0.1", "port": office.port, "sender": "a@example.com", "to": ("b@example.com",)}
        password = Secret(SECRET)
        config = EmailConfig(name="mail", kind="email", username="ops", password=password, **given)  # type: ignore[arg-type]
        came = await Email(config, context=authority().client).reach()

    assert (came.verdict, came.detail) == (verdict, detail)
    assert office.requests == []


async def test_what_a_server_says_stays_in_one_line_and_takes_no_place_on_the_terminal(tmp_path: Path) -> None:
    async def lies(_: HttpServer, request: Request, reply: Reply) -> bool:
        said = {"jsonrpc": "2.0", "id": request.message.get("id"), "error": {"code": 1, "message": "\x1b[2J\nok: fine"}}
        await reply.whole(200, json.dumps(said).encode(), date="\x1b]0;mine\x07")
        return True

    async with HttpServer("honest", lies) as server:
        lines = await examined(tmp_path, f'[servers.evil]\nurl = "{server.url}"\n')

    line = about(lines, "evil")
    assert line.state is State.PROBLEM
    assert "\x1b" not in repr(line.what)
    assert "\n" not in line.what


async def test_a_server_that_hangs_takes_no_more_than_its_time_and_those_beside_it_are_not_waited_for(
    tmp_path: Path,
) -> None:
    async with HttpServer("honest", "hangs") as server, HttpServer() as well:
        table = f'[servers.hangs{{}}]\nurl = "{server.url}"\n'
        config = "".join(table.format(number) for number in range(20)) + f'[servers.well]\nurl = "{well.url}"\n'
        lines = await examined(tmp_path, config, seconds=0.5)

    hang = [line for line in lines if line.subject.startswith("hangs")]
    assert about(lines, "well").state is State.OK
    assert {line.state for line in hang} == {State.UNKNOWN}
    assert sum("not seen whole within 0.5 s" in line.what for line in hang) == 8
    assert sum("could not be reached at the same host" in line.what for line in hang) == 12


async def test_with_send_each_channel_gets_the_test_alert_and_else_none(tmp_path: Path) -> None:
    note = tmp_path / "note.py"
    note.write_text("import sys\nopen(sys.argv[1], 'a').write('x')\n", encoding="utf-8")
    got = tmp_path / "got"
    channel = f'kind = "command"\ncommand = {json.dumps(sys.executable)}\nargs = {json.dumps([str(note), str(got)])}\n'

    (before,) = [line for line in await examined(tmp_path, f"[channels.ops]\n{channel}") if line.subject == "ops"]
    sent_before = got.exists()
    after = await examined(tmp_path, f"[channels.ops]\n{channel}", send=True)

    assert (before.state, sent_before) == (State.OK, False)
    assert "it took the test alert" in about(after, "ops").what
    assert got.read_text(encoding="utf-8") == "xx"


@pytest.mark.parametrize(("days", "soon"), [(3, True), (90, False)])
async def test_a_place_shows_when_its_certificate_ends(tmp_path: Path, days: int, soon: bool) -> None:
    authority = Authority(tmp_path)
    key = authority.key(ends_in_days=days)
    trust = ssl.create_default_context(cafile=str(authority.file))
    async with HttpServer(tls=key.context) as server:
        found = await reach(server.url, seconds=10.0, context=trust)
        doubted = await reach(server.url, seconds=10.0)

    assert found.secure.startswith("TLS")
    assert found.until is not None
    assert (found.until - utc_now() < timedelta(days=14)) is soon
    assert doubted.trouble == "the secure connection failed: certificate or TLS version"


async def test_a_server_whose_secret_is_not_to_be_had_is_left_out_and_the_others_are_looked_at(tmp_path: Path) -> None:
    async with HttpServer() as server:
        lines = await examined(
            tmp_path,
            f'[servers.well]\nurl = "{server.url}"\n'
            f'[servers.poor]\nurl = "{server.url}"\nbearer = {{env = "NOBODY_SETS_THIS"}}\n',
        )

    assert about(lines, "well").state is State.OK
    assert about(lines, "poor").state is State.UNKNOWN
    assert [line.subject for line in lines if line.area is Area.CONFIGURATION] == ["servers.poor.bearer"]
