"""A real server on the MCP SDK, of both eras: `python sdk_server.py` for stdio; `serving_sdk` for HTTP in a test."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.caching import CacheHint


def make_server(*, ttl_ms: int = 60_000, **options: Any) -> MCPServer:
    """Make an honest server with one tool, one prompt and one resource."""
    hint = CacheHint(ttl_ms=ttl_ms, scope="public")
    lists = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
    server = MCPServer(
        "notes", instructions="Ask before you delete.", cache_hints=dict.fromkeys(lists, hint), **options
    )

    @server.tool()
    def list_notes(folder: str) -> str:
        """List the notes in a folder."""
        return folder

    @server.prompt()
    def summarise(topic: str) -> str:
        """Summarise the notes on a topic."""
        return topic

    @server.resource("notes://{name}")
    def note(name: str) -> str:
        """One note."""
        return name

    return server


@contextlib.asynccontextmanager
async def serving_sdk(server: MCPServer, **options: Any) -> AsyncIterator[str]:
    """Serve over Streamable HTTP on a free loopback port; gives the URL."""
    # asyncio turns Nagle's algorithm off only for sockets that say they are TCP; with it each answer waits 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    app = server.streamable_http_app(**options)
    config = uvicorn.Config(app, log_level="critical", lifespan="on", ws="none", timeout_graceful_shutdown=1)
    daemon = uvicorn.Server(config)
    task = asyncio.create_task(daemon.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        daemon.should_exit = True
        await task
        listener.close()


if __name__ == "__main__":
    make_server().run("stdio")
