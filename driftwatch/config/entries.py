"""One server in the file of an MCP host, turned into an entry for driftwatch's own file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from driftwatch.config.arguments import ASSIGNMENT, HEADER, follows_secret_option, of_runner
from driftwatch.config.hiding import Hider, Variable, is_harmless, is_secret_word, without_references
from driftwatch.config.packages import unpinned
from driftwatch.config.schema import Transport
from driftwatch.config.shapes import plain, unwrapped
from driftwatch.config.values import OWN_HEADERS
from driftwatch.config.words import quoted, safe
from driftwatch.model import Json

_TRANSPORTS: dict[str, Transport] = {
    "http": "http",
    "streamablehttp": "http",
    "sse": "sse",
    "stdio": "stdio",
    "local": "stdio",
}
_READ = {"type", "transport", "command", "args", "env", "envFile", "cwd", "url", "headers", "disabled", "enabled"}
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)?(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(#.*)?"
)
_PLAIN_WORDS = re.compile(r"[a-z]{1,24}([,_-][a-z]{1,24}){0,11}")
_SHORT_OPTION = re.compile(r"-[A-Za-z]")


@dataclass(frozen=True, slots=True)
class HostEntry:
    """One server as a host's file has it, in driftwatch's spelling: `${NAME}` is a variable, `$${` a plain `${`.

    `place` says where in the file it stood and `original` what it was called there (both as they were written).
    `variables` must be set before driftwatch starts; `unpinned` and `notes` are for people, already safe to show.
    """

    name: str
    original: str
    place: str
    transport: Transport
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
    enabled: bool = True
    variables: tuple[Variable, ...] = ()
    unpinned: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class SkippedError(ValueError):
    """An entry that driftwatch cannot watch; the message says why."""


def read_entry(raw: Json, *, name: str, original: str, place: str, hider: Hider) -> HostEntry:
    """Turn one entry of a host's file into ours. Raises `SkippedError` when there is nothing to watch in it."""
    if not isinstance(raw, Mapping):
        raise SkippedError("it is not an object")
    raw, witness = unwrapped(plain(raw))
    transport = _transport(raw)
    notes = list(_left_out(raw, transport))
    if witness is not None:
        notes.append(f"the host starts it through a witness, as {safe(witness.wrapped.server)}; this is without that")
    enabled = raw.get("disabled") is not True and raw.get("enabled") is not False
    notes += [] if enabled else ["it is switched off in the host, so it is here too: enabled = false"]
    entry = _Local(raw, hider, notes).entry() if transport == "stdio" else _Remote(raw, hider, notes).entry()
    return HostEntry(
        name=name,
        original=original,
        place=place,
        transport=_guessed(transport, raw, notes),
        enabled=enabled,
        variables=tuple(hider.variables),
        notes=tuple(dict.fromkeys([*notes, *hider.notes])),
        **entry,
    )


def _transport(raw: Mapping[str, Json]) -> Transport:
    said = raw.get("type", raw.get("transport"))
    has_command, has_url = (isinstance(raw.get(key), str) and bool(raw[key]) for key in ("command", "url"))
    if not has_command and not has_url:
        raise SkippedError("it has neither a command nor a url that is text")
    if said is None:
        return "stdio" if has_command else "http"
    transport = _TRANSPORTS.get(re.sub(r"[-_ ]", "", said).lower()) if isinstance(said, str) else None
    if transport is None:
        raise SkippedError(f"driftwatch does not speak its transport {quoted(str(said), limit=40)}")
    if not (has_command if transport == "stdio" else has_url):
        raise SkippedError(f"it says {transport} and has no {'command' if transport == 'stdio' else 'url'}")
    return transport


def _guessed(transport: Transport, raw: Mapping[str, Json], notes: list[str]) -> Transport:
    """Take a URL that ends in /sse for the legacy transport where the file does not say."""
    says_nothing = "type" not in raw and "transport" not in raw
    if transport == "http" and says_nothing and str(raw["url"]).partition("?")[0].rstrip("/").endswith("/sse"):
        notes.append("the file does not say which transport this is; the URL ends in /sse, so the legacy one is taken")
        return "sse"
    return transport


