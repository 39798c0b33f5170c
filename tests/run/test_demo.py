from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.schema import Settings
from driftwatch.config.secret import Secret
from driftwatch.run.demo import Receiver, demo, new_secret
from driftwatch.run.selftest import selftest
from driftwatch.run.stage import served


async def test_the_demonstration_ends_by_itself_with_every_alert_received() -> None:
    said: list[str] = []

    code = await demo(stay=False, say=said.append)

    text = "\n".join(said)
    assert code == 0
    assert text.count("driftwatch.alert.opened") == 1
    assert text.count("driftwatch.alert.updated") == 2
    assert text.count("driftwatch.alert.resolved") == 1
    assert text.count("signature verified") == 4


async def test_the_selftest_says_that_a_channel_got_the_drill_and_marks_it_as_one() -> None:
    said: list[str] = []
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(receiver) as port:
        channel = WebhookConfig(name="good", kind="webhook", url=f"http://127.0.0.1:{port}/", secret=Secret(secret))

        code = await selftest(Settings(channels=(channel,)), say=said.append)

    received = [receiver.received.get_nowait() for _ in range(receiver.received.qsize())]
    assert code == 0
    assert said[-1] == "Every channel works."
    assert [one["type"] for one in received] == ["driftwatch.alert.opened", "driftwatch.alert.resolved"]
    assert all(one["data"]["drill"] is True for one in received)


async def test_the_selftest_names_the_channel_that_did_not_get_the_drill_and_why() -> None:
    said: list[str] = []
    good, other = new_secret(), new_secret()
    receiver = Receiver(good)
    async with served(receiver) as port:
        url = f"http://127.0.0.1:{port}/"
        channels = (
            WebhookConfig(name="good", kind="webhook", url=url, secret=Secret(good)),
            WebhookConfig(name="wrong-secret", kind="webhook", url=url, secret=Secret(other)),
        )

        code = await selftest(Settings(channels=channels), say=said.append)

    text = "\n".join(said)
    assert code == 1
    assert "good: ok" in text
    assert "wrong-secret: FAILED" in text
    assert "401" in text
    assert said[-1] == "1 of 2 channels did not get the drill."


def test_a_demonstration_that_stays_ends_on_ctrl_c_without_a_word_of_complaint(
    started: Callable[..., subprocess.Popen[str]],
) -> None:
    story = started(
        [sys.executable, "-m", "driftwatch", "demo", "--stay"],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert any("Staying up" in line for line in story.stdout or ()), "it ended by itself"

    story.send_signal(signal.SIGINT)
    _, complaints = story.communicate(timeout=60)

    assert (story.returncode, complaints) == (130, "")
