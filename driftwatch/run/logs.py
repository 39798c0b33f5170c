"""Logs: one stable `action` word a line, on standard error, with every control character of a server made visible.

What each word means stands in `driftwatch.run.logbook`. Lines of libraries have the action `library` and say whose they
are. Every line passes the same way: no secrets, nothing that moves a terminal, bounded, and not again and again.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import structlog

from driftwatch.errors import DriftwatchError
from driftwatch.run.lines import Bounds, Event, Repeats
from driftwatch.run.scrub import Scrub, known


def configure(
    *,
    form: str = "console",
    level: str = "info",
    secrets: Iterable[Any] = (),
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Set up structlog and the standard library's logging for a whole process.

    `form` is `console` or `json`; `level` is a standard level name in lower case. `secrets` are configurations, or
    plain texts, whose secrets no line may hold. `clock` gives seconds, by which repetitions are left out.
    """
    number = logging.getLevelNamesMapping()[level.upper()]
    given = tuple(secrets)
    _net.always = tuple(value for value in given if type(value) is str)
    _net.scrub = known(*given)
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    repeats = Repeats(clock)
    ends: list[Any] = [Bounds(_net), _renderer(form)]
    structlog.configure(
        processors=[*shared, _once(repeats), *ends],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: _Out(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_admitting(repeats))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[_of_a_library, *ends])
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))
    logging.captureWarnings(capture=True)
    # A line that cannot be written is lost; the standard library would say so in its own words, with what was in it.
    logging.raiseExceptions = False


def keep_out(*values: Any) -> None:
    """Take the secrets of these configurations out of every line from now on, in place of those of earlier ones.

    What `configure` was given as plain text stays.
    """
    _net.scrub = known(*values, *_net.always)


@contextmanager
def last_words() -> Iterator[None]:
    """Log what nobody caught, also in threads and while things are let go of: Python would print it as it is."""
    log = structlog.get_logger()

    def aside(told: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
        log.error("something failed beside the work", action="failed-aside", exc_info=told.exc_value)

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook = sys.unraisablehook = aside
    try:
        yield
    except DriftwatchError:
        raise
    except Exception as error:
        log.critical("the daemon ends over an error of its own; please report it", action="failed", exc_info=error)
        raise
    finally:
        threading.excepthook, sys.unraisablehook = before


class _Net:
    """The secrets that lines of this process are kept free of; they change while it runs."""

    scrub = Scrub()
    always: tuple[str, ...] = ()

    def __call__(self, text: str) -> str:
        return self.scrub(text)


_net = _Net()


class _Out:
    """Writes lines. One that cannot be written, on a full disk or to nobody, must not end what it tells of."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(line, file=self._stream, flush=True)

    debug = info = warning = error = critical = exception = log = fatal = failure = msg


def _renderer(form: str) -> Any:
    if form == "json":
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())


def _once(repeats: Repeats) -> Any:
    def process(_logger: Any, _method: str, event: Event) -> Event:
        if not repeats.admits(event):
            raise structlog.DropEvent
        return event

    return process


def _admitting(repeats: Repeats) -> Callable[[logging.LogRecord], bool]:
    """Give the filter of what libraries say: of each and each level some lines, then one now and then."""

    def admits(record: logging.LogRecord) -> bool:
        event: dict[str, Any] = {"action": "library", "level": record.levelname, "logger": record.name}
        admitted = repeats.admits(event)
        record.left_out = event.get("left_out")
        return admitted

    return admits


def _of_a_library(_logger: Any, _method: str, event: Event) -> Event:
    """Say of a line of a library whose it is."""
    record: logging.LogRecord = event.pop("_record")
    event.pop("_from_structlog", None)
    event["action"], event["logger"] = "library", record.name
    left_out = getattr(record, "left_out", None)
    return {**event, "left_out": left_out} if left_out else event