def _left_out(raw: Mapping[str, Json], transport: Transport) -> Iterator[str]:
    other = ("url", "headers") if transport == "stdio" else ("command", "args", "env", "cwd")
    unread = [key for key in raw if key not in _READ or (key in other and raw[key])]
    if unread:
        yield f"left out, as driftwatch has no use for it: {', '.join(safe(key, limit=40) for key in unread[:12])}"
    if raw.get("envFile"):
        where = quoted(str(raw["envFile"]), limit=120)
        yield f"the host reads more variables from {where}: put those that the server needs into env"


def _table(raw: Mapping[str, Json], key: str, notes: list[str]) -> Iterator[tuple[str, str]]:
    """Give the names and texts of a table such as `env`; what is no text is left out, and said."""
    found = raw.get(key)
    if found is not None and not isinstance(found, Mapping):
        notes.append(f"left out, as it is not an object: {key}")
        return
    for name, value in (found or {}).items():
        if isinstance(value, bool):
            yield name, str(value).lower()
        elif isinstance(value, str | int | float):
            yield name, str(value)
        else:
            notes.append(f"left out, as it is not text: {key} {safe(name, limit=60)}")


class _Remote:
    """Reads a server that has a URL."""

    def __init__(self, raw: Mapping[str, Json], hider: Hider, notes: list[str]) -> None:
        self.raw, self.hider, self.notes = raw, hider, notes

    def entry(self) -> dict[str, Any]:
        """Give the URL and the headers of the entry."""
        headers = list(self._headers())
        url, needs_user = hide_in_url(self.raw["url"], self.hider)
        if not re.match(r"https?://|\$\{", url):
            raise SkippedError("its URL is not one of http or https")
        if needs_user:
            self.notes.append("the URL had a user name or password in it: they go into the header Authorization")
            holds = "Basic, a space, and user:password in base64 (the header Authorization)"
            headers = [pair for pair in headers if pair[0].casefold() != "authorization"]
            headers.append(("Authorization", self.hider.variable("authorization", holds)))
        return {"url": url, "headers": tuple(headers)}

    def _headers(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for name, value in _table(self.raw, "headers", self.notes):
            if name.casefold() in OWN_HEADERS or name.casefold() in seen:
                self.notes.append(
                    f"left out, as driftwatch sets it itself or it is there twice: {safe(name, limit=60)}"
                )
            else:
                seen.add(name.casefold())
                yield name, hide_header(name, value, self.hider)


class _Local:
    """Reads a server that has a command."""

    def __init__(self, raw: Mapping[str, Json], hider: Hider, notes: list[str]) -> None:
        self.raw, self.hider, self.notes = raw, hider, notes

    def entry(self) -> dict[str, Any]:
        """Give the command of the entry and all that goes with it."""
        command, words = self.raw["command"], self._words()
        cwd = self.raw.get("cwd")
        relative = [part for part in (command, cwd) if isinstance(part, str) and re.match(r"\.|[^/$\\:]+/", part)]
        if relative:
            self.notes.append(f"a relative path ({quoted(relative[0])}): driftwatch starts from its own file's folder")
        return {
            "command": self.hider.hide_suspicious(command, "command", "the command"),
            "args": self._args(command, words),
            "env": tuple(
                (name, self.hider.hide(value, name, f"the server's variable {safe(name, limit=60)}"))
                for name, value in _table(self.raw, "env", self.notes)
            ),
            "cwd": self.hider.hide_suspicious(cwd, "cwd", "the folder") if isinstance(cwd, str) and cwd else None,
            "unpinned": unpinned(command, words),
        }

    def _args(self, command: str, words: list[str]) -> tuple[str, ...]:
        """Give the arguments without what may be secret, and note those short options that nothing is known of."""
        runs = of_runner(command, words)
        hid = tuple(_hide_in_args(words, self.hider, runs))
        copied = [
            safe(option)
            for option, word, now in zip(words[runs:], words[runs + 1 :], hid[runs + 1 :], strict=False)
            if _SHORT_OPTION.fullmatch(option) and not word.startswith("-") and now == word and not is_harmless(word)
        ]
        if copied:
            which = ", ".join(dict.fromkeys(copied))
            self.notes.append(f"look its arguments over: what follows {which} was copied as it is; is it a secret?")
        return hid

    def _words(self) -> list[str]:
        args = self.raw.get("args", [])
        if not isinstance(args, list):
            self.notes.append("left out, as it is not a list: args")
            return []
        if any(not isinstance(arg, str | int | float) for arg in args):
            self.notes.append("left out, as it is not text: a part of args")
        return [str(arg) for arg in args if isinstance(arg, str | int | float)]


def hide_header(name: str, value: str, hider: Hider) -> str:
    """Give the spelling of a header's value; of a literal bearer token only the token becomes a variable."""
    shown_name = safe(name, limit=60)
    scheme, space, token = value.partition(" ")
    if scheme.lower() == "bearer" and space and "${" not in token:
        return f"Bearer {hider.variable('token', f'the token of the header {shown_name}, without the word Bearer')}"
    return hider.hide(value, name, f"the header {shown_name}")


def hide_in_url(raw: str, hider: Hider) -> tuple[str, bool]:
    """Give the spelling of a URL without what may be secret in it, and whether it carried a user name or password."""
    parts = _URL.fullmatch(hider.spell(raw))
    if parts is None:
        return hider.hide_suspicious(raw, "url", "the URL"), False
    user, at, host = parts["authority"].rpartition("@")
    path = "/".join(
        hider.hide_suspicious(step, "url_part", f"part {number} of the URL's path") if "${" not in step else step
        for number, step in enumerate(parts["path"].split("/"))
    )
    query = "&".join(_hide_pair(pair, hider) for pair in (parts["query"] or "").removeprefix("?").split("&"))
    return f"{parts['scheme'] or ''}{host}{path}{'?' if query else ''}{query}", bool(user or at)


def _hide_pair(pair: str, hider: Hider) -> str:
    name, equals, value = pair.partition("=")
    if not pair or "${" in value:
        return pair
    if not equals:
        return hider.hide_suspicious(name, "url_query", "the URL's query")
    if _PLAIN_WORDS.fullmatch(value) and not is_secret_word(name):
        return pair
    return f"{name}={hider.hide(value, name, f'the value of {quoted(name, limit=60)} in the URL, percent-encoded')}"


def _hide_in_args(words: Sequence[str], hider: Hider, runs: int) -> Iterator[str]:
    """Walk over the arguments; what follows a word such as `--api-key`, `-e` or `--header` is read in its light.

    The first `runs` of them are those of a package runner.
    """
    before = ""
    for number, word in enumerate(words, 1):
        if not word.startswith("-") and follows_secret_option(before, word, runs=number <= runs):
            yield hider.hide(word, before.lstrip("-"), f"what follows {safe(before, limit=60)}")
        else:
            yield _hide_in_arg(before, word, f"argument {number}", hider)
        before = word if word.startswith("-") and "=" not in word else ""


def _hide_in_arg(before: str, word: str, holds: str, hider: Hider) -> str:
    option, equals, value = word.partition("=")
    if word.startswith("-e") and ASSIGNMENT.fullmatch(word[2:]):
        return f"-e{_hide_in_arg('-e', word[2:], holds, hider)}"
    if word.startswith("-") and equals:
        return f"{hider.hide_suspicious(option, 'arg', holds)}={_hide_in_arg(option, value, holds, hider)}"
    if word.startswith("-"):
        return hider.hide_suspicious(word, "arg", holds)
    return _hide_in_word(before, word, holds, hider)


def _hide_in_word(before: str, word: str, holds: str, hider: Hider) -> str:
    assignment, header = ASSIGNMENT.fullmatch(word), HEADER.fullmatch(word)
    is_one_word = not re.search(r"\s", word)
    if assignment and (before in {"-e", "--env"} or (is_one_word and is_secret_word(assignment[1]))):
        name, text = assignment.groups()
        return f"{name}={hider.hide(text, name, f'the variable {safe(name, limit=60)} in {holds}')}"
    if header and before in {"-H", "--header", "--headers"}:
        return f"{header[1]}: {hide_header(header[1], header[2], hider)}"
    if is_secret_word(before):
        return hider.hide(word, before.lstrip("-"), f"what follows {safe(before, limit=60)}")
    return _hide_url_arg(word, holds, hider) if "://" in word else hider.hide_suspicious(word, "arg", holds)


def _hide_url_arg(word: str, holds: str, hider: Hider) -> str:
    if "@" in without_references(word).partition("://")[2].partition("/")[0]:
        return hider.variable("arg", f"{holds}: a URL with a user name or password")
    return hide_in_url(word, hider)[0] if re.match(r"https?://", word) else hider.hide_suspicious(word, "arg", holds)
