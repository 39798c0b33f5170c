"""The program that speaks to Apprise: run by itself, with one JSON object on standard input and one on standard output.

It is a process of its own because Apprise cannot be cancelled, takes proxies from the environment, and writes URLs with
their secrets to logs. Here it has no environment, nobody reads what it logs, and it is killed when its time is over.
It imports nothing of driftwatch.

Asked `{"path": [...], "url": ...}` it says what the service takes: `{"known": bool, "title": int, "body": int}`, in
characters. With `title`, `body` and `type` in it as well, it sends: `{"known": bool, "sent": bool}`.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any


def main() -> None:
    """Answer what is asked on standard input."""
    asked = json.load(sys.stdin)
    sys.path[:] = asked["path"]
    sys.stdout.write(json.dumps(answer(asked)))


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Say what the service takes, or send what is given."""
    import apprise  # noqa: PLC0415 - found by the path that was given

    logging.disable(logging.CRITICAL)
    service = apprise.Apprise.instantiate(asked["url"], asset=_asset(apprise), suppress_exceptions=True)
    if service is None:
        return {"known": False}
    if "body" not in asked:
        return {"known": True, "title": service.title_maxlen, "body": service.body_maxlen}
    # Split would send several messages; what is too long was cut before, with where the whole is.
    service.overflow_mode = apprise.OverflowMode.TRUNCATE
    sender = apprise.Apprise(asset=service.asset)
    sender.add(service)
    sent = sender.notify(
        title=asked["title"], body=asked["body"], notify_type=asked["type"], body_format=apprise.NotifyFormat.TEXT
    )
    return {"known": True, "sent": bool(sent)}


def _asset(apprise: Any) -> Any:
    """Give settings by which nothing is read from or written to the disk, and no redirect is followed."""
    asset = apprise.AppriseAsset(storage_mode="memory")
    asset.http_redirects = False
    asset.interpret_escapes = False
    return asset


if __name__ == "__main__":
    main()
