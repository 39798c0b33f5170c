"""The pages that people script against say what the code does."""

import re
from pathlib import Path
from typing import Any

from driftwatch.cli.app import COMMANDS, command
from driftwatch.cli.exits import MEANING, ExitCode
from driftwatch.cli.reference import reference, walk
from driftwatch.errors import ConfigError, DriftwatchError, StoreError, UnreadableInputError, UsageError

DOCS = Path(__file__).parents[2] / "docs"


def commands() -> dict[str, Any]:
    return dict(walk(command(), "driftwatch"))


def test_the_exit_codes_in_the_table_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", (DOCS / "exit-codes.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert {int(code): words for code, words in rows} == {int(code): words for code, words in MEANING.items()}
    assert set(MEANING) == set(ExitCode)


def test_every_error_ends_with_its_documented_code() -> None:
    codes = {
        kind: kind.exit_code for kind in (DriftwatchError, UsageError, UnreadableInputError, ConfigError, StoreError)
    }

    assert codes == {
        DriftwatchError: ExitCode.USAGE,
        UsageError: ExitCode.USAGE,
        UnreadableInputError: ExitCode.USAGE,
        ConfigError: ExitCode.CONFIG,
        StoreError: ExitCode.DATABASE,
    }


def test_the_page_of_commands_is_up_to_date() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")

    assert page == reference(), "run: python -m driftwatch.cli.reference > docs/commands.md"


def test_the_page_names_every_command_and_option_and_no_other() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    options = {
        name
        for one in [command(), *commands().values()]
        for param in one.params
        for name in (*param.opts, *param.secondary_opts)
        if name.startswith("-")
    }

    assert set(re.findall(r"^## (driftwatch .+)$", page, re.MULTILINE)) == set(commands())
    assert (
        set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", "\n".join(re.findall(r"^- `([^`]+)`", page, re.MULTILINE))))
        == options
    )


def test_every_command_and_option_says_what_it_does() -> None:
    silent = [name for name, one in commands().items() if not (one.help or "").strip()]
    mute = [
        f"{name} {param.name}"
        for name, one in commands().items()
        for param in one.params
        if not getattr(param, "help", "")
    ]

    assert (silent, mute) == ([], [])


def test_every_listing_command_has_a_format() -> None:
    listing = {"check", "status", "diff", "history", "alerts", "deliveries", "servers", "compare", "scan", "rules"}

    with_format = {
        name.removeprefix("driftwatch ")
        for name, one in commands().items()
        if any("--format" in param.opts for param in one.params)
    }

    assert listing <= with_format
    assert listing <= set(COMMANDS)


def test_no_command_function_is_longer_than_thirty_lines() -> None:
    import inspect

    long = [
        name
        for name, one in commands().items()
        if len(inspect.getsource(inspect.unwrap(one.callback)).splitlines()) > 30
    ]

    assert long == []
