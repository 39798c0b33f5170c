"""The page of all metrics, the dashboard and the alert rules: each says what there is."""

from __future__ import annotations

from pathlib import Path

from driftwatch.run.metrics_page import BEGIN, main, render

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_page_is_what_the_catalogue_gives() -> None:
    said = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")

    assert said[said.index(BEGIN) :] == render(), "write it anew: make docs"


def test_the_page_is_written_below_its_mark_and_what_stands_before_stays(tmp_path: Path) -> None:
    page = tmp_path / "metrics.md"
    page.write_text(f"Mine.\n{BEGIN}\nold", encoding="utf-8")

    main(page)
    main(page)

    assert page.read_text(encoding="utf-8") == "Mine.\n" + render()
