"""Who acts on the hints of a tool, and how: one row a host and mode, each with where that is written.

Only hosts that document something, or whose code was read, are rows. A host may change any day: a row names the
version or the commit that it was read in.
"""

from __future__ import annotations

from driftwatch.judge.hosts.base import Act, Hints, Host, Sure
from driftwatch.judge.hosts.effects import Turn, as_effects, sentence, turns, turns_by_hint
from driftwatch.judge.hosts.table import HOSTS, find

__all__ = ["HOSTS", "Act", "Hints", "Host", "Sure", "Turn", "as_effects", "find", "sentence", "turns", "turns_by_hint"]
