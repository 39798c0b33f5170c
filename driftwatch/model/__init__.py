"""The nouns of driftwatch: frozen values that every room shares.

Nothing here does I/O, reads a clock or judges. Wire names keep their wire spelling inside JSON
Pointers (RFC 6901) and raw items; Python names are snake_case. Times are aware `datetime`s in UTC.
"""

from driftwatch.model.judged import Axis, Confidence, Effect, Finding, Report, Severity, Span, worst_of
from driftwatch.model.looked import (
    Baseline,
    BaselineState,
    Decision,
    Era,
    Failure,
    Listed,
    Listing,
    Malformed,
    Outcome,
    Page,
    Refused,
    Review,
    ServerState,
    Sighting,
    Unreachable,
)
from driftwatch.model.shown import Change, ChangeKind, Document, Item, Json, Kind, Oddity, Snapshot
from driftwatch.model.told import (
    Alert,
    AlertKind,
    AlertState,
    Delivery,
    DeliveryState,
    Event,
    EventKind,
    SendResult,
    SendVerdict,
)

__all__ = [
    "Alert",
    "AlertKind",
    "AlertState",
    "Axis",
    "Baseline",
    "BaselineState",
    "Change",
    "ChangeKind",
    "Confidence",
    "Decision",
    "Delivery",
    "DeliveryState",
    "Document",
    "Effect",
    "Era",
    "Event",
    "EventKind",
    "Failure",
    "Finding",
    "Item",
    "Json",
    "Kind",
    "Listed",
    "Listing",
    "Malformed",
    "Oddity",
    "Outcome",
    "Page",
    "Refused",
    "Report",
    "Review",
    "SendResult",
    "SendVerdict",
    "ServerState",
    "Severity",
    "Sighting",
    "Snapshot",
    "Span",
    "Unreachable",
    "worst_of",
]
