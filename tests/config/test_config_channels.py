"""Every kind of channel: what it needs, what it refuses, and what it never shows."""

from __future__ import annotations

import base64
import copy
from pathlib import Path
from typing import Any

import pytest

from driftwatch.config.channels import KINDS, ChannelConfig, CommandConfig, EmailConfig, WebhookConfig
from driftwatch.config.load import parse
from driftwatch.config.policy import Known
from driftwatch.config.secret import MissingSecret, Secret
from driftwatch.config.words import InvalidConfigError

KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()
SERVER = '[servers.docs]\nurl = "https://example.com/mcp"\n'

GOOD = {
    "webhook": """url = "https://${HOST}/hook?key=q-4711"
        secret = {env = "SIGNING"}
        old_secret = {file = "old"}
        headers = {X-Key = {env = "WORD"}, X-Plain = "h-4711"}""",
    "slack": 'url = {env = "ADDRESS"}',
    "pagerduty": 'routing_key = {env = "WORD"}\nurl = "https://${HOST}/v2/enqueue"',
    "alertmanager": 'url = "https://${HOST}/am"\nbearer = {env = "WORD"}\nheaders = {X-Scope = "h-4711"}',
    "email": """host = "${HOST}"\nusername = "${WORD}"\npassword = {env = "WORD"}
        sender = "driftwatch <${WORD}@example.com>"\nto = ["${WORD}@example.com"]""",
    "apprise": 'url = "ntfy://${WORD}"',
    "command": """command = "/bin/${WORD}"
        args = ["--token", "a-4711", "${WORD}"]
        env = {A = {env = "WORD"}, B = "e-4711"}""",
}
"""A table of every kind, with everything that may be secret in a variable, or else holding 4711."""

ENVIRON = {"HOST": "secret-4711.example.com", "SIGNING": KEY, "ADDRESS": "https://example.com/s-4711", "WORD": "w-4711"}


def text(kind: str, more: str = "") -> str:
    return f'{SERVER}[channels.team]\nkind = "{kind}"\n{GOOD[kind]}\n{more}\n'


def read(written: str, base: Path, *, secrets: bool = True, **environ: str) -> Any:
    if secrets:
        (base / "old").write_text(KEY, encoding="utf-8")
    known = Known(areas=["hints", "text"])
    return parse(written, {**ENVIRON, **environ} if secrets else {}, base=base, secrets=secrets, known=known)


def problems(written: str, base: Path, **environ: str) -> list[str]:
    with pytest.raises(InvalidConfigError) as caught:
        read(written, base, **environ)
    return [str(problem) for problem in caught.value.problems]


def refused(lines: str, base: Path) -> str:
    """Give the one problem of a channel with these lines."""
    (problem,) = problems(f"{SERVER}[channels.team]\n{lines}\n", base)
    return problem


def warned(lines: str, base: Path) -> list[str]:
    """Give the warnings about a channel with these lines."""
    settings = read(f"{SERVER}[channels.team]\n{lines}\n", base)
    return [line for line in settings.warnings if line.startswith("channels")]


