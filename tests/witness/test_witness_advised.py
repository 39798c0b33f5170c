"""What `driftwatch witness status` advises of whatever went wrong, in this process, against a real receiver."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from witness.receiver import Receiver
from witness.test_witness_commands import settle
from witness.test_witness_delivery import TOKEN, courier, seen, state

from driftwatch.cli import main
from driftwatch.watch.witness.spool import Spool
from driftwatch.watch.witness.standing import Away


def test_every_command_that_is_advised_names_the_settings_that_were_named(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "600")
    odd = home / "it's $(touch x); a file.toml"
    odd.write_text(f'url = "{receiver.url}"\nspool = "looks"\n')
    wrong = home / "wrong one.toml"
    wrong.write_text("tokn = 1\n")
    full = Spool(home / "looks", looks=1, size=10**6)
    for session in ("aa", "bb"):
        full.keep(seen(session))
    full.led_away(Away("notes", "desk", "https://other.example", "2026-11-29T10:00:00+00:00"))
    full.set_aside(full.waiting()[0], "the daemon answered so", "2026-11-29T10:00:00+00:00")
    full.keep(seen("cc"))
    receiver.answer = lambda _: 429

    for verb in ("deliver", "status", "clear"):
        main(["witness", verb, "--settings", str(odd)])
        main(["witness", verb, "--settings", str(wrong)])

    said = capsys.readouterr()
    lines = re.sub(r"\n +", " ", said.out + said.err).replace("`", "\n").splitlines()
    found = [shlex.split(line[line.index("driftwatch witness ") :]) for line in lines if "driftwatch witness " in line]
    assert {words[2] for words in found if words[-1] == str(odd)} == {"status", "deliver", "clear"}
    assert {words[2] for words in found if words[-1] == str(wrong)} == {"status"}
    assert all(words[-2] == "--settings" for words in found)


def test_what_is_alike_is_said_once_with_how_often_it_was_so(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    for session in ("aa", "bb", "cc"):
        state(home).keep(seen(session))
        state(home).keep(seen(session, server="mail"))
    receiver.answer = lambda look: 422 if look["server"] == "mail" else 429
    for _ in range(3):
        main(["witness", "deliver"])
    capsys.readouterr()

    main(["witness", "status"])

    said = capsys.readouterr().out
    assert said.count("Refused for now, notes in desk: ") == 1
    assert "Refused for now, notes in desk: 3 sessions, 3 times, the last time" in said
    assert said.count("Set aside, mail in desk: ") == 1
    assert "Set aside, mail in desk: 3 looks: the daemon answered with HTTP 422" in said


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        ((422, ""), "bring both to the same one"),
        ((404, "Did you mean note?"), "Did you mean note? Name it in driftwatch's configuration"),
        ((400, ""), "leads to driftwatch's daemon, and to nothing else"),
        ((405, "Ask otherwise."), "because of 405. Ask otherwise."),
    ],
)
def test_of_each_refusal_it_is_said_what_to_do_in_the_daemons_words_first(
    refused: tuple[int, str], told: str, home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    settle(home, f'url = "{receiver.url}"\n')
    state(home).keep(seen())
    receiver.answer, receiver.hint = lambda _: refused[0], refused[1]
    main(["witness", "deliver"])
    capsys.readouterr()

    main(["witness", "status"])

    said = " ".join(capsys.readouterr().out.split())
    assert told in said


def test_a_token_that_is_not_known_is_told_with_the_file_into_which_another_one_goes(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    place = settle(home, f'url = "{receiver.url}"\ntoken = "{TOKEN}"\n')
    state(home).keep(seen())
    receiver.answer = lambda _: 401

    main(["witness", "deliver"])
    main(["witness", "status"])

    said = capsys.readouterr()
    for one in (said.out, said.err):
        # A long path is broken where there is no room for it.
        assert f"writeitas`token`into{place}." in "".join(one.split())


@pytest.mark.parametrize("before", ["", "tokn = 1\n"], ids=["none", "wrong"])
def test_what_was_wrong_with_the_settings_is_not_told_any_more_once_they_are_right(
    before: str, home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    place = settle(home, before)
    with courier("", home) as one:
        one.keep(seen())
    was = main(["witness", "status"]), state(home).status().error

    place.write_text(f'url = "{receiver.url}"\n')
    code = main(["witness", "status"])

    assert was[0] == 1
    assert was[1]
    assert code == 0
    assert "Wrong" in capsys.readouterr().out.partition(receiver.url)[0]
    assert receiver.seen == []


def test_what_went_wrong_before_the_settings_were_changed_is_told_as_that(
    home: Path, receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    place = settle(home, 'url = "http://127.0.0.1:9"\n')
    state(home).keep(seen())
    main(["witness", "deliver"])
    place.write_text(f'url = "{receiver.url}"\n')
    capsys.readouterr()

    code = main(["witness", "status"])

    said = " ".join(capsys.readouterr().out.split())
    assert code == 1
    assert "Wrong when it was tried last: the daemon cannot be reached" in said
    assert "The settings were changed since. See whether it works now: driftwatch witness deliver" in said
