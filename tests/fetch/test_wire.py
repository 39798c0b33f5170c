"""The record of one connection."""

from __future__ import annotations

import json

import pytest

from driftwatch.config.schema import Limits
from driftwatch.watch.fetch.wire import Wire

ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def test_a_list_that_was_read_is_not_kept_on_the_connection() -> None:
    wire = Wire(Limits())
    wire.sent(ASKED)
    await wire.heard(b'{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}')

    first, second = wire.take_answer("tools/list"), wire.take_answer("tools/list")

    assert first is not None
    assert first.result == {"tools": []}
    assert second is None


@pytest.mark.parametrize("said", ["1", "1.0", '"1"', '" 1"', '"1.0"', '"0x1"', '"1e0"', '"+1"', '"\\ufeff1"', '"١"'])
async def test_an_answer_under_any_id_that_agents_take_for_its_own_is_taken_and_handed_on_under_the_one_that_was_sent(
    said: str,
) -> None:
    wire = Wire(Limits())
    wire.sent(ASKED)

    handed = await wire.heard(f'{{"jsonrpc": "2.0", "id": {said}, "result": {{"tools": [{{"name": "a"}}]}}}}'.encode())

    answer = wire.answer("tools/list")
    assert answer is not None
    assert answer.result == {"tools": [{"name": "a"}]}
    assert handed is not None
    assert json.loads(handed)["id"] == 1


@pytest.mark.parametrize("said", ["2", "1.5", "true", "[1]", "{}", '"one"', '"1 2"', "1e999"])
async def test_an_answer_under_another_id_is_not_ours(said: str) -> None:
    wire = Wire(Limits())
    wire.sent(ASKED)

    handed = await wire.heard(f'{{"jsonrpc": "2.0", "id": {said}, "result": {{"tools": []}}}}'.encode())

    assert handed is None
    assert wire.answer("tools/list") is None


async def test_an_error_without_an_id_answers_the_one_request_that_is_open() -> None:
    wire = Wire(Limits())
    wire.sent(ASKED)

    handed = await wire.heard(b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "what?"}}')

    assert handed is not None
    assert json.loads(handed)["id"] == 1
