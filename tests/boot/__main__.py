"""Prove docs/quickstart-systemd.md: run its commands in a Debian that is really booted, then break what can be broken.

`python3 -m tests.boot [--folder DIR] [--suite bookworm] [--ref COMMIT] [--keep]`; needs root, debootstrap and
systemd-nspawn, and nothing but Python's standard library. Without --ref the files are taken as they lie here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.boot.machine import BootError, Machine, why_not
from tests.boot.steps import DOCUMENT, steps

ROOT = DOCUMENT.parents[1]
HOSTS = ("mcp.example.internal", "hooks.example.internal")
TURNED, RECEIVED = "/run/standin/turned", "/var/lib/standin/received"
PLAYERS = f"""[Unit]
Description=plays a watched server and a receiver
[Service]
ExecStart=/usr/bin/python3 /opt/standin/standin.py /opt/standin/cert.pem /opt/standin/key.pem \
  /etc/driftwatch/credentials/webhook {TURNED} {RECEIVED}
RuntimeDirectory=standin
StateDirectory=standin
"""
SURVIVES = "driftwatch-ctl status --format json"


class Proof:
    """The story, told as it happens."""

    def __init__(self, machine: Machine, chapters: dict[str, list[str]]) -> None:
        """Take the machine and the document's commands."""
        self.machine, self.chapters = machine, chapters
        machine.say = self.say
        self.began = time.monotonic()
        self.checks = 0

    def say(self, text: str) -> None:
        """Print a line with the seconds since the beginning."""
        print(f"{time.monotonic() - self.began:6.1f}s  {text}", flush=True)

    def chapter(self, title: str) -> None:
        """Run what the document says under a heading, as it is."""
        self.say(f"== {title}")
        for block in self.chapters.pop(title):
            self.machine.run(block)

    def check(self, what: str, holds: object, seen: object = "") -> None:
        """Hold something to be so.

        Raises:
            BootError: it is not.

        """
        self.checks += 1
        if not holds:
            raise BootError(f"it does not hold that {what}: {seen}")
        self.say(f"  ok  {what}" + (f": {seen}" if seen else ""))

    def shown(self, name: str) -> str:
        """Give a property of the service."""
        return self.machine.ask(f"systemctl show --property={name} --value driftwatch")

    def received(self) -> list[dict[str, object]]:
        """Give what the receiver took so far."""
        return [json.loads(line) for line in self.machine.ask(f"cat {RECEIVED} 2>/dev/null").splitlines()]

    def told(self) -> list[dict[str, object]]:
        """Give the messages about the docs server that are no drill."""
        return [one for one in self.received() if _server(one) == "docs"]


def install(proof: Proof) -> None:
    """Take the steps from nothing to a service that watches and tells."""
    machine = proof.machine
    proof.chapter("What it needs")
    machine.run("update-ca-certificates >/dev/null 2>&1", trace=False)
    for title in ("Install", "Secrets", "Configure"):
        proof.chapter(title)
    machine.run("systemctl daemon-reload && systemctl start standin", trace=False)
    proof.chapter("Start")
    pid = proof.shown("MainPID")
    status = dict(re.findall(r"^(\w+):\s*(.*)$", machine.ask(f"cat /proc/{pid}/status"), re.MULTILINE))
    uid = status["Uid"].split()[0]
    proof.check("the service is up", proof.shown("ActiveState") == "active", proof.shown("StatusText"))
    proof.check("it says so itself", proof.shown("Type") == "notify" and proof.shown("WatchdogUSec") == "2min")
    proof.check("it is not root, and gets no rights", uid != "0" and status["NoNewPrivs"] == "1", f"user {uid}")
    proof.check(
        "its system calls are filtered, its capabilities none",
        (status["Seccomp"], int(status["CapEff"], 16)) == ("2", 0),
    )
    read = machine.ask(f"setpriv --reuid={uid} --clear-groups cat /etc/driftwatch/credentials/webhook 2>&1")
    proof.check("its user cannot read the file of the secret", "denied" in read, read)
    proof.check("its database is for it alone", machine.ask("stat -Lc %a /var/lib/private/driftwatch") == "700")
    drills = [one for one in proof.received() if one["signed"]]
    proof.check("the drill arrived, signed", drills, f"{len(drills)} messages")
    rating = machine.ask("systemd-analyze security --no-pager driftwatch | tail -1")
    proof.check("it is as closed as written", "2.5" in rating, rating.strip("→ "))


