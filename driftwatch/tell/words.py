"""A message as people read it, for every place that shows words: worked out of the payload, and safe to show. Pure.

Each channel lays these out in its destination's own form. Whatever came from a server has gone through `defang`, so
that a channel needs to add only the quoting of its own format (such as `&lt;` in HTML).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from driftwatch.judge.rules import RULES
from driftwatch.model import Alert, Json, Severity
from driftwatch.model.amounts import many
from driftwatch.model.commands import command
from driftwatch.report.safe import defang

_LONGEST_QUOTE: Final = 200
"""Characters of a marked stretch that a message quotes."""

_MARKS: Final = {
    "opened": "{severity}",
    "updated": "{severity}, more of it",
    "reminded": "{severity}, still open",
    "acknowledged": "ACKNOWLEDGED",
    "resolved": "RESOLVED",
}
"""What a title begins with, by the event."""

_TITLES: Final = {rule.id: rule.title[:1].lower() + rule.title[1:] for rule in RULES}
"""What each rule says in plain words, as it stands within a title."""

_ID: Final = 12
"""Characters of an id in a command: `alr_` and eight digits name an alert."""

_OVER: Final = {
    "back-to-baseline": "shows its baseline again",
    "calm-again": "has kept still for a while",
    "nothing-found": "nothing is found any more",
    "hidden-by-policy": "the policy hides what is found",
    "approved": "approved by a person",
    "looked-again": "can be looked at again",
    "no-longer-watched": "is no longer watched",
    "delivers-again": "takes messages again",
    "sees-again": "looks work again",
    "agrees-again": "it agrees with the audit log again",
}
"""How a title says why an alert is over, by its reason."""


@dataclass(frozen=True, slots=True)
class Point:
    """One finding, or one alert of a batch: how bad, what, and the words for it, each a single safe line."""

    severity: str
    head: str
    text: str
    quote: str = ""
    link: str = ""
    new: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """What a message says, in parts. Every text is one line, safe to show, and not cut to any destination's size."""

    title: str
    lead: str
    severity: str
    event: str
    facts: tuple[tuple[str, str], ...] = ()
    points: tuple[Point, ...] = ()
    omitted: int = 0
    link: str = ""
    command: str = ""
    drill: bool = False
    over: bool = False
    """Whether all that it tells of is over."""
    own_body: str = ""
    """The text that a template of the configuration made; it stands for lead, facts and points."""

    @property
    def more(self) -> str:
        """Where the whole is: the page, else the command that shows it."""
        return self.link or self.command


def words_of(payload: Mapping[str, Json]) -> Words:
    """Give the words of a payload that `payload.body` or `payload.batch` made."""
    data: Mapping[str, Any] = payload["data"]
    batch = "alerts" in data
    keep = own_phrases(data)
    title = data.get("title") or (_batch_title(data) if batch else _title(payload, data))
    points = [_row(row) for row in data["alerts"]] if batch else [_point(one, keep) for one in data["findings"]]
    return Words(
        title=title,
        lead=defang(data["summary"], keep=keep),
        severity=data["severity"],
        event="batch" if batch else event_of(payload),
        facts=tuple(_facts_of_all(data) if batch else _facts(data)),
        points=tuple(points),
        omitted=data["alerts_omitted"] if batch else data["findings_omitted"],
        link=data["link"] or "",
        command=data["command"],
        drill=data["drill"],
        over=_ended(data) == data["counts"]["alerts"] if batch else event_of(payload) == "resolved",
        own_body=data.get("text") or "",
    )


def subject(alert: Alert) -> str:
    """Say in a few words what an alert is about and what of it: what a title has after its mark, as things are now."""
    listed = [{"rule": one.rule, "severity": one.severity.value} for one in alert.findings]
    data = {
        "kind": alert.kind.value,
        "server": alert.server,
        "channel": alert.channel,
        "reason": "",
        "counts": {"findings": len(listed)},
        "findings": listed,
    }
    return f"{_about(data)}: {_short('opened', data)}"


