from __future__ import annotations

import gc
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings
from servers.keys import Authority

from tests import zygote

# How long an example takes says something of the machine, and nothing of what it is an example of.
_UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The gate tries the same inputs each time: what fails in it was made so by a change, and not by chance.
settings.register_profile("gate", _UNTIMED, derandomize=True, max_examples=50)
# `make fuzz` looks for inputs that nobody thought of. What it finds becomes an @example, and so a part of the gate.
settings.register_profile("search", _UNTIMED, max_examples=2000, print_blob=True)
settings.load_profile("gate")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Take half as many workers again as there are cores: a third of the time is spent waiting."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


def pytest_collection() -> None:
    """Collect no garbage while thousands of tests are made, of which none becomes any: that takes as long again."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect again, and never look through the tests themselves and all modules."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that wait most, so that the others fill the time."""
    items.sort(key=lambda item: item.get_closest_marker("processes") is None)


@pytest.fixture(autouse=True)
def _logs_of_its_own() -> Iterator[None]:
    """Commands set up logging for a whole process; no test inherits what another one set up."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session", autouse=True)
def _local_servers_run_as_they_are() -> Iterator[None]:
    """What a test starts is driftwatch's matter or the server's, not the sandbox's, unless the test says so itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRIFTWATCH_SANDBOX", "none")
        yield


@pytest.fixture(scope="session", autouse=True)
def _programs_hear_ctrl_c() -> None:
    """A shell that runs the tests in its background lets them, and what they start, ignore SIGINT; some test it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _trusts_nobody_outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing here speaks to the world, and to load whom the system trusts takes longer than many a test."""
    authority = Authority(tmp_path_factory.mktemp("trust"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority.file))
        yield


@pytest.fixture(scope="session", autouse=True)
def _zygotes_end() -> Iterator[None]:
    """What was loaded to be started often is started no more."""
    yield
    zygote.close()


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Give the function that starts a program. It ends with the test at the latest, so that no other test meets it."""
    with ExitStack() as stack:

        def start(command: list[str], **options: Any) -> subprocess.Popen[str]:
            program = stack.enter_context(zygote.start(command, text=True, **options))
            stack.callback(program.kill)
            return program

        yield start


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of measured material beside the checkout; tests that read it skip where it is absent."""
    folder = Path(os.environ.get("DRIFTWATCH_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("the folder of measured material (../shared) is not here")
    return folder