def watch(proof: Proof) -> None:
    """See both servers looked at, approve them, and hear of a change."""
    machine = proof.machine
    machine.until("both servers are looked at", lambda: "on time" in machine.ask("driftwatch-ctl healthcheck"))
    proof.chapter("Approve")
    sandbox = "/var/lib/private/driftwatch/driftwatch.db.sandbox"
    proof.check("the local server has a sandbox", machine.ask(f"ls {sandbox}/*"), machine.ask(f"ls {sandbox}"))
    proof.check(
        "nothing was said against it",
        not machine.ask("journalctl -u driftwatch | grep -i 'without a sandbox\\|bubblewrap'"),
    )
    machine.run(f"touch {TURNED}", trace=False)
    took = machine.until("the change is told", proof.told, patience=150)
    (one,) = proof.told()
    proof.check("the change arrived, signed", one["signed"], f"after {took:.0f} s, {one['type']}, {one['id']}")


def outlive(proof: Proof, what: str, harm: str, *, patience: float) -> None:
    """Do harm to the daemon and see it come back, with all that it knew."""
    machine = proof.machine
    proof.say(f"== {what}")
    before, count = proof.shown("MainPID"), int(proof.shown("NRestarts"))
    known = json.loads(machine.ask(SURVIVES))
    machine.run(harm.format(pid=before), trace=False)
    took = machine.until(
        "it is started again",
        lambda: proof.shown("ActiveState") == "active" and proof.shown("MainPID") not in {before, "0"},
        patience=patience,
    )
    again = int(proof.shown("NRestarts"))
    proof.check("systemd started it again", again == count + 1, f"after {took:.0f} s, {proof.shown('StatusText')}")
    proof.check("it knows what it knew", _lasting(json.loads(machine.ask(SURVIVES))) == _lasting(known))
    proof.check("nothing was told twice", len(proof.told()) == 1)


def _server(message: dict[str, object]) -> object:
    data = message.get("data")
    return data.get("server") if isinstance(data, dict) else None


def _lasting(status: object) -> object:
    """Give what of a status does not change by looking again."""
    servers = status["servers"] if isinstance(status, dict) else status
    return [(one.get("server") or one["name"], one.get("state"), one.get("baseline")) for one in servers]


def close(proof: Proof) -> None:
    """See that the unit works without its drop-in as well, for servers with a URL."""
    machine = proof.machine
    proof.say("== Without the drop-in")
    place = "/etc/systemd/system/driftwatch.service.d"
    again = "systemctl daemon-reload && systemctl restart driftwatch"
    machine.run(f"mv {place} {place}.off && {again}", trace=False)
    rating = machine.ask("systemd-analyze security --no-pager driftwatch | tail -1")
    proof.check("it is as closed as written", "1.1" in rating, rating.strip("→ "))
    took = machine.until("it looks at docs", lambda: _looked(proof, "docs"), patience=150)
    proof.check("it looks at a server with a URL", proof.shown("NRestarts") == "0", f"after {took:.0f} s")
    machine.run(f"mv {place}.off {place} && {again}", trace=False)


def _looked(proof: Proof, server: str) -> bool:
    """Say whether the daemon that runs now has looked at a server."""
    began = proof.machine.ask('date -u -d "$(systemctl show -P ActiveEnterTimestamp driftwatch)" +%FT%TZ')
    servers = json.loads(proof.machine.ask(SURVIVES))["servers"]
    return any(one["name"] == server and (one["last_ok_at"] or "") > began for one in servers)


def end(proof: Proof) -> None:
    """Reload, upgrade, stop and remove."""
    machine = proof.machine
    pid = proof.shown("MainPID")
    proof.chapter("Reload")
    machine.until("the reload is over", lambda: proof.shown("ActiveState") == "active")
    proof.check("a reload keeps the daemon running", proof.shown("MainPID") == pid, proof.shown("StatusText"))
    known = json.loads(machine.ask(SURVIVES))
    machine.run("sed -i 's/^\\(__version__ = \"[^\"]*\\)\"/\\1.post1\"/' driftwatch/__init__.py && "
                "sed -i 's/^\\(version = \"[^\"]*\\)\"/\\1.post1\"/' pyproject.toml", trace=False)  # fmt: skip
    proof.chapter("Upgrade")
    version = machine.ask("/opt/driftwatch/bin/driftwatch --version")
    proof.check("the new version runs", version.endswith(".post1"), version)
    proof.check("it knows what the old one knew", _lasting(json.loads(machine.ask(SURVIVES))) == _lasting(known))
    proof.check("nothing was told twice", len(proof.told()) == 1)
    proof.say("== Stop")
    machine.run("systemctl stop driftwatch", trace=False)
    ended = (proof.shown("Result"), proof.shown("ExecMainStatus"), proof.shown("ActiveState"))
    proof.check("it ended by itself, with 0", ended == ("success", "0", "inactive"), ended)
    left = machine.ask(
        "pgrep -f '^/opt/(driftwatch|mcp-server-time)/'; cd /sys/fs/cgroup;"
        "ls -d systemd/system.slice/driftwatch.service system.slice/driftwatch.service 2>/dev/null"
    )
    proof.check("nothing of it runs on", not left, left)
    proof.chapter("Stop and remove")
    left = machine.ask(
        "find / -xdev -name '*driftwatch*' -not -path '/root/*' -not -path '/proc/*' -not -path '/tmp/*'"
    )
    proof.check("nothing is left behind", not left, left)


