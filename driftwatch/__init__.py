"""driftwatch tells people when an MCP server that they approved is no longer the server that they approved.

The public Python interface is `compare`, `scan` and the shapes that they return. Importing this package
imports neither the daemon nor the database nor the web server.
"""

from driftwatch.judge.judge import compare, scan
from driftwatch.model import Confidence, Finding, Kind, Report, Severity, Span

__all__ = ["Confidence", "Finding", "Kind", "Report", "Severity", "Span", "compare", "scan"]
__version__ = "0.1.0"
