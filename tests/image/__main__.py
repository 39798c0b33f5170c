"""Prove what is said of the image: `python -m tests.image [IMAGE]`, after deploy/image/build.sh made it.

Containers share this machine's network: a real MCP server and a webhook receiver listen on its loopback. Each line says
what was seen. Ends with 1 if one of them is not as it should be, with 69 if this machine cannot run containers.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from driftwatch.run.stage import served
from driftwatch.watch.fetch.turning import STEPS, TurningServer
from tests.image.engine import ROOT, Engine, MissingError, find

HERE = Path(__file__).resolve().parent
DAEMON, VOLUME = "driftwatch-proof", "driftwatch-proof"
SECRET = "whsec_c2lnbmluZy1rZXktdGhhdC1pcy1sb25nLWVub3VnaC0="
SANDBOX = ("sandbox of local servers: none", "sandbox of local servers: bubblewrap")
PATIENCE = 60.0
LATE = 200.0
"""Seconds within which a daemon that stands still is found out: two minutes and twice the time for a look, and some."""


@dataclass
class Proof:
    """What was seen so far, and what it was seen with."""

    engine: Engine
    folder: Path
    messages: asyncio.Queue[dict] = field(default_factory=asyncio.Queue)
    failed: int = 0

    def see(self, what: str, holds: object, measured: object = "") -> None:
        self.failed += not holds
        print(f"{'ok    ' if holds else 'NOT OK'}  {what}{f': {measured}' if measured != '' else ''}", flush=True)

    @property
    def given(self) -> list[str]:
        """The options that mount the configuration, the volume and the secret."""
        return [
            f"--volume={self.folder}/driftwatch.toml:/etc/driftwatch/driftwatch.toml:ro",
            f"--volume={VOLUME}:/var/lib/driftwatch",
            f"--env-file={self.folder}/driftwatch.env",
        ]

    async def healthy(self) -> tuple[int, str]:
        done = await asyncio.to_thread(self.engine.ask, "healthcheck", "run", DAEMON)
        log = self.engine.inspect("container", DAEMON)["State"].get("Health", {}).get("Log") or [{}]
        return done.returncode, log[-1].get("Output", "").strip()


async def until(holds: Callable[[], Awaitable[bool]], patience: float) -> float:
    """Wait until something holds; give the seconds that it took, or infinity."""
    begun = time.monotonic()
    while time.monotonic() - begun < patience:
        if await holds():
            return round(time.monotonic() - begun, 1)
        await asyncio.sleep(1)
    return float("inf")


def process(pid: int) -> dict[str, str]:
    """Give what the kernel says of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def the_image(proof: Proof) -> None:
    about = proof.engine.inspect("image", proof.engine.image)
    config, health = about["Config"], about.get("HealthCheck") or about.get("Healthcheck") or {}
    labels = {key.rpartition(".")[2]: value for key, value in config["Labels"].items() if "opencontainers" in key}
    proof.see("its user is 10001", config["User"] == "10001:10001", config["User"])
    proof.see("it asks for its health", health.get("Test") == ["CMD", "driftwatch", "healthcheck"], health.get("Test"))
    proof.see("it bears labels", {"title", "version", "licenses", "revision", "name"} <= labels.keys(), labels)
    base = proof.engine.inspect("image", labels["name"])["Size"] if labels.get("name") else 0
    proof.see("its size", about["Size"] < 400e6, f"{about['Size'] / 1e6:.0f} MB, {base / 1e6:.0f} MB of it the base")


def what_is_in_it(proof: Proof) -> None:
    options = [f"--volume={HERE}/inside.py:/tmp/inside.py:ro", "--entrypoint=python3"]
    done = proof.engine.ask("run", "--rm", *proof.engine.loose, *options, proof.engine.image, "/tmp/inside.py")
    said = json.loads(done.stdout or "{}")
    proof.see("it says what is in it", done.returncode == 0, done.stderr.strip())
    proof.see("nothing in it makes or installs programs", not said["programs"] + said["modules"], said["programs"])
    proof.see("nothing in it runs as somebody else", not said["raised"], said["raised"])
    proof.see("nothing in it is compiled at a start", said["to_compile"] == 0, said["to_compile"])
    proof.see("nothing of the build is left in it", not said["left"], said["left"])
    shared = {"/tmp", "/var/tmp", "/run/lock", "/var/lib/driftwatch"}
    proof.see("also without walls its user writes nowhere else", set(said["writable"]) <= shared, said["writable"])
    counted = f"{said['distributions']} Python distributions, {said['debian']} Debian packages"
    proof.see("its bill of materials names what is installed, and nothing else", not said["unlisted"], counted)


