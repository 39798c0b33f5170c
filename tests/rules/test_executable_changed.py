"""The rule executable-changed."""

from __future__ import annotations

import pytest
from launch_kit import ONE, OTHER, local, weighed
from rule_kit import example, found, places

RULE = "executable-changed"


def file(path: str = "/usr/bin/tickets-server", digest: str = ONE) -> dict[str, str]:
    return {"path": path, "digest": digest}


def test_another_file_behind_the_same_command_is_medium() -> None:
    assert places(found(RULE, *example(RULE))) == [("medium", "", "/executable")]


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        (file(), file(digest=OTHER), "low"),
        (file("/opt/node/22.1.0/bin/node"), file("/opt/node/22.2.0/bin/node", OTHER), "low"),
        (None, file(), "info"),
        (file(), None, "low"),
    ],
)
def test_an_update_of_a_program_is_low(
    before: dict[str, str] | None, after: dict[str, str] | None, severity: str
) -> None:
    sides = [local(**({"executable": one} if one else {})) for one in (before, after)]

    assert weighed(RULE, *sides) == [(severity, "/executable")]


def test_a_script_with_other_content_is_medium() -> None:
    sides = [local(command="python", args=["s.py"], script=file("/srv/s.py", one)) for one in (ONE, OTHER)]

    assert weighed(RULE, *sides) == [("medium", "/script")]


def test_what_the_configuration_explains_is_info() -> None:
    one = local(command="python", args=["a.py"], script=file("/srv/a.py"), executable=file("/usr/bin/python"))
    other = local(command="python", args=["b.py"], script=file("/srv/b.py", OTHER), executable=file("/usr/bin/python"))
    third = local(command="ruby", args=["a.py"], script=file("/srv/a.py"), executable=file("/usr/bin/ruby"))

    assert weighed(RULE, one, other) == [("info", "/script")]
    assert weighed(RULE, one, third) == [("info", "/executable")]
