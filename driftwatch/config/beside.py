"""What the local servers that driftwatch starts mean for its pages and its own files: they run beside both."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Final

from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.config.secret import Unresolved, shown
from driftwatch.config.words import quoted, safe

_LOOPBACK: Final = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
_NAMED: Final = 3


def proxy_warnings(settings: Settings) -> Iterator[str]:
    """Say so where a server could speak as the proxy: it connects from this machine, as a proxy on it does."""
    web = settings.web
    network = next((one for one in web.proxy_from if _is_loopback(one)), None)
    able = [one.name for one in settings.servers if _reaches_this_machine(one)]
    if not web.enabled or network is None or not able:
        return
    named = ", ".join(safe(name, limit=40) for name in able[:_NAMED]) + ", …" * (len(able) > _NAMED)
    who = f"{len(able)} local server{'s' * (len(able) > 1)} ({named})"
    if web.proxy_header is None:
        yield (
            f"web.proxy_from: {who} can connect from {quoted(shown(network))} too, and forge X-Forwarded-For: the audit"
            ' log and the limits on guessing would go by it — write network = "off" for local servers, or let the'
            " proxy connect from another address"
        )
        return
    yield (
        f"web.proxy_header: {who} can connect from {quoted(shown(network))} as the proxy does, name any person in"
        f" {shown(web.proxy_header)}, and approve what it shows itself — let the proxy connect from another address or"
        ' network namespace, or write network = "off" for local servers, or take proxy_header out and sign in by'
        " password (docs/web.md)"
    )


def _is_loopback(network: str) -> bool:
    if isinstance(network, Unresolved):
        return False
    # Networks of different versions never overlap; only those of the same may be asked.
    read = ipaddress.ip_network(network)
    return any(read.version == one.version and read.overlaps(one) for one in _LOOPBACK)


def _reaches_this_machine(server: ServerConfig) -> bool:
    """Say whether a server is started here with a network that has driftwatch's loopback in it, for some time."""
    is_open = server.sandbox.kind == "none" or server.sandbox.network != "off"
    return server.enabled and bool(server.command) and is_open
