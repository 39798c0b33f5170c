"""Pins of a key, certificates to trust, and whether to look where a server sends people to sign in."""

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.words import InvalidConfigError

PIN = "sha256/" + "A" * 43 + "="
SERVER = '[servers.git]\nurl = "https://example.com/mcp"\n'


def test_pins_and_a_file_of_certificates_beside_the_configuration(tmp_path: Path) -> None:
    text = SERVER + f'tls_pin = ["{PIN}"]\nca_file = "ours.pem"\noauth_metadata = "on"\n'

    server = parse(text, {}, base=tmp_path).server("git")

    assert (server.tls_pin, server.ca_file, server.oauth_metadata) == ((PIN,), str(tmp_path / "ours.pem"), "on")


def test_nothing_is_pinned_unless_it_is_said(tmp_path: Path) -> None:
    server = parse(SERVER, {}, base=tmp_path).server("git")

    assert (server.tls_pin, server.ca_file, server.oauth_metadata) == ((), None, "auto")


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (SERVER + 'tls_pin = ["sha256/abc"]', "servers.git.tls_pin[0]", "is not a pin"),
        (SERVER + 'tls_pin = ["md5/AAAA"]', "servers.git.tls_pin[0]", "is not a pin"),
        (SERVER + f'tls_pin = "{PIN}"', "servers.git.tls_pin", "expected an array"),
        (SERVER.replace("https", "http") + f'tls_pin = ["{PIN}"]', "servers.git.tls_pin", "shows no key"),
        (SERVER + "oauth_metadata = 'maybe'", "servers.git.oauth_metadata", "is not one of the words"),
        (f'[servers.git]\ncommand = "x"\ntls_pin = ["{PIN}"]', "servers.git.tls_pin", "has no address"),
        ('[servers.git]\ncommand = "x"\nca_file = "a.pem"', "servers.git.ca_file", "has no address"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(text: str, path: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidConfigError) as caught:
        parse(text, {}, base=tmp_path)

    (found,) = caught.value.problems
    assert found.path == path
    assert message in found.message
