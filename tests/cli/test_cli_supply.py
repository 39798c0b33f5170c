"""supply: what registries and advisories say of the packages in use, asked on a real socket."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cli_world import Run

from tests.servers.over_registry import packument, vulnerability


@contextmanager
def registry(pages: dict[str, Any]) -> Iterator[int]:
    """Serve JSON from a thread, as the command runs its own event loop."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            data = json.dumps(pages.get(self.path, {})).encode()
            self.send_response(200 if self.path in pages else 404)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = answer  # noqa: N815 - the library's names

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def configure(folder: Path, port: int) -> None:
    (folder / "driftwatch.toml").write_text(
        f'[inventory.cursor]\nfile = "mcp.json"\n[supply]\nenabled = true\n'
        f'npm = "http://127.0.0.1:{port}/npm"\nosv = "http://127.0.0.1:{port}/osv"\n'
    )
    notes = {"command": "npx", "args": ["-y", "notes-mcp@1.2.0"]}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"notes": notes}}))


def test_what_is_said_of_a_package_is_printed_and_the_next_look_tells_it(run: Run, tmp_path: Path) -> None:
    pages = {"/npm/notes-mcp": packument("1.2.0", "1.3.0"), "/osv/v1/query": {"vulns": [vulnerability("MAL-2026-1")]}}
    with registry(pages) as port:
        configure(tmp_path, port)
        assert "Look first" in run("supply").out
        run("inventory")
        ended, as_json = run("supply"), run("supply", "--format", "json")
        after = run("check", "cursor", "--format", "json")

    assert ended.code == 1
    assert "MALICIOUS, 1 advisory, newer release" in " ".join(ended.out.split())
    assert "MAL-2026-1 (malicious): Reads any file of the machine" in " ".join(ended.out.split())
    (package,) = as_json.json["packages"]
    assert (package["name"], package["version"], package["newer"]) == ("notes-mcp", "1.2.0", "1.3.0")
    rules = {finding["rule"] for result in after.json["results"] for finding in result["findings"]}
    assert {"advisory-published", "release-available"} <= rules


def test_what_could_not_be_learned_ends_with_five(run: Run, tmp_path: Path) -> None:
    with registry({"/osv/v1/query": {}}) as port:
        configure(tmp_path, port)
        run("inventory")
        ended = run("supply")

    assert ended.code == 5
    assert "npm: it knows no such package" in ended.out
