"""The servers that turn, on the MCP SDK over HTTP: see `turning`."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from witness.turning import PROMPT, SLEEPER, Visit, tool


class Turning:
    """One of them. `app` is to be served."""

    def __init__(self, turn: str, era: str) -> None:
        """Take which of them it is, and the only era that it knows."""
        self._turn, self._is_modern = turn, era == "modern"
        self._opening = "server/discover" if self._is_modern else "initialize"
        self._starts: defaultdict[str, int] = defaultdict(int)
        self._visits: defaultdict[str, Visit] = defaultdict(Visit)
        self._bus = InMemorySubscriptionBus()
        server = Server[Any](
            "notes",
            on_list_tools=self._tools,
            on_call_tool=self._call,
            on_list_prompts=self._prompts,
            on_get_prompt=self._prompt,
            on_subscriptions_listen=ListenHandler(self._bus) if self._is_modern else None,
        )
        server.middleware.append(self._heed)
        if not self._is_modern:
            server.add_request_handler("server/discover", types.RequestParams, self._unknown)
        self.app = server.streamable_http_app()

    async def _heed(self, context: Any, go_on: Any) -> Any:
        credential = context.request.headers.get("authorization", "")
        if context.method == self._opening and (credential or self._turn == SLEEPER):
            self._starts[credential] += 1
        visit = self._visit(context)
        visit.starts = self._starts[credential]
        visit.heed(context.method, context.params or {})
        return await go_on(context)

    def _visit(self, context: Any) -> Visit:
        """Give the visit that a request belongs to; before a session has its id, one that is asked for nothing."""
        headers = context.request.headers
        return self._visits[headers.get("mcp-session-id" if not self._is_modern else "authorization", "")]

    async def _tools(self, context: Any, _: Any) -> types.ListToolsResult:
        visit = self._visit(context)
        params = context.session.client_params
        visit.client = params.client_info.name if params is not None else visit.client
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool(visit.description(self._turn)))])

    async def _call(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if self._visit(context).has_just_turned(self._turn, "tools/call"):
            await self._bus.publish(ToolsListChanged())
            await context.session.send_tool_list_changed()
        return types.CallToolResult(content=[types.TextContent(text=f"nothing of {params.name}")])

    async def _prompts(self, _: Any, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt.model_validate(PROMPT)])

    async def _prompt(self, context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = self._visit(context).body(self._turn, (params.arguments or {})["topic"])
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(text=text))])

    async def _unknown(self, _: Any, __: Any) -> Any:
        raise MCPError(types.METHOD_NOT_FOUND, "there is no such method")
