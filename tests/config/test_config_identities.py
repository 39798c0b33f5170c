"""As whom driftwatch may look at a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from driftwatch.config.identities import PRESETS
from driftwatch.config.load import parse
from driftwatch.config.words import InvalidConfigError, Problem
from driftwatch.model import Era


def test_built_in_identities_need_no_table_and_a_table_changes_single_keys(tmp_path: Path) -> None:
    text = """
        [defaults]
        identities = ["claude-code", "cursor"]
        cloaking_period = "2h"
        [servers.docs]
        url = "https://mcp.example.com/mcp"
        [servers.git]
        command = "serve"
        identities = []
        [identities.claude-code]
        client_version = "9.9"
    """

    settings = parse(text, {}, base=tmp_path)
    docs, git = settings.server("docs"), settings.server("git")

    assert [(one.name, one.client_name, one.era) for one in settings.identities_of(docs)] == [
        ("claude-code", "claude-code", Era.HANDSHAKE),
        ("cursor", "cursor-vscode", Era.HANDSHAKE),
    ]
    assert settings.identities_of(docs)[0].client_version == "9.9"
    assert settings.identities_of(docs)[0].capabilities == {"roots": {}}
    assert docs.cloaking_period == 7200
    assert settings.identities_of(git) == ()
    assert {one.name for one in settings.identities} == set(PRESETS)


def test_a_capability_with_a_name_that_could_move_a_terminal_is_named_as_it_is_to_be_written(tmp_path: Path) -> None:
    text = '[identities.x.capabilities]\n"\\u001B[31m|" = 1\n'

    with pytest.raises(InvalidConfigError) as refused:
        parse(text, {}, base=tmp_path)

    assert 'write "\\u001B[31m|" = {} to declare it' in str(refused.value)
    assert str(refused.value).replace("\n", "").isprintable()


def test_no_problem_can_move_a_terminal_wherever_its_words_come_from() -> None:
    words = "a\x1b[31m\u202e\nb"

    said = str(InvalidConfigError([Problem(words, words, words)], name=words))

    assert said.split("\n")[1] == "  " + str(Problem(words, words, words))
    assert said.replace("\n", "").isprintable()


def test_a_credential_of_an_identity_that_goes_to_more_than_one_place_or_in_clear_text_is_warned_of(
    tmp_path: Path,
) -> None:
    text = """
        [defaults]
        identities = ["reader"]
        [servers.docs]
        url = "https://docs.example.com/mcp"
        [servers.mail]
        url = "http://mail.example.net/mcp"
        [servers.git]
        command = "serve"
        [identities.reader]
        bearer = { env = "READER" }
        env = { ROLE = "reader" }
    """

    said = [line for line in parse(text, {"READER": "t0psecret"}, base=tmp_path).warnings if "READER" not in line]

    shared = [line for line in said if line.startswith("identities.reader: ")]
    assert len(shared) == 1
    assert "2 hosts (docs.example.com:443, mail.example.net:80)" in shared[0]
    assert any(line.startswith("servers.mail.url: this is http") and "Authorization" in line for line in said)


def test_an_identity_may_be_a_credential_alone_and_its_secrets_do_not_print(tmp_path: Path) -> None:
    text = """
        [servers.docs]
        url = "https://mcp.example.com/mcp"
        identities = ["reader"]
        [identities.reader]
        bearer = { env = "READER" }
        headers = { X-Team = "blue" }
        env = { ROLE = "reader" }
    """

    settings = parse(text, {"READER": "t0psecret"}, base=tmp_path)
    reader = settings.identities_of(settings.server("docs"))[0]

    assert reader.client_name is None
    assert {name: value.reveal() for name, value in reader.headers.items()} == {
        "X-Team": "blue",
        "Authorization": "Bearer t0psecret",
    }
    assert "t0psecret" not in repr(reader)
    assert "t0psecret" not in reader.model_dump_json()


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ('[servers.a]\ncommand = "x"\nidentities = ["cursr"]', "servers.a.identities[0]", 'is called "cursr"'),
        ('[defaults]\nidentities = ["nobody"]', "defaults.identities[0]", 'is called "nobody"'),
        ('[identities.a]\nera = "stone"', "identities.a.era", "is not one of the words"),
        ("[identities.a]\ncapabilities = { roots = 3 }", "identities.a.capabilities", "not a table of plain values"),
        ("[identities.a]\ncapabilities = { a = { b = 1979-05-27 } }", "identities.a.capabilities", "not a table"),
        ('[identities.a]\nuser_agent = "a\\nb"', "identities.a.user_agent", "a header cannot carry"),
        ('[identities.a]\nbearer = "x"\nheaders = { Authorization = "y" }', "identities.a.bearer", "of that name"),
        ('[identities.a]\nclient_name = ""', "identities.a.client_name", "is empty"),
        ("[defaults]\ncloaking_period = 0", "defaults.cloaking_period", "more than zero"),
    ],
)
def test_what_is_wrong_with_an_identity_is_said_with_its_place(
    text: str, path: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidConfigError) as caught:
        parse(text, {}, base=tmp_path)

    assert [(one.path, message in one.message) for one in caught.value.problems] == [(path, True)]


def test_more_identities_than_fit_into_the_period_are_a_warning(tmp_path: Path) -> None:
    text = """
        [servers.docs]
        url = "https://mcp.example.com/mcp"
        interval = { default = "1h" }
        identities = ["codex", "cursor", "vscode"]
        cloaking_period = "2h"
    """

    assert any("cloaking_period" in warning for warning in parse(text, {}, base=tmp_path).warnings)
