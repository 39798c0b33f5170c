"""What is known beside two lists: other servers, how the list came to be seen, whom it was shown to.

Plain data that the rules may read. A comparison of two files has none of it (`NO_FACTS`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """What is known beside the lists. `server` is the configured name, empty where there is none."""

    server: str = ""


NO_FACTS = Facts()
"""Nothing is known but the lists themselves."""
