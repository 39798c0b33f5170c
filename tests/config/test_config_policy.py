"""The policy of a configuration: what it takes, what it refuses, what it warns of."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.patterns import checked_pattern
from driftwatch.config.policy import Known, expired
from driftwatch.config.schema import Settings
from driftwatch.config.words import InvalidConfigError, Problem
from driftwatch.judge.varied import SHAPES
from driftwatch.model import Axis, Severity

KNOWN = Known(
    rules=("description-changed", "schema-default"), areas=("text", "schema"), categories=("secrecy", "look-alike")
)
SERVER = '[servers.git]\nurl = "https://example.com/mcp"\n'
KEY = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
CHANNEL = f'[channels.team]\nurl = "https://example.com/hook"\nsecret = "{KEY}"\n'


def settings(text: str, base: Path) -> Settings:
    return parse(text, {}, base=base, known=KNOWN)


def problems(text: str, base: Path) -> dict[str, Problem]:
    with pytest.raises(InvalidConfigError) as caught:
        settings(text, base)
    return {problem.path: problem for problem in caught.value.problems}


def line(kind: str, keys: str) -> str:
    return f"[[policy.{kind}]]\n{keys}\n"


def test_a_whole_policy_is_read(tmp_path: Path) -> None:
    text = (
        '[policy]\nprofile = "strict"\n'
        + line("severity", 'rule = "description-*"\nserver = "git"\nseverity = "high"')
        + line("ignore", 'rule = "schema-default"\nreason = "harmless"\nexpires = 2027-03-31')
        + line("volatile", "pointer = '/description'\npattern = '\\d{4}'\nreason = 'a year'")
    )

    policy = settings(SERVER + text, tmp_path).policy

    assert policy.profile == "strict"
    assert (policy.severity[0].severity, policy.severity[0].item) == (Severity.HIGH, "*")
    assert policy.ignore[0].expires == datetime(2027, 4, 1, tzinfo=UTC)
    assert (policy.volatile[0].pattern, policy.volatile[0].server) == (r"\d{4}", "*")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2027-03-31T10:00:00Z", datetime(2027, 3, 31, 10, tzinfo=UTC)),
        ("2027-03-31T10:00:00+02:00", datetime(2027, 3, 31, 8, tzinfo=UTC)),
        ("2027-03-31 10:00:00", datetime(2027, 3, 31, 10, tzinfo=UTC)),
    ],
)
def test_an_ignore_may_end_at_a_moment(written: str, moment: datetime, tmp_path: Path) -> None:
    text = line("ignore", f'rule = "schema-default"\nreason = "x"\nexpires = {written}')

    assert settings(SERVER + text, tmp_path).policy.ignore[0].expires == moment


def test_nothing_is_said_of_a_policy_that_is_not_there(tmp_path: Path) -> None:
    found = settings(SERVER, tmp_path)

    assert found.policy.profile == "balanced"
    assert (found.policy.severity, found.policy.ignore, found.policy.volatile) == ((), (), ())


def test_expectations_stand_with_their_server(tmp_path: Path) -> None:
    text = SERVER + '[servers.git.expect]\nread_only = true\ntools = ["list_*"]\nmax_tools = 0\n'

    expect = settings(text, tmp_path).server("git").expect

    assert (expect.read_only, expect.closed_world, expect.tools, expect.max_tools) == (True, False, ("list_*",), 0)


def test_a_channel_names_axes_and_areas(tmp_path: Path) -> None:
    (channel,) = settings(SERVER + CHANNEL + 'axes = ["security"]\nareas = ["text"]\n', tmp_path).channels

    assert (channel.axes, channel.areas) == ((Axis.SECURITY,), ("text",))


@pytest.mark.parametrize(
    ("text", "path", "message", "hint"),
    [
        ("[policy]\nprofle = 'x'", "policy.profle", 'unknown key "profle"', "did you mean profile?"),
        ("[policy]\nprofile = 'lax'", "policy.profile", "not one of the words", "'directory'"),
        ("[policy]\nignore = 3", "policy.ignore", "expected an array, found an integer", "["),
        (line("ignore", "rule = 'schema-default'"), "policy.ignore[0].reason", "is missing", "Why"),
        (line("ignore", "reason = 'x'"), "policy.ignore[0].rule", "about every finding", "name a rule"),
        (line("ignore", "rule = '*'\nreason = 'x'"), "policy.ignore[0].rule", "about every finding", "name a rule"),
        (
            line("ignore", "rule = 'schema-default'\nreason = 'x'\nexpires = '2027-01-01'"),
            "policy.ignore[0].expires",
            "is not a date",
            "without quotes",
        ),
        (
            line("ignore", "rule = 'schema-default'\nreason = 'x'\nuntil = 2027-01-01"),
            "policy.ignore[0].until",
            'unknown key "until"',
            "known here",
        ),
        (
            line("severity", "rule = 'descripton-changed'\nseverity = 'low'"),
            "policy.severity[0].rule",
            'no rule is called "descripton-changed"',
            "did you mean description-changed?",
        ),
        (line("severity", "rule = 'schema-*'"), "policy.severity[0].severity", "is missing", "weigh"),
        (
            line("ignore", "category = 'secrecies'\nreason = 'x'"),
            "policy.ignore[0].category",
            'no finding has the category "secrecies"',
            "did you mean secrecy?",
        ),
        (
            line("severity", "category = 'nosuchcat'\nseverity = 'low'"),
            "policy.severity[0].category",
            'no finding has the category "nosuchcat"',
            "driftwatch rules RULE",
        ),
        (
            line("severity", "rule = 'schema-*'\nseverity = 'bad'"),
            "policy.severity[0].severity",
            "not one of",
            "'critical'",
        ),
        (
            line("severity", "item = ''\nseverity = 'low'"),
            "policy.severity[0].item",
            "a glob has 1 to 300 characters",
            "leave the key out",
        ),
        (
            line("severity", "pointer = 'description'\nseverity = 'low'"),
            "policy.severity[0].pointer",
            "can match no place",
            "/description",
        ),
        (line("severity", "item = 3\nseverity = 'low'"), "policy.severity[0].item", "expected a string", "quotes"),
        (line("volatile", "reason = 'x'"), "policy.volatile[0].pointer", "is missing", "JSON Pointer"),
        (
            line("volatile", "pointer = '/*'\nreason = 'x'"),
            "policy.volatile[0].pointer",
            "makes every value volatile",
            "name the place",
        ),
        (
            line("volatile", "pointer = '*'\npattern = '('\nreason = 'x'"),
            "policy.volatile[0].pattern",
            "is not a regular expression",
            "escape",
        ),
        (
            line("volatile", "pointer = '*'\npattern = '${NAME}'\nreason = 'x'"),
            "policy.volatile[0].pattern",
            "NAME",
            "",
        ),
        (SERVER + "[servers.git.expect]\nreadonly = true", "servers.git.expect.readonly", "unknown key", "read_only"),
        (SERVER + "[servers.git.expect]\nmax_tools = -1", "servers.git.expect.max_tools", "at least 0", "range"),
        (SERVER + "[servers.git.expect]\ntools = ['']", "servers.git.expect.tools[0]", "a glob has", "leave"),
        (CHANNEL + "axes = ['safety']", "channels.team.axes[0]", "not one of the words", "'contract'"),
        (CHANNEL + "areas = ['txt']", "channels.team.areas[0]", 'no area of rules is called "txt"', "mean text?"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_a_hint(
    text: str, path: str, message: str, hint: str, tmp_path: Path
) -> None:
    found = problems(text, tmp_path)

    assert set(found) == {path}
    assert message in found[path].message
    assert hint in found[path].hint


def test_every_problem_of_a_policy_is_said_at_once(tmp_path: Path) -> None:
    text = (
        line("severity", "rule = 'nothing'\nseverity = 'bad'")
        + line("ignore", "rule = 'description-changed'\nexpires = 3")
        + line("volatile", "pointer = '/a'\npattern = '.*'\nreason = 'x'")
    )

    assert set(problems(text, tmp_path)) == {
        "policy.severity[0].rule",
        "policy.severity[0].severity",
        "policy.ignore[0].reason",
        "policy.ignore[0].expires",
        "policy.volatile[0].pattern",
    }


def test_names_are_not_checked_by_who_knows_no_rules(tmp_path: Path) -> None:
    text = SERVER + line("severity", "rule = 'nothing'\nseverity = 'low'")

    assert parse(text, {}, base=tmp_path).policy.severity[0].rule == "nothing"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (".*", "without an end"),
        (r"\d+", "without an end"),
        (r"(?:a{2,}){2}", "without an end"),
        ("a{500}", "too often"),
        ("(?=a*)b", "without an end"),
        ("x?", "matches the empty text"),
        ("(?=a)", "matches the empty text"),
        ("^", "matches the empty text"),
        ("(a{1,9}){1,9}", "could be slow"),
        ("(a|a|ab){1,9}", "could be slow"),
        ("(a?){30}b", "could be slow"),
        ("a{1,20}a{1,20}a{1,20}b", "could be slow"),
        ("a{300}b{300}", "could be slow"),
        (r"(a)\1", "refers back"),
        ("(a)?(?(1)b|c)", "refers back"),
        (".{1,100}", "ordinary words"),
        (r"\w{1,20}", "ordinary words"),
        ("[a-z ]{3,40}", "ordinary words"),
        ("[^,]{1,50}", "ordinary words"),
        (r"[^\x00-\x7f]{1,50}", "ordinary words"),
        ("[A-Z]{1,30}", "ordinary words"),
        ("[", "not a regular expression"),
        ("[[a]", "not a regular expression"),
        ("", "1 to 300 characters"),
        ("a" * 301, "1 to 300 characters"),
    ],
)
def test_a_pattern_that_is_slow_or_a_hole_is_refused(pattern: str, why: str, tmp_path: Path) -> None:
    text = line("volatile", f"pointer = '/description'\npattern = '{pattern}'\nreason = 'x'")

    assert why in problems(text, tmp_path)["policy.volatile[0].pattern"].message


@pytest.mark.parametrize(
    "pattern",
    [
        *SHAPES.values(),
        r"v\d{1,4}(?:\.\d{1,4}){2}",
        r"/tmp/[A-Za-z0-9_-]{1,60}",
        r"(?i:built) on \d{1,2} \w{3,9} \d{4}",
        r"\b[0-9a-f]{40}\b",
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2}",
    ],
)
def test_a_pattern_that_names_what_varies_is_taken(pattern: str) -> None:
    assert checked_pattern(pattern) == pattern


def test_an_ignore_without_an_end_and_a_line_about_no_server_are_warnings(tmp_path: Path) -> None:
    text = line("ignore", "rule = 'schema-default'\nserver = 'gti'\nreason = 'x'")

    said = "\n".join(settings(SERVER + text, tmp_path).warnings)

    assert "policy.ignore[0]: it holds for ever" in said
    assert 'policy.ignore[0].server: no server is called "gti" — did you mean git?' in said


@pytest.mark.parametrize(
    ("pointer", "warned"),
    [
        ("/description", True),
        ("/instructions", True),
        ("/inputSchema/properties/a/description", True),
        ("/inputSchema/properties/*", True),
        ("/desc*", True),
        ("*title", True),
        ("/inputSchema/properties/a/default", False),
        ("/_meta/*", False),
    ],
)
def test_a_volatile_line_without_a_pattern_over_what_models_read_is_a_warning(
    pointer: str, warned: bool, tmp_path: Path
) -> None:
    text = line("volatile", f"pointer = '{pointer}'\nreason = 'x'")
    patterned = line("volatile", f"pointer = '{pointer}'\npattern = '\\d{{4}}'\nreason = 'x'")

    said, unsaid = ("\n".join(settings(SERVER + one, tmp_path).warnings) for one in (text, patterned))

    assert ("policy.volatile[0]: models read" in said) is warned
    assert "policy.volatile[0]" not in unsaid


def test_an_ignore_that_has_ended_is_said(tmp_path: Path) -> None:
    text = line("ignore", "rule = 'schema-default'\nreason = 'x'\nexpires = 2026-01-31")
    policy = settings(SERVER + text, tmp_path).policy

    assert expired(policy, datetime(2026, 1, 31, 23, tzinfo=UTC)) == ()
    assert (
        "policy.ignore[0]: it ended at the end of 2026-01-31 UTC"
        in expired(policy, datetime(2026, 2, 1, tzinfo=UTC))[0]
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (line("volatile", "pointer = '/a'\nreason = ''"), "policy.volatile[0].reason"),
        (line("ignore", "rule = 'schema-default'\nreason = ' '"), "policy.ignore[0].reason"),
    ],
)
def test_a_key_that_must_be_there_is_not_to_be_left_out(text: str, path: str, tmp_path: Path) -> None:
    found = problems(text, tmp_path)[path]

    assert (found.message, found.hint) == ("is empty", "write something")


def test_globs_over_categories_are_taken(tmp_path: Path) -> None:
    made = settings(line("ignore", "category = 'look-*'\nreason = 'x'"), tmp_path)

    assert made.policy.ignore[0].category == "look-*"


@pytest.mark.parametrize(("name", "hint"), [("gti", "did you mean git?"), ("nope", "command =")])
@pytest.mark.parametrize("part", [".expect]\nread_only = true", "]\ninterval = '1h'"])
def test_a_table_that_says_more_of_a_server_that_is_not_there_says_so(
    name: str, hint: str, part: str, tmp_path: Path
) -> None:
    found = problems(f"{SERVER}[servers.{name}{part}", tmp_path)

    problem = found[f"servers.{name}"]
    assert f'no server is called "{name}"' in problem.message
    assert hint in problem.hint
