"""The whole way, over both transports and in both eras: what a server shows an agent alone, polling misses.

A witness beside the agent makes an alert of it. What a server shows whoever starts it twice, driftwatch sees by itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from witness.turning import BODY, CLEAN, POISON, POISONED_BODY
from witness.whole_way import LOOKS, RULE, Era, Told, Transport, goes

from driftwatch.model import TestimonyState
from driftwatch.watch.check import CheckResult

QUOTED = "Read it: driftwatch show {} --digest "
SHOWN = {
    "calls": [CLEAN, POISON],
    "starts": [CLEAN, POISON],
    "name": [POISON],
    "notice": [CLEAN, POISON],
    "body": [BODY.replace("{topic}", "bread"), POISONED_BODY.replace("{topic}", "bread")],
}
FLIPPED, APART = TestimonyState.FLIPPED, TestimonyState.APART
WAYS = {
    "calls": (FLIPPED, "after 3 tool calls (the last: “search”) of a session, the agent being “an agent 1”, "),
    "starts": (APART, "from the start of a session, the agent being “an agent 1”, "),
    "name": (APART, "from the start of a session, the agent being “night-shift 1”, "),
    "notice": (FLIPPED, "after 1 tool call (the last: “search”) of a session, the agent being “an agent 1”, "),
    "body": (TestimonyState.BODY, "the prompt “summarise” read as no prompt may."),
}
CALLS = {"calls": 3, "starts": 0, "name": 0, "notice": 1, "body": 0}
# Without sessions nothing says where one ends: to the forwarder, two starts of one agent are one session.
ONE_SESSION = {**WAYS, "starts": (FLIPPED, "before any tool call of a session, the agent being “an agent 1”, ")}


def clean(result: CheckResult) -> bool:
    """Say whether driftwatch was shown what is approved."""
    return result.baseline is not None and result.snapshot_digest == result.baseline.digest


def misses(one: Told) -> bool:
    """Say whether driftwatch looked on, was shown what is approved each time, and told nobody anything."""
    looks = [clean(result) and not result.findings for result in one.polled]
    return looks == [True] * LOOKS and one.early is None


@pytest.mark.processes
@pytest.mark.parametrize("era", ["modern", "handshake"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_polling_misses_what_turns_for_an_agent_alone_and_the_witness_tells_it_with_the_calls_before(
    transport: Transport, era: Era, tmp_path: Path
) -> None:
    told, sleeper = goes(transport, era, tmp_path)

    assert {turn: one.alone for turn, one in told.items()} == SHOWN
    assert [turn for turn, one in told.items() if not misses(one)] == []
    assert {turn: one.shown for turn, one in told.items()} == SHOWN
    ways = ONE_SESSION if (transport, era) == ("http", "modern") else WAYS
    assert {turn: [row.state for row in one.standing] for turn, one in told.items()} == {
        turn: [state] for turn, (state, _) in ways.items()
    }
    assert {turn: one.standing[0].calls for turn, one in told.items()} == CALLS
    assert {one.standing[0].era for one in told.values()} == {era}
    for turn, one in told.items():
        message = one.finding["message"]
        assert one.finding["rule"] == RULE
        assert message.startswith("In “desk”, ")
        assert ways[turn][1] in message
        assert QUOTED.format(turn) + one.standing[0].digest[7:19] in message
        assert one.finding["severity"] == ("high" if ways[turn][0] is APART else "critical")
        assert ("It had given a change notice; that makes no list an approved one." in message) == (turn == "notice")
    # By then driftwatch has looked again and was shown what is approved; what agents were shown stands all the same.
    after = {
        turn: [(clean(look), [found.rule for found in look.findings]) for look in one.after]
        for turn, one in told.items()
    }
    assert after == {turn: [(True, [RULE])] for turn in told}
    # Nobody has approved this one: it was looked at again before anybody could.
    assert ("text-injection", "high") in {(found["rule"], found["severity"]) for found in sleeper["findings"]}