def lay(machine: Machine, suite: str, mirror: str, ref: str | None) -> None:
    """Make the tree: the system, this repository, and who plays the servers."""
    machine.lay(suite, mirror)
    source = machine.tree / "root" / "driftwatch"
    source.mkdir(parents=True)
    if ref is not None:
        packed = subprocess.run(["git", "archive", ref], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "--extract", f"--directory={source}"], input=packed, check=True)
    else:
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout.split(b"\0")
        there = b"\0".join(name for name in names if name and (ROOT / os.fsdecode(name)).exists())
        subprocess.run(f"tar --create --null --files-from=- | tar --extract --directory={source}", shell=True,
                       cwd=ROOT, input=there, check=True)  # fmt: skip
    machine.connect()
    play = machine.tree / "opt" / "standin"
    play.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("standin.py"), play)
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=standin", "-addext",
         f"subjectAltName={names}", "-keyout", str(play / "key.pem"), "-out", str(play / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    machine.write("/usr/local/share/ca-certificates/standin.crt", (play / "cert.pem").read_text())
    machine.write("/etc/systemd/system/standin.service", PLAYERS)
    machine.write("/etc/hosts", "127.0.0.1 localhost\n127.0.0.80 " + " ".join(HOSTS) + "\n")


def mirror_and_suite() -> tuple[str, str]:
    """Give where apt on this machine gets its packages from, and which Debian it is; empty where it is not known."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)", "Created-By: Packages"],
        capture_output=True, text=True, check=False,
    ).stdout.split("\n")  # fmt: skip
    known = [line.split() for line in listed if re.fullmatch(r"\S+ [a-z]+", line)]
    return (known[0][0], known[0][1]) if known else ("", "bookworm")


def main() -> int:
    """Tell the story; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m tests.boot", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "boot", help="where the trees are kept")
    parser.add_argument("--suite", help="the Debian to boot; default: this machine's own")
    parser.add_argument("--ref", help="the commit to install; default: the files as they lie here")
    parser.add_argument("--keep", action="store_true", help="leave the tree there at the end")
    given = parser.parse_args()
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        return 0
    machine = Machine(given.folder)
    proof = Proof(machine, steps(DOCUMENT.read_text(encoding="utf-8")))
    mirror, own = mirror_and_suite()
    try:
        proof.say(f"== Laying Debian {given.suite or own}")
        lay(machine, given.suite or own, mirror, given.ref)
        proof.say("== Booting")
        state = machine.boot()
        proof.check("the machine is up", state == "running", machine.ask("systemctl --version | head -1; uname -r"))
        install(proof)
        watch(proof)
        outlive(proof, "kill -9", "kill -9 {pid}", patience=60)
        outlive(proof, "hanging (SIGSTOP)", "kill -STOP {pid}", patience=240)
        said = machine.ask("journalctl --output=cat -u driftwatch | grep -E 'Watchdog timeout|Fatal Python|^  File'")
        proof.check("the watchdog ended it", "Watchdog timeout" in said, said.split("\n")[0])
        proof.check("it said where it stood", "Fatal Python error: Aborted" in said, said.split("\n")[-1].strip())
        close(proof)
        end(proof)
        proof.check("every command of the document was run", not proof.chapters, list(proof.chapters))
    except BootError as error:
        proof.say(f"FAILED: {error}")
        print(machine.ask("journalctl --no-pager --lines=40 -u driftwatch -u standin"))
        return 1
    finally:
        ended = machine.off()
        if not given.keep:
            shutil.rmtree(machine.tree, ignore_errors=True)
    proof.say(f"== {proof.checks} checks passed; the machine went off with {ended}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
