from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_world import Clock

from driftwatch.store import Store
from tests.blank import blank


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "watch.db"


@pytest.fixture
def store(file: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(blank(file), clock=clock) as opened:
        yield opened
