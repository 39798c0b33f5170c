"""A desk whose server is looked at with a second opinion on its texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.opinion import OpinionConfig
from driftwatch.config.secret import Secret
from tests.desk import Desk
from tests.servers.model_endpoint import Endpoint

MODEL = "small-model"


@pytest.fixture
def desk_of(tmp_path: Path) -> Callable[..., Desk]:
    """Give the function that makes a desk which asks a model at an endpoint."""

    def make(asked: Endpoint, **options: Any) -> Desk:
        desk = Desk(tmp_path)
        values = {"enabled": True, "url": asked.url, "model": MODEL, "api_key": Secret("key-4711"), **options}
        desk.settings = desk.settings.model_copy(update={"second_opinion": OpinionConfig(**values)})
        return desk

    return make
