"""Read the plain notation of the lexicon files: `CONCEPT: term, term, …`; a term may go on in the next line."""

from __future__ import annotations


def read(text: str) -> dict[str, tuple[str, ...]]:
    """Give concept → terms. A line that starts with a capitalised word and a colon opens a concept."""
    said: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        head, colon, rest = line.partition(": ")
        if colon and head.isascii() and head.isupper() and head.isalpha():
            name, line = head, f", {rest}"  # noqa: PLW2901
        said[name] = f"{said.get(name, '')} {line}"
    found = {name: tuple(term.strip() for term in words.split(",") if term.strip()) for name, words in said.items()}
    return {name: terms for name, terms in found.items() if terms}
