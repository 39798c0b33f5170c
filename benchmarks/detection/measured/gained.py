"""The cases of which a baseline exists: poison that arrives as a change, and honest changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.detection.measure import DOCUMENTS, KINDS
from benchmarks.detection.measure import rows as changes
from benchmarks.detection.measured.cases import (
    CHANGED,
    FIRST_SIGHT,
    GAINED,
    HONEST,
    INJECTION,
    OWN,
    SAMPLE,
    UNSEEN,
    Case,
)
from benchmarks.detection.measured.pairs import GIVEN, pair
from benchmarks.detection.measured.sources import Shelf, part_of, publisher, quotable, rows
from benchmarks.honest_releases import Step
from benchmarks.honest_releases import captures as captured
from benchmarks.honest_releases import histories as recorded

UNSEEN_FOLDER = DOCUMENTS.parent / "unseen"
WRITTEN = "written for this project"

_DISGUISES = frozenset({"pseudo_tag", "html_comment", "unicode.invisible", "ansi"})
"""What published samples name among the places, and is a disguise."""

_SPELT = {
    "ansi": "ansi-escapes",
    "ansi-escape": "ansi-escapes",
    "bidi-controls": "bidi",
    "bidi-reversed": "bidi",
    "homoglyphs": "look-alike",
    "link-title": "markdown-link-title",
    "markdown-image-alt": "image-alt",
    "spaced-out": "spaced-letters",
}
"""One name for each disguise, where writers chose several."""


def poisoned(shelf: Shelf) -> Iterator[Case]:
    """Give every published attack as a change of an approved tool or list."""
    for number, row in enumerate(rows("poisoned")):
        made = pair(row, shelf)
        yield published(f"poisoned/{number}", row, GAINED, made.live, made.before, how=made.how, text=made.text)


def published(
    name: str, row: Mapping[str, Any], mode: str, live: Any, before: Any = None, *, how: str = "", text: str = ""
) -> Case:
    """Make the case of one published attack."""
    source = publisher(row)
    found = row.get("injection_location", ["whole change"])
    disguises = [one for one in found if one in _DISGUISES]
    places = [one for one in found if one not in _DISGUISES]
    kinds = {
        "attack": row["attack"],
        "position": places[0] if places else "",
        "disguise": disguises[0] if disguises else "none",
        "language": row.get("lang", "en"),
        "source": source,
    }
    label = INJECTION if row["strength"] == "injection" else row["strength"]
    return Case(
        name,
        name.partition("/")[0],
        mode,
        source,
        part_of(source),
        label,
        live,
        before,
        server=row["server"],
        kinds={**kinds, "pair": how} if how else kinds,
        pair=how,
        text=text,
        quotable=quotable(row["license"]),
    )


def rugpull_pairs(shelf: Shelf) -> Iterator[Case]:
    """Give every tool that was published before and after it turned, beside an approved list."""
    for number, row in enumerate(rows("rugpull_pairs")):
        was, now = (version["tool"] for version in row["versions"])
        beside = shelf.beside(now.get("description") or "", without=(was["name"], now["name"]))
        before, live = {"tools": [was, *beside]}, {"tools": [now, *beside]}
        text = now.get("description") or ""
        yield published(f"rugpull_pairs/{number}", row, GAINED, live, before, how=GIVEN, text=text)


def subtle_pairs(mode: str = GAINED) -> Iterator[Case]:
    """Give the sample of the subtle set: injections and honest twins."""
    for row in rows("subtle_pairs"):
        spans, live = list(_single(row["span"])), row["live"]
        kinds = {
            "category": row.get("category"),
            "disguise": row.get("disguise") or "none",
            "language": row["lang"],
            "position": row["position"],
            "tone": row.get("tone"),
            "honest kind": row.get("kind"),
        }
        yield Case(
            f"subtle_pairs/{row['id']}",
            "subtle_pairs",
            mode,
            WRITTEN,
            SAMPLE,
            INJECTION if row["label"] == "poisoned" else HONEST,
            live,
            row["baseline"] if mode == GAINED else None,
            units=_units(_whose(live, span["pointer"]) for span in spans) if mode == FIRST_SIGHT else (),
            server=row["carrier"]["server"],
            kinds={name: value for name, value in kinds.items() if value},
            text=" … ".join(_at(live, span) for span in spans),
            quotable=quotable(row["carrier"]["license"]),
        )


def documents(folder: Path, mode: str = GAINED, *, hidden: bool = False) -> Iterator[Case]:
    """Give the changes that independent writers made for this project: injections and honest twins.

    Of `hidden` ones no text is kept, so that none can be shown.
    """
    for row in changes(sorted(folder.glob("*.jsonl"))):
        spans = row["span"] if isinstance(row["span"], list) else [row["span"]]
        kinds = {name: row.get(name) or "" for name in KINDS}
        kinds["disguise"] = _SPELT.get(kinds["disguise"], kinds["disguise"])
        yield Case(
            f"{folder.name}/{row['id']}",
            folder.name,
            mode,
            WRITTEN,
            UNSEEN if hidden else OWN,
            row["label"],
            row["after"],
            row["before"] if mode == GAINED else None,
            units=_units(_unit(span["item"]) for span in spans) if mode == FIRST_SIGHT else (),
            server=str(row["after"].get("serverInfo", {}).get("name", "")),
            kinds={name: value for name, value in kinds.items() if value},
            text="" if hidden else " … ".join(_said(row["after"], span) for span in spans),
            quotable=not hidden,
            twin=f"{folder.name}/{row['twin']}",
        )


def hard_negative_drifts(shelf: Shelf) -> Iterator[Case]:
    """Give the honest changes that add text which looks like instructions, beside the tools of the same server."""
    for number, row in enumerate(rows("hard_negative_drifts")):
        before, after = row["before"], row["after"]
        beside = shelf.of(row["server"], without=(before["name"], after["name"]))
        yield _honest(
            f"hard_negative_drifts/{number}",
            row["server"],
            {"tools": [before, *beside]},
            {"tools": [after, *beside]},
            text=" … ".join(row["inserted"]) if isinstance(row["inserted"], list) else str(row["inserted"]),
            quotable=quotable(row["license"]),
        )


def histories() -> Iterator[Case]:
    """Give every step of the servers in public repositories; each item that changed counts."""
    yield from _steps("histories", recorded())


def captures() -> Iterator[Case]:
    """Give every step between releases that were seen on the wire; each item that changed counts."""
    yield from _steps("captures", captured())


def _steps(name: str, steps: Iterable[Step]) -> Iterator[Case]:
    for step in steps:
        row = f"{name}/{step.server} {step.before} → {step.after}"
        yield _honest(row, step.server, step.baseline, step.live, units=CHANGED)


def _honest(name: str, server: str, before: Any, live: Any, **more: Any) -> Case:
    part = part_of(server)
    kind = {"server": server}
    return Case(
        name, name.partition("/")[0], GAINED, server, part, HONEST, live, before, server=server, kinds=kind, **more
    )


def _single(span: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Give the spans one by one where an injection is split over several places."""
    if isinstance(span["pointer"], str):
        yield span
        return
    for pointer, start, end in zip(span["pointer"], span["start"], span["end"], strict=True):
        yield {**span, "pointer": pointer, "start": start, "end": end}


