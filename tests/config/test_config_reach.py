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


# ------------------------------------------------------------------------------------ certificates, proxies and tokens

TOKEN_OF = '[servers.git.oauth]\nclient_id = "us"\n'
PEM = "-----BEGIN PRIVATE KEY-----"


def test_a_certificate_a_proxy_and_a_client_are_read_and_nothing_of_them_prints(tmp_path: Path) -> None:
    text = (
        SERVER
        + 'proxy = "http://me:hunter2@proxy.example:3128"\naddresses = "public"\n'
        + 'client_cert = { cert = "me.pem", key = "/keys/me.key", password = "hunter2" }\n'
        + TOKEN_OF
        + 'client_secret = { env = "OURS" }\nissuer = "https://login.example"\nscope = "read"\n'
    )

    server = parse(text, {"OURS": "hunter2"}, base=tmp_path).server("git")

    assert (server.client_cert.cert, server.client_cert.key) == (str(tmp_path / "me.pem"), "/keys/me.key")
    assert [one.reveal() for one in server.proofs] == ["http://me:hunter2@proxy.example:3128", "hunter2", "hunter2"]
    assert (server.addresses, server.oauth.is_used, server.oauth.scope) == ("public", True, "read")
    assert "hunter2" not in f"{server!r} {server.model_dump_json()}"


def test_a_token_for_a_server_in_clear_text_is_warned_of(tmp_path: Path) -> None:
    text = SERVER.replace("https", "http") + TOKEN_OF + 'client_secret = "x"\ntoken_url = "https://login.example/token"'

    warned = parse(text, {}, base=tmp_path).warnings

    assert any("anyone on the way can read the" in one and "Authorization" in one for one in warned)


def test_a_proxy_for_all_servers_disturbs_no_local_one(tmp_path: Path) -> None:
    text = '[defaults]\nproxy = "environment"\naddresses = "public"\n' + SERVER + '[servers.here]\ncommand = "x"\n'

    settings = parse(text, {}, base=tmp_path)

    assert settings.server("git").proofs == settings.server("here").proofs != ()


def test_a_secret_that_is_absent_is_missing_for_the_look_alone(tmp_path: Path) -> None:
    text = (
        SERVER + "enabled = false\n" + TOKEN_OF + 'client_secret = { env = "NONE" }\ntoken_url = "https://a.example/t"'
    )

    assert parse(text, {}, base=tmp_path).server("git").missing == ("the environment variable NONE is not set",)


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        (SERVER + 'proxy = "socks5://proxy.example"', "servers.git.proxy", "is not an HTTP proxy"),
        (SERVER + 'proxy = "proxy.example:3128"', "servers.git.proxy", "is not an HTTP proxy"),
        (SERVER + 'proxy = "http://me:hunter2@/x"', "servers.git.proxy", "names no host and port"),
        (SERVER + 'proxy = "http://proxy.example/path"', "servers.git.proxy", "an address with a path"),
        (SERVER + 'addresses = "some"', "servers.git.addresses", "is not one of the words"),
        (SERVER + 'client_cert = { key = "a.key" }', "servers.git.client_cert.cert", "there is no certificate"),
        (SERVER.replace("https", "http") + 'client_cert.cert = "a"', "servers.git.client_cert", "nobody asks for a"),
        ('[servers.git]\ncommand = "x"\nclient_cert.cert = "a"', "servers.git.client_cert", "has no address"),
        ('[servers.git]\ncommand = "x"\n' + TOKEN_OF, "servers.git.oauth", "has no address"),
        (
            SERVER + TOKEN_OF + 'issuer = "https://a.example"',
            "servers.git.oauth.client_secret",
            "neither a client_secret",
        ),
        (SERVER + TOKEN_OF + 'client_secret = "x"', "servers.git.oauth.issuer", "whom to ask for a token"),
        (
            SERVER + TOKEN_OF + f'issuer = "https://a.example"\nclient_secret = "x"\nprivate_key = "{PEM}"',
            "servers.git.oauth.client_secret",
            "both a client_secret and a private_key",
        ),
        (
            SERVER + TOKEN_OF + 'issuer = "http://a.example"\nclient_secret = "x"',
            "servers.git.oauth.issuer",
            "cross the network unencrypted",
        ),
        (
            SERVER + TOKEN_OF + 'issuer = "https://a.example"\nprivate_key = "hunter2"',
            "servers.git.oauth.private_key",
            "is not a private key in PEM",
        ),
        (
            SERVER + 'bearer = "x"\n' + TOKEN_OF + 'issuer = "https://a.example"\nclient_secret = "x"',
            "servers.git.oauth",
            "another Authorization",
        ),
    ],
)
def test_what_makes_no_sense_of_the_ways_to_a_server_is_refused(
    text: str, path: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidConfigError) as caught:
        parse(text, {}, base=tmp_path)

    found = {one.path: one.message for one in caught.value.problems}
    assert message in found.get(path, f"{found}")
    assert "hunter2" not in str(caught.value)
