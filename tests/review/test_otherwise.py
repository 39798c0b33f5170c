"""What a pull request changes of servers and that nobody can look at: it is told with its place, and never clean."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from driftwatch.judge.snapshot import take
from driftwatch.report.formats import Form, render
from driftwatch.report.headline import headline
from driftwatch.report.subject import NOTHING, Judged, Subject
from driftwatch.review.changed import bumps, side
from driftwatch.review.checkout import Checkout
from driftwatch.review.lock import files_of
from driftwatch.review.lockfile import lock_text, portable
from driftwatch.review.otherwise import Otherwise, otherwise
from tests.fakes import listed, tool
from tests.review.git_world import commit

Entry = dict[str, Any]
START: Entry = {"command": "npx", "args": ["-y", "@memory/mcp@1.0.0"], "env": {"MODE": "plain"}}
REMOTE: Entry = {"url": "https://memory.example/mcp", "headers": {"X-Team": "one"}}


def _json(section: str) -> Callable[[dict[str, Entry]], str]:
    return lambda servers: json.dumps({section: servers}, indent=1)


def _toml(section: str) -> Callable[[dict[str, Entry]], str]:
    def text(servers: dict[str, Entry]) -> str:
        lines = []
        for name, entry in servers.items():
            lines.append(f"[{section}.{name}]")
            tables = {key: value for key, value in entry.items() if isinstance(value, dict)}
            lines += [f"{key} = {json.dumps(value)}" for key, value in entry.items() if key not in tables]
            for key, table in tables.items():
                lines += [
                    f"[{section}.{name}.{key}]",
                    *(f"{one} = {json.dumps(value)}" for one, value in table.items()),
                ]
        tomllib.loads(made := "\n".join(lines) + "\n")
        return made

    return text


FILES = {
    ".mcp.json": _json("mcpServers"),
    ".vscode/mcp.json": _json("servers"),
    ".codex/config.toml": _toml("mcp_servers"),
    "watch/driftwatch.toml": _toml("servers"),
}
CHANGES: dict[str, tuple[Entry | None, Entry | None, str]] = {
    "a command became a URL": (START, {"url": "https://evil.example/mcp"}, "https://evil.example/mcp now"),
    "another host": (REMOTE, {**REMOTE, "url": "https://evil.example/mcp"}, "reached by https://evil.example/mcp now"),
    "another path": (REMOTE, {**REMOTE, "url": "https://memory.example/v2"}, "by https://memory.example/v2 now"),
    "a URL with another query": (REMOTE, {**REMOTE, "url": REMOTE["url"] + "?token=s3cret"}, "mcp?token=*** now"),
    "a new server with a URL": (None, REMOTE, "is new, and reached by the URL https://memory.example/mcp"),
    "a removed server": (START, None, "is gone or switched off"),
    "a server that is switched off": (START, {**START, "enabled": False}, "is gone or switched off"),
    "a variable that is new": (
        START,
        {**START, "env": {"MODE": "plain", "NODE_OPTIONS": "--require /tmp/x.js"}},
        "variables that are new: NODE_OPTIONS = ",
    ),
    "a variable with another value": (
        START,
        {**START, "env": {"MODE": "s3cret"}},
        "something else: MODE = (not shown)",
    ),
    "a variable that is gone": (START, {**START, "env": {}}, "no longer given the variables MODE"),
    "a folder": (START, {**START, "cwd": "/tmp/x"}, "starts in another folder"),
    "a header that is new": (REMOTE, {**REMOTE, "headers": {"X-Team": "one", "X-Key": "s3cret"}}, "are new: X-Key"),
    "a header with another value": (REMOTE, {**REMOTE, "headers": {"X-Team": "s3cret"}}, "something else: X-Team"),
    "a header that is gone": (REMOTE, {**REMOTE, "headers": {}}, "no longer sends the headers: X-Team"),
    "another transport": (REMOTE, {**REMOTE, "transport": "sse"}, "another transport"),
    "another setting": (START, {**START, "sandbox": "off"}, "other settings: sandbox"),
    "a new server whose runner is steered": (
        None,
        {**START, "env": {"NODE_OPTIONS": "--require /tmp/x.js"}},
        "variables that are new: NODE_OPTIONS",
    ),
}


def _changed(repo: Path, base: str, head: str) -> list[Otherwise]:
    checkout = Checkout.at(repo, os.environ)
    was, now = side(checkout, base), side(checkout, head)
    return otherwise(was, now, bumps(was, now))


@pytest.mark.parametrize("file", FILES)
def test_every_kind_of_change_in_every_file_that_names_servers_is_told_with_its_place(
    tmp_path: Path, file: str
) -> None:
    repo, write = tmp_path / "repo", FILES[file]
    other = {"other": {"command": "npx", "args": ["-y", "@other/mcp@1.0.0"]}}
    told = {}

    for kind, (before, after, _) in CHANGES.items():
        base = commit(repo, {file: write({**other, **({"memory": before} if before else {})})})
        head = commit(repo, {file: write({**other, **({"memory": after} if after else {})})})
        told[kind] = _changed(repo, base, head)

    assert {kind: len(found) for kind, found in told.items()} == dict.fromkeys(CHANGES, 1)
    for kind, (one,) in told.items():
        assert (one.server, one.file) == ("memory", file)
        assert CHANGES[kind][2] in one.said, kind
        assert f"{file}, line {one.line}" in one.said
        assert "s3cret" not in one.said


def test_what_means_nothing_or_only_moved_is_not_told(tmp_path: Path) -> None:
    repo, write = tmp_path / "repo", FILES[".mcp.json"]
    base = commit(repo, {".mcp.json": write({"memory": START, "far": REMOTE})})
    spelled = commit(
        repo,
        {
            ".mcp.json": json.dumps(
                {"mcpServers": {"far": {**REMOTE, "type": "http"}, "memory": {**START, "timeout": 9}}}
            )
        },
    )
    moved = commit(repo, {".mcp.json": None, ".cursor/mcp.json": write({"memory": START, "far": REMOTE})})

    assert _changed(repo, base, spelled) == []
    assert _changed(repo, base, moved) == []


def test_a_server_that_moved_and_changed_on_the_way_is_told(tmp_path: Path) -> None:
    repo, write = tmp_path / "repo", FILES[".mcp.json"]
    base = commit(repo, {".mcp.json": write({"memory": START})})
    head = commit(repo, {".mcp.json": None, ".cursor/mcp.json": write({"memory": REMOTE})})

    (found,) = _changed(repo, base, head)

    assert found.file == ".cursor/mcp.json"
    assert "was started by a command, and is reached by the URL https://memory.example/mcp now" in found.said


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        (
            "compose.yaml",
            "services:\n  a:\n    image: mcp/notes:1.0.0\n",
            "services:\n  a:\n    image: evil/notes:1.0.0\n",
        ),
        ("Dockerfile", 'FROM node:22\nCMD ["npx", "-y", "@notes/mcp@1.0.0"]\n', 'FROM node:22\nCMD ["sh", "x.sh"]\n'),
        ("package.json", '{"dependencies": {"@notes/mcp": "1.0.0"}}', '{"dependencies": {"@notes/mcp": "file:../x"}}'),
        ("requirements.txt", "notes-mcp==1.0.0\n", "notes-mcp @ https://evil.example/x.whl\n"),
    ],
)
def test_a_package_of_a_server_that_a_file_no_longer_pins_is_told(
    tmp_path: Path, file: str, before: str, after: str
) -> None:
    repo = tmp_path / "repo"
    servers = {
        "node": {"command": "node", "args": ["./node_modules/@notes/mcp/dist/index.js"]},
        "python": {"command": "python3", "args": ["-m", "notes_mcp"]},
    }
    base = commit(repo, {".mcp.json": json.dumps({"mcpServers": servers}), file: before})
    head = commit(repo, {file: after})

    (found,) = _changed(repo, base, head)

    assert found.file == file
    assert "names a version of it now" in found.said


def _locked() -> dict[str, str | None]:
    launch = {"transport": "stdio", "command": "npx", "args": ["-y", "@memory/mcp@1.0.0"], "env": []}
    shown = portable(take({**listed(tool()).document, "launch": launch}))
    return dict(files_of({"memory": shown, "other": shown}, {}, read={}.get).texts)


def _facts(files: dict[str, str | None]) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(files["driftwatch.lock.json"] or "")["servers"]
    return facts


def test_a_lock_file_that_is_gone_or_loses_a_server_is_told(tmp_path: Path) -> None:
    repo, files = tmp_path / "repo", _locked()
    fewer = {name: facts for name, facts in _facts(files).items() if name != "memory"}
    base = commit(repo, files)
    less = commit(repo, {"driftwatch.lock.json": lock_text(fewer), "driftwatch.lock.d/memory.json": None})
    none = commit(repo, {"driftwatch.lock.json": None, "driftwatch.lock.d/other.json": None})

    (one,), (whole,) = _changed(repo, base, less), _changed(repo, base, none)

    assert (one.server, one.file, one.said) == (
        "memory",
        "driftwatch.lock.json",
        "it is no longer in the lock file driftwatch.lock.json",
    )
    assert whole.said == ("the lock file driftwatch.lock.json is gone, and what was approved of memory, other with it")


def test_a_lock_file_that_loses_the_texts_or_is_edited_at_the_same_digest_is_told(tmp_path: Path) -> None:
    repo, files = tmp_path / "repo", _locked()
    facts = _facts(files)
    facts["memory"]["content"] = None
    base = commit(repo, files)
    bare = commit(repo, {"driftwatch.lock.json": lock_text(facts), "driftwatch.lock.d/memory.json": None})
    next(iter(facts["memory"]["tools"].values()))["dangers"] = "none at all"
    edited = commit(repo, {"driftwatch.lock.json": lock_text(facts)})

    (texts,), (words,) = _changed(repo, base, bare), _changed(repo, bare, edited)

    assert "the texts that they are of was taken out" in texts.said
    assert "says otherwise in tools of what is the same list" in words.said


def test_what_is_wrong_with_a_lock_file_is_one_sentence(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    head = commit(repo, {**_locked(), "driftwatch.lock.d/memory.json": "{}", "driftwatch.lock.d/stray.json": "{}"})

    trouble = side(Checkout.at(repo, os.environ), head).lock_trouble

    assert trouble.startswith("driftwatch.lock.json is not as it was written: driftwatch.lock.d/memory.json: ")
    assert "; driftwatch.lock.d/stray.json: it does not belong there" in trouble
    assert "\n" not in trouble


def test_a_quotation_in_markdown_ends_where_it_began() -> None:
    about = Subject(server="memory", file=".mcp.json", line=3)
    said = 'it is given variables that are new: NODE_OPTIONS = "--require /tmp/x.js". Read it (in /a/b.json).'

    text = render(Form.MARKDOWN, [Judged(about, NOTHING, trouble=said)])

    assert '`NODE_OPTIONS = "--require /tmp/x.js"`. Read it (in `/a/b.json`).' in text


def test_a_file_is_not_counted_among_the_servers() -> None:
    about = Subject(server="memory", file=".mcp.json", line=3)
    other = Subject(after="driftwatch.lock.json", file="driftwatch.lock.json", line=1)

    said = headline(
        [Judged(about, NOTHING, trouble="a"), Judged(about, NOTHING, trouble="b"), Judged(other, NOTHING, trouble="c")]
    )

    assert said == "1 server and 1 file could not be looked at."


def test_packages_keep_their_at_in_junit() -> None:
    about = Subject(server="memory", reached="npx -y @memory/mcp@1.0.0")

    assert 'value="npx -y @memory/mcp@1.0.0"' in render(Form.JUNIT, [Judged(about, NOTHING)])


@pytest.mark.parametrize("form", Form)
def test_every_format_says_what_was_not_looked_at_with_its_place(form: Form) -> None:
    said = "mcp.json, line 3: it was started by a command, and is reached by a URL now"
    about = Subject(server="memory", file="mcp.json", line=3)
    gone = Subject(after="driftwatch.lock.json", file="driftwatch.lock.json", line=1)

    text = render(form, [Judged(about, NOTHING, trouble=said), Judged(gone, NOTHING, trouble="the lock file is gone")])

    flat = " ".join(text.replace("`", "").replace("[.]", ".").split())
    assert "line 3: it was started by a command" in flat
    assert "lock file is gone" in flat
