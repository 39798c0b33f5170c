"""Watching servers: when to look, how to fetch, what one check does."""
