"""Asking a daemon to reload where there is none, where it is another program, and where it does not answer."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_world import Run, at

from driftwatch.config.load import load
from driftwatch.store import Store
from driftwatch.store.holding import Hold, Reload, held, lock_path
from driftwatch.store.place import path_of


@pytest.fixture
def url(configured: Path, store: Store) -> str:
    return load(configured, os.environ, secrets=False).database_url


@pytest.fixture
def hold(url: str) -> Iterator[Hold]:
    """The lock as a daemon holds it that does nothing on SIGHUP: this process."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with held(url, doing="run", now=at(0)) as made:
        yield made
    signal.signal(signal.SIGHUP, before)


def test_without_a_daemon_there_is_nobody_to_ask(run: Run, url: str) -> None:
    ended = run("reload")

    assert ended.code == 2
    assert f"No daemon watches with the database {path_of(url)}" in " ".join(ended.err.split())
    assert "Start it: driftwatch run" in ended.err


def test_what_holds_the_database_and_is_no_daemon_is_not_asked(run: Run, url: str) -> None:
    with held(url, doing="restore", now=at(0)):
        ended = run("reload")

    assert ended.code == 2
    assert "driftwatch restore" in ended.err


def test_a_number_that_is_another_program_here_is_sent_no_signal(run: Run, url: str, hold: Hold) -> None:
    path = lock_path(path_of(url))
    said = json.loads(path.read_bytes())
    hold_size = path.stat().st_size
    path.write_bytes(json.dumps({**said, "pid": os.getppid()}).encode().ljust(hold_size))

    ended = run("reload")

    assert ended.code == 2
    assert "that is the number of another program" in " ".join(ended.err.split())


def test_a_daemon_that_does_not_answer_is_not_waited_for_for_ever(run: Run, hold: Hold) -> None:
    # One that is over already is no answer.
    hold.note(Reload(3, 3, "2026-03-01T12:00:00+00:00", 0, "long ago"))

    ended = run("reload", "--timeout", "1")

    assert (ended.code, ended.out) == (1, "")
    assert f"The daemon (process {os.getpid()}) has not said within 1 seconds how it went" in " ".join(
        ended.err.split()
    )


def test_status_says_that_the_last_reload_failed_until_one_works(run: Run, hold: Hold) -> None:
    hold.note(Reload(1, 1, "2026-03-01T12:00:00+00:00", 3, "servers.x.url: is no URL\n  write another"))
    failed = run("status"), run("status", "--format", "json")
    hold.note(Reload(2, 2, "2026-03-01T13:00:00+00:00", 0, "all well"))
    works = run("status"), run("status", "--format", "json")

    words = " ".join(failed[0].out.split())
    assert "The last reload failed (2026-03-01T12:00:00+00:00), and the configuration before it is in force:" in words
    assert "servers.x.url: is no URL write another" in words
    assert failed[1].json["reload_failed"] == {
        "at": "2026-03-01T12:00:00+00:00",
        "why": "servers.x.url: is no URL\n  write another",
    }
    assert "reload" not in works[0].out
    assert works[1].json["reload_failed"] is None


def test_what_a_holder_says_of_a_reload_is_bounded_and_never_torn(url: str, hold: Hold) -> None:
    path = lock_path(path_of(url))
    sizes = set()
    for words in ("short", "é\n" * 50_000, "short again"):
        hold.note(Reload(1, 1, "", 3, words))
        sizes.add(path.stat().st_size)
        kept = json.loads(path.read_bytes())["reload"]["words"]
        assert kept == words[:2000]

    assert sizes == {16_384}
