"""A daemon in a process of its own takes another configuration, or says why not, and is asked from the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from daemons import end, start, until

from driftwatch.cli.main import main
from driftwatch.config.load import load
from driftwatch.run.stage import served
from driftwatch.store.holding import holder_of
from driftwatch.watch.fetch.turning import TurningServer


def configure(path: Path, *ports: int, more: str = "") -> None:
    lines = ["[defaults]", "interval = {default = 300, floor = 0.1, ceiling = 600}", "rehearse = false"]
    for number, port in enumerate(ports):
        lines += [f"[servers.s{number}]", f'url = "http://127.0.0.1:{port}/mcp"', 'bearer = {file = "token"}']
        lines += ['headers = {X-Key = {command = ["cat", "key"]}}']
    path.write_text("\n".join([*lines, more]), encoding="utf-8")


@pytest.mark.processes
async def test_a_daemon_is_told_to_reload_and_the_command_says_how_that_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, token, key = tmp_path / "driftwatch.toml", tmp_path / "token", tmp_path / "key"
    said: list[tuple[int, str, str]] = []

    async def call(*words: str) -> None:
        code = await asyncio.to_thread(main, ["--config", str(path), *words])
        said.append((code, *capsys.readouterr()))

    token.write_text("of-the-first-4711\n")
    key.write_text("of-the-second-4711\n")
    one, two = TurningServer(), TurningServer()
    async with served(one.app) as first, served(two.app) as second:
        configure(path, first)
        settings = load(path, {})
        daemon = await start(path)
        try:
            await until(settings, lambda world: world.store.state("s0").last_digest, "the first look")
            configure(path, first, second)
            await call("reload")
            await until(settings, lambda world: world.store.state("s1").last_digest, "the look at a new server")
            configure(path, first, second, more="[channels.x]\nkind = 'nosuch'")
            await call("reload")
            configure(path, first)
            token.rename(tmp_path / "away")
            await call("reload")
            await call("status")
            (tmp_path / "away").rename(token)
            key.write_text("of-the-third-4711\n")
            await call("reload")
            await call("status")
            holder = holder_of(settings.database_url)
        finally:
            await end(daemon)
        await call("reload")

    codes = [code for code, _, _ in said]
    assert codes == [0, 3, 3, 0, 0, 0, 2]
    assert said[0][1] == "The new configuration is in force: 1 server more (s1).\n"
    assert "channels.x.kind" in said[1][2]
    assert "Nothing was asked of the daemon" in said[1][2]
    assert "the daemon goes on with the one before it" in said[2][2]
    assert 'there is no file "token"' in said[2][2]
    assert "The last reload failed" in said[3][1]
    assert "1 server gone (s1), 1 server configured otherwise (s0)" in " ".join(said[4][1].split())
    assert "The last reload failed" not in said[5][1]
    assert "No daemon watches" in said[6][2]
    assert holder is not None
    assert (holder.reload.begun, holder.reload.done) == (3, 3)
    assert "4711" not in str(said)