def over_words(reason: str) -> str:
    """Say why an alert is over, by its `reason`."""
    return _OVER.get(reason, "over")


def event_of(payload: Mapping[str, Json]) -> str:
    """Give what there is to tell: `opened`, `updated`, `reminded`, `acknowledged`, `resolved`, or `batch`."""
    return str(payload["type"]).rpartition(".")[2]


def plain_text(words: Words, room: int) -> str:
    """Lay a message out as lines of plain text, at most `room` characters; what is cut is counted, with where it is.

    The title is not among them. Characters are counted as `units` has it.
    """
    if words.own_body:
        return cut(words.own_body, room, words.more)
    head = [words.lead, *(f"{name}: {value}" for name, value in words.facts)]
    tail = [f"See: {words.link}"] if words.link else []
    tail += [f"Run: {words.command}"] if words.command else []
    lines = ["\n".join(head)] if not words.points else ["\n".join(head), ""]
    left = room - units("\n".join([*lines, "", *tail])) - len(_left_out(10**6)) - 2
    shown = 0
    for point in words.points:
        text = "\n".join(_point_lines(point))
        left -= units(text) + 1
        if left < 0:
            break
        lines.append(text)
        shown += 1
    missing = len(words.points) - shown + words.omitted
    lines += [_left_out(missing)] if missing else []
    return cut("\n".join([*lines, "", *tail] if tail else lines), room, words.more)


def units(text: str) -> int:
    """Count characters as the strictest destinations do: in UTF-16, where one beyond U+FFFF counts twice."""
    return len(text) + sum(char > "\uffff" for char in text)


def cut(text: str, room: int, more: str = "") -> str:
    """Cut text to `room` characters (see `units`), with where the whole is at the end if that fits."""
    if units(text) <= room:
        return text
    end = f"… (the whole: {more})" if more and units(more) + 20 < room // 2 else "…"
    return _first(text, room - units(end)) + end[: max(room, 0)]


def _first(text: str, room: int) -> str:
    """Give as much of the beginning as fits."""
    for index, char in enumerate(text):
        room -= units(char)
        if room < 0:
            return text[:index]
    return text


def _left_out(count: int) -> str:
    return f"… and {count} more"


def _point_lines(point: Point) -> Iterator[str]:
    yield f"- {point.severity.upper()} {point.head}{' (new)' if point.new else ''}"
    if point.text:
        yield f"  {point.text}"
    if point.quote:
        yield f"  “{point.quote}”"


def worst_rule(data: Mapping[str, Any]) -> str:
    """Give the rule of the worst finding that a payload's data lists, empty where it lists none."""
    worst = max(data.get("findings", ()), key=lambda finding: Severity(finding["severity"]).rank, default=None)
    return str(worst["rule"]) if worst else ""


