"""What a server of a soak answers to one message of either era, over whatever transport. Standard library only."""

from __future__ import annotations

import json
from typing import Any, Final

MODERN_VERSION, HANDSHAKE_VERSION = "2026-07-28", "2025-11-25"
CHANGED: Final = "notifications/tools/list_changed"
_NO_METHOD, _INTERNAL = -32601, -32603
_SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"


def answer(
    message: dict[str, Any],
    *,
    modern: bool,
    listens: bool,
    tools: list[dict[str, Any]],
    ttl_ms: int,
    version: str,
    broken: bool,
) -> bytes | None:
    """Answer one message; None for what wants no answer. With `broken` listing is answered with an error."""
    method, number = message.get("method"), message.get("id")
    if not isinstance(method, str) or number is None:
        return None
    result = _result(method, modern=modern, listens=listens, tools=tools, ttl_ms=ttl_ms, version=version)
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
    if method == "tools/list" and broken:
        body["error"] = {"code": _INTERNAL, "message": "the notes are away"}
    elif result is None:
        body["error"] = {"code": _NO_METHOD, "message": "there is no such method"}
    else:
        body["result"] = result
    return json.dumps(body).encode()


def _result(
    method: str, *, modern: bool, listens: bool, tools: list[dict[str, Any]], ttl_ms: int, version: str
) -> dict[str, Any] | None:
    capabilities = {"tools": {"listChanged": True} if listens else {}}
    info = {"name": "notes", "version": version}
    if method == "initialize" and not modern:
        return {
            "protocolVersion": HANDSHAKE_VERSION,
            "serverInfo": info,
            "capabilities": capabilities,
            "instructions": "Keeps short notes in folders.",
        }
    if method == "server/discover" and modern:
        return {
            "supportedVersions": [MODERN_VERSION],
            "capabilities": capabilities,
            "resultType": "complete",
            "_meta": {"io.modelcontextprotocol/serverInfo": info},
            "ttlMs": 0,
            "cacheScope": "private",
            "instructions": "Keeps short notes in folders.",
        }
    if method == "tools/list":
        fresh = {"ttlMs": ttl_ms, "cacheScope": "private"} if ttl_ms else {}
        return {"tools": tools, **fresh, **({"resultType": "complete"} if modern else {})}
    return {} if method == "ping" else None


def notice(subscription: object = None) -> bytes:
    """Say that the list changed, on a stream of either era."""
    meta = {} if subscription is None else {"params": {"_meta": {_SUBSCRIPTION: subscription}}}
    return json.dumps({"jsonrpc": "2.0", "method": CHANGED, **meta}).encode()


def acknowledged(subscription: object) -> bytes:
    """Grant a subscription."""
    params = {"_meta": {_SUBSCRIPTION: subscription}, "notifications": {"toolsListChanged": True}}
    return json.dumps(
        {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params}
    ).encode()