def before_it_runs(proof: Proof) -> None:
    done = proof.engine.run("healthcheck", options=proof.given)
    proof.see("no daemon is not healthy", done.returncode == 1, done.stdout.strip() or done.stderr.strip())
    options = [*proof.given, "--entrypoint=sh"]
    tried = "for place in / /etc /opt/driftwatch /usr /var/tmp /run /tmp /var/lib/driftwatch; do "
    tried += "if touch $place/mark 2>/dev/null; then echo $place; rm $place/mark; fi; done"
    done = proof.engine.run("-c", tried, options=options)
    proof.see(
        "it writes to /tmp and its volume alone",
        done.stdout.split() == ["/tmp", "/var/lib/driftwatch"],
        done.stdout.split(),
    )


async def it_watches(proof: Proof, turning: TurningServer) -> None:
    begun = time.monotonic()
    await asyncio.to_thread(proof.engine.start, DAEMON, proof.given)

    async def well() -> bool:
        return (await proof.healthy())[0] == 0

    proof.see("the daemon becomes healthy", await until(well, PATIENCE) < PATIENCE, f"{time.monotonic() - begun:.1f} s")
    about = proof.engine.inspect("container", DAEMON)["State"]
    status = process(about["Pid"])
    walls = {key: status[key] for key in ("Uid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")}
    proof.see(
        "it runs as 10001, without capabilities, and gains none",
        status["Uid"].split() == ["10001"] * 4 and int(status["CapBnd"], 16) == 0 and status["NoNewPrivs"] == "1",
        walls,
    )
    proof.see("its memory", int(status["VmRSS"].split()[0]) < 512 * 1024, status["VmRSS"].strip())
    turned = time.monotonic()
    await turning.turn(STEPS[0].tools)
    try:
        async with asyncio.timeout(PATIENCE):
            message = await proof.messages.get()
        proof.see("what the server turned into is told", True, f"{time.monotonic() - turned:.1f} s: {message['type']}")
    except TimeoutError:
        proof.see("what the server turned into is told", False)
    asked = time.monotonic()
    code, words = await proof.healthy()
    proof.see("it is healthy after that", code == 0, f"{words} ({time.monotonic() - asked:.1f} s)")
    changed = {line.partition(" ")[2] for line in proof.engine.told("diff", DAEMON).splitlines()}
    # The engine itself makes the place at which it mounts a file.
    mounted = {"/etc", "/etc/driftwatch", "/etc/driftwatch/driftwatch.toml"}
    proof.see("nothing of the image was changed", changed <= mounted, sorted(changed - mounted))


async def it_stands_still(proof: Proof) -> None:
    proof.engine.told("kill", "--signal", "STOP", DAEMON)

    async def unwell() -> bool:
        return (await proof.healthy())[0] != 0

    seconds = await until(unwell, LATE)
    proof.see("a daemon that stands still is not healthy", seconds < LATE, f"{seconds} s: {(await proof.healthy())[1]}")
    proof.engine.told("kill", "--signal", "CONT", DAEMON)

    async def well() -> bool:
        return not await unwell()

    seconds = await until(well, PATIENCE)
    proof.see("and healthy again once it goes on", seconds < PATIENCE, f"{seconds} s")


async def it_ends(proof: Proof) -> None:
    begun = time.monotonic()
    await asyncio.to_thread(proof.engine.told, "stop", "--time", "30", DAEMON)
    code = proof.engine.inspect("container", DAEMON)["State"]["ExitCode"]
    proof.see("SIGTERM ends it with 0", code == 0, f"{code} after {time.monotonic() - begun:.1f} s")
    said = json.loads(proof.engine.run("status", "--format", "json", options=proof.given).stdout or "{}")
    names = [one.get("name") or one.get("server") for one in said.get("servers", [])]
    proof.see("the volume remembers", names == ["notes"], names)


