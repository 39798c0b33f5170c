from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_world import Clock

from driftwatch.store import Store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "watch.db"


@pytest.fixture
def store(file: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(f"sqlite:///{file}", clock=clock) as opened:
        yield opened
