"""Gateways that expose a chosen list of a server's tools."""

from __future__ import annotations

import re
from collections.abc import Sequence

from driftwatch.report.handoff.base import PLAIN, Approved, Handoff, as_json, named, quoted

_PLAIN_SERVER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Names that a shell, and a gateway that parts server and tool by a dot, take as they are."""

_PLAIN_TOOL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,127}")
"""The same for tools: none can pass for an option."""

_NOT_ASKED = "A gateway has nobody to ask: the tools that a host should ask about are exposed as well."


def _mcpproxy(server: str, tools: Sequence[Approved]) -> str:
    return as_json({"mcpServers": [{"name": server, "enabled_tools": named(tools)}]})


def _gridctl(server: str, tools: Sequence[Approved]) -> str:
    listed = "".join(f"      - {quoted(name)}\n" for name in named(tools))
    return f"mcp-servers:\n  - name: {quoted(server)}\n    tools:\n{listed}"


def _toolhive(server: str, tools: Sequence[Approved]) -> str:
    return f"thv run --tools {','.join(named(tools))} {server}\n"


def _docker(server: str, tools: Sequence[Approved]) -> str:
    enabled = "".join(f" \\\n  --enable {server}.{name}" for name in named(tools))
    return f'docker mcp profile tools "$PROFILE" --disable-all {server}{enabled}\n'


MCPPROXY = Handoff(
    id="mcpproxy",
    name="mcpproxy-go",
    place="the entry of the server in mcp_config.json",
    does="Exposes only the approved tools.",
    source="smart-mcp-proxy/mcpproxy-go internal/config/config.go @e5638fd0",
    write=_mcpproxy,
    notes=(_NOT_ASKED, "An entry has either enabled_tools or disabled_tools."),
)
GRIDCTL = Handoff(
    id="gridctl",
    name="gridctl",
    place="the entry of the server in stack.yaml",
    does="Exposes only the approved tools.",
    source="gridctl/gridctl docs/config-schema.md; examples/access-control/README.md",
    write=_gridctl,
    notes=(_NOT_ASKED,),
)
TOOLHIVE = Handoff(
    id="toolhive",
    name="toolhive",
    place="a shell",
    does="Lists only the approved tools and blocks calls of others.",
    source="https://docs.stacklok.com/toolhive/guides-cli/run-mcp-servers",
    write=_toolhive,
    server=_PLAIN_SERVER,
    tool=_PLAIN_TOOL,
    notes=(_NOT_ASKED, "toolhive says that this filter is not meant as a security feature."),
)
DOCKER = Handoff(
    id="docker",
    name="Docker MCP gateway",
    place="a shell, with the id of your profile in PROFILE",
    does="Takes every tool of the server out of the profile's allow-list and puts the approved ones in.",
    source="https://docs.docker.com/reference/cli/docker/mcp/profile/tools",
    write=_docker,
    server=_PLAIN_SERVER,
    tool=PLAIN,
    notes=(_NOT_ASKED,),
)
