"""What a log line may hold, and how many there may be."""

from __future__ import annotations

import base64
import errno
import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.channels import SlackConfig, WebhookConfig
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Filled, Secret
from driftwatch.errors import StoreError
from driftwatch.run import logs
from driftwatch.run.lines import LONGEST, Repeats
from driftwatch.run.scrub import Scrub, known

HOSTILE = "\x1b[2J\r\nlevel=error action=stop \u202eevil\u200b\ud800"
SECRET = "cors-hair/ba++ery stäple"


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """Put back what logging was set up as: other tests of this process have their own."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions, sys.stderr
    yield
    logging.captureWarnings(capture=False)
    structlog.contextvars.clear_contextvars()
    root.handlers[:], level, logging.raiseExceptions, sys.stderr = before
    root.setLevel(level)


def written(form: str = "json", *, secrets: tuple[Any, ...] = (), clock: Any = lambda: 0.0) -> io.StringIO:
    """Set logging up to write here, all of it."""
    sys.stderr = io.StringIO()
    logs.configure(form=form, level="debug", secrets=secrets, clock=clock)
    return sys.stderr


def failed(error: Exception, cause: Exception) -> Exception:
    """Give the error as it is once it was raised and caught, with its cause."""
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_a_server_said_is_visible_wherever_in_a_line_it_stands(form: str) -> None:
    stream = written(form)
    log = structlog.get_logger()

    error = failed(ValueError(HOSTILE), OSError(HOSTILE))
    log.error(HOSTILE, action="look", exc_info=error, detail=HOSTILE, nested={HOSTILE: [HOSTILE, {"in": (HOSTILE,)}]})
    log.info("a key", action="look", **{HOSTILE: 1})
    logging.getLogger("some.library").error("it said %s", HOSTILE, exc_info=ValueError(HOSTILE))

    text = stream.getvalue()
    assert text.count("\n") == 3
    assert not {"\x1b", "\r", "\u202e", "\u200b", "\ud800"} & set(text)
    assert "\\u{202E}evil" in text.replace("\\\\", "\\")


def test_an_exception_is_told_on_its_line_with_what_led_to_it_and_where() -> None:
    stream = written()

    error = failed(RuntimeError("could not write"), OSError(errno.ENOSPC, "no room"))
    structlog.get_logger().error("failed", action="look-lost", exc_info=error)

    (line,) = lines_of(stream)
    assert line["error_type"] == "RuntimeError"
    assert line["traceback"].startswith("RuntimeError: could not write [test_logs.py:")
    assert " <- OSError: [Errno 28] no room [" in line["traceback"]


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_line_is_longer_than_what_journals_and_engines_keep_whole(form: str) -> None:
    stream = written(form)
    log = structlog.get_logger()
    long = '\u202e"\\' * 1_000_000

    log.info(long, action="look", detail=long, many=["ü" * 5000] * 5000, deep={"a": {"b": {"c": {"d": {"e": long}}}}})
    log.info("keys", action="look", **{f"{number}{long[:300]}": long for number in range(500)})
    log.info("number", action="look", number=10**5000)
    log.error("failed", action="look", exc_info=failed(ValueError(long), ValueError(long)))

    lines = stream.getvalue().encode().splitlines(keepends=True)
    assert len(lines) == 4
    assert max(map(len, lines)) <= LONGEST


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=50) | st.text(max_size=3000),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=300), inner, max_size=60),
    max_leaves=60,
)


@given(st.text(), st.dictionaries(st.text(max_size=300), anything, max_size=60), st.sampled_from(["json", "console"]))
def test_whatever_a_line_is_given_it_is_one_line_of_bounded_length_that_shows_all_it_holds(
    event: str, facts: dict[str, Any], form: str
) -> None:
    given = {name: fact for name, fact in facts.items() if name not in {"event", "self", "exc_info", "stack_info"}}
    stream = written(form)

    structlog.get_logger().info(event, **given)

    (line,) = stream.getvalue().encode(errors="backslashreplace").splitlines(keepends=True)
    assert len(line) <= LONGEST
    assert line.endswith(b"\n")
    assert not set(line[:-1]) & {*range(32), 127}


def test_what_is_said_again_and_again_is_written_now_and_then_with_how_often_it_was_not() -> None:
    now = [0.0]
    stream = written(clock=lambda: now[0])
    log = structlog.get_logger()

    for second in range(7 * 24 * 3600 // 10):
        now[0] = second * 10.0
        log.warning("looked", action="look", server="notes", outcome="could-not-look", detail=f"new each time {second}")

    lines = lines_of(stream)
    assert len(lines) <= 30 + 7 * 24 * 60
    assert sum(line.get("left_out", 0) + 1 for line in lines) >= 7 * 24 * 360 - 6


def test_what_comes_out_otherwise_is_written_however_much_was_said_before() -> None:
    stream = written()
    log = structlog.get_logger()
    for _ in range(1000):
        log.warning("looked", action="look", server="notes", outcome="could-not-look")

    log.warning("looked", action="look", server="notes", outcome="drift", told="opened")
    log.warning("looked", action="look", server="files", outcome="could-not-look")
    log.error("a message was given up", action="delivery-dead", channel="hook")

    assert [(line.get("server"), line.get("outcome")) for line in lines_of(stream)[30:]] == [
        ("notes", "drift"),
        ("files", "could-not-look"),
        (None, None),
    ]


def test_what_a_library_repeats_is_left_out_as_well() -> None:
    stream = written()

    for number in range(1000):
        logging.getLogger("otlp").error("cannot reach %s", number)

    assert len(lines_of(stream)) == 30
    assert {(line["action"], line["logger"]) for line in lines_of(stream)} == {("library", "otlp")}


def test_how_much_is_remembered_of_what_was_said_is_bounded() -> None:
    repeats = Repeats(lambda: 0.0, most=100)

    for number in range(10_000):
        repeats.admits({"action": "look", "server": str(number)})

    assert len(vars(repeats)["_known"]) == 100


def test_a_line_that_cannot_be_written_ends_nothing() -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "no room")

    sys.stderr = Full()
    logs.configure(form="json", level="debug")

    structlog.get_logger().error("nobody reads this", action="stop")
    logging.getLogger("some.library").error("nor this")
    sys.stderr.close()
    structlog.get_logger().error("nor this", action="stop")


def test_what_nobody_caught_is_a_line_and_not_printed_as_it_is() -> None:
    stream = written()

    def fail(error: type[Exception] = ValueError) -> None:
        raise error(HOSTILE)

    class Falls:
        def __del__(self) -> None:
            raise KeyError(HOSTILE)

    def live() -> None:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        Falls()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), logs.last_words():
        live()
    with pytest.raises(StoreError), logs.last_words():
        fail(StoreError)

    told = [(line["action"], line["level"], line["error_type"]) for line in lines_of(stream)]
    assert told == [
        ("failed-aside", "error", "ValueError"),
        ("failed-aside", "error", "KeyError"),
        ("failed", "critical", "ZeroDivisionError"),
    ]


CODINGS = {
    "as it is": lambda secret: secret,
    "percent-coded": lambda secret: quote(secret, safe=""),
    "percent-coded in a path": quote,
    "as JSON": json.dumps,
    "repr": repr,
    "in hexadecimal": lambda secret: secret.encode().hex(),
    "in base64": lambda secret: base64.b64encode(secret.encode()).decode(),
    "in base64 behind one letter": lambda secret: base64.b64encode(f"u{secret}".encode()).decode(),
    "in base64 behind two letters": lambda secret: base64.urlsafe_b64encode(f"u:{secret}:x".encode()).decode(),
}


@pytest.mark.parametrize("coding", CODINGS)
def test_a_secret_that_somebody_logs_is_masked_however_it_is_coded(coding: str) -> None:
    told = CODINGS[coding](SECRET)
    stream = written(secrets=(SECRET,))

    structlog.get_logger().info(f"sent {told}", action="look", nested={f"k{told}": [told]}, cut="x" * 990 + told)
    logging.getLogger("httpx").error("GET /%s", told, exc_info=ValueError("x" * 190 + told))

    said = stream.getvalue()
    core = told.strip("'\"=")[4:-4]
    assert said.count("***") >= 5
    assert core not in said
    assert core[:10] not in said


def test_all_secrets_of_a_configuration_are_known_and_others_are_not_after_they_were_read_anew() -> None:
    settings = Settings(
        servers=(
            ServerConfig(
                name="a",
                url=Filled("https://x.example/hush-in-url/", shown="https://x.example/${A}/", hidden=("hush-in-url",)),
                headers={"Authorization": Secret("Bearer hush-in-header")},
            ),
            ServerConfig(name="b", command="run", env={"KEY": Secret("hush-in-env")}),
        ),
        channels=(
            SlackConfig(name="s", kind="slack", url=Secret("https://hooks.example/services/hush-in-slack")),
            WebhookConfig(
                name="w",
                kind="webhook",
                url="https://x.example/",
                secret=Secret("whsec_aHVzaC1pbi1ob29raHVzaC1pbi1ob29r"),
            ),
        ),
    )
    database = Filled("postgresql://u:hush-in-database@x/y", shown="…")
    words = [
        "hush-in-url",
        "hush-in-header",
        "hush-in-env",
        "services/hush-in-slack",
        "whsec_aHVzaC1pbi1ob29raHVzaC1pbi1ob29r",
        "hush-in-database",
    ]
    stream = written(secrets=(settings, database, "hush-always"))
    log = structlog.get_logger()

    log.info("first", action="look", said=words)
    logs.keep_out("hush-of-now")
    log.info("then", action="look", said=["hush-of-now", "hush-in-env", "hush-always"])

    assert [line["said"] for line in lines_of(stream)] == [["***"] * 6, ["***", "hush-in-env", "***"]]


def test_a_secret_of_a_few_letters_leaves_words_as_they_are() -> None:
    assert known("look", "", Settings())("look at it") == "look at it"


def test_of_two_secrets_that_begin_alike_the_longer_one_is_taken_out_whole() -> None:
    assert Scrub(["secret-one", "secret-one-and-more"])("a secret-one-and-more b secret-one") == "a *** b ***"
