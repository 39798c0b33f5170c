"""The sandbox of local servers: what they see, what they may use up, how they get into it (docs/sandbox.md)."""
