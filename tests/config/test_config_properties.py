"""Whatever stands in a file, it is a configuration or one `ConfigError` that can be shown."""

import datetime as dt
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.build import SECTIONS, Surroundings, build
from driftwatch.config.reference import describe
from driftwatch.config.schema import Settings
from driftwatch.errors import ConfigError

WORDS = sorted(
    {step for key in describe() for step in key.path.split(".")} | {"env", "file", "servrs", "intervall", "type"}
)
TEXTS = st.sampled_from(
    [
        "",
        "x",
        "${A}",
        "${NONE}",
        "${",
        "$${",
        "30s",
        "8MiB",
        "https://e.com",
        "http://[",
        "sqlite:///x",
        "whsec_AAAA",
        "a\nb",
    ]
)
LEAVES = st.one_of(
    TEXTS,
    st.text(max_size=8),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.just(10**400),
    st.dates(),
    st.times(),
    st.datetimes(timezones=st.just(dt.UTC)),
)
KEYS = st.sampled_from(WORDS) | st.text(max_size=6)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
FILES = st.dictionaries(
    st.sampled_from(list(SECTIONS)) | KEYS, VALUES | st.dictionaries(KEYS, VALUES, max_size=4), max_size=5
)


def outcome(raw: dict[str, Any]) -> Settings | ConfigError:
    around = Surroundings(
        {"A": "v"},
        Path("/nowhere"),
        read=lambda path: f"text of {path}",
        which=lambda _command, _path: None,
        run=lambda words, _seconds: f"text of {words}",
    )
    try:
        return build(raw, around)
    except ConfigError as error:
        return error


@given(FILES)
def test_any_file_is_a_configuration_or_a_config_error(raw: dict[str, Any]) -> None:
    found = outcome(raw)

    if isinstance(found, ConfigError):
        assert str(found).replace("\n", "").isprintable()
    else:
        assert Settings.model_validate(found) is found
        assert found.model_dump_json()


@given(st.sampled_from([key for key in describe() if key.path.startswith("servers")]), VALUES)
def test_any_value_at_any_key_of_a_server_is_fine_or_a_problem_there(key: Any, value: Any) -> None:
    *tables, last = key.path.split(".")[2:]
    table: dict[str, Any] = {"url": "https://e.com"}
    inner = table
    for name in tables:
        inner = inner.setdefault(name, {})
    inner[last] = value

    found = outcome({"servers": {"a": table}})

    if isinstance(found, ConfigError):
        assert "servers.a" in str(found)
