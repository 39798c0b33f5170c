"""How the last complete look at a server went, beside what it showed, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from driftwatch.cli.moments import moment
from driftwatch.model import Listing
from driftwatch.report.lastlook import amiss_words, list_words, spoken_words


def look_words(listing: Listing, at: datetime | None) -> Iterator[str]:
    """Give the sentences: how it was spoken to, each list with its pages, and what a server should not do."""
    yield f"Last complete look: {moment(at)}, {spoken_words(listing)}."
    for method, words in list_words(listing):
        yield f"  {method}: {words}"
    yield from amiss_words(listing)
