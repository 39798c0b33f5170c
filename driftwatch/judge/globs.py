"""Globs over names, pointers and rule ids."""

from __future__ import annotations

from fnmatch import fnmatchcase

ANY = "*"
"""The glob that matches everything."""


def fits(glob: str, text: str) -> bool:
    """Say whether a glob matches the whole of a text: `*` and `?` also match `/`, and case counts."""
    return glob == ANY or fnmatchcase(text, glob)
