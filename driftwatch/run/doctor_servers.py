"""The doctor's look at the servers: what each local one runs in, and a whole look at each, of which nothing is kept."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.model import Failure, Listed, Refused, Unreachable
from driftwatch.model.amounts import many
from driftwatch.run.doctor_lines import Area, Check, Line, State, Sure, aside
from driftwatch.watch.fetch.base import Fetcher
from driftwatch.watch.fetch.sandbox.able import Able
from driftwatch.watch.fetch.sandbox.container import ENGINES
from driftwatch.watch.fetch.sandbox.runners import runner_of
from driftwatch.watch.fetch.sandbox.said import is_engine

_PATIENCE: Final = 5.0
"""Seconds that a container engine has to say that it works."""

_AT_ONCE: Final = 128
"""Servers with a URL that are looked at at the same time, where enough files may be open: most of that is waiting."""

_FILES: Final = 4
"""Files that such a look may take, and what else is open beside them."""

_OF_A_HOST: Final = 8

_LISTS: Final = ("tools", "prompts", "resources", "resourceTemplates")

_DEAD: Final = frozenset({"connect", "dns", "timeout"})
"""Failures of a host, and not of one server on it."""

_LASTING: Final = frozenset({"tls-pin", "unauthorized", "forbidden", "address-refused", "start-failed", "redirected"})
"""Failures that are no matter of luck."""

_ADVICE: Final = {
    "address-refused": "Find out why its name leads into a private network; addresses in its table may allow that.",
    "closed-early": "Look at the server's own log: it ended the conversation.",
    "connect": "Check that it runs, its url, and the firewall between.",
    "dns": "Check its url for a typo, and the DNS of this machine.",
    "forbidden": "It knows driftwatch and does not let it in: check what its credentials may do.",
    "html": "A web page answered. Check the path of its url: it often ends in /mcp.",
    "http-status": "It answers, and has trouble of its own. Look at its log.",
    "not-found": "Check the path of its url: it often ends in /mcp.",
    "own-limit": "It is not to blame: free what is used up, or raise the limit (LimitNOFILE, TasksMax, MemoryMax).",
    "proxy": "Check proxy, and what the proxy lets through.",
    "rate-limited": "It asks for fewer questions: a longer interval.",
    "redirected": "Write the address that it names as its url, if you trust it: redirects are not followed.",
    "sandbox-limit": "Raise the limit in its sandbox table, or find out why it takes so much.",
    "sign-in": "Check its oauth table: the authorization server, and what driftwatch signs in with.",
    "start-failed": "Start its command by hand, as the user that the daemon runs as; see docs/sandbox.md.",
    "timeout": "Look again with more time (--timeout). If that stays so, check that it runs, or raise its timeout.",
    "tls": "Check its certificate: the name, the dates, who signed it (ca_file), and the versions of TLS.",
    "tls-pin": "It shows another key than tls_pin. Keep agents away from it, and ask its operator for the new key.",
    "unauthorized": "Check its credentials: bearer, headers or oauth.",
}

_FIX_BWRAP: Final = (
    'Install bubblewrap, and let it make user namespaces (docs/sandbox.md); or sandbox = {kind = "container"}.'
)


def sandboxes(settings: Settings, environ: Mapping[str, str], able: Callable[[Mapping[str, str]], Able]) -> list[Line]:
    """Say of each local server what it starts in on this machine, and why in nothing."""
    local = [server for server in settings.servers if server.enabled and server.command]
    engine: tuple[str, str] | None = None
    lines = []
    for server in local:
        if server.sandbox.kind == "container" and not is_engine(server):
            engine = engine or _engine(environ)
        lines.append(_sandbox(server, environ, able, engine))
    return lines


def _sandbox(
    server: ServerConfig,
    environ: Mapping[str, str],
    able: Callable[[Mapping[str, str]], Able],
    engine: tuple[str, str] | None,
) -> Line:
    line = partial(Line, Area.SANDBOX, "sandbox", server.name)
    if is_engine(server):
        return line(State.OK, "its command starts a container by itself", "", Sure.LIKELY)
    if server.sandbox.kind == "none":
        what = "it runs with all that driftwatch's user may do: its sandbox is none, as configured"
        return line(State.WARNING, what, 'Take kind = "none" out of its sandbox table, unless it cannot work in one.')
    if server.sandbox.kind == "container":
        return _contained(line, *(engine or ("", "")))
    return _inside(line, server, able(environ).reason)


def _contained(line: Callable[..., Line], name: str, trouble: str) -> Line:
    if trouble:
        return line(State.PROBLEM, f"it must run in a container, and {trouble}", "Install podman, or mend the engine.")
    return line(State.OK, f"it runs in a container ({name})")


def _inside(line: Callable[..., Line], server: ServerConfig, reason: str) -> Line:
    if not reason:
        runner = runner_of(server.command, server.args)
        first = "; its package is fetched first, apart from it" if runner is not None and runner.fetches_first else ""
        return line(State.OK, f"it runs in bubblewrap{first}")
    if server.sandbox.kind == "bwrap":
        return line(State.PROBLEM, f"it must run in bubblewrap, so it is not started: {reason}", _FIX_BWRAP)
    what = f"it runs with all that driftwatch's user may do, without a sandbox: {reason}"
    return line(State.WARNING, what, _FIX_BWRAP)


def _engine(environ: Mapping[str, str]) -> tuple[str, str]:
    """Give which engine there is, and why it does not work (empty where it does)."""
    path = environ.get("PATH")
    program = next(filter(None, (shutil.which(one, path=path) for one in ENGINES)), None)
    if program is None:
        return "", "neither podman nor docker is on the PATH"
    name = program.rpartition("/")[2]
    try:
        done = subprocess.run([program, "version"], capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return name, f"{name} gives no answer"
    return name, "" if done.returncode == 0 else f"{name} does not work here (it ended with {done.returncode})"


@dataclass
class Round:
    """Looks at servers, many at a time, and few of one host. A host that is down is found out once."""

    fetcher: Fetcher
    local: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2 * (os.cpu_count() or 1)))
    remote: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(at_once()))
    _hosts: dict[str, asyncio.Semaphore] = field(
        default_factory=lambda: defaultdict(lambda: asyncio.Semaphore(_OF_A_HOST))
    )
    _down: dict[str, str] = field(default_factory=dict)

    def checks(self, settings: Settings, seconds: float, *, whole: bool) -> Iterator[Check]:
        """Give a check for each server that is watched. `whole`: the configuration could be read with its secrets."""
        for server in settings.watched:
            if not server.enabled:
                continue
            look = partial(self.look, server, seconds) if whole or not server.missing else partial(_unfit, server)
            # Its own time begins with its turn; this is for one whose end hangs.
            yield Check(Area.SERVERS, "look", server.name, look, None)

    async def look(self, server: ServerConfig, seconds: float) -> list[Line]:
        """Look at one server, when it has its turn."""
        turn = self.remote if server.host else self.local
        async with self._hosts[server.host or server.name], turn:
            first = self._down.get(server.host) if server.host else None
            if first is not None:
                what = f"not tried: {first} could not be reached at the same host"
                do = f"See what is said of {first}."
                return [Line(Area.SERVERS, "look", server.name, State.UNKNOWN, what, do, Sure.NOT_KNOWN)]
            return [await self._look(server, seconds)]

    async def _look(self, server: ServerConfig, seconds: float) -> Line:
        line = partial(Line, Area.SERVERS, "look", server.name)
        task = asyncio.ensure_future(self.fetcher.fetch(server, era=None))
        try:
            await asyncio.wait([task], timeout=seconds)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task], timeout=seconds)
        if not task.done() or task.cancelled():
            if server.host:
                self._down.setdefault(server.host, server.name)
            more = f"; a look may take {server.timeout.look:g} s" if server.timeout.look > seconds else ""
            what = f"not seen whole within {seconds:g} s{more}"
            return line(State.UNKNOWN, what, _ADVICE["timeout"], Sure.NOT_KNOWN)
        outcome = task.result()
        if isinstance(outcome, Listed):
            return line(State.OK, _listed(outcome))
        if server.host and isinstance(outcome, Unreachable) and outcome.code in _DEAD:
            self._down.setdefault(server.host, server.name)
        sure = Sure.CERTAIN if outcome.code in _LASTING else Sure.LIKELY
        return line(State.PROBLEM, _failed(outcome), _ADVICE.get(outcome.code, _otherwise(outcome)), sure)


def at_once() -> int:
    """Say how many looks over the network fit into the files that this process may open."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _AT_ONCE if most == resource.RLIM_INFINITY else max(4, min(_AT_ONCE, most // _FILES))