def _units(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _whose(document: Any, pointer: str) -> str:
    """Give the item of a document that a pointer into it leads to, as a unit."""
    section, *rest = pointer.strip("/").split("/")
    if section not in {"tools", "prompts", "resources", "resourceTemplates"}:
        return "server:"
    item = document[section][int(rest[0])]
    key = item.get("uri") or item.get("uriTemplate") or item.get("name")
    return f"{_KIND[section]}:{key}"


_KIND = {"tools": "tool", "prompts": "prompt", "resources": "resource", "resourceTemplates": "resource_template"}


def _unit(item: str) -> str:
    """Give an item as the documents name it as a unit."""
    return item if ":" in item else f"{item}:"


def _said(document: Any, span: Mapping[str, Any]) -> str:
    kind, _, key = str(span["item"]).partition(":")
    for section, named in _KIND.items():
        if named == kind:
            fitting = [one for one in document.get(section, []) if key in (one.get("name"), one.get("uri"))]
            return _at(fitting[0], span) if fitting else ""
    return _at(document, span)


def _at(document: Any, span: Mapping[str, Any]) -> str:
    """Give the text of a span; the name itself where it points at one, and nothing where it leads nowhere."""
    value = document
    steps = [step.replace("~1", "/").replace("~0", "~") for step in str(span["pointer"]).split("/")[1:]]
    if span.get("target") == "key":
        return steps[-1]
    for step in steps:
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return ""
    return value[span["start"] : span["end"]] if isinstance(value, str) else ""
