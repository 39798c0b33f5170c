"""`driftwatch witness forward` says what is wrong with how it is called, and listens on nothing then."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from driftwatch.cli import main

URL = "https://mcp.example.com/mcp"


@pytest.mark.parametrize(
    ("upstream", "listen", "says"),
    [
        ("mcp.example.com", "127.0.0.1:0", "--upstream cannot be used: it must begin with http:// or https://"),
        ("https://u:pass-word@a/", "127.0.0.1:0", "the agent sends its own credentials"),
        ("https://a/?key=pass-word", "127.0.0.1:0", "belongs into the address that the agent is given"),
        (URL, "8700", "'8700' is no address and port."),
        (URL, "127.0.0.1:99999", "is no address and port."),
        (URL, "0.0.0.0:8700", "0.0.0.0 can be reached from other machines"),
        (URL, "[::]:8700", ":: can be reached from other machines"),
        (URL, "desk.example:8700", "desk.example can be reached from other machines"),
        ("http://127.0.0.1:8700/mcp", "127.0.0.1:8700", "--upstream and --listen are the same address."),
    ],
)
def test_what_cannot_be_meant_is_said(
    upstream: str, listen: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["witness", "forward", "notes", "--upstream", upstream, "--listen", listen])

    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert says in " ".join(said.err.split())
    assert "pass-word" not in said.err


@pytest.mark.parametrize(("text", "says"), [(None, "No such file"), ("no certificate", "no certificate")])
def test_authorities_that_cannot_be_used_are_said(
    text: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "authorities.pem"
    if text is not None:
        place.write_text(text)

    code = main(["witness", "forward", "notes", "--upstream", URL, "--listen", "127.0.0.1:0", "--ca-file", str(place)])

    assert code == 2
    assert says.lower() in " ".join(capsys.readouterr().err.split()).lower()


def test_an_address_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = main(["witness", "forward", "notes", "--upstream", URL, "--listen", f"127.0.0.1:{port}"])

    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert f"127.0.0.1:{port} cannot be listened on" in " ".join(said.err.split())