def test_every_kind_has_an_example_here() -> None:
    assert list(GOOD) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_and_shows_nothing_that_may_be_secret(kind: str, tmp_path: Path) -> None:
    settings = read(text(kind), tmp_path)

    (channel,) = settings.channels
    assert type(channel) is KINDS[kind]
    assert channel.kind == kind
    copied = copy.deepcopy(channel)
    shown = [settings.model_dump_json(), repr(settings), repr(settings.model_dump())]
    shown += [channel.model_dump_json(), repr(channel), str(channel), channel.shown_url, copied.shown_url, repr(copied)]
    shown += settings.warnings
    assert [one for one in shown if "4711" in one or KEY[6:20] in one] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_where_its_secrets_are_not_to_be_had(kind: str, tmp_path: Path) -> None:
    settings = read(text(kind), tmp_path, secrets=False)

    (channel,) = settings.channels
    assert type(channel) is KINDS[kind]
    found = [getattr(channel, name) for name in type(channel).model_fields]
    secrets = [value for value in found if isinstance(value, Secret)]
    assert all(isinstance(one, MissingSecret) for one in secrets)
    assert "${" in channel.shown_url or channel.shown_url == "***"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_which_variable_is_not_set(kind: str, tmp_path: Path) -> None:
    (tmp_path / "old").write_text(KEY, encoding="utf-8")

    with pytest.raises(InvalidConfigError) as caught:
        parse(text(kind), {}, base=tmp_path)

    assert {problem.message.partition(" is not set")[1] for problem in caught.value.problems} == {" is not set"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_refuses_a_key_that_it_does_not_know(kind: str, tmp_path: Path) -> None:
    assert problems(text(kind, "min_severty = 'low'"), tmp_path) == [
        'channels.team.min_severty: unknown key "min_severty" — did you mean min_severity?'
    ]


def test_a_kind_that_is_not_known_is_one_problem_whatever_else_stands_there(tmp_path: Path) -> None:
    known = "known here: webhook, slack, pagerduty, alertmanager, email, apprise, command"

    assert refused("kind = 'pager'\nrouting = 1", tmp_path) == (
        'channels.team.kind: "pager" is no kind of channel — did you mean pagerduty?'
    )
    assert refused("kind = 'zzz'", tmp_path) == f'channels.team.kind: "zzz" is no kind of channel — {known}'
    assert refused("kind = 3", tmp_path) == f"channels.team.kind: expected a string, found an integer — {known}"


def test_a_kind_may_come_out_of_a_variable_and_is_not_shown_then(tmp_path: Path) -> None:
    settings = read(text("slack").replace('"slack"', '"${KIND}"'), tmp_path, KIND="slack")

    assert [channel.kind for channel in settings.channels] == ["slack"]
    assert refused("kind = '${NONE}'", tmp_path).startswith("channels.team.kind: the environment variable NONE is not")
    assert refused("kind = '${WORD}'", tmp_path).startswith('channels.team.kind: "${WORD}" is no kind of channel')
    with pytest.raises(InvalidConfigError, match=r"channels\.team\.kind: the environment variable NONE is not set"):
        read("[channels.team]\nkind = '${NONE}'", tmp_path, secrets=False)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (
            "kind = 'slack'\nurl = 'https://e.com'\nsecret = 'x'",
            'unknown key "secret" — only a channel of the kind webhook has it',
        ),
        (
            "kind = 'slack'\nurl = 'https://e.com'\nheaders = {}",
            "only a channel of the kind webhook or alertmanager has it",
        ),
        ("kind = 'apprise'\nurl = 'ntfy://x'\nrouting_key = 'x'", "only a channel of the kind pagerduty has it"),
        ("kind = 'pagerduty'\nrouting_kye = 'x'\nrouting_key = 'x'", "did you mean routing_key?"),
        ("kind = 'slack'\nurl = 'https://e.com'\nname = 'x'", "the name stands in the table's header"),
        ("kind = 'slack'", "url: is missing — The URL of the incoming webhook"),
        ("kind = 'slack'\nurl = 'ftp://e.com/4711'", 'url: the scheme "ftp" is not one'),
        ("kind = 'slack'\nurl = 'hooks/4711'", "url: a URL without a scheme"),
        ("kind = 'slack'\nurl = {env = 'WORD'}", "url: a URL without a scheme"),
        ("kind = 'slack'\nurl = 3", "url: is not a value that driftwatch can use"),
        ("kind = 'pagerduty'", "routing_key: is missing — The integration key"),
        ("kind = 'pagerduty'\nrouting_key = 'key 4711'", "routing_key: a key is one word without spaces — copy it"),
        ("kind = 'pagerduty'\nrouting_key = ''", "routing_key: a key is one word without spaces"),
        ("kind = 'pagerduty'\nrouting_key = 'k'\nurl = 'x'", "url: a URL without a scheme"),
        ("kind = 'alertmanager'", "url: is missing"),
        ("kind = 'alertmanager'\nurl = 'https://e.com'\nbearer = 'Bearer x'", "bearer: a bearer token is one word"),
        (
            "kind = 'alertmanager'\nurl = 'https://e.com'\nbearer = 'x'\nheaders = {AUTHORIZATION = 'y'}",
            "bearer: there is a bearer and an Authorization header",
        ),
        (
            "kind = 'alertmanager'\nurl = 'https://e.com'\nheaders = {a = 'x', A = 'y'}",
            'headers: the header "a" is there twice',
        ),
        ("kind = 'alertmanager'\nurl = 'https://e.com'\nresend = 0", "resend: must be more than zero"),
        ("kind = 'apprise'\nurl = ' '", "url: is empty, or holds a character that does not print"),
        ("kind = 'apprise'\nurl = \"ntfy://x\\ny\"", "url: is empty, or holds a character that does not print"),
        ("kind = 'command'", "command: is missing — The program."),
        ("kind = 'command'\ncommand = ' '", "command: is empty — write something"),
        ("kind = 'command'\ncommand = 'x'\nargs = 'y'", "args: expected an array, found a string"),
        ("kind = 'command'\ncommand = 'x'\nargs = [3]", "args[0]: expected a string, found an integer"),
        ("kind = 'command'\ncommand = 'x'\nenv = {'a=b' = 'x'}", "cannot be the name of an environment variable"),
        (
            "kind = 'command'\ncommand = 'x'\nareas = ['txt']",
            'areas[0]: no area of rules is called "txt" — did you mean text?',
        ),
        ("kind = 'command'\ncommand = 'x'\naxes = ['safety']", "axes[0]: is not one of the words"),
        ("kind = 'command'\ncommand = 'x'\ntimeout = 0", "timeout: must be more than zero"),
        ("kind = 'command'\ncommand = 'x'\nmax_attempts = 0", "max_attempts: must be at least 1"),
    ],
)
def test_what_a_kind_refuses(lines: str, problem: str, tmp_path: Path) -> None:
    said = refused(lines, tmp_path)

    assert said.startswith("channels.team.")
    assert problem in said
    assert "4711" not in said


