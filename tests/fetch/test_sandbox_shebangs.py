"""What the first line of a script may have shown to it: a stranger's package may have written that line."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.watch.fetch.sandbox.guard import Guard
from driftwatch.watch.fetch.sandbox.needs import Asked, needs


def _file(place: Path, text: str, *, mode: int = 0o755) -> str:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    place.chmod(mode)
    return str(place)


def _needed(script: str, *, private: Path, tools: str = "/nowhere") -> set[str]:
    asked = Asked((script,), "", "/", lambda command, _: f"{tools}/{command}")
    return needs(asked, Guard.of([], [private])) - {script}


@pytest.mark.parametrize(
    "line",
    ["#!/usr/bin/env -S -u {} sh", "#!{}", "#!/usr/bin/env {}", "#!/usr/bin/env -S A=1 {}", "#!/usr/bin/env -S{}"],
)
def test_a_file_that_is_no_program_is_not_shown_because_a_script_names_it(line: str, tmp_path: Path) -> None:
    key = _file(tmp_path / "keys" / "token", "secret", mode=0o600)
    script = _file(tmp_path / "tool" / "serve", line.format(key) + "\n")

    assert _needed(script, private=tmp_path / "db") == set()


def test_a_fetched_package_names_no_program_of_anybody_else_by_its_place(tmp_path: Path) -> None:
    sandbox = tmp_path / "sandbox"
    others = [_file(tmp_path / "app" / "bin" / "python", "x"), _file(sandbox / "other" / "packages" / "tool", "x")]
    (tmp_path / "app" / "lib").mkdir()
    programs = sandbox / "mine" / "cache" / "node_modules" / ".bin"

    for number, other in enumerate(others):
        script = _file(programs / f"serve{number}", f"#!{other}\n")
        assert _needed(script, private=sandbox) <= {str(programs.parent)}


def test_a_link_that_a_fetched_package_has_on_its_search_path_leads_to_no_program_of_anybody_else(
    tmp_path: Path,
) -> None:
    other = _file(tmp_path / "app" / "node_modules" / "tool", "x")
    programs = tmp_path / "sandbox" / "mine" / "cache" / "node_modules" / ".bin"
    script = _file(programs / "serve", "#!/usr/bin/env python\n")
    (programs / "python").symlink_to(other)

    assert _needed(script, private=tmp_path / "sandbox", tools=str(programs)) <= {str(programs.parent)}


def test_a_fetched_package_is_run_by_what_lies_beside_it_and_by_what_is_on_the_search_path(tmp_path: Path) -> None:
    programs = tmp_path / "sandbox" / "mine" / "cache" / "node_modules" / ".bin"
    script = _file(programs / "serve", "#!/usr/bin/env -S runner --fast\n")
    _file(programs / "runner", "#!/usr/bin/env node\n")
    node = _file(tmp_path / "opt" / "node", "\x7fELF")
    found = {"runner": f"{programs}/runner", "node": node}

    shown = needs(Asked((script,), "", "/", lambda name, _: found.get(name)), Guard.of([], [tmp_path / "sandbox"]))

    assert node in shown