def extend(proof: Proof, image: str, place: Path) -> bool:
    """Extend the image as docs/container.md says."""
    place.mkdir()
    (place / "notes.py").write_bytes((ROOT / "tests" / "servers" / "moody.py").read_bytes())
    text = (ROOT / "docs" / "container.md").read_text(encoding="utf-8")
    shown = text.partition("```dockerfile\n")[2].partition("```")[0]
    (place / "Dockerfile").write_text(re.sub(r"^FROM \S+$", f"FROM {proof.engine.image}", shown, flags=re.MULTILINE))
    words = ["build", "--isolation", "chroot", "--format", "docker", "--network", "host", "--quiet", "--tag", image]
    store = proof.engine.storage
    places = ["--root", f"{store}/images", "--runroot", f"{store}/run"] if store else []
    words = ["buildah", *places, "--storage-driver", "vfs", *words, str(place)]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def a_local_server(proof: Proof) -> None:
    """Watch a program that an extended image brings: within the walls, and with those down that keep bubblewrap out."""
    image, place = f"{proof.engine.image}-extended", proof.folder / "extended"
    proof.see("an image that extends it is built", extend(proof, image, place))
    (place / "driftwatch.toml").write_text(
        '[servers.notes]\ncommand = "python3"\nargs = ["/opt/servers/notes.py", "never", "/tmp/starts"]\n'
    )
    mounted = [f"--volume={place}/driftwatch.toml:/etc/driftwatch/driftwatch.toml:ro"]
    down = ["--security-opt=seccomp=unconfined", "--security-opt=unmask=ALL"]
    for what, options in (("within the walls", []), ("with two walls down", down)):
        done = proof.engine.run("check", options=[*mounted, *options], image=image)
        proof.see(f"a local server is looked at {what}", "first sight" in done.stdout, done.stdout.splitlines()[1:2])
        said = proof.engine.run("config", "check", options=[*mounted, *options], image=image).stdout
        (line,) = [line for line in said.splitlines() if line.startswith("sandbox")]
        proof.see(f"{what} its sandbox is as documented", line.startswith(SANDBOX[bool(options)]), line)


@asynccontextmanager
async def staged(engine: Engine) -> AsyncIterator[tuple[Proof, TurningServer]]:
    """Give a server that turns, a receiver, and the files that the container is given."""
    turning = TurningServer(name="notes")
    with tempfile.TemporaryDirectory() as folder:
        proof = Proof(engine, Path(folder))

        async def hear(request: Request) -> Response:
            proof.messages.put_nowait(await request.json())
            return Response(status_code=204)

        hook = Starlette(routes=[Route("/hook", hear, methods=["POST"])])
        async with served(turning.app) as port, served(hook) as hooked:
            (proof.folder / "driftwatch.toml").write_text(
                f'[servers.notes]\nurl = "http://127.0.0.1:{port}/mcp"\ninterval = {{ default = "5s", floor = "1s" }}\n'
                'timeout = { look = "10s", request = "5s", connect = "5s" }\n'
                f'[channels.team]\nkind = "webhook"\nurl = "http://127.0.0.1:{hooked}/hook"\n'
                'secret = { env = "DRIFTWATCH_WEBHOOK_SECRET" }\n[web]\nenabled = false\n'
            )
            (proof.folder / "driftwatch.env").write_text(f"DRIFTWATCH_WEBHOOK_SECRET={SECRET}\n")
            proof.folder.chmod(0o755)
            try:
                yield proof, turning
            finally:
                engine.ask("rm", "--force", DAEMON)
                engine.ask("volume", "rm", "--force", VOLUME)


async def main(image: str) -> int:
    try:
        engine = find(image)
    except MissingError as error:
        print(f"The image cannot be run here: {error}", file=sys.stderr)
        return os.EX_UNAVAILABLE
    async with staged(engine) as (proof, turning):
        the_image(proof)
        what_is_in_it(proof)
        before_it_runs(proof)
        await it_watches(proof, turning)
        await it_stands_still(proof)
        await it_ends(proof)
        a_local_server(proof)
    print(f"{proof.failed} not as it should be" if proof.failed else "All as it should be")
    return 1 if proof.failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:] or ["localhost/driftwatch:test"])))
