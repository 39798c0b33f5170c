"""Hostile names and notes can speak to nobody's terminal, whichever command shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from cli_telling import MARCH, alert, message, silence, told
from cli_world import LOOSENED, Ended

from driftwatch.model import Acknowledged, AlertState
from driftwatch.store import Store

EVIL = "\x1b[2Jgo\u202e\u200b\n\r"


@pytest.mark.parametrize(
    "command",
    [
        ("alerts",),
        ("alerts", "show", "alr_"),
        ("alerts", "show", "alr_", "--full"),
        ("alerts", "route", "alr_", "--explain"),
        ("alerts", "ack", "alr_", "--by", EVIL),
        ("silences",),
        ("silences", "--all"),
        ("silences", "end", "sil_", "--by", EVIL),
        ("deliveries",),
        ("deliveries", "show", "msg_"),
        ("deliveries", "cancel", "msg_", "--by", EVIL),
        ("status",),
    ],
    ids=lambda command: " ".join(word for word in command if word != EVIL),
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_server_or_a_person_wrote_is_escaped(
    say: Callable[..., Ended],
    store: Store,
    command: tuple[str, ...],
    form: str,
) -> None:
    finding = replace(LOOSENED, item=EVIL, message=EVIL, before=EVIL, after=EVIL, pointer=f"/{EVIL}")
    known = Acknowledged(EVIL, MARCH, EVIL)
    kept = alert(findings=(finding,), summary=EVIL, state=AlertState.ACKNOWLEDGED, acknowledged=known)
    told(store, kept, message(kept, last_result=EVIL))
    store.add_silence(silence(rule="*", tool="*", server="*", reason=EVIL, by=EVIL), origin="cli")

    ended = say(*command, "--format", form) if form == "json" and "--full" not in command else say(*command)

    assert ended.code == 0, ended.err
    assert not set("\x1b\u202e\u200b\r") & set(ended.out + ended.err)
