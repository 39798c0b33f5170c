"""driftwatch tells people when an MCP server that they approved is no longer the server that they approved.

The public Python interface is `compare`, `scan` and the shapes that they return. Importing this package
imports nothing else; the judge and the shapes are loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # As type checkers know it: to load `typing` takes as long as Python itself.
if TYPE_CHECKING:
    from typing import Any

    from driftwatch.judge.judge import compare, scan
    from driftwatch.model import Confidence, Finding, Kind, Report, Severity, Span

__all__ = ["Confidence", "Finding", "Kind", "Report", "Severity", "Span", "compare", "scan"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load what is first asked for."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    if name in {"compare", "scan"}:
        from driftwatch.judge import judge  # noqa: PLC0415

        return getattr(judge, name)
    from driftwatch import model  # noqa: PLC0415

    return getattr(model, name)
