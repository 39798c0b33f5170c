"""A daemon with every kind of secret, among servers and receivers that say back all they are sent: none is logged."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import structlog
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from driftwatch.config.load import load
from driftwatch.config.reference import describe
from driftwatch.config.schema import Settings
from driftwatch.run import logs
from driftwatch.run.daemon import run
from driftwatch.run.scrub import known
from driftwatch.run.stage import served
from driftwatch.run.wiring import World
from tests.blank import blank

TALKATIVE = ("httpx", "httpcore", "httpx2", "httpcore2", "mcp", "client", "uvicorn", "sqlalchemy", "apscheduler")
TOKEN = "hush-access-token-from-the-issuer"
ASKED = "hush-of-somebody-who-asks-for-a-page"

CONFIGURATION = """
[database]
url = "{database}"

[daemon]
traces = "http://127.0.0.1:{port}/${{TRACES}}"

[web]
listen = "127.0.0.1:0"

[alerts]
heartbeat_url = {{ env = "HEARTBEAT" }}
heartbeat_every = "1s"

[second_opinion]
enabled = true
url = "http://127.0.0.1:{port}/v1"
model = "m"
api_key = {{ env = "OPINION" }}

[defaults]
alert_after = 1

[servers.plain]
url = "http://127.0.0.1:{port}/${{IN_PATH}}/mcp?key=${{IN_QUERY}}"
bearer = {{ env = "BEARER" }}
headers = {{ X-Key = {{ env = "HEADER" }} }}
identities = ["other"]

[servers.signs]
url = "http://127.0.0.1:{port}/mcp"
oauth = {{ client_id = "c", client_secret = {{ env = "CLIENT" }}, token_url = "http://127.0.0.1:{port}/token" }}

[servers.signs-with-a-key]
url = "http://127.0.0.1:{port}/mcp"
[servers.signs-with-a-key.oauth]
client_id = "c"
private_key = {{ file = "key.pem" }}
algorithm = "ES256"
token_url = "http://127.0.0.1:{port}/token"

[servers.shows-a-certificate]
url = "https://127.0.0.1:{port}/mcp"
client_cert = {{ cert = "key.pem", password = {{ env = "CERTIFICATE" }} }}

[servers.by-proxy]
url = "http://example.com/mcp"
proxy = "http://u:${{PROXY}}@127.0.0.1:{port}"

[servers.local]
command = "{python}"
args = ["-c", "import os, sys; print(os.environ); sys.exit(f'{{os.environ}} {{sys.argv}}')", "${{ARGUMENT}}"]
env = {{ KEY = {{ env = "VARIABLE" }} }}

[identities.other]
client_name = "other"
bearer = {{ env = "OTHER_BEARER" }}
headers = {{ X-Other = {{ env = "OTHER_HEADER" }} }}
env = {{ OTHER = {{ env = "OTHER_VARIABLE" }} }}

[channels.webhook]
kind = "webhook"
url = "http://127.0.0.1:{port}/${{HOOK}}"
secret = {{ env = "SIGNS" }}
old_secret = {{ env = "SIGNED" }}
headers = {{ X-Key = {{ env = "HOOK_HEADER" }} }}

[channels.slack]
kind = "slack"
url = {{ env = "SLACK" }}

[channels.pagerduty]
kind = "pagerduty"
url = "http://127.0.0.1:{port}/pagerduty"
routing_key = {{ env = "ROUTING" }}

[channels.alertmanager]
kind = "alertmanager"
url = "http://127.0.0.1:{port}/am"
bearer = {{ env = "AM_BEARER" }}
headers = {{ X-Key = {{ env = "AM_HEADER" }} }}

[channels.email]
kind = "email"
host = "127.0.0.1"
port = {port}
security = "tls"
username = "me"
password = {{ env = "MAIL" }}
sender = "a@example.com"
to = ["b@example.com"]

[channels.command]
kind = "command"
command = "{python}"
args = ["-c", "import os, sys; sys.exit(print(os.environ, file=sys.stderr))"]
env = {{ KEY = {{ env = "COMMAND" }} }}

