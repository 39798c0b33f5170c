"""What is advised of what an agent was shown can be copied into a shell, whatever the witness is called."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from witness_desk import GOOD, POISONED, WitnessDesk

from driftwatch.model.testimony import is_witness_name, witness_name

NAMES = [
    "$(touch X)",
    "`touch X`",
    'a" --yes; touch X; "',
    "a' ; touch X ; '",
    "a\u202e\n$(touch X)",
    "!!",
    "--help",
    "*",
]
ADVISED = re.compile(r"driftwatch (?:show|diff|approve|reject|witness) .*?(?=\.?(?:\s[A-Z]|\n|$))")


@pytest.mark.parametrize("name", NAMES)
async def test_a_finding_advises_the_list_by_its_digest_and_never_by_the_name(tmp_path: Path, name: str) -> None:
    desk = WitnessDesk(tmp_path)
    await desk.approved()

    await desk.session(GOOD, POISONED, witness=name)

    digest = desk.store.testimonies("notes")[-1].digest[7:19]
    (line,) = ADVISED.findall(desk.finding().message)
    assert shlex.split(line) == ["driftwatch", "show", "notes", "--digest", digest]


@pytest.mark.parametrize("name", [*NAMES, "", " ", "a" * 200, "\ud800", "Desk (work)"])
def test_a_witness_hands_in_under_a_name_that_no_shell_reads(name: str) -> None:
    plain = witness_name(name)

    assert is_witness_name(plain)
    assert shlex.split(f'"witness of {plain}"') == [f"witness of {plain}"]
    assert plain.replace(" ", "").translate({ord(sign): None for sign in "._-:@/+,"}).isalnum()


@pytest.mark.parametrize("name", ["claude-desktop", "Büro 2", "客户端", "team/gateway:8080", "ann@desk", "हिन्दी"])
def test_a_name_of_any_language_stays_as_it_is(name: str) -> None:
    assert is_witness_name(name)
    assert witness_name(name) == name
