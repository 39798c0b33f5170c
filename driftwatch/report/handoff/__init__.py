"""The approved set in the form of an allow-list that hosts and gateways read: for those who want to block as well.

One file a host. Only forms that a host documents, or whose code was read, are here.
"""

from driftwatch.report.handoff.base import Approved, Fragment, Handoff
from driftwatch.report.handoff.make import hand_off
from driftwatch.report.handoff.registry import HANDOFFS, named

__all__ = ["HANDOFFS", "Approved", "Fragment", "Handoff", "hand_off", "named"]
