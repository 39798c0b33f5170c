"""The documents as tests read them: pages, blocks of commands, links, and the headings that links lead to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>[a-z]*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
_EXCUSE = re.compile(r"\*Not run by the tests: (.+?)\*\s*\Z", re.DOTALL)
_LINK = re.compile(r"!?\[[^\]\n]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """One block of a page: its language, its text, and why the tests do not run it, if they do not."""

    language: str
    text: str
    excuse: str


def pages() -> list[Path]:
    """Give every page: those of docs, deploy and the folder of the project."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]
    return sorted(found)


def blocks(page: Path) -> list[Block]:
    """Give the blocks of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        excuse = _EXCUSE.search(text[: match.start()])
        found.append(Block(match["language"], match["text"], excuse[1] if excuse else ""))
    return found


def links(page: Path) -> Iterator[str]:
    """Give what the links of a page lead to; what stands in blocks is no link."""
    yield from _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """Give the places of a page that a link can name: its headings as GitHub spells them, and those set by hand."""
    text = page.read_text(encoding="utf-8")
    by_hand = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", _BLOCK.sub("", text), re.MULTILINE):
        plain = re.sub(r"<[^>]*>", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = next(n for n in range(1000) if (f"{slug}-{n}" if n else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return by_hand | found
