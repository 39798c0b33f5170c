"""JSON to bytes and back, without losing a detail that a server sent.

Python's own JSON keeps what a canonical form would not: key order, `1.0` beside `1`, NaN, lone surrogates
(escaped as ASCII). Deep values are flattened first, because the reader may stand deeper in the call stack
than the writer did, and a value that can be written but never read again would be lost. So are values with whole
numbers of thousands of digits, which Python refuses to write or read in decimal.
"""

from __future__ import annotations

import json
import zlib

from driftwatch.model import (
    Arrival,
    Axis,
    Confidence,
    Effect,
    Era,
    Finding,
    Json,
    Kind,
    Listing,
    Oddity,
    Opinion,
    Page,
    Severity,
    Span,
)

PLAIN_DEPTH = 100
"""Nesting levels up to which a value is kept as ordinary JSON; Python refuses at about 1,000 stack frames."""

PLAIN_BITS = 10_000
"""Bits of a whole number up to which it is kept in decimal; Python refuses beyond 4,300 digits (14,281 bits)."""

_PLAIN, _FLAT = b"j", b"f"


def pack(value: Json) -> bytes:
    """Give a JSON value as one format byte and zlib-compressed ASCII JSON."""
    plain = _is_plain(value)
    text = json.dumps(value if plain else _flatten(value), ensure_ascii=True, separators=(",", ":"))
    return (_PLAIN if plain else _FLAT) + zlib.compress(text.encode("ascii"))


def unpack(packed: bytes) -> Json:
    """Give back exactly what `pack` was given."""
    value = json.loads(zlib.decompress(packed[1:]))
    return _rebuild(value) if packed[:1] == _FLAT else value


def _is_plain(value: Json) -> bool:
    """Say whether Python's JSON can carry the value both ways; walks level by level, so depth costs no stack."""
    level = [value]
    for _ in range(PLAIN_DEPTH):
        below: list[Json] = []
        for each in level:
            # Most values are text, and every value of every payload and item comes by here.
            if type(each) is str:
                continue
            if isinstance(each, dict):
                below += each.values()
            elif isinstance(each, list):
                below += each
            elif _is_huge(each):
                return False
        if not below:
            return True
        level = below
    return False


def _is_huge(value: Json) -> bool:
    return isinstance(value, int) and value.bit_length() > PLAIN_BITS


def _children(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _flatten(value: Json) -> list[Json]:
    """Give the value in pre-order: scalars as they are, a container as an object that tells its keys or length."""
    tokens: list[Json] = []
    waiting = [value]
    while waiting:
        top = waiting.pop()
        if isinstance(top, dict):
            tokens.append({"keys": list(top)})
        elif isinstance(top, list):
            tokens.append({"length": len(top)})
        elif _is_huge(top):
            tokens.append({"hex": hex(top)})
        else:
            tokens.append(top)
        waiting.extend(reversed(_children(top)))
    return tokens


def _rebuild(tokens: list[Json]) -> Json:
    """Undo `_flatten`: read backwards, a container's children lie on the stack with the first one on top."""
    built: list[Json] = []
    for token in reversed(tokens):
        if not isinstance(token, dict):
            built.append(token)
        elif "keys" in token:
            built.append({key: built.pop() for key in token["keys"]})
        elif "hex" in token:
            built.append(int(token["hex"], 16))
        else:
            built.append([built.pop() for _ in range(token["length"])])
    return built.pop()


def pack_findings(findings: tuple[Finding, ...]) -> bytes:
    """Give findings as packed JSON. The spelling is the store's own; the public one is the report room's."""
    return pack([_finding_to_json(finding) for finding in findings])


def unpack_findings(packed: bytes) -> tuple[Finding, ...]:
    """Give back what `pack_findings` was given."""
    return tuple(_finding_from_json(each) for each in unpack(packed))


def _finding_to_json(finding: Finding) -> Json:
    spans = [[span.pointer, span.start, span.end, span.decoded, span.target] for span in finding.spans]
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "kind": finding.kind.value,
        "item": finding.item,
        "pointer": finding.pointer,
        "message": finding.message,
        "items": list(finding.items),
        "confidence": finding.confidence.value,
        "before": finding.before,
        "after": finding.after,
        "spans": spans,
        "category": finding.category,
        "axis": finding.axis.value,
        "hosts": [[effect.host, effect.was, effect.now, effect.source] for effect in finding.hosts],
        "places": [list(place) for place in finding.places],
        "occurrence": finding.occurrence,
        "hidden": finding.hidden,
        "ruled": finding.ruled.value if finding.ruled else None,
        "parts": list(finding.parts),
        "opinion": opinion_to_json(finding.opinion) if finding.opinion else None,
    }


