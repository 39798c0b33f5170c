"""Seeing what an agent is shown: copies of its sessions, taken without standing in the way."""
