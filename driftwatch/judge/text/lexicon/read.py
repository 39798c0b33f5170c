"""Read the plain notation of the lexicon files: `CONCEPT: term, term, …`, going on in the next lines."""

from __future__ import annotations


def read(text: str) -> dict[str, tuple[str, ...]]:
    """Give concept → terms. A line that starts with a capitalised word and a colon opens a concept."""
    concepts: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in text.splitlines():
        head, colon, rest = line.partition(": ")
        if colon and head.isascii() and head.isupper() and head.isalpha():
            name, line = head, rest  # noqa: PLW2901
        terms = tuple(term.strip() for term in line.split(",") if term.strip())
        if terms:
            concepts[name] = (*concepts.get(name, ()), *terms)
    return concepts
