from __future__ import annotations

from collections.abc import Iterator

import pytest
from witness.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one