def _finding_from_json(value: Json) -> Finding:
    named = {
        "severity": Severity(value["severity"]),
        "kind": Kind(value["kind"]),
        "items": tuple(value["items"]),
        "confidence": Confidence(value["confidence"]),
        "spans": tuple(Span(*each) for each in value["spans"]),
        "axis": Axis(value["axis"]),
        "hosts": tuple(Effect(*each) for each in value["hosts"]),
        "places": tuple((item, pointer) for item, pointer in value["places"]),
        "ruled": Severity(value["ruled"]) if value["ruled"] else None,
        "parts": tuple(value["parts"]),
        "opinion": opinion_from_json(value["opinion"]) if value["opinion"] else None,
    }
    return Finding(**{**value, **named})


def opinion_to_json(opinion: Opinion) -> Json:
    """Give an opinion as plain JSON."""
    return {
        "model": opinion.model,
        "injection": opinion.injection,
        "category": opinion.category,
        "confidence": opinion.confidence.value,
        "quote": opinion.quote,
        "why": opinion.why,
        "trouble": opinion.trouble,
        "was": opinion.was.value if opinion.was else None,
    }


def opinion_from_json(value: Json) -> Opinion:
    """Give back what `opinion_to_json` was given."""
    was = Severity(value["was"]) if value["was"] else None
    return Opinion(**{**value, "confidence": Confidence(value["confidence"]), "was": was})


def pack_oddities(oddities: tuple[Oddity, ...]) -> bytes | None:
    """Give oddities as packed JSON, None for none: nearly every item has none."""
    return pack([[each.code, each.pointer, each.detail] for each in oddities]) if oddities else None


def unpack_oddities(packed: bytes | None) -> tuple[Oddity, ...]:
    """Give back what `pack_oddities` was given."""
    return tuple(Oddity(*each) for each in unpack(packed)) if packed else ()


def pack_listing(listing: Listing) -> bytes:
    """Give as packed JSON how a look went."""
    pages = [[page.method, page.number, page.items, page.ttl_ms, page.cache_scope, page.odd] for page in listing.pages]
    return pack(
        {
            "era": listing.era.value if listing.era else None,
            "protocol_version": listing.protocol_version,
            "pages": pages,
            "asked": list(listing.asked),
            "noise_lines": listing.noise_lines,
            "received_bytes": listing.received_bytes,
        }
    )


def unpack_listing(packed: bytes | None) -> Listing | None:
    """Give back what `pack_listing` was given, None for nothing."""
    if packed is None:
        return None
    value = unpack(packed)
    named = {
        "era": Era(value["era"]) if value["era"] else None,
        "pages": tuple(Page(*each) for each in value["pages"]),
        "asked": tuple(value["asked"]),
    }
    return Listing(**{**value, **named})


def pack_arrival(arrival: Arrival | None) -> bytes | None:
    """Give as packed JSON how a list came to be shown; None for the first one."""
    if arrival is None:
        return None
    return pack(
        {
            "previous": arrival.previous,
            "quiet": arrival.quiet,
            "fresh": [[kind.value, ttl_ms] for kind, ttl_ms in arrival.fresh],
            "promised": [kind.value for kind in arrival.promised],
            "noticed": arrival.noticed,
            "eras": list(arrival.eras),
            "protocols": list(arrival.protocols),
            "versions": list(arrival.versions),
        }
    )


def unpack_arrival(packed: bytes | None) -> Arrival | None:
    """Give back what `pack_arrival` was given."""
    if packed is None:
        return None
    value = unpack(packed)
    named = {
        "fresh": tuple((Kind(kind), ttl_ms) for kind, ttl_ms in value["fresh"]),
        "promised": tuple(Kind(kind) for kind in value["promised"]),
        "eras": tuple(value["eras"]),
        "protocols": tuple(value["protocols"]),
        "versions": tuple(value["versions"]),
    }
    return Arrival(**{**value, **named})
