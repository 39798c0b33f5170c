"""The commands of docs/quickstart-systemd.md, by the heading above them: what is proven is what is written."""

from __future__ import annotations

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "quickstart-systemd.md"

_PART = re.compile(r"^## (?P<title>[^\n]+)$|^```sh\n(?P<block>.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(text: str) -> dict[str, list[str]]:
    """Give the blocks of commands of each section, in the order of the document."""
    found: dict[str, list[str]] = {}
    title = ""
    for part in _PART.finditer(text):
        if part["title"]:
            title = part["title"]
        else:
            found.setdefault(title, []).append(part["block"])
    return found