[channels.apprise]
kind = "apprise"
url = {{ env = "APPRISE" }}
"""
NAMES = sorted({part.partition("}")[0] for part in CONFIGURATION.split("${{")[1:]})
NAMES += sorted({part.partition('"')[0] for part in CONFIGURATION.split('env = "')[1:]})


def environment(port: int) -> dict[str, str]:
    """Give a value for each variable: in it, what is hunted."""
    values = {name: f"hush/{name}+{number:03}?zq" for number, name in enumerate(NAMES)}
    for name in ("SIGNS", "SIGNED"):
        values[name] = "whsec_" + base64.b64encode(f"hush {name} hush hush hush".encode()).decode()
    for name in ("SLACK", "HEARTBEAT"):
        values[name] = f"http://127.0.0.1:{port}/services/hush-{name}-zq"
    values["ROUTING"] = "hush0000hush0000hush0000hush0000"
    values["APPRISE"] = f"json://u:hush-apprise-zq@127.0.0.1:{port}/"
    return {**values, **{name: f"hush-{name}-zq" for name in ("IN_PATH", "IN_QUERY", "PROXY", "TRACES", "HOOK")}}


class Echo:
    """Answers everything with all that it was sent, in a form that whoever asked might read; gives out a token."""

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        said = f"{scope['path']}?{scope['query_string']!r} {scope['headers']} {body!r}"
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": said, "data": said}}
        if scope["path"] == "/token":
            answer = {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}
        elif body.startswith(b'{"jsonrpc"') or b'"method"' in body:
            answer["id"] = json.loads(body).get("id")
        status = 200 if scope["path"] in {"/token", "/mcp"} else 500
        headers = [(b"content-type", b"application/json"), (b"x-said", quote(said)[:4000].encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})


@contextmanager
def everything_logged() -> Iterator[io.StringIO]:
    """Have all that anybody logs written here, as JSON, with no net for secrets."""
    before, sys.stderr = sys.stderr, io.StringIO()
    root = logging.getLogger()
    kept = root.handlers[:], root.level, logging.raiseExceptions
    levels = {name: logging.getLogger(name).level for name in TALKATIVE}
    try:
        logs.configure(form="json", level="debug")
        root.setLevel(logging.DEBUG)
        for name in TALKATIVE:
            logging.getLogger(name).setLevel(logging.DEBUG)
            logging.getLogger(name).addHandler(root.handlers[0])
        yield sys.stderr
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
            logging.getLogger(name).removeHandler(root.handlers[0])
        root.handlers[:], level, logging.raiseExceptions = kept
        root.setLevel(level)
        logging.captureWarnings(capture=False)
        structlog.contextvars.clear_contextvars()
        sys.stderr = before


def hunted(secret: str) -> Iterator[str]:
    """Give the forms of a secret that are looked for."""
    raw = secret.encode()
    yield from (secret, quote(secret), quote(secret, safe=""), raw.hex(), json.dumps(secret)[1:-1])
    for shift in range(3):
        yield base64.b64encode(b"." * shift + raw)[4:-4].decode()


def told_of(secrets: list[str], text: str) -> list[str]:
    return [secret for secret in secrets if any(form in text for form in hunted(secret))]


async def lived(settings: Settings, stream: io.StringIO) -> None:
    """Let a daemon look at every server and try every channel, ask its pages, and end."""
    stop = asyncio.Event()
    daemon = asyncio.create_task(run(settings, stop=stop, signals=False))
    with World.open(settings) as world:
        async with asyncio.timeout(60):
            while True:
                assert not daemon.done(), stream.getvalue()
                looked = {name for name, state in world.store.states().items() if state.last_look_at}
                tried = {one.channel for one in world.store.deliveries(limit=500) if one.attempts}
                if len(looked) == len(settings.servers) and len(tried) == len(settings.channels):
                    break
                await asyncio.sleep(0.05)
    (place,) = [one["address"] for one in map(json.loads, stream.getvalue().splitlines()) if one.get("action") == "web"]
    async with httpx.AsyncClient(
        headers={"authorization": f"Bearer dw_{ASKED}", "cookie": f"driftwatch={ASKED}"}
    ) as ci:
        await ci.get(f"http://{place}/api/v1/servers?key={ASKED}")
        await ci.post(f"http://{place}/sign-in", data={"name": "a", "password": ASKED})
    stop.set()
    await daemon


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, dict[str, str], list[dict[str, Any]]]:
    """Give the configuration, its secrets, and every line that was logged."""
    folder: Path = tmp_path_factory.mktemp("secrets")

    async def live() -> tuple[Settings, dict[str, str], list[dict[str, Any]]]:
        async with served(Echo()) as port:
            filled = CONFIGURATION.format(database=blank(folder / "driftwatch.db"), port=port, python=sys.executable)
            (folder / "driftwatch.toml").write_text(filled)
            key = ec.generate_private_key(ec.SECP256R1())
            form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
            (folder / "key.pem").write_bytes(key.private_bytes(*form))
            (folder / "key.pem").chmod(0o600)
            environ = environment(port)
            settings = load(folder / "driftwatch.toml", environ)
            secrets = {**environ, "key": (folder / "key.pem").read_text().splitlines()[1]}
            with everything_logged() as stream:
                await lived(settings, stream)
            return settings, secrets, [json.loads(line) for line in stream.getvalue().splitlines()]

    return asyncio.run(live())


def test_no_secret_stands_in_a_line_of_our_own(said: Any) -> None:
    _, secrets, lines = said
    own = [json.dumps(line, ensure_ascii=False) for line in lines if line["action"] != "library"]

    assert len(own) > 20
    assert told_of([*secrets.values(), TOKEN, ASKED], "\n".join(own)) == []


def test_what_libraries_say_of_secrets_is_taken_out_of_their_lines(said: Any) -> None:
    settings, secrets, lines = said
    library = "\n".join(line["event"] for line in lines if line["action"] == "library")

    assert told_of(list(secrets.values()), library) != [], "nothing was there to be taken out"
    assert told_of(list(secrets.values()), known(settings)(library)) == []


def test_every_kind_of_secret_that_there_is_was_configured() -> None:
    kinds = {key.path.split(".")[-1] for key in describe() if "secret" in key.type}

    assert [kind for kind in sorted(kinds) if f"{kind} = " not in CONFIGURATION] == []
