"""What the SDK is handed in place of a message: the smallest valid message with the same effect. Pure.

The SDK carries the conversation (framing, sessions, versions, cancellation) and never sees the contents: a list that
its models would reject, a field that they would drop, or a notification that would cost it a task stays with us.
"""

from __future__ import annotations

import json
from typing import Any

from mcp_types import INTERNAL_ERROR, PARSE_ERROR, RequestId

from driftwatch.model import Json

LIST_KEYS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
"""Each list method and the key of its result that holds the list."""

CHANGES = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}
"""Each change notice and the name of its switch in a `subscriptions/listen` filter."""

_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
_FRESH = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_DECLINABLE: dict[str, dict[str, Json]] = {
    "ping": {},
    "roots/list": {},
    "sampling/createMessage": {"messages": [], "maxTokens": 1},
    "elicitation/create": {"message": "", "requestedSchema": {"type": "object", "properties": {}}},
}


def answer(method: str, number: RequestId, message: dict[str, Json]) -> bytes:
    """Stand in for the answer to one of our requests."""
    if "result" not in message:
        return _pack({"id": number, "error": _error(message.get("error"))})
    result = message["result"]
    if not isinstance(result, dict):
        return failure(number, PARSE_ERROR, "the result is not an object")
    return _pack({"id": number, "result": _result(method, result)})


def failure(number: RequestId, code: int, message: str) -> bytes:
    """Stand in for an answer that cannot be used."""
    return _pack({"id": number, "error": {"code": code, "message": message}})


def request(method: str, number: RequestId) -> bytes:
    """Stand in for a request of the server; the SDK answers a ping and declines all else."""
    params = _DECLINABLE.get(method)
    return _pack({"id": number, "method": method} | ({"params": params} if params else {}))


def notification(method: str, params: Json) -> bytes | None:
    """Stand in for a notification that matters to a stream of notices; None for every other."""
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    subscription = meta.get(_SUBSCRIPTION) if isinstance(meta, dict) else None
    if method == "notifications/cancelled":
        number = params.get("requestId")
        return _pack({"method": method, "params": {"requestId": number}}) if is_id(number) else None
    if not is_id(subscription):
        return None
    stamped: dict[str, Json] = {"_meta": {_SUBSCRIPTION: subscription}}
    if method == "notifications/subscriptions/acknowledged":
        wanted = params.get("notifications")
        switches = wanted if isinstance(wanted, dict) else {}
        stamped["notifications"] = {name: True for name in CHANGES.values() if switches.get(name) is True}
    elif method not in CHANGES:
        return None
    return _pack({"method": method, "params": stamped})


def is_id(value: Json) -> bool:
    """Say whether a value can be a JSON-RPC id that the SDK takes: a short plain string or a 64-bit integer."""
    if isinstance(value, str):
        return len(value) <= 200 and value.isascii()
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _result(method: str, result: dict[str, Json]) -> dict[str, Json]:
    if method == "initialize":
        version = result.get("protocolVersion")
        return {
            "protocolVersion": version if isinstance(version, str) and version.isascii() else "",
            "capabilities": {},
            "serverInfo": {"name": "server", "version": "0"},
        }
    if method == "server/discover":
        complete = result.get("resultType", "complete") == "complete"
        return {
            "supportedVersions": _strings(result.get("supportedVersions")) if complete else [],
            "capabilities": {},
        } | _FRESH
    if method in LIST_KEYS:
        return {LIST_KEYS[method]: []} | _FRESH
    return {"resultType": "complete"}


def _error(error: Json) -> dict[str, Json]:
    error = error if isinstance(error, dict) else {}
    code = error.get("code")
    plain: dict[str, Json] = {"code": code if isinstance(code, int) and is_id(code) else INTERNAL_ERROR, "message": ""}
    data = error.get("data")
    if isinstance(data, dict) and "supported" in data:
        plain["data"] = {"supported": _strings(data["supported"]), "requested": ""}
    return plain


def _strings(values: Json) -> list[str]:
    values = values if isinstance(values, list) else []
    return [value for value in values[:50] if isinstance(value, str) and value.isascii() and len(value) <= 50]


def _pack(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | message).encode("ascii")
