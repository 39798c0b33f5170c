"""Secrets that the service manager hands over."""

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.errors import ConfigError


def test_a_secret_that_the_service_manager_hands_over(tmp_path: Path) -> None:
    (tmp_path / "docs-token").write_text("from-a-credential\n")
    text = '[servers.docs]\nurl = "https://e.com"\nbearer = {credential = "docs-token"}'

    docs = parse(text, {"CREDENTIALS_DIRECTORY": str(tmp_path)}, base=tmp_path / "elsewhere").server("docs")

    assert docs.headers["Authorization"].reveal() == "Bearer from-a-credential"


def test_a_credential_that_was_not_handed_over_is_named(tmp_path: Path) -> None:
    text = '[servers.docs]\nurl = "https://e.com"\nbearer = {credential = "docs-token"}'

    with pytest.raises(ConfigError, match="docs-token is not among those that the service was given"):
        parse(text, {"CREDENTIALS_DIRECTORY": str(tmp_path)}, base=tmp_path)
