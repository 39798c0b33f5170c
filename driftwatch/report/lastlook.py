"""How the last complete look at a server went, beside what it showed: in plain words, and for programs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from driftwatch.model import Json, Listing, Page
from driftwatch.model.amounts import many

_YEAR = 366 * 86_400_000
"""Milliseconds beyond which the exact freshness tells a person nothing."""


def look_json(listing: Listing | None) -> Json:
    """Give it for programs, None before the first complete look."""
    if listing is None:
        return None
    return {
        "protocol_version": listing.protocol_version,
        "era": listing.era.value if listing.era else None,
        "pages": [_page_json(page) for page in listing.pages],
        "asked": list(listing.asked),
        "noise_lines": listing.noise_lines,
        "received_bytes": listing.received_bytes,
    }


def _page_json(page: Page) -> dict[str, Json]:
    return {
        "method": page.method,
        "number": page.number,
        "items": page.items,
        "ttl_ms": page.ttl_ms,
        "cache_scope": page.cache_scope,
        "odd": page.odd,
    }


def list_words(listing: Listing) -> Iterator[tuple[str, str]]:
    """Give for each list, by the method that it is had by, how it came and how fresh it calls itself."""
    for method, pages in groupby(listing.pages, key=lambda page: page.method):
        yield method, _list_words(list(pages))


def spoken_words(listing: Listing) -> str:
    """Say how it was spoken to, and how much came."""
    spoken = f"protocol {listing.protocol_version} ({listing.era.value} era)" if listing.era else "a file"
    came = "received" if listing.era else "read"
    return f"{spoken}, {many(listing.received_bytes, 'byte')} {came}"


def amiss_words(listing: Listing) -> Iterator[str]:
    """Give a sentence for each thing that a server should not do while it lists."""
    if listing.asked:
        yield f"It asked for {_joined(listing.asked)} while it listed and was declined."
    if listing.noise_lines:
        yield f"It wrote {many(listing.noise_lines, 'log line')} on its standard output or event stream."


def _list_words(pages: Sequence[Page]) -> str:
    """Say how a list came, and how fresh each of its pages is said to be."""
    if not pages[0].number:
        return "declared, but the server does not know it"
    if pages[0].method == "server/discover":
        return _freshness(pages[0])
    came = f"{many(sum(page.items for page in pages), 'item')} on {many(len(pages), 'page')}"
    alike = [list(run) for _, run in groupby(pages, key=lambda page: (page.ttl_ms, page.cache_scope, page.odd))]
    if len(alike) == 1:
        return f"{came}, {_freshness(pages[0])}"
    return "; ".join([came, *(f"{_numbers(run)}: {_freshness(run[0])}" for run in alike)])


def _numbers(run: Sequence[Page]) -> str:
    first, last = run[0].number, run[-1].number
    return f"page {first}" if first == last else f"pages {first} to {last}"


def _freshness(page: Page) -> str:
    """Say what a page says of its own freshness, for whom it may be cached, and what is odd in that."""
    odd = f" (odd: {page.odd})" if page.odd else ""
    return f"{_usable(page)}{odd}"


def _usable(page: Page) -> str:
    scope = f"cache scope {page.cache_scope}" if page.cache_scope else "no cache scope given"
    if page.ttl_ms is None:
        return f"no freshness given, {scope}"
    if page.ttl_ms == 0:
        return f"stale at once, {scope}"
    lasts = "more than a year" if page.ttl_ms > _YEAR else f"{page.ttl_ms / 1000:.12g} s"
    return f"fresh for {lasts}, {scope}"


def _joined(words: Sequence[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last
