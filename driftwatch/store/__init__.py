"""Keeping: tables and one Store; one method is one transaction.

Nothing but model objects, and the records below, crosses the door of this room.
"""

from driftwatch.store.records import AlertWrite, Counts, LookRecord
from driftwatch.store.store import Store

__all__ = ["AlertWrite", "Counts", "LookRecord", "Store"]