async def _unfit(server: ServerConfig) -> list[Line]:
    what = f"not looked at: {'; '.join(server.missing)}"
    do = "Set it, or make it readable, where driftwatch is started."
    return [Line(Area.SERVERS, "look", server.name, State.UNKNOWN, what, do, Sure.NOT_KNOWN)]


def _listed(outcome: Listed) -> str:
    shown = ((one, outcome.document.get(one)) for one in _LISTS)
    counts = [many(len(some), one.removesuffix("s")) for one, some in shown if isinstance(some, list) and some]
    era = f", era {outcome.era.value}" if outcome.era is not None else ""
    return f"it could be looked at whole: {', '.join(counts) or 'nothing in its lists'}{era}"


def _failed(outcome: Failure) -> str:
    return f"it could not be looked at ({outcome.code}): {outcome.detail or 'no detail'}"


def _otherwise(outcome: Failure) -> str:
    if isinstance(outcome, Refused):
        return "Check its credentials, and its url."
    if isinstance(outcome, Unreachable):
        return "Check that it runs, and its log."
    return "It answers, and not with lists that can be read whole: tell whoever makes it."


def grouped(lines: Iterable[Line]) -> list[Line]:
    """Give what is to be said of sandboxes in one line for each thing, with the servers that it is about."""
    by: dict[Line, list[str]] = {}
    for line in lines:
        same = Line(line.area, line.check, "", line.state, line.what, line.do, line.sure)
        by.setdefault(same, []).append(line.subject)
    return [
        Line(one.area, one.check, _names(names), one.state, one.what, one.do, one.sure) for one, names in by.items()
    ]


def _names(names: list[str]) -> str:
    return f"{', '.join(names[:4])}, … ({len(names)} servers)" if len(names) > 4 else ", ".join(names)


def sandbox_check(
    settings: Settings, environ: Mapping[str, str], able: Callable[[Mapping[str, str]], Able], seconds: float
) -> Check:
    """Give the check of all sandboxes."""
    return Check(Area.SANDBOX, "sandbox", "", aside(partial(sandboxes, settings, environ, able)), seconds)
