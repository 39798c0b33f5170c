"""A registry and a database of advisories on loopback: answers in the real formats, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class RegistryServer:
    """An ASGI app. `pages` holds what stands at each path; a callable in it is given the decoded question."""

    pages: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is spoken here")
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        path = scope["raw_path"].decode("ascii")
        question = json.loads(body) if body else None
        self.asked.append((scope["method"], path, question))
        self.headers.append({name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]})
        page = self.pages.get(path, (404, {"error": "Not found"}))
        page = page(question) if callable(page) else page
        status, value, *more_headers = page if isinstance(page, tuple) else (200, page)
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        headers = [(name.encode(), text.encode()) for name, text in (more_headers[0] if more_headers else {}).items()]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": data})


def packument(*versions: str, latest: str = "", full: bool = False, **fields: Any) -> dict[str, Any]:
    """What an npm registry answers about a package; in full with dates, else abbreviated."""
    listed: dict[str, Any] = {
        version: {"name": "notes-mcp", "version": version, "dist": {"tarball": "x"}} for version in versions
    }
    found = {"name": "notes-mcp", "dist-tags": {"latest": latest or versions[-1]}, "versions": listed}
    dates = {version: f"2026-0{number + 1}-01T10:00:00.000Z" for number, version in enumerate(versions)}
    more = (
        {"time": {"created": "2026-01-01T10:00:00.000Z", **dates}} if full else {"modified": "2026-02-01T10:00:00.000Z"}
    )
    return {**found, **more, **fields}


def simple(*versions: str, yanked: Mapping[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """What the Simple API answers in JSON about a project."""
    files = [
        {
            "filename": name,
            "url": f"https://files.example/{name}",
            "hashes": {"sha256": "00"},
            "yanked": (yanked or {}).get(version, False),
            "upload-time": f"2026-0{number + 1}-01T10:00:00.000000Z",
        }
        for number, version in enumerate(versions)
        for name in (f"notes_mcp-{version}-py3-none-any.whl", f"notes_mcp-{version}.tar.gz")
    ]
    meta = {"api-version": "1.1"}
    return {"meta": meta, "name": "notes-mcp", "versions": list(versions), "files": files, **fields}


def project(*versions: str, yanked: Mapping[str, str] | None = None, **info: Any) -> dict[str, Any]:
    """What the JSON interface of an index answers about a project."""
    releases = {
        version: [
            {
                "filename": f"notes_mcp-{version}.tar.gz",
                "upload_time_iso_8601": f"2026-0{number + 1}-01T10:00:00.000000Z",
                "yanked": version in (yanked or {}),
                "yanked_reason": (yanked or {}).get(version),
            }
        ]
        for number, version in enumerate(versions)
    }
    return {"info": {"name": "notes-mcp", "version": versions[-1], **info}, "releases": releases, "urls": []}


def vulnerability(name: str = "GHSA-aaaa-bbbb-cccc", **fields: Any) -> dict[str, Any]:
    """One advisory in the OSV format."""
    affected = {
        "package": {"name": "notes-mcp", "ecosystem": "npm", "purl": "pkg:npm/notes-mcp"},
        "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "1.2.1"}]}],
    }
    base = {
        "id": name,
        "modified": "2026-02-01T00:00:00Z",
        "published": "2026-01-01T00:00:00Z",
        "summary": "Reads any file of the machine",
        "affected": [affected],
        "schema_version": "1.7.0",
    }
    return {**base, **fields}
