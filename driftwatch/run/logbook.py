"""Every action that a log line of driftwatch can have, as data, and as the table of `docs/logs.md`.

Run as a module (`python -m driftwatch.run.logbook docs/logs.md`) it writes the table into that file. A test holds the
code against this: a line that is not here, and one here that nothing writes, fail it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NamedTuple

BEGIN, END = "<!-- actions: begin (written by driftwatch.run.logbook) -->", "<!-- actions: end -->"


class Line(NamedTuple):
    """One action: at which levels it is written, which keys it may have beside those of every line, what it means."""

    action: str
    levels: str
    keys: str
    meaning: str


ALWAYS: Final = ("timestamp", "level", "event", "action")
"""What every line has. `event` says it in words, which may change; `action` stays."""

_DELIVERY: Final = "delivery alert kind server channel attempts result again_at"

LINES: Final = (
    Line(
        "abandoned", "error", "count",
        "Messages to channels that the configuration has not had for a while were given up.",
    ),
    Line(
        "alert", "info", "about told why",
        "An alert was told of anew without a look: after a silence, as a reminder, to somebody else.",
    ),
    Line(
        "audit-broken", "error", "",
        "The database does not agree with its audit log: `driftwatch audit verify` says where.",
    ),
    Line(
        "audit-failed", "warning error", "error",
        "The audit log could not be gone through; it is tried again within the hour.",
    ),
    Line(
        "changed-unknown", "warning", "error",
        "What changed in the configuration since the last looks is not known, so nothing is looked at earlier"
        " for it.",
    ),
    Line(
        "clock-set-back", "warning", "seconds",
        "The clock was set back; what was planned comes as much sooner.",
    ),
    Line(
        "close-failed", "warning", "channel error",
        "A channel that is configured no more, or otherwise, could not be closed in good order.",
    ),
    Line(
        "config-warning", "warning", "",
        "Something in the configuration is likely not meant so; `event` says what.",
    ),
    Line(
        "database-gone", "error", "",
        "The database's file was removed, moved or replaced. The daemon saves what it knows and ends.",
    ),
    Line(
        "delivery-dead", "error", _DELIVERY,
        "A message was given up: nobody gets it through this channel.",
    ),
    Line(
        "delivery-not-recorded", "warning", "delivery channel error",
        "What came of an attempt could not be written down, so it is repeated under the same id.",
    ),
    Line(
        "delivery-retried", "warning", _DELIVERY,
        "A channel did not take a message; the next attempt is at `again_at`.",
    ),
    Line(
        "delivery-sent", "info", _DELIVERY,
        "A channel took a message.",
    ),
    Line(
        "due", "info", "servers",
        "These are configured otherwise than at their last look, and are looked at at once.",
    ),
    Line(
        "emptied", "warning", "folder",
        "The home folder of a sandbox held too much and was emptied.",
    ),
    Line(
        "failed", "critical", "",
        "The daemon ends over an error of its own; `traceback` says where. Please report it.",
    ),
    Line(
        "failed-aside", "error", "",
        "Something failed beside the work, in a thread or while it was let go of; please report it.",
    ),
    Line(
        "hanging", "warning error", "error parts",
        "A part of the daemon did not turn in time. At `error` the service manager is told nothing, and "
        "restarts it if that goes on.",
    ),
    Line(
        "heartbeat", "info warning error", "well error",
        "All is well again, or is not, so that the heartbeat stops; or the database could not be asked.",
    ),
    Line(
        "heartbeat-failed", "warning", "result",
        "The heartbeat did not arrive.",
    ),
    Line(
        "host-paused", "info", "server until",
        "A host asked for fewer requests; its servers are left alone until then.",
    ),
    Line(
        "judge-failed", "error", "server",
        "driftwatch itself failed on a list. The look counts as failed; please report it.",
    ),
    Line(
        "left-over", "warning", "folder error",
        "What a sandbox left could not be removed.",
    ),
    Line(
        "library", "warning error critical", "logger",
        "A library says something; `logger` says which, and `event` is its own words.",
    ),
    Line(
        "listen", "info", "server",
        "A stream of notices stands.",
    ),
    Line(
        "listen-end", "info", "server code detail attempts",
        "A stream of notices ended; `code` says how. It is opened again unless it is `unsupported`.",
    ),
    Line(
        "look", "debug info warning", "server outcome detail findings hidden told alert worst rules asked",
        "A look is over: `debug` where all is as before, `warning` where it failed or a person is told.",
    ),
    Line(
        "look-as", "debug info warning", "server identity outcome detail verdict",
        "A look as somebody else is over.",
    ),
    Line(
        "look-lost", "error", "server error",
        "A look could not be recorded; it is made again later.",
    ),
    Line(
        "looks-recorded", "info", "lost",
        "Looks can be recorded again; so many were lost meanwhile.",
    ),
    Line(
        "news-failed", "warning", "error",
        "Open pages are not told what is new; they are still right when loaded anew.",
    ),
    Line(
        "no-sandbox", "warning", "reason",
        "Local servers run without a sandbox.",
    ),
    Line(
        "notify-failed", "warning", "error",
        "The service manager could not be told how it goes.",
    ),
    Line(
        "opinion-failed", "warning error", "server error",
        "A second opinion could not be asked for or kept; the look is judged without.",
    ),
    Line(
        "opinion-start", "info", "second_opinion",
        "Second opinions are asked for, of this model.",
    ),
    Line(
        "outbox-readable", "info", "",
        "The outbox can be read again.",
    ),
    Line(
        "outbox-unreadable", "warning", "error reason",
        "The outbox cannot be read, so nothing is delivered; it is tried until it can.",
    ),
    Line(
        "preview-failed", "error", "preview",
        "A preview failed over an error of driftwatch's own; please report it.",
    ),
    Line(
        "prune-failed", "warning error", "error",
        "What was kept for long enough could not be dropped; it is tried again the next day.",
    ),
    Line(
        "pruned", "info", "looks lists items alerts deliveries",
        "So much was dropped that was kept for long enough.",
    ),
    Line(
        "refresh-failed", "warning error", "channel result error",
        "A channel that forgets was not told again of what stands; it is within minutes.",
    ),
    Line(
        "reload", "info", "",
        "The configuration was read anew and is in force; `event` says what changed.",
    ),
    Line(
        "reload-failed", "error", "error",
        "The configuration was read anew and cannot work, for what `error` says; the one before it stays in force.",
    ),
    Line(
        "reload-left", "warning", "channel count",
        "Messages wait for a channel that is configured no more; they are given up in an hour unless it comes back.",
    ),
    Line(
        "renew", "info", "server",
        "A held session shows an older list than a fresh start, and is begun anew.",
    ),
    Line(
        "request-failed", "error", "request method path",
        "A request failed over an error of driftwatch's own; please report it.",
    ),
    Line(
        "request-gone", "debug", "request method path",
        "Whoever asked went away before the request was whole.",
    ),
    Line(
        "second-opinion", "info warning", "server model texts answers injections trouble",
        "A model was asked about texts.",
    ),
    Line(
        "start", "info", "servers channels",
        "The daemon watches.",
    ),
    Line(
        "stop", "info", "",
        "The daemon has ended in good order.",
    ),
    Line(
        "supply", "debug info warning", "package latest advisories trouble",
        "A registry was asked about a package.",
    ),
    Line(
        "supply-failed", "warning error", "package error",
        "What was learned about packages is lost; they are asked about again.",
    ),
    Line(
        "supply-start", "info", "supply",
        "Registries are asked about packages.",
    ),
    Line(
        "template-failed", "warning", "channel delivery reason",
        "A template of yours failed, so the message went out in driftwatch's own words.",
    ),
    Line(
        "traces-off", "warning", "",
        "Variables of OpenTelemetry name a collector, and the extra `otel` is not installed.",
    ),
    Line(
        "upkeep-failed", "warning error", "error",
        "Reminders, silences and the like could not be seen to; it is tried again.",
    ),
    Line(
        "web", "info", "address",
        "Pages and API are served there.",
    ),
    Line(
        "web-failed", "error", "",
        "The web server failed and is started again; looks and messages go on.",
    ),
    Line(
        "web-no-place", "warning", "address error",
        "The default place of the pages is taken, so there are none.",
    ),
    Line(
        "welcome", "warning", "link good_for",
        "Nobody can sign in yet: whoever opens the link becomes the first admin. The only line that holds a "
        "key; it is good once, and for minutes.",
    ),
    Line(
        "witnessed", "info", "server witness states news calls",
        "A witness handed in what an agent was shown.",
    ),
    Line(
        "witnessed-apart", "warning", "server witness state severity calls",
        "An agent was shown another list than driftwatch.",
    ),
)  # fmt: skip
"""All of them, in alphabetical order."""


def render() -> str:
    """Give the table for the document, with the marks around it."""
    rows = [
        f"| `{line.action}` | {', '.join(line.levels.split())} | {_code(line.keys)} | {line.meaning} |"
        for line in LINES
    ]
    return "\n".join((BEGIN, "", "| action | levels | keys | means |", "|---|---|---|---|", *rows, "", END))


def write(path: Path) -> None:
    """Put the table into the document, in place of the one that is there."""
    text = path.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    path.write_text(f"{before}{render()}{after}", encoding="utf-8")


def _code(words: str) -> str:
    return ", ".join(f"`{word}`" for word in words.split())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
