"""Addresses of pages that need more than a name in them. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from driftwatch.model import Place


def item_href(server: str, place: Place, digest: str = "") -> str:
    """Give the address of one item of a server, as it is now or as it was in the list `digest`.

    A name with a lone surrogate, which no address can carry, goes as the inside of an ASCII JSON string.
    """
    kind, key, occurrence = place
    try:
        key.encode()
        asked = {"key": key}
    except UnicodeEncodeError:
        asked = {"wire": json.dumps(key)[1:-1]}
    asked |= {"occurrence": str(occurrence)} if occurrence else {}
    asked |= {"digest": digest} if digest else {}
    return f"/servers/{quote(server, safe='')}/items/{kind.value}?{urlencode(asked)}"


def query_of(asked: Mapping[str, object]) -> str:
    """Write filters as the query of an address, those that say nothing left out."""
    return urlencode({key: str(value) for key, value in asked.items() if value not in (None, "", False)})


def read_key(key: str, wire: str) -> str | None:
    """Read the name of an item out of such an address; None when it cannot be one."""
    if not wire:
        return key
    try:
        return str(json.loads(f'"{wire}"'))
    except ValueError:
        return None
