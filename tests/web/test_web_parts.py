"""The small parts that keep others out, each by itself."""

from __future__ import annotations

import secrets
import threading
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.web import passwords
from driftwatch.web.failures import Failures
from driftwatch.web.forms import Forms
from driftwatch.web.keys import PREFIX, is_token, new_key, new_token
from driftwatch.web.throttle import Throttle
from driftwatch.web.welcome import Welcome
from tests.fakes import FrozenClock

SECONDS = timedelta(seconds=1)


@given(st.binary(min_size=32, max_size=32))
def test_a_token_is_known_by_its_form(key: bytes) -> None:
    token = new_token(lambda _: key)

    assert is_token(token)
    assert (len(token), token[:3]) == (52, PREFIX)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 51), st.characters())
def test_a_token_with_one_character_wrong_is_told(key: bytes, place: int, wrong: str) -> None:
    token = new_token(lambda _: key)
    mistyped = token[:place] + wrong + token[place + 1 :]

    assert is_token(mistyped) == (mistyped == token)


@given(st.text())
def test_whatever_is_no_token_is_told(text: str) -> None:
    assert not is_token(text)


def test_keys_differ() -> None:
    assert len({new_key(secrets.token_bytes) for _ in range(100)}) == 100


def test_nobodys_password_takes_as_long_as_somebodys() -> None:
    kept = passwords.hash_password("correct horse battery staple")

    assert kept.split("$")[1:4] == passwords._NOBODY.split("$")[1:4]
    assert not passwords.needs_rehash(kept)
    assert not passwords.verify(None, "")


def test_a_flood_of_tries_leaves_room_for_others() -> None:
    answers: list[str] = []

    def knock() -> None:
        try:
            answers.append(str(passwords.verify(None, "knock")))
        except passwords.BusyError:
            answers.append("busy")

    knocking = [threading.Thread(target=knock) for _ in range(30)]
    for one in knocking:
        one.start()
    for one in knocking:
        one.join()

    assert {*answers} == {"False", "busy"}
    assert passwords.verify(None, "") is False


@pytest.mark.parametrize("typed", ["pa\u0301ssword-with-marks", "p\u00e1ssword-with-marks"])
def test_a_password_is_the_same_from_every_keyboard(typed: str) -> None:
    assert passwords.verify(passwords.hash_password("p\u00e1ssword-with-marks"), typed)


def test_a_password_may_hold_anything_and_a_damaged_hash_fits_none() -> None:
    strange = "\ud800\U0001f512 \u202e and more \x00"

    assert passwords.verify(passwords.hash_password(strange), strange)
    assert not passwords.verify("$argon2id$damaged", strange)
    assert passwords.wrong_with(strange, name="ann") is None


@given(st.text(max_size=80))
def test_whatever_comes_back_as_a_form_is_refused_in_words(token: str) -> None:
    forms = Forms(secrets.token_bytes, FrozenClock())

    assert "Nothing was changed" in (forms.refusal(token, "ann", "/x") or "")


@given(st.data())
def test_a_form_fits_its_holder_and_its_purpose_only(data: st.DataObject) -> None:
    names = st.text(max_size=6)
    holder, purpose, other, elsewhere = (data.draw(names) for _ in range(4))
    forms = Forms(secrets.token_bytes, FrozenClock())
    token = forms.issue(holder, purpose)

    fits = forms.refusal(token, other, elsewhere) is None

    assert fits == ((holder, purpose) == (other, elsewhere))


def test_forms_that_are_no_longer_remembered_are_refused_and_never_taken_twice() -> None:
    clock = FrozenClock()
    forms = Forms(secrets.token_bytes, clock, remembered=10)
    old = forms.issue("ann", "/x")
    used = []
    for _ in range(25):
        clock.forward(1)
        used.append(forms.issue("ann", "/x"))
        assert forms.refusal(used[-1], "ann", "/x") is None

    assert [forms.refusal(one, "ann", "/x") is None for one in (old, *used)] == [False] * 26
    assert len(forms._used) == 10


def test_a_clock_that_was_set_back_keeps_nobody_from_sending_forms() -> None:
    clock = FrozenClock()
    forms, throttle = Forms(secrets.token_bytes, clock), Throttle(clock)
    assert forms.refusal(forms.issue("ann", "/x"), "ann", "/x") is None
    for _ in range(8):
        throttle.failed("ann", "192.0.2.7")
    clock.forward(-86_400)

    assert forms.refusal(forms.issue("ann", "/x"), "ann", "/x") is None
    assert throttle.wait("ann", "192.0.2.7") <= 8 * SECONDS


