"""status while something is silenced: what is not told must not read as quiet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from cli_telling import MARCH, flat, silence
from cli_world import Ended

from driftwatch.store import Store

Say = Callable[..., Ended]


def test_the_status_says_how_many_silences_are_in_force_and_on_what(say: Say, store: Store) -> None:
    store.add_silence(silence(id="sil_over", server="mail", until=MARCH - timedelta(minutes=1)), origin="test")
    store.add_silence(silence(), origin="test")

    one = say("status")
    store.add_silence(silence(id="sil_git", server="git", rule="", reason="moved"), origin="test")

    assert (
        "1 silence is in force: on files by hint-*, up to high, until 2026-03-01 14:00Z. See: driftwatch silences"
        in flat(one.out)
    )
    assert "2 silences are in force: on files by hint-*, up to high" in flat(say("status").out)
    said = say("status", "--format", "json").json["silences"]
    assert said == {"in_force": 2, "servers": ["files", "git"]}


def test_a_silence_that_names_no_server_counts_for_all_and_many_are_counted(say: Say, store: Store) -> None:
    for number in range(5):
        store.add_silence(silence(id=f"sil_{number}", server="" if number == 0 else "files"), origin="test")

    assert "5 silences are in force: " in flat(say("status").out)
    assert "; and 2 more. See: driftwatch silences" in flat(say("status").out)
    assert say("status", "--format", "json").json["silences"]["servers"] == ["files", "git", "mail"]


def test_without_a_silence_the_status_speaks_of_none(say: Say, store: Store) -> None:
    assert "silence" not in say("status").out
