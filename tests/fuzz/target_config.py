"""Configurations and hosts' files: any bytes are settings or one error that can be shown, and start nothing."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir

from driftwatch.config import contents, hostedit, hosts, toml
from driftwatch.config.build import SECTIONS, Surroundings, build
from driftwatch.config.load import load, parse
from driftwatch.config.schema import Settings
from driftwatch.errors import DriftwatchError
from tests.fuzz.drawn import Drawn

_FOLDER = Path(gettempdir())
_FRONT = ("/opt/dw/driftwatch", "witness", "notes", "--host", "desk", "--")
_ENVIRON = {"A": "v", "PATH": "/nowhere"}
_AROUND = Surroundings(
    _ENVIRON,
    Path("/nowhere"),
    read=lambda path: f"text of {path}",
    which=lambda _command, _path: None,
    run=lambda words, _seconds: f"text of {words}",
)


def one(data: bytes) -> None:
    """Read bytes as a file of ours, and as the file of a host."""
    if data[:1] == b"\x00":
        drawn = Drawn(data[1:])
        _outcome(lambda: build({drawn.pick((*SECTIONS, "x")): drawn.value() for _ in range(3)}, _AROUND))
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _from_file(data)
        return
    # No program is started and nothing absent matters where secrets are not asked for.
    _outcome(lambda: parse(text, _ENVIRON, base=Path("/nowhere"), secrets=False))
    with suppress(ValueError, RecursionError):
        raw = tomllib.loads(text)
        _outcome(lambda: build(raw, _AROUND))
    for name in ("mcp.json", "config.toml"):
        _host(text, name)


def _outcome(read: object) -> None:
    try:
        found = read()  # type: ignore[operator]
    except DriftwatchError as error:
        _can_be_shown(error)
    else:
        assert isinstance(found, Settings)
        assert found.model_dump_json()


def _can_be_shown(error: DriftwatchError) -> None:
    assert str(error).replace("\n", "").isprintable(), ascii(str(error))


def _from_file(data: bytes) -> None:
    place = _FOLDER / f"driftwatch-fuzz-{id(data)}.toml"
    place.write_bytes(data)
    try:
        _outcome(lambda: load(place, _ENVIRON, secrets=False))
    finally:
        place.unlink()


def _host(text: str, name: str) -> None:
    """What is made of a host's file is a configuration; wrapping its servers and unwrapping them changes nothing."""
    with suppress(DriftwatchError, contents.NoTableError):
        contents.read(text, name=name, largest=2**20)
    try:
        found = hosts.read_host_file(text, name=name)
        launches = hostedit.launches(text, name=name)
    except DriftwatchError as error:
        _can_be_shown(error)
        return
    written = hosts.to_toml(found.entries)
    tomllib.loads(written)
    assert toml.string(written).isprintable()
    for launch in (one for one in launches if not one.why):
        with suppress(DriftwatchError):
            wrapped, changes = hostedit.wrap(text, {launch.place: _FRONT}, name=name)
            back, _, _ = hostedit.unwrap(wrapped, changes, name=name)
            assert hostedit.launches(back, name=name) == launches
