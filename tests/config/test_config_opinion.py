"""The table of the second opinion."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.schema import Settings
from driftwatch.config.words import InvalidConfigError

ON = '[second_opinion]\nenabled = true\nurl = "http://127.0.0.1:1/v1"\nmodel = "small"\n'


def settings(text: str, **environ: str) -> Settings:
    return parse(text, environ, base=Path("/"))


def problems(text: str) -> str:
    with pytest.raises(InvalidConfigError) as caught:
        settings(text)
    return str(caught.value)


def test_it_is_off_and_asks_nobody() -> None:
    asked = settings("").second_opinion

    assert (asked.enabled, asked.url, asked.model, asked.words) == (False, "", "", "off")


def test_it_names_whom_it_asks_and_its_key_never_prints() -> None:
    text = ON.replace("127.0.0.1", "${WHERE}") + 'api_key = {env = "MODEL_KEY"}\n'

    found = settings(text, WHERE="models.example", MODEL_KEY="key-4711")

    assert found.second_opinion.words == "on (model small at http://${WHERE}:1/v1)"
    assert found.second_opinion.api_key is not None
    assert found.second_opinion.api_key.reveal() == "key-4711"
    assert "4711" not in repr(found) + found.model_dump_json()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("enabled = true", "there is no url"),
        ("enabled = true", "there is no model"),
        ('url = "ftp://x/"', "ftp"),
        ('url = "https://u:p@x.example/"', "user name or password"),
        ("per_hour = 0", "must be at least 1"),
        ("characters = 10", "must be at least 200"),
        ('min_severity = "loud"', "not one of the words"),
        ('api_key = "two words"', "one word without spaces"),
        ('apikey = "x"', "did you mean api_key"),
    ],
)
def test_what_is_wrong_with_it_is_said(text: str, said: str) -> None:
    assert said in problems(f"[second_opinion]\n{text}")


@pytest.mark.parametrize(
    ("url", "key", "said"),
    [
        ("http://127.0.0.1:1/v1", "", ""),
        ("https://models.example/v1", 'api_key = "k"', ""),
        ("http://models.example/v1", "", "anyone on the way can read the texts —"),
        ("http://10.0.0.7/v1", 'api_key = "k"', "anyone on the way can read the texts and the api_key —"),
    ],
)
def test_sending_texts_in_clear_over_a_network_is_a_warning(url: str, key: str, said: str) -> None:
    found = settings(f"{ON.replace('http://127.0.0.1:1/v1', url)}{key}\n").warnings

    warned = [one for one in found if one.startswith("second_opinion.url")]
    assert [said in one for one in warned] == ([True] if said else [])
