"""How a daemon begins: what it refuses to begin with, and that it can be stopped before it has begun."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from driftwatch.config.channels import AppriseConfig
from driftwatch.config.schema import Settings
from driftwatch.config.secret import Secret
from driftwatch.errors import ConfigError
from driftwatch.run.daemon import run


def settings(folder: Path, *urls: str) -> Settings:
    channels = tuple(
        AppriseConfig(name=f"place-{number}", kind="apprise", url=Secret(url)) for number, url in enumerate(urls)
    )
    return Settings(database_url=f"sqlite:///{folder / 'driftwatch.db'}", channels=channels)


async def test_it_does_not_begin_with_a_channel_that_cannot_work(tmp_path: Path) -> None:
    wrong = settings(tmp_path, "json://127.0.0.1/x", "nosuch://secret-4711")

    with pytest.raises(ConfigError) as caught:
        async with asyncio.timeout(60):
            await run(wrong, signals=False)

    assert caught.value.message == "channels.place-1.url: Apprise knows no such service"


async def test_it_stops_while_a_channel_still_finds_out_whether_it_can_work(tmp_path: Path) -> None:
    stop = asyncio.Event()
    beginning = asyncio.create_task(run(settings(tmp_path, "nosuch://x"), stop=stop, signals=False))
    await asyncio.sleep(0)
    stop.set()

    async with asyncio.timeout(60):
        code = await beginning

    assert code == 0
