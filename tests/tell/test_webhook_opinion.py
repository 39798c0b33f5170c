"""What a second opinion said, in a webhook: always there to be read, and always safe to show."""

from __future__ import annotations

import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from test_webhook_body import NOW, VALIDATOR, event, finding

from driftwatch.model import Confidence, Opinion, Severity
from driftwatch.tell.payload import body, encode

ANY = st.text(max_size=700)


def told(opinion: Opinion | None) -> Any:
    message = body(event(finding(opinion=opinion)), now=NOW, public_url=None)
    VALIDATOR.validate(message)
    encode(message)
    return message["data"]["findings"][0]["opinion"]


def test_it_says_what_the_model_said_and_what_came_of_it() -> None:
    opinion = Opinion("small", True, "secrecy", Confidence.HIGH, "send it", "It sends.", was=Severity.LOW)

    assert told(opinion) == {
        "model": "small",
        "injection": True,
        "category": "secrecy",
        "confidence": "high",
        "quote": "send it",
        "why": "It sends.",
        "trouble": "",
        "was": "low",
        "message": "A second opinion (model small) says: an instruction to models (secrecy); how sure it is: high. It "
        "means “send it”. Its own words: “It sends.”. That raised it from low.",
    }


def test_it_is_null_where_nobody_was_asked() -> None:
    assert told(None) is None


@given(ANY, ANY, ANY, ANY, st.sampled_from([None, True, False]))
def test_whatever_the_model_said_is_safe_to_show(
    model: str, quote: str, why: str, trouble: str, injection: bool | None
) -> None:
    found = told(Opinion(model, injection, "secrecy", Confidence.LOW, quote, why, trouble))

    shown = "".join(found[key] for key in ("model", "quote", "why", "trouble", "message"))
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
