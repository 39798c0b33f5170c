"""Channels: one file a destination. A channel makes one attempt; when to try again is decided elsewhere."""