def own_phrases(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the commands that our own sentences hold: they must stay as they are typed."""
    server = data.get("server") or ""
    verbs = ("diff", "check", "history", "show")
    return (data["command"], *(f"driftwatch {verb} {server}" for verb in verbs if server))


def _title(payload: Mapping[str, Json], data: Mapping[str, Any]) -> str:
    event = event_of(payload)
    mark = _MARKS[event].format(severity=data["severity"].upper())
    drill = "DRILL " if data["drill"] else ""
    return f"{drill}[{mark}] {_about(data)}: {_short(event, data)}"


def _about(data: Mapping[str, Any]) -> str:
    if data["kind"] == "channel":
        return f"channel {data['channel']}"
    return data["server"] or "driftwatch"


def _short(event: str, data: Mapping[str, Any]) -> str:
    """Say in a few words what it is about; no server writes any of them."""
    if event == "resolved":
        return _OVER.get(data["reason"], "over")
    if data["kind"] == "drift":
        return _found(data["counts"]["findings"], worst_rule(data))
    return {
        "health": "could not be looked at",
        "channel": "takes no messages",
        "daemon": "no look at anything has worked",
        "audit": "its database was changed by hand",
    }[data["kind"]]


def _found(count: int, worst: str) -> str:
    """Say what was found: the worst in plain words with the rule's id, and how many more."""
    if worst in _TITLES:
        more = f", and {count - 1} more" if count > 1 else ""
        return f"{_TITLES[worst]} ({worst}){more}"
    # Of a rule that is no longer there nobody knows what it said.
    return f"{many(count, 'finding')}{f', the worst {worst}' if worst else ''}"


def _facts_of_all(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if data["counts"]["open"] and not data["drill"]:
        yield "Acknowledge", command("alerts", "ack", data["batch"][:_ID])


def _facts(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield ("Server", data["server"]) if data["server"] else ("About", _about(data))
    if data["labels"]:
        yield "Labels", defang(", ".join(f"{name}={value}" for name, value in data["labels"].items()))
    yield "Severity", data["severity"]
    yield "Opened", _minute(data["opened_at"])
    if data["resolved_at"]:
        yield "Over", _minute(data["resolved_at"])
    if approved := data.get("approved"):
        yield "Baseline", f"approved by {defang(approved['by'])} on {approved['at'][:10]}"
    if rejected := data.get("rejected"):
        part = f"{rejected['findings']} of {many(data['counts']['findings'], 'finding')}"
        yield "Rejected", f"{'the whole list' if rejected['whole'] else part}, by a person"
    yield "Alert", data["alert"]
    if known := data["acknowledged"]:
        note = f": {defang(known['note'])}" if known["note"] else ""
        yield "Acknowledged", f"by {defang(known['by'])}, {_minute(known['at'])}{note}"
    elif data["state"] == "open" and not data["drill"]:
        yield "Acknowledge", command("alerts", "ack", data["alert"][:_ID])


def _minute(moment: str) -> str:
    """Write a moment of a payload for people: `2026-03-01 12:00 UTC`."""
    return f"{moment[:10]} {moment[11:16]} UTC"


def _point(finding: Mapping[str, Any], keep: Sequence[str]) -> Point:
    names = finding["items"] or ([finding["item"]] if finding["item"] else [])
    where = f" in {finding['kind']} “{_quoted(names[0])}”" if len(names) == 1 else ""
    where = f" in {len(names) + finding['items_omitted']} places" if len(names) > 1 else where
    marked = next((span["text"] for span in finding["spans"] if span["text"]), "")
    return Point(
        severity=finding["severity"],
        head=f"{finding['rule']}{where}",
        text=defang(finding["message"], keep=keep),
        quote=_quoted(cut(marked, _LONGEST_QUOTE)),
        new=finding["new"],
    )


def _quoted(text: str) -> str:
    """Make a server's text safe between quotation marks, which it cannot close."""
    return defang(text).replace("“", "'").replace("”", "'")


def _batch_title(data: Mapping[str, Any]) -> str:
    drill = "DRILL " if data["drill"] else ""
    alerts, servers = data["counts"]["alerts"], data["counts"]["servers"]
    where = f" on {many(servers, 'server')}" if servers else ""
    ended = _ended(data)
    known = data["counts"]["by_event"].get("acknowledged", 0)
    mark = "RESOLVED" if ended == alerts else "ACKNOWLEDGED" if known == alerts else data["severity"].upper()
    over = f", {ended} of them over" if 0 < ended < alerts else ""
    return f"{drill}[{mark}] {many(alerts, 'alert')}{where}{over}"


def _ended(data: Mapping[str, Any]) -> int:
    """Count the alerts of a batch that are over by its end."""
    return int(data["counts"]["by_event"].get("resolved", 0))


def _row(row: Mapping[str, Any]) -> Point:
    """Give one alert of a batch: its last event, its server, and its summary."""
    return Point(
        severity=row["severity"],
        head=f"{_about(row)}: {', '.join(row['events'])}",
        text=defang(row["summary"], keep=own_phrases(row)),
        link=row["link"] or "",
    )
