"""What is read of an installed package, which may be laid out to hold its reader up."""

from __future__ import annotations

import json
import os
from pathlib import Path

from driftwatch.watch.supply.installed import npm_in


def _package(folder: Path) -> Path:
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "tickets-mcp", "version": "1.2.0"}))
    (folder / "index.js").write_text("")
    return folder


def test_a_package_that_goes_deeper_than_anybody_looks_has_no_files_and_is_known_all_the_same(tmp_path: Path) -> None:
    plain, deep = _package(tmp_path / "plain"), _package(tmp_path / "deep")
    at = os.open(deep, os.O_RDONLY)
    for _ in range(120):
        os.mkdir("d", dir_fd=at)
        inner = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)

    found = [npm_in(one) for one in (plain, deep)]

    assert [(one.version, len(one.files)) for one in found if one is not None] == [("1.2.0", 2), ("1.2.0", 0)]
