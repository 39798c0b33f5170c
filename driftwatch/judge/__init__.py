"""Judging: pure functions from what servers showed to findings."""
