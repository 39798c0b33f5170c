"""Installed packages with real servers in them, laid out as npm and uv lay them out, and runners that start them.

The runners do what the real ones do once everything is fetched: put the package's programs first on the search path,
and start the server as a child.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import sysconfig
import tarfile
from pathlib import Path

_PYTHON_SERVER = f"""
import runpy, sys
sys.argv = ["over_stdio.py", "honest"]
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
def main():
    runpy.run_path({str(Path(__file__).parent / "over_stdio.py")!r}, run_name="__main__")
"""

NODE_SERVER = """#!/usr/bin/env node
const lines = require("readline").createInterface({input: process.stdin});
const tool = {name: "list_tickets", inputSchema: {type: "object"}};
const answers = {
  "initialize": {protocolVersion: "2025-06-18", capabilities: {tools: {}}, serverInfo: {name: "tickets", version: "0"}},
  "tools/list": {tools: [tool]},
};
lines.on("line", (line) => {
  const {id, method} = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  const answer = result ? {result} : {error: {code: -32601, message: "no such method"}};
  process.stdout.write(JSON.stringify({jsonrpc: "2.0", id, ...answer}) + "\\n");
});
"""


def npm_package(modules: Path, name: str = "@tickets/mcp", version: str = "1.2.0", server: str = NODE_SERVER) -> Path:
    """Lay an npm package into a `node_modules` folder, with its program linked in `.bin`; give the package's folder."""
    folder = modules / name
    (folder / "dist").mkdir(parents=True, exist_ok=True)
    _write_npm(folder, name, version, server)
    program = modules / ".bin" / "tickets-mcp"
    program.parent.mkdir(exist_ok=True)
    program.unlink(missing_ok=True)
    program.symlink_to(Path("..") / name / "dist" / "index.js")
    return folder


def _write_npm(folder: Path, name: str, version: str, server: str) -> None:
    about = {"name": name, "version": version, "bin": {"tickets-mcp": "dist/index.js"}}
    (folder / "package.json").write_text(json.dumps(about))
    (folder / "dist" / "index.js").write_text(server)
    (folder / "dist" / "index.js").chmod(0o755)


def npm_archive(file: Path, name: str = "tickets-mcp", version: str = "1.2.0") -> Path:
    """Write an npm package as an archive, as `npm pack` does."""
    about = json.dumps({"name": name, "version": version, "bin": {"tickets-mcp": "index.js"}})
    with tarfile.open(file, "w:gz") as archive:
        for inside, text in (("package/package.json", about), ("package/index.js", NODE_SERVER)):
            entry = tarfile.TarInfo(inside)
            entry.size, entry.mode = len(text.encode()), 0o755
            archive.addfile(entry, io.BytesIO(text.encode()))
    return file


def npx(folder: Path, modules: Path) -> Path:
    """Write a program that starts what lies in a `node_modules` folder, through a shell, as npx does."""
    return _program(
        folder / "npx",
        f'#!/bin/sh\nPATH="{modules}/.bin:$PATH" sh -c "tickets-mcp; true" <&0\n# the shell stays above\n',
    )


def python_package(prefix: Path, name: str = "tickets-mcp", version: str = "1.2.0") -> Path:
    """Lay a Python distribution into an environment of its own; give the folder of its distributions."""
    site = prefix / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    module = name.replace("-", "_")
    info = site / f"{module}-{version}.dist-info"
    for old in site.glob("*.dist-info") if site.is_dir() else ():
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    (site / module).mkdir(parents=True, exist_ok=True)
    info.mkdir()
    (prefix / "bin").mkdir(exist_ok=True)
    (prefix / "pyvenv.cfg").write_text(
        f"home = {Path(sys.executable).resolve().parent}\nversion = {sys.version.split()[0]}\n"
    )
    python = prefix / "bin" / "python"
    if not python.is_symlink():
        python.symlink_to(Path(sys.executable).resolve())
    files = {
        f"{module}/__init__.py": _PYTHON_SERVER + f"__version__ = {version!r}\n",
        f"{module}/__main__.py": f"from {module} import main\nmain()\n",
        f"{info.name}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nVersion: 9 in the text\n",
        f"{info.name}/entry_points.txt": f"[console_scripts]\n{name} = {module}:main\n",
    }
    for inside, text in files.items():
        (site / inside).write_text(text)
    rows = [
        f"{inside},sha256={hashlib.sha256(text.encode()).hexdigest()},{len(text)}" for inside, text in files.items()
    ]
    (info / "RECORD").write_text("\n".join([*rows, f"../../../bin/{name},,", f"{info.name}/RECORD,,", ""]))
    _program(prefix / "bin" / name, f"#!{python}\nfrom {module} import main\nmain()\n")
    return site


def uvx(folder: Path, prefix: Path, name: str = "tickets-mcp") -> Path:
    """Write a program that starts a distribution's program as a child, as uvx does."""
    return _program(folder / "uvx", f'#!/bin/sh\nPATH="{prefix}/bin:$PATH" "{prefix}/bin/{name}" <&0; true\n')


def _program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path
