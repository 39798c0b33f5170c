"""The demonstration: a real server turns on its user, a real daemon sees it, a real receiver is told."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from standardwebhooks import Webhook as Signature

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.secret import Secret
from driftwatch.judge.text.visible import visible
from driftwatch.model import Actor
from driftwatch.model.commands import command
from driftwatch.report.text import to_text
from driftwatch.review.approve import approve, difference
from driftwatch.run.stage import PATIENCE, Stage, StageError, served, stage
from driftwatch.run.wiring import World, utc_now
from driftwatch.watch.fetch.turning import STEPS

SERVER = "notes"


class Receiver:
    """A webhook receiver that checks each signature; serve it with any ASGI server."""

    def __init__(self, secret: str) -> None:
        """Take the signing secret (`whsec_…`)."""
        self._signature = Signature(secret)
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.refused = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request: 204 for a signed alert, 401 for anything else."""
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is spoken here")
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._signature.verify(body, headers)
        except Exception:  # noqa: BLE001 - whatever is wrong with it, it is not a signed alert
            self.refused += 1
            status = 401
        else:
            self.received.put_nowait({"id": headers["webhook-id"], **json.loads(body)})
            status = 204
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def new_secret() -> str:
    """Make a signing secret in the form of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


async def demo(*, stay: bool, say: Callable[[str], None]) -> int:
    """Play the whole story and print it; gives 0 when every alert arrived, 1 when one did not.

    With `stay` the server, the receiver and the daemon run on until interrupted.
    """
    secret = new_secret()
    receiver = Receiver(secret)
    async with served(receiver) as port:
        channel = WebhookConfig(
            name="demo-receiver", kind="webhook", url=f"http://127.0.0.1:{port}/alerts", secret=Secret(secret)
        )
        async with stage(SERVER, (channel,)) as scene:
            say(f"A real MCP server ({SERVER}), a driftwatch daemon and a webhook receiver run on this machine only.\n")
            try:
                await _approve(scene, say)
                seen: set[str] = set()
                for number, step in enumerate(STEPS, 1):
                    say(f"\n=== Turn {number}: {step.title}")
                    await scene.server.turn(step.tools)
                    await _show(scene, receiver, seen, say)
            except (StageError, TimeoutError) as error:
                say(f"\nThe demonstration failed: {error or 'an alert did not arrive in time'}.")
                return 1
            say("\nEvery turn was told once, by a signed webhook; going back resolved the alert.")
            say("Next: write a driftwatch.toml for your own servers (driftwatch import helps), then driftwatch check.")
            if stay:
                say("\nStaying up. Press Ctrl-C to end.")
                await asyncio.Event().wait()
    return 0


async def _approve(scene: Stage, say: Callable[[str], None]) -> None:
    await scene.until(lambda world: bool(world.store.state(SERVER).last_digest), "the first look")
    with World.open(scene.settings) as world:
        by = Actor("demo", "demo")
        baseline = approve(
            world.store, world.settings, SERVER, digest=None, by=by, note="read and found good", now=utc_now()
        )
    say(f"You approved what it shows: two tools, snapshot {baseline.digest[:19]}…")


async def _show(scene: Stage, receiver: Receiver, seen: set[str], say: Callable[[str], None]) -> None:
    """Wait for the alert of one turn, then print it and what is new in the difference behind it."""
    async with asyncio.timeout(PATIENCE):
        alert = await receiver.received.get()
    say(f"--- received by the webhook: {alert['type']}, message {alert['id']}, signature verified")
    say(visible(str(alert["data"]["summary"]), multiline=True))
    with World.open(scene.settings) as world:
        report = difference(world.store, world.settings, SERVER, None, world.clock())
    new = tuple(finding for finding in report.findings if not seen.issuperset(finding.identities))
    seen.update(identity for finding in new for identity in finding.identities)
    if new:
        say(f"--- what {command('diff', SERVER)} shows, as far as it is new")
        say(to_text(replace(report, findings=new), colour=False))
