from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog


@pytest.fixture(autouse=True)
def _logs_of_its_own() -> Iterator[None]:
    """Commands set up logging for a whole process; no test inherits what another one set up."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of measured material beside the checkout; tests that read it skip where it is absent."""
    folder = Path(os.environ.get("DRIFTWATCH_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("the folder of measured material (../shared) is not here")
    return folder
