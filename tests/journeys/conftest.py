"""The stage of the stories about alerts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stories import WAYS, Backstage, Story


@pytest.fixture
def backstage() -> Iterator[Backstage]:
    opened = Backstage()
    yield opened
    opened.close()


@pytest.fixture(params=list(WAYS))
def story(
    request: pytest.FixtureRequest, tmp_path: Path, backstage: Backstage, monkeypatch: pytest.MonkeyPatch
) -> Story:
    """Give a stage, once for each way to act."""
    for name in ("DRIFTWATCH_CONFIG", "DRIFTWATCH_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return Story(tmp_path, request.param, backstage)
