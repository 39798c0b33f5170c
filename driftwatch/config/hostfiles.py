"""Where the hosts keep the files that `hosts` reads, on Linux and macOS. Pure: environment and home are handed down.

Of a project a host reads a file in its folder as well: `project`, relative to it. The places are those that the hosts
were known to use in 2026, not each of them checked on a machine with that host; a file that is elsewhere is named by
its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_CONFIG = "{config}"
"""The folder of settings: `$XDG_CONFIG_HOME` or `~/.config` on Linux, `~/Library/Application Support` on macOS."""

_MAC = "Library/Application Support"
_GLOBAL = "{config}/Code/User/globalStorage"


@dataclass(frozen=True, slots=True)
class HostProgram:
    """A host: its id, which its witness has as a name; what people call it; its files, below the home folder.

    `mac` are its files on macOS where they are others, and `moved` is the variable that names another folder for the
    first of them.
    """

    id: str
    name: str
    files: tuple[str, ...]
    project: tuple[str, ...] = ()
    moved: str = ""
    mac: tuple[str, ...] = ()

    def paths(self, platform: str, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """Give the files of this user, whether or not they are there. `platform` is as `sys.platform` has it."""
        named = environ.get("XDG_CONFIG_HOME", "")
        config = home / _MAC if platform == "darwin" else Path(named) if named.startswith("/") else home / ".config"
        found = [
            config / file.removeprefix(f"{_CONFIG}/") if file.startswith(_CONFIG) else home / file
            for file in (self.mac if platform == "darwin" and self.mac else self.files)
        ]
        if self.moved and environ.get(self.moved, "").startswith("/"):
            found[0] = Path(environ[self.moved]) / found[0].name
        return tuple(found)


PROGRAMS = (
    HostProgram("claude-desktop", "Claude Desktop", ("{config}/Claude/claude_desktop_config.json",)),
    HostProgram("claude-code", "Claude Code", (".claude.json",), (".mcp.json",), "CLAUDE_CONFIG_DIR"),
    HostProgram("cursor", "Cursor", (".cursor/mcp.json",), (".cursor/mcp.json",)),
    HostProgram(
        "vscode", "VS Code", ("{config}/Code/User/mcp.json", "{config}/Code/User/settings.json"), (".vscode/mcp.json",)
    ),
    HostProgram(
        "vscode-insiders",
        "VS Code Insiders",
        ("{config}/Code - Insiders/User/mcp.json", "{config}/Code - Insiders/User/settings.json"),
    ),
    HostProgram("vscodium", "VSCodium", ("{config}/VSCodium/User/mcp.json", "{config}/VSCodium/User/settings.json")),
    HostProgram("windsurf", "Windsurf", (".codeium/windsurf/mcp_config.json",)),
    HostProgram(
        "zed", "Zed", ("{config}/zed/settings.json",), (".zed/settings.json",), mac=(".config/zed/settings.json",)
    ),
    HostProgram("codex", "Codex", (".codex/config.toml",), (".codex/config.toml",), "CODEX_HOME"),
    HostProgram("gemini-cli", "Gemini CLI", (".gemini/settings.json",), (".gemini/settings.json",)),
    HostProgram("copilot-cli", "GitHub Copilot CLI", (".copilot/mcp-config.json",)),
    HostProgram("cline", "Cline", (f"{_GLOBAL}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",)),
    HostProgram(
        "roo-code",
        "Roo Code",
        (f"{_GLOBAL}/rooveterinaryinc.roo-cline/settings/mcp_settings.json",),
        (".roo/mcp.json",),
    ),
    HostProgram("lm-studio", "LM Studio", (".lmstudio/mcp.json",)),
    HostProgram("amazon-q", "Amazon Q Developer", (".aws/amazonq/mcp.json",), (".amazonq/mcp.json",)),
    HostProgram("kiro", "Kiro", (".kiro/settings/mcp.json",), (".kiro/settings/mcp.json",)),
)
"""Every host that is known by name. VS Code's and Codex's hosts in an editor read the files of these."""


def named(word: str) -> HostProgram | None:
    """Find a host by its id or name."""
    plain = word.casefold().replace(" ", "-").replace("_", "-")
    return next((one for one in PROGRAMS if plain in {one.id, one.name.casefold().replace(" ", "-")}), None)


def whose(path: Path, platform: str, environ: Mapping[str, str], home: Path) -> HostProgram | None:
    """Find the host that reads a file: one of this user's, else one in the folder of a project."""
    for one in PROGRAMS:
        if path in one.paths(platform, environ, home):
            return one
    return next(
        (one for one in PROGRAMS for file in one.project if path.parts[-file.count("/") - 1 :] == Path(file).parts),
        None,
    )