def test_each_failure_beyond_the_free_ones_doubles_the_wait_up_to_a_quarter_of_an_hour() -> None:
    throttle = Throttle(FrozenClock())
    waits = []
    for _ in range(20):
        throttle.failed("ann", "192.0.2.7")
        waits.append(throttle.wait("ann", "192.0.2.7") // SECONDS)

    assert waits[:9] == [0, 0, 0, 0, 1, 2, 4, 8, 16]
    assert waits[-1] == 900


def test_many_names_from_one_address_are_slowed_down_and_others_are_not() -> None:
    throttle = Throttle(FrozenClock())
    for number in range(25):
        throttle.failed(f"name-{number}", "192.0.2.7")

    assert throttle.wait("fresh", "192.0.2.7") == 32 * SECONDS
    assert throttle.wait("name-1", "192.0.2.8") == timedelta()


def test_guesses_from_everywhere_slow_a_name_down_a_little() -> None:
    throttle = Throttle(FrozenClock())
    for number in range(200):
        throttle.failed("ann", f"198.51.100.{number}")

    assert throttle.wait("ann", "203.0.113.1") == 30 * SECONDS
    assert throttle.wait("bob", "203.0.113.1") == timedelta()


@pytest.mark.parametrize("guessed", ["ann", "nobody", "name-{}"])
def test_a_known_browser_waits_for_its_own_failures_only_whatever_strangers_do_at_its_address(guessed: str) -> None:
    throttle = Throttle(FrozenClock())
    for number in range(200):
        throttle.failed(guessed.format(number), "127.0.0.1")
    free = throttle.wait("ann", "127.0.0.1", "browser")
    counted = [throttle.failed("ann", "127.0.0.1", "browser") for _ in range(6)]
    own = throttle.wait("ann", "127.0.0.1", "browser")

    assert (free, counted, own) == (timedelta(), [1, 2, 3, 4, 5, 6], 2 * SECONDS)
    assert throttle.wait("ann", "127.0.0.1", "another") == timedelta()
    assert throttle.wait("ann", "127.0.0.1") >= 30 * SECONDS
    throttle.succeeded("ann", "127.0.0.1", "browser")
    assert throttle.wait("ann", "127.0.0.1", "browser") == timedelta()
    assert throttle.wait("ann", "127.0.0.1") >= 30 * SECONDS


def test_counts_are_bounded_and_strangers_push_out_none_of_a_known_browser() -> None:
    throttle = Throttle(FrozenClock(), most=10)
    for _ in range(6):
        throttle.failed("ann", "192.0.2.7", "browser")
    for number in range(100):
        throttle.failed(f"name-{number}", f"198.51.100.{number}")

    assert throttle.wait("ann", "192.0.2.7", "browser") == 2 * SECONDS
    assert [len(counts) for counts in (throttle._strangers, throttle._known)] == [10, 1]


def test_who_has_a_network_of_ipv6_is_slowed_down_in_all_of_it_and_others_are_not() -> None:
    throttle = Throttle(FrozenClock())
    for number in range(25):
        throttle.failed("ann", f"2001:db8::{number:x}")

    assert throttle.wait("bob", "2001:db8::ffff:1") == 32 * SECONDS
    assert throttle.wait("bob", "2001:db8:0:1::1") == timedelta()
    assert throttle.wait("ann", "2001:db8:0:1::1") == 30 * SECONDS
    assert throttle.wait("eva", "2001:db8:1::8") == timedelta()
    assert throttle.failed("eva", "2001:db8:1::8") == 1


def test_after_an_hour_all_is_forgotten() -> None:
    clock = FrozenClock()
    throttle = Throttle(clock)
    for _ in range(30):
        throttle.failed("ann", "192.0.2.7")
    clock.forward(3601)

    assert throttle.wait("ann", "192.0.2.7") == timedelta()
    assert throttle.failed("ann", "192.0.2.7") == 1


def test_failed_tries_beyond_some_are_counted_and_told_of_later() -> None:
    clock = FrozenClock()
    failures = Failures(clock)
    written = [failures.why(1) for _ in range(30)]
    clock.forward(601)

    assert written == ["wrong name or password"] * 20 + [None] * 10
    assert failures.why(7) == (
        "wrong name or password (7 times in a row); 10 failed before that and are not in this log"
    )


def test_a_first_link_lets_in_once_and_can_be_given_back() -> None:
    clock = FrozenClock()
    welcome, key = Welcome.with_key(secrets.token_bytes, clock())
    taken = [welcome.take("another", clock()), welcome.take(key, clock()), welcome.take(key, clock())]
    welcome.give_back(key)

    assert taken == [False, True, False]
    assert welcome.take(key, clock())
    assert not Welcome().fits("", clock())
