"""Hosts' files in each of their shapes, and a program of driftwatch to put into them."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from witness.wrapping import ROOT

from driftwatch.config import jsonc, toml
from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.watch.witness.installing import Starts

NOTES = (sys.executable, str(Path(__file__).with_name("flipping.py")))
"""The server of all these files."""

_COMMAND, _SCRIPT = map(json.dumps, NOTES)

SHAPES = {
    "claude_desktop_config.json": f"""{{
  "mcpServers": {{
    "notes": {{
      "command": {_COMMAND},
      "args": [{_SCRIPT}]
    }}
  }},
  "globalShortcut": ""
}}""",
    ".claude.json": f"""{{"numStartups":3,"mcpServers":{{}},"projects":{{"/srv/web":{{"allowedTools":[],"mcpServers":\
{{"notes":{{"type":"stdio","command":{_COMMAND},"args":[{_SCRIPT}],"env":{{}}}}}}}}}}}}""",
    "mcp.json": f"""\ufeff{{\r
\t"inputs": [{{"id": "key", "type": "promptString"}}],\r
\t// of the whole team\r
\t"servers": {{"notes": {{"type": "stdio", "command": {_COMMAND}, "args": [{_SCRIPT},], }}}},\r
}}\r
""",
    "settings.json": f"""// Zed
{{
  "theme": "One // dark",
  "context_servers": {{
    "notes": {{ "source": "custom", "command": {{ "path": {_COMMAND}, "args": [{_SCRIPT}], "env": null }} }}, /* , */
  }},
}}
""",
    "config.toml": f"""model = "o5"  # the good one

[mcp_servers.notes]
command = {_COMMAND}
args = [
  {_SCRIPT},  # flips
]

[tui]
theme = 'dark'
""",
}
"""Each shape that a host writes, by the name of a file of that shape."""


def settings(text: str = "") -> Settings:
    """Make the configuration of a driftwatch that watches the server of these files."""
    args = toml.array(NOTES[1:])
    table = f"[servers.notes]\ncommand = {toml.string(NOTES[0])}\nargs = {args}\n"
    return parse(text or table, {}, base=Path("/srv"))


def program(folder: Path) -> str:
    """Write the program of driftwatch as an installer does; give its path."""
    path = folder / "driftwatch"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from driftwatch.__main__ import main\nsys.exit(main())\n"
    )
    path.chmod(0o755)
    return str(path)


def starts(folder: Path) -> Starts:
    """Say how that program is started."""
    return Starts((program(folder),), ("/opt/python", "-I", "-m", "driftwatch"))


def line_of(path: Path) -> list[str]:
    """Read what a host would start for its server, as a host does."""
    text = path.read_bytes().decode()
    document: Any = tomllib.loads(text) if path.suffix == ".toml" else jsonc.read(text, name="x")[0]
    for section in ("mcpServers", "servers", "context_servers", "mcp_servers"):
        document = document.get("projects", {}).get("/srv/web", document)
        if document.get(section):
            entry = document[section]["notes"]
            held = entry["command"] if isinstance(entry["command"], dict) else entry
            return [held.get("path", held.get("command")), *held.get("args", [])]
    raise AssertionError(text)
