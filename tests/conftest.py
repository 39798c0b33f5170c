from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of measured material beside the checkout; tests that read it skip where it is absent."""
    folder = Path(os.environ.get("DRIFTWATCH_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("the folder of measured material (../shared) is not here")
    return folder
