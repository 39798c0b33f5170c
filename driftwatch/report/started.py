"""How a server is started or reached, laid out for reading: it is part of what a person approves."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from driftwatch.judge.text.visible import visible
from driftwatch.model import Json, Kind, Snapshot
from driftwatch.report.cut import shown
from driftwatch.report.lines import Line
from driftwatch.report.prose import fact_lines, heading

_LONGEST = 200
_SIGN_IN = {
    "servers": "authorization servers",
    "issuer": "issuer",
    "authorization_endpoint": "people sign in at",
    "token_endpoint": "tokens come from",
    "registration_endpoint": "clients register at",
}


def title_of(raw: Json) -> str:
    """Say what the document of a launch is about."""
    is_command = isinstance(raw, dict) and "command" in raw
    return "how it is started" if is_command else "how it is reached"


def started_lines(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    """Give the parts of a launch in the order of reading, and take them out of `rest`; what is odd stays there."""
    line = _command(rest)
    if line:
        yield from fact_lines("runs", line, 1, width=width)
    for key, word in (("url", "address"), ("redirect", "leads on to"), ("cwd", "in the folder")):
        if isinstance(rest.get(key), str):
            yield from fact_lines(word, rest.pop(key), 1, width=width)
    for key, word in (("env", "variables (values not kept)"), ("headers", "headers (values not kept)")):
        if names := _texts(rest, key):
            yield from fact_lines(word, ", ".join(names), 1, width=width)
    for key, word in (("executable", "program"), ("script", "script")):
        yield from _file(rest, key, word, width=width)
    yield from _package(rest, width=width)
    yield from _address(rest, width=width)
    if rest.get("transport") in {"stdio", "http", "sse"}:
        del rest["transport"]


def in_a_line(snapshot: Snapshot) -> str:
    """Say how a server is started or reached in one line that is safe to show; empty where that is not known."""
    for item in snapshot.of(Kind.LAUNCH):
        raw = dict(item.raw) if isinstance(item.raw, dict) else {}
        package = raw.get("package")
        line, how = (_command(raw), "started by") if "command" in raw else (raw.get("url"), "reached at")
        if not isinstance(line, str) or not line:
            return ""
        said = visible(line[:_LONGEST]) + ("…" if len(line) > _LONGEST else "")
        version = package.get("version") if isinstance(package, dict) else None
        ran = f" (version {visible(version[:_LONGEST])})" if isinstance(version, str) else ""
        return f"It is {how}: {said}{ran}"
    return ""


def _command(rest: dict[str, Json]) -> str:
    """Take command and arguments out and give them as one line; words with blanks or quotes in them are quoted."""
    args = _texts({"args": rest.get("args")}, "args")
    if not isinstance(rest.get("command"), str) or args is None:
        return ""
    words = [rest.pop("command"), *args]
    rest.pop("args")
    return " ".join(
        word if word and not any(char in word for char in " \t\n'\"") else shlex.quote(word) for word in words
    )


def _texts(rest: dict[str, Json], key: str) -> list[str] | None:
    """Take a list of texts out, None where it is none."""
    value = rest.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return list(rest.pop(key))


def _file(rest: dict[str, Json], key: str, word: str, *, width: int) -> Iterator[Line]:
    value = rest.get(key)
    if isinstance(value, dict) and value.keys() <= {"path", "digest"} and isinstance(value.get("path"), str):
        del rest[key]
        yield from fact_lines(word, value["path"], 1, width=width)
        if "digest" in value:
            yield from fact_lines("its content", value["digest"], 2, width=width)


def _package(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    value = rest.get("package")
    if not isinstance(value, dict):
        return
    left = dict(rest.pop("package"))
    yield from heading("package", 1, width=width)
    pinned = left.pop("pinned", None)
    for key, word in (
        ("ecosystem", "from"),
        ("name", "name"),
        ("asked", "asked for as"),
        ("version", "version that runs"),
        ("digest", "its files"),
    ):
        if key in left:
            yield from fact_lines(word, left.pop(key), 2, width=width)
    if isinstance(pinned, bool):
        yield from fact_lines("pinned", "yes" if pinned else "no: any start may run something newer", 2, width=width)
    elif pinned is not None:
        left["pinned"] = pinned
    for key, one in left.items():
        yield from fact_lines(key, one, 2, width=width)


def _address(rest: dict[str, Json], *, width: int) -> Iterator[Line]:
    """Give the pinned keys, and where people sign in."""
    tls = rest.get("tls")
    if isinstance(tls, dict) and tls.keys() == {"pin"} and (pins := _texts(dict(tls), "pin")) is not None:
        del rest["tls"]
        yield from fact_lines("pinned key", ", ".join(pins), 1, width=width)
    oauth = rest.get("oauth")
    if isinstance(oauth, dict):
        del rest["oauth"]
        yield from heading("signing in", 1, width=width)
        for key, value in oauth.items():
            listed = _texts({"list": value}, "list")
            said = value if listed is None else ", ".join(listed)
            yield from fact_lines(_SIGN_IN.get(key, shown(key, len(key))), said, 2, width=width)
