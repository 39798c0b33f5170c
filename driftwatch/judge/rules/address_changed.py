"""A server answers at another address.

What it does
    Finds that the URL, the place that it redirects to, where people are sent to sign in, the pinned keys or the names
    of the headers differ from what was approved. Another host weighs most, and so does https that became http.

Why it matters
    Whoever moves an address to a host of their own gets what the agent sends, credentials included. Metadata that
    name another authorization server can lead a person to sign in at the wrong place, whatever the list shows.

Example
    before  {"launch": {"url": "https://tickets.example/mcp"}}
    after   {"launch": {"url": "https://tickets-cdn.example/mcp"}}

What to do
    Check with whoever runs the server that the new address is theirs. Until then keep agents away from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.judge.launches import Move, endpoints, moves, origin, text, texts, told_at
from driftwatch.judge.pointer import ABSENT, join
from driftwatch.judge.rules.base import Action, Area, Context, Rule, names, show
from driftwatch.model import Change, ChangeKind, Finding, Severity

_NAMED = {
    "authorization_endpoint": "People are sent elsewhere to sign in",
    "token_endpoint": "Tokens are fetched from elsewhere",
    "registration_endpoint": "Clients register elsewhere",
    "issuer": "Another issuer is named",
}


def check(context: Context) -> Iterator[Finding]:
    """Give every part of an address that changed."""
    for move in moves(context):
        if move.by_other_means:
            continue
        if "url" in move.changes:
            yield _finding(move, "url", "It answers at another address", _of_url(move, "url"))
        if "redirect" in move.changes:
            yield _redirect(move)
        if "headers" in move.changes:
            yield _headers(move)
        if "tls" in move.changes:
            yield _pins(move)
        yield from _sign_in(move)


def _finding(move: Move, key: str, what: str, severity: Severity) -> Finding:
    was, now = move.both(key)
    message = f"{move.whose}{what}: {show(was)} → {show(now)}."
    before, after = (None if value is ABSENT else value for value in (was, now))
    found = RULE.finding(move.item, f"/{key}", message, severity=severity, before=before, after=after, category=key)
    return told_at(found, [change.pointer for change in move.changes[key]])


def _of_url(move: Move, key: str) -> Severity:
    (was, host), (now, other) = (origin(raw.get(key)) for raw in (move.before, move.after))
    if (was, host, now, other) == (was, host, was, host) and host:
        return Severity.MEDIUM
    bare, plain = host.rpartition(":")[0], other.rpartition(":")[0]
    return Severity.LOW if (was, now) == ("http", "https") and bare == plain else Severity.HIGH


def _redirect(move: Move) -> Finding:
    """Weigh where it leads now: to another host than the address or the earlier redirect is what counts."""
    known = {origin(raw.get(key))[1] for raw in (move.before, move.after) for key in ("url", "redirect")}
    led = origin(move.after.get("redirect"))[1]
    own = {origin(move.after.get("url"))[1].rpartition(":")[0], *(host.rpartition(":")[0] for host in known - {led})}
    elsewhere = bool(led) and led.rpartition(":")[0] not in own
    return _finding(move, "redirect", "It leads on to another place", Severity.HIGH if elsewhere else Severity.LOW)


def _headers(move: Move) -> Finding:
    was, now = (texts(raw.get("headers")) for raw in (move.before, move.after))
    new, gone = sorted(set(now) - set(was)), sorted(set(was) - set(now))
    said = [f"new: {names(new)}"] if new else []
    said += [f"gone: {names(gone)}"] if gone else []
    message = f"{move.whose}It is sent other headers ({'; '.join(said) or 'written otherwise'})."
    return RULE.finding(
        move.item, "/headers", message, severity=Severity.LOW, before=was, after=now, category="headers"
    )


def _pins(move: Move) -> Finding:
    was, now = move.tables("tls")
    if not now:
        return _finding(move, "tls", "Its key is not pinned any more", Severity.MEDIUM)
    return _finding(move, "tls", "Other keys are pinned", Severity.LOW if was else Severity.INFO)


def _sign_in(move: Move) -> Iterator[Finding]:
    """Judge the sign-in metadata place by place."""
    changes = move.changes.get("oauth", ())
    known = {origin(url)[1] for _, url in endpoints(move.before)} | {origin(text(move.before, "url"))[1]}
    whole = next((change for change in changes if change.pointer == "/oauth"), None)
    if whole is not None:
        yield _whole(move, whole)
        return
    for key in sorted({change.pointer.split("/")[2] for change in changes}):
        mine = [change for change in changes if change.pointer.split("/")[2] == key]
        yield _place(move, key, mine, known)


def _whole(move: Move, change: Change) -> Finding:
    if change.change is ChangeKind.VALUE_REMOVED:
        return RULE.about(change, f"{move.whose}It does not say any more where to sign in.", severity=Severity.LOW)
    message = f"{move.whose}It says now where to sign in: {names([url for _, url in endpoints(move.after)])}."
    return RULE.about(change, message, severity=Severity.INFO)


def _place(move: Move, key: str, changes: list[Change], known: set[str]) -> Finding:
    was, now = (table.get(key) for table in move.tables("oauth"))
    named = {origin(url)[1] for url in (texts(now) if isinstance(now, list) else [now])} - {""}
    insecure = any(origin(url)[0] == "https" for url in texts([was, *texts(was)])) and any(
        origin(url)[0] != "https" for url in texts([now, *texts(now)])
    )
    elsewhere = bool(named - known) or insecure
    what = _NAMED.get(key, "Another authorization server is named")
    message = f"{move.whose}{what}: {show(was)} → {show(now)}."
    found = RULE.finding(
        move.item,
        join("/oauth", key),
        message,
        severity=Severity.HIGH if elsewhere else Severity.MEDIUM if now is not None else Severity.LOW,
        before=was,
        after=now,
        category="oauth",
    )
    return told_at(found, [change.pointer for change in changes])


RULE = Rule(
    id="address-changed",
    title="A server answers at another address",
    area=Area.LAUNCH,
    action=Action.CHANGED,
    severity=Severity.HIGH,
    check=check,
    doc=__doc__,
    categories=("url", "redirect", "headers", "tls", "oauth"),
)
