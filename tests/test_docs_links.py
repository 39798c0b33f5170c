"""Every link between pages leads somewhere, and every page is found from the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import ROOT, anchors, links, pages

DOCS = ROOT / "docs"


def broken(page: Path) -> list[str]:
    found = []
    for link in links(page):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert broken(page) == []


def test_the_index_names_every_page() -> None:
    named = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    every = {page for page in DOCS.rglob("*.md") if page.parent.name != "decisions"} - {DOCS / "README.md"}

    assert every - named == set()