EMAIL = "kind = 'email'\nhost = 'mail.example.com'\nsender = 'a@example.com'\nto = ['b@example.com']\n"


@pytest.mark.parametrize(
    "written",
    [
        "a@example.com",
        "a.b+c@sub.example.com",
        "Drift Watch <a@example.com>",
        "Überwachung (rot) <a@example.com>",
        "a@localhost",
    ],
)
def test_a_mailbox_is_an_address_with_or_without_a_name(written: str, tmp_path: Path) -> None:
    (channel,) = read(f"[channels.team]\n{EMAIL.replace('b@example.com', written)}", tmp_path).channels

    assert isinstance(channel, EmailConfig)
    assert channel.to == (written,)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a",
        "a@",
        "@b",
        "a b@c.de",
        "a@b.de, c@d.de",
        "A <a@b.de>, B <c@d.de>",
        "A, B <a@b.de>",
        "<a@b.de>",
        "A <a@b.de",
        r"a@b.de\nBcc: c@d.de",
        r"A\r\nBcc: x <a@b.de>",
        r"A\u202e <a@b.de>",
        "a@b.de>",
    ],
)
def test_what_is_no_mailbox_is_refused(written: str, tmp_path: Path) -> None:
    said = refused(EMAIL.replace("'b@example.com'", f'"{written}"'), tmp_path)

    assert said == "channels.team.to[0]: is not a mail address — write name@example.com, or: Name <name@example.com>"


@pytest.mark.parametrize(
    "written", ["", "mail example", "smtp://mail.example.com", "mail.example.com:25", "[::1]", "a/b"]
)
def test_what_is_no_host_is_refused(written: str, tmp_path: Path) -> None:
    assert refused(EMAIL.replace("mail.example.com", written), tmp_path).startswith(
        "channels.team.host: is not the name or the address of a machine — write mail.example.com"
    )


@pytest.mark.parametrize("written", ["mail", "mail.example.com", "10.0.0.1", "::1", "fe80::1"])
def test_a_host_is_a_name_or_an_address(written: str, tmp_path: Path) -> None:
    (channel,) = read(f"[channels.team]\n{EMAIL.replace('mail.example.com', written)}", tmp_path).channels

    assert channel.shown_url == f"{written}:587"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("port = 0", "port: must be at least 1"),
        ("port = 70000", "port: must be at most 65535"),
        ("port = '25'", "port: expected an integer, found a string"),
        (
            "security = 'ssl'",
            "security: is not one of the words that are known here — write one of 'starttls', 'tls' or",
        ),
        ("username = 'me'", "password: username and password go together — write both, or neither"),
        ("password = 'p4711'", "username: username and password go together"),
        ("username = 'me'\npassword = 'p4711'\nsecurity = 'none'", "security: the password would go in clear text"),
        ("username = 'me'\npassword = ''", "password: "),
    ],
)
def test_what_mail_refuses(lines: str, problem: str, tmp_path: Path) -> None:
    said = problems(f"[channels.team]\n{EMAIL}{lines}", tmp_path)

    assert said[0].startswith(f"channels.team.{problem}")
    assert "p4711" not in str(said)


def test_mail_needs_somebody_who_gets_it(tmp_path: Path) -> None:
    assert refused(EMAIL.replace("'b@example.com'", ""), tmp_path) == (
        "channels.team.to: names nothing — name one at least"
    )


def test_a_program_with_a_path_and_its_folder_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    lines = "[channels.team]\nkind = 'command'\ncommand = 'bin/note'\ncwd = 'work'\n"

    (channel,) = read(lines, tmp_path).channels

    assert isinstance(channel, CommandConfig)
    assert (channel.command, channel.cwd) == (str(tmp_path / "bin/note"), str(tmp_path / "work"))


