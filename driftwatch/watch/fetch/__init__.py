"""Fetching what a server shows: the only room that speaks MCP."""
