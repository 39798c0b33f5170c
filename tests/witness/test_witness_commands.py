"""`driftwatch witness status` and `deliver`, in this process, against a real receiver."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest
from witness.receiver import Receiver
from witness.test_witness_delivery import TOKEN, seen, state

from driftwatch.cli import main
from driftwatch.watch.witness.marks import leave
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import Away

pytestmark = pytest.mark.usefixtures("home")


def settle(home: Path, text: str) -> Path:
    place = home / "config" / "driftwatch" / "witness.toml"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    return place


def test_without_settings_the_status_says_what_to_write_and_where(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state(home).keep(seen())

    code = main(["witness", "status"])

    said = capsys.readouterr().out
    assert code == 1
    assert "Waiting: 1" in said
    assert "Nobody said where the daemon is." in said
    assert "witness.toml" in said


def test_what_waits_is_delivered_by_hand_and_the_status_knows(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\ntoken = {{ file = "key" }}\n').with_name("key").write_text(TOKEN)
    state(home).keep(seen("aa"))
    state(home).keep(seen("bb"))
    receiver.answer = lambda look: 404 if look["session"] == "aa" else 201

    delivered = main(["witness", "deliver"])
    said = capsys.readouterr().out
    told = main(["witness", "status", "--format", "json"])
    status = json.loads(capsys.readouterr().out)

    assert (delivered, told) == (1, 1)
    assert said == "1 delivered, 1 set aside, 0 still wait.\n"
    assert receiver.seen[0][1] == f"Bearer {TOKEN}"
    assert (status["delivered"], status["waiting"], status["daemon"]) == (1, 0, receiver.url)
    assert status["aside"][0]["why"] == "the daemon answered with HTTP 404: because of 404"
    assert TOKEN not in json.dumps(status)


def test_a_daemon_that_refuses_the_token_is_told_with_what_to_do(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\ntoken = "{TOKEN}"\n')
    state(home).keep(seen())
    receiver.answer = lambda _: 401

    codes = main(["witness", "deliver"]), main(["witness", "status"])

    said = capsys.readouterr()
    assert codes == (1, 1)
    assert "HTTP 401" in said.err
    assert "--scope looks" in said.err
    assert "HTTP 401" in said.out
    assert TOKEN not in said.out + said.err


def test_of_an_agent_that_was_led_past_the_witness_the_status_says_where_to(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    state(home).led_away(Away("notes", "desk", "https://other.example\x1b[2J", "2026-11-29T10:00:00+00:00", 3))

    code = main(["witness", "status"])
    said = " ".join(capsys.readouterr().out.split())
    main(["witness", "status", "--format", "json"])
    status = json.loads(capsys.readouterr().out)

    assert code == 1
    assert "give --upstream its new address" in said
    assert any("--upstream" in line for line in status["advice"])
    assert "Led away, notes in desk: 3 times, the last time " in said
    assert "to https://other.example\\u{1b}[2J. What the agent was shown there was not seen" in said
    assert [one["times"] for one in status["led_away"]] == [3]


def test_a_look_that_the_daemon_will_not_take_is_told_with_what_to_do_and_delivered_once_that_is_done(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    state(home).keep(seen())
    receiver.answer = lambda _: 404
    main(["witness", "deliver"])
    codes = [main(["witness", "status"])]
    said = " ".join(capsys.readouterr().out.split())

    receiver.answer = lambda _: 201
    codes += [main(["witness", "deliver", "--aside"]), main(["witness", "status"])]

    assert codes == [1, 0, 0]
    assert "Set aside, notes in desk: the daemon answered with HTTP 404: because of 404." in said
    assert "Name it in driftwatch's configuration" in said
    assert "driftwatch witness deliver --aside" in said
    assert [look["session"] for look in receiver.looks] == ["aa"]


def test_what_was_refused_for_now_is_told_with_what_to_do(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    state(home).keep(seen())
    receiver.answer = lambda _: 429
    delivered = main(["witness", "deliver"])
    code = main(["witness", "status"])
    said = " ".join(capsys.readouterr().out.split())
    main(["witness", "status", "--format", "json"])
    status = json.loads(capsys.readouterr().out)

    assert (delivered, code) == (1, 1)
    assert "Refused for now, notes in desk: 1 time, the last time" in said
    assert "the daemon answered with HTTP 429: because of 429. It is tried again." in said
    assert [(one["server"], one["times"]) for one in status["held"]] == [("notes", 1)]
    assert status["advice"]


def test_what_was_dropped_is_told_with_what_to_do_until_it_is_cleared(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    full = Spool(state(home).folder, looks=1, size=10**6)
    for session in ("aa", "bb", "cc"):
        full.keep(seen(session))
    full.led_away(Away("notes", "desk", "https://other.example", "2026-11-29T10:00:00+00:00"))
    full.set_aside(full.waiting()[0], "the daemon answered so.", "2026-11-29T10:00:00+00:00")

    before = main(["witness", "status"])
    said = " ".join(capsys.readouterr().out.split())
    after = main(["witness", "clear"]), main(["witness", "status"])

    assert (before, after) == (1, (0, 0))
    assert "Dropped, because too many waited: 2." in said
    assert "spool_looks, spool_bytes" in said
    assert "driftwatch witness clear" in said
    assert ".." not in said
    assert list((full.folder / "aside").iterdir()) == []


def test_to_clear_deletes_nothing_that_waits(home: Path, receiver: Receiver) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    full = Spool(state(home).folder, looks=1, size=10**6)
    full.keep(seen("aa", 1))
    full.keep(seen("aa", 2))

    main(["witness", "clear"])
    delivered = main(["witness", "deliver"])

    assert delivered == 0
    assert [(look["number"], look["gaps"]) for look in receiver.looks] == [(2, 1)]


def test_a_folder_that_holds_what_is_not_ours_and_others_may_read_is_an_error_of_the_status_too(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = home / "shared"
    place.mkdir()
    place.chmod(0o755)
    (place / "letters.txt").write_text("dear")
    settle(home, f'url = "http://127.0.0.1:9"\nspool = "{place}"\n')

    codes = main(["witness", "status"]), main(["witness", "status", "--format", "json"])

    said = capsys.readouterr()
    assert codes == (2, 2)
    assert "others may read or write it" in said.err
    assert "name another one: spool in the witness's settings" in said.err
    assert [path.name for path in place.iterdir()] == ["letters.txt"]


def test_settings_with_mistakes_are_told_with_every_one_of_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settle(home, 'url = "somewhere"\ntokn = "x"\nspool_looks = 0\ntoken = "${NOT_SET}"\n')

    codes = main(["witness", "status"]), main(["witness", "deliver"])

    said = capsys.readouterr()
    assert codes == (1, 3)
    for mistake in ("url", "tokn", "spool_looks", "NOT_SET"):
        assert mistake in said.out
        assert mistake in said.err


def test_settings_that_are_named_and_not_there_are_an_error(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["witness", "deliver", "--settings", str(home / "nowhere.toml")])

    assert code == 3
    assert "nowhere.toml" in capsys.readouterr().err


def test_the_environment_says_where_the_daemon_is_before_the_file(
    home: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(home, 'url = "http://127.0.0.1:9"\ntoken = "${NOT_SET}"\n')
    monkeypatch.setenv("DRIFTWATCH_WITNESS_URL", receiver.url)
    monkeypatch.setenv("DRIFTWATCH_WITNESS_TOKEN", TOKEN)
    state(home).keep(seen())

    assert main(["witness", "deliver"]) == 0
    assert receiver.seen == [("/api/v1/looks", f"Bearer {TOKEN}")]


def test_a_folder_that_cannot_be_used_is_an_error(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "state").write_text("no folder")

    assert main(["witness", "status"]) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_a_wrapped_line_with_a_mistake_says_so_and_starts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["witness", "notes", "--hots", "desk", "--", "/nowhere/at/all"])

    assert code == 2
    assert "--hots" in capsys.readouterr().err


# ------------------------------------------------------------------- where looks cannot be kept


@pytest.mark.parametrize("folder", ["/proc/x", "/sys/driftwatch", "/dev/null/x"])
def test_a_folder_that_nobody_can_write_in_is_an_error_and_says_what_is_lost(
    folder: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "http://127.0.0.1:9"\nspool = "{folder}"\n')
    leave(os.environ, ("mail", "desk"), "ab" * 16, 0.0, 2)

    codes = main(["witness", "status"]), main(["witness", "deliver"])

    said = " ".join(capsys.readouterr().err.split())
    assert codes == (2, 2)
    assert f"The folder {folder} cannot be used: " in said
    assert "is lost when its session ends" in said
    assert "Lost already, of 1 session: mail in desk. The next look that gets through says so." in said


def test_a_disk_that_takes_nothing_is_an_error_of_the_status(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settle(home, 'url = "http://127.0.0.1:9"\n')
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        code = main(["witness", "status"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert code == 2
    assert "cannot be used: " in capsys.readouterr().err


def test_to_see_whether_looks_can_be_kept_leaves_nothing_behind(home: Path, receiver: Receiver) -> None:
    settle(home, f'url = "{receiver.url}"\n')

    main(["witness", "status"])

    assert [path.name for path in home.iterdir()] == ["config"]
