"""Real MCP servers for tests, friendly and hostile: over stdio, Streamable HTTP and the legacy HTTP+SSE.

`scripts.SCRIPTS` says what a server answers, message by message; `over_stdio.FAULTS` and `over_http.FAULTS` say how
its transport misbehaves; `sdk_server` is built on the MCP SDK and is as honest as they come.
"""