TEMPLATES = [
    ("{{ severity", "is no template that can be used: line 1: unexpected end of template"),
    ("x\\n{% if %}", "is no template that can be used: line 2: "),
    ("{{ summary|center(9) }}", "is no template that can be used: line 1: No filter named 'center'"),
    ("{{ sumary }}", "names sumary, which no message has"),
    ("{% include 'x' %}", "line 1: a template cannot take in another one"),
    ("{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}", "line 1: a template cannot have a macro"),
    ("{% for a in findings recursive %}{{ loop(findings) }}{% endfor %}", "cannot have a loop that calls itself"),
    ("{{ 10 ** 10 ** 10 }}", "cannot have a power (**)"),
    ("{{ [findings, findings] }}", "cannot hold anything but plain values in a list"),
    ("{% set a %}{{ summary }}{% endset %}", "cannot have a set with an end"),
    ("{{ _budget.left }}", "cannot use a name that starts with _"),
    (" ", "is empty"),
    ("(" * 900 + "{{ " + "(" * 900 + "1" + ")" * 900 + " }}", "it is nested too deeply, or cannot be read"),
    ("{% for a in range(2) %}" * 30 + "{% endfor %}" * 30, "it is nested too deeply, or cannot be read"),
]


@pytest.mark.parametrize("key", ["title", "body"])
@pytest.mark.parametrize(("written", "problem"), TEMPLATES)
def test_what_is_no_template_is_refused(key: str, written: str, problem: str, tmp_path: Path) -> None:
    said = refused(f'kind = "slack"\nurl = "https://e.com"\n{key} = "{written}"', tmp_path)

    assert said.startswith(f"channels.team.{key}: ")
    assert problem in said


@pytest.mark.parametrize("written", ["{{ w4711 }}", "{{ x|w4711 }}", "{% w4711 %}", "{{ 'w4711"])
def test_a_template_out_of_a_variable_is_not_repeated(written: str, tmp_path: Path) -> None:
    (said,) = problems(text("slack", 'title = "${TEMPLATE}"'), tmp_path, TEMPLATE=written)

    assert said.startswith("channels.team.title: ")
    assert "w4711" not in said


def test_a_template_is_kept_as_it_is_written(tmp_path: Path) -> None:
    (channel,) = read(text("slack", 'title = "[{{ severity|upper }}] {{ server }}"'), tmp_path).channels

    assert channel.title == "[{{ severity|upper }}] {{ server }}"


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (
            "kind = 'slack'\nurl = 'http://chat.example.com/4711'",
            "url: this is http, so anyone on the way can read the URL",
        ),
        ("kind = 'pagerduty'\nrouting_key = 'k4711'\nurl = 'http://e.com'", "can read the routing_key — use https"),
        ("kind = 'alertmanager'\nurl = 'http://e.com'\nbearer = 'b4711'", "can read the bearer — use https"),
        (
            "kind = 'alertmanager'\nurl = 'http://e.com'\nbearer = 'b4711'\nheaders = {A = 'x', B = 'y'}",
            "can read the bearer and headers A, B",
        ),
        (f"url = 'http://e.com'\nsecret = '{KEY}'\nheaders = {{A = 'x4711'}}", "can read the header A — use https"),
        (
            EMAIL + "security = 'none'",
            "security: the mail goes unencrypted, so anyone on the way can read and change it",
        ),
        (
            "kind = 'command'\ncommand = 'no-such-program'",
            'command: no program "no-such-program" was found on the PATH',
        ),
        ("kind = 'command'\ncommand = 'sh'\ncwd = 'nowhere'", "does not exist — make it, or correct the path"),
        ("kind = 'command'\ncommand = 'sh'\nargs = ['--token', 'a4711']", "args[1]: what follows"),
    ],
)
def test_what_a_person_should_know_of_a_channel(lines: str, what: str, tmp_path: Path) -> None:
    said = " ".join(warned(lines, tmp_path))

    assert said.startswith("channels.team.")
    assert what.rpartition("what follows")[0] in said
    assert "4711" not in said


@pytest.mark.parametrize(
    "lines",
    [
        "kind = 'slack'\nurl = 'https://chat.example.com/4711'",
        "kind = 'slack'\nurl = 'http://127.0.0.1:8065/4711'",
        "kind = 'pagerduty'\nrouting_key = 'k'",
        "kind = 'pagerduty'\nrouting_key = 'k'\nurl = 'http://localhost:8080'",
        "kind = 'alertmanager'\nurl = 'http://alertmanager:9093'",
        "kind = 'alertmanager'\nurl = 'http://[::1]:9093'\nbearer = 'x'",
        f"url = 'http://e.com'\nsecret = '{KEY}'",
        EMAIL,
        EMAIL.replace("mail.example.com", "localhost") + "security = 'none'",
        EMAIL.replace("mail.example.com", "::1") + "security = 'none'",
        "kind = 'apprise'\nurl = 'ntfy://x'",
    ],
)
def test_what_is_fine_is_not_warned_of(lines: str, tmp_path: Path) -> None:
    assert warned(lines, tmp_path) == []


def test_a_webhook_is_the_kind_where_none_is_named(tmp_path: Path) -> None:
    (channel,) = read(f"[channels.team]\nurl = 'https://e.com'\nsecret = '{KEY}'", tmp_path).channels

    assert isinstance(channel, WebhookConfig)
    assert isinstance(channel, ChannelConfig)
