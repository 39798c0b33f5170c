from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from fetch_world import children, open_files


def _ours(task: asyncio.Task[object]) -> bool:
    """Say whether a task can come from a look: the SDK's server leaves one that watches for its shutdown."""
    return getattr(task.get_coro(), "__name__", "") != "_shutdown_watcher"


@pytest.fixture(autouse=True)
async def nothing_is_left_behind() -> AsyncIterator[None]:
    """No task, socket, pipe or process of a look outlives it, whatever the server did."""
    tasks, files, processes = asyncio.all_tasks(), open_files(), children()

    yield

    async with asyncio.timeout(5):
        while others := [
            task for task in asyncio.all_tasks() - tasks if task is not asyncio.current_task() and _ours(task)
        ]:
            await asyncio.wait(others)
    assert open_files() <= files
    assert children() <= processes
