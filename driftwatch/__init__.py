"""driftwatch tells people when an MCP server that they approved is no longer the server that they approved.

The public Python interface is `compare`, `scan` and the shapes that they return. Importing this package
imports neither the daemon nor the database nor the web server; the judge is loaded on first use.
"""

from typing import TYPE_CHECKING, Any

from driftwatch.model import Confidence, Finding, Kind, Report, Severity, Span

if TYPE_CHECKING:
    from driftwatch.judge.judge import compare, scan

__all__ = ["Confidence", "Finding", "Kind", "Report", "Severity", "Span", "compare", "scan"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the judge when `compare` or `scan` is first asked for."""
    if name not in {"compare", "scan"}:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from driftwatch.judge import judge  # noqa: PLC0415

    return getattr(judge, name)
