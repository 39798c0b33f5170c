"""The reference in the documentation is what the schema says, and nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

from driftwatch.config import warnings
from driftwatch.config.build import ENVIRONMENT
from driftwatch.config.channels import KINDS, ChannelConfig
from driftwatch.config.load import parse
from driftwatch.config.reference import describe, insert, main, render

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_every_key_is_documented_and_every_documented_key_exists() -> None:
    documented = re.findall(r"^\| `([a-z_]+\.[A-Za-z_.\[\]]+)` \|", DOCUMENT, re.MULTILINE)

    assert documented == [key.path for key in describe()]
    assert len(documented) == len({(key.path, key.kind) for key in describe()})


def test_what_every_channel_has_is_documented_once_and_the_rest_kind_by_kind() -> None:
    by_kind = {kind: {key.path.rpartition(".")[2] for key in describe() if key.kind == kind} for kind in KINDS}

    assert by_kind["webhook"] == {"url", "secret", "old_secret", "headers"}
    for kind, table in KINDS.items():
        assert by_kind[kind] == table.model_fields.keys() - ChannelConfig.model_fields.keys()
        assert f'### `[channels.NAME]` with `kind = "{kind}"`' in DOCUMENT


def test_every_key_says_what_it_is() -> None:
    for key in describe():
        assert key.type, key
        assert key.default, key
        assert key.description.rstrip("`").endswith((".", ")")), key


def test_the_reference_in_the_document_is_up_to_date() -> None:
    assert render() in DOCUMENT, "run: python -m driftwatch.config.reference docs/configuration.md"
    assert insert(DOCUMENT) == DOCUMENT


def test_writing_the_reference_changes_only_what_is_between_the_marks(tmp_path: Path) -> None:
    path = tmp_path / "configuration.md"
    path.write_text(re.sub(r"\| `daemon\.grace`.*\n", "", DOCUMENT), encoding="utf-8")

    main([str(path)])

    assert path.read_text(encoding="utf-8") == DOCUMENT
    with pytest.raises(ValueError, match="no place"):
        insert("nothing here")


def test_every_variable_is_documented() -> None:
    documented = set(re.findall(r"^\| `(DRIFTWATCH_[A-Z_]+)` \|", DOCUMENT, re.MULTILINE))

    assert documented == set(warnings.VARIABLES) == {*ENVIRONMENT, "DRIFTWATCH_CONFIG"}


def test_the_examples_in_the_document_can_be_used(tmp_path: Path) -> None:
    key = "whsec_" + "A" * 32
    blocks = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)

    environ = {"DOCS_TOKEN": "x", "DRIFTWATCH_WEBHOOK_SECRET": key, "PAGERDUTY_KEY": "k"}
    environ |= dict.fromkeys(("SLACK_URL", "HEARTBEAT_URL"), "https://example.com/x")

    settings = [parse(text, environ, base=tmp_path) for text in blocks]

    assert [(len(one.servers), len(one.channels), len(one.routes)) for one in settings] == [
        (2, 1, 0),
        (0, 3, 0),
        (1, 2, 2),
        (0, 0, 0),
    ]
    assert not [line for one in settings for line in one.warnings if line.startswith(("routes", "alerts"))]


def test_the_sample_shows_only_keys_that_exist_also_in_its_comments() -> None:
    text = (ROOT / "deploy" / "driftwatch.toml").read_text(encoding="utf-8")
    known = {key.path.rpartition(".")[2] for key in describe()}

    commented = re.findall(r"^# (\w+) = ", text, re.MULTILINE)

    assert commented
    assert set(commented) <= known
    assert tomllib.loads(text)
