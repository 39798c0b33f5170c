"""One message about many alerts: what a route gathered within its window. Pure.

The body is versioned and bounded like that of one alert (see `payload`); its JSON Schema is the same file. An alert
has one row, however much was told of it within the window.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

from driftwatch.model import AlertState, Delivery, EventKind, Json, Severity
from driftwatch.model.commands import command
from driftwatch.tell.payload import MAX_BODY, OF_TEMPLATES, VERSION, encode, link_of, moment

ROW_CHARS: Final = (300, 100, 0)
"""Characters kept of one alert's summary; the less, the more rows fit."""

_Rules: TypeAlias = dict[str, dict[str, Severity]]
"""By rule the alerts that have it, each with how bad it is there."""

_NAMED: Final = 5
"""Servers that a summary names."""


def batch(members: Iterable[Delivery], *, now: datetime, public_url: str | None) -> Delivery:
    """Make one delivery of several for the same channel and route, the oldest first.

    Its id rests on theirs, so that the same ones gathered twice are the same message. Each is looked at once and let
    go, as their messages may be large.

    Raises:
        ValueError: there is none.

    """
    ids: list[str] = []
    rows: dict[str, dict[str, Any]] = {}
    rules: _Rules = {}
    last: Delivery | None = None
    for last in members:
        ids.append(last.id)
        rows[last.alert_id] = _with(rows.get(last.alert_id), last)
        _note_rules(rules, last)
    if last is None:
        raise ValueError("there is nothing to tell of")
    own_id = "msg_" + hashlib.sha256("\n".join(sorted(ids)).encode("ascii")).hexdigest()[:32]
    worst_first = sorted(rows.values(), key=lambda row: -Severity(row["severity"]).rank)
    return Delivery(
        id=own_id,
        channel=last.channel,
        server="",
        alert_id="",
        event=EventKind.BATCH,
        payload=_body(own_id, last.route, worst_first, rules, now=now, public_url=public_url),
        created_at=now,
        next_attempt_at=now,
        route=last.route,
    )


def _body(
    own_id: str, route: str, rows: Sequence[dict[str, Any]], rules: _Rules, *, now: datetime, public_url: str | None
) -> dict[str, Json]:
    severities = Counter(str(row["severity"]) for row in rows)
    worst = max(Severity(name) for name in severities)
    message: dict[str, Any] = {
        "type": "driftwatch.batch",
        "version": VERSION,
        "timestamp": moment(now),
        "data": {
            "batch": own_id,
            "route": route,
            "drill": all(row["drill"] for row in rows),
            "severity": worst.value,
            "summary": _summary(rows, rules),
            **dict.fromkeys(OF_TEMPLATES),
            "counts": {
                "alerts": len(rows),
                "servers": len({row["server"] for row in rows if row["server"]}),
                "open": sum(row["state"] == AlertState.OPEN for row in rows),
                "by_severity": {severity.value: severities[severity.value] for severity in Severity},
                "by_event": dict(sorted(Counter(event for row in rows for event in row["events"]).items())),
            },
            "alerts": [],
            "alerts_omitted": len(rows),
            "link": link_of(public_url, "batches", own_id),
            "command": command("deliveries", "show", own_id),
        },
    }
    listed = _most(rows, MAX_BODY - len(encode(message)))
    message["data"].update({"alerts": listed, "alerts_omitted": len(rows) - len(listed)})
    return message


def _with(earlier: dict[str, Any] | None, member: Delivery) -> dict[str, Any]:
    """Give the row of an alert with one more thing that was told of it. What is over was as bad as it got."""
    row = _row(member.payload["data"])
    if earlier is None:
        return {**row, "events": [member.event.value]}
    worst = max(Severity(row["severity"]), Severity(earlier["severity"]))
    events = list(dict.fromkeys([*earlier["events"], member.event.value]))
    return {**row, "severity": worst.value, "events": events}


def _note_rules(rules: _Rules, member: Delivery) -> None:
    """Note by which rules findings were told of, and how bad they were."""
    for finding in member.payload["data"]["findings"]:
        by_alert = rules.setdefault(finding["rule"], {})
        by_alert[member.alert_id] = max(Severity(finding["severity"]), by_alert.get(member.alert_id, Severity.INFO))


def _row(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("alert", "server", "channel", "labels", "kind", "severity", "state", "drill", "reason", "link", "command")
    rules = list(dict.fromkeys(finding["rule"] for finding in data["findings"]))
    return {
        **{key: data[key] for key in kept},
        "findings": data["counts"]["findings"],
        "rules": rules[:_NAMED],
        "summary": data["summary"][: ROW_CHARS[0]],
    }


def _summary(rows: Sequence[Mapping[str, Any]], rules: _Rules) -> str:
    """Say how many alerts, on which servers and what the worst is; no server writes any of it."""
    servers = sorted({row["server"] or row["channel"] or "driftwatch" for row in rows})
    named = ", ".join(servers[:_NAMED]) + (f" and {len(servers) - _NAMED} more" if len(servers) > _NAMED else "")
    standing = sum(row["state"] != "resolved" for row in rows)
    over = f", {len(rows) - standing} of them over by now" if standing < len(rows) else ""
    stands = {row["alert"] for row in rows if row["state"] != "resolved"} or {row["alert"] for row in rows}
    return f"{len(rows)} alerts at once on {named}{over}.{_worst_words(rules, stands)}"


def _worst_words(rules: _Rules, stands: Collection[str]) -> str:
    """Name the worst rule of the alerts that stand: of several that are as bad the one that most of them have."""
    found = [
        (max(severities).rank, len(severities), rule)
        for rule, by_alert in rules.items()
        if (severities := [severity for alert, severity in by_alert.items() if alert in stands])
    ]
    _, count, worst = max(found, default=(0, 0, ""))
    if not worst:
        return ""
    many = f"{count} of them: one roll-out may be behind it" if count > 1 else "one of them"
    return f" The worst is {worst}, in {many}."


def _most(rows: Sequence[Mapping[str, Any]], left: int) -> list[Json]:
    """Give as many rows as fit into the bytes that are left; rather all with short summaries than some with long."""
    listed: list[Json] = []
    for room in ROW_CHARS:
        cut = [{**row, "summary": row["summary"][:room]} for row in rows]
        listed = list(_fitting(cut, left))
        if len(listed) == len(rows):
            break
    return listed


def _fitting(rows: Iterable[dict[str, Any]], left: int) -> Iterable[Json]:
    """Give rows as long as they fit into the bytes that are left."""
    for row in rows:
        left -= len(encode(row)) + 1
        if left < 0:
            return
        yield row
