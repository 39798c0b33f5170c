"""A version bump of a command: the version of its package is another one, and nothing else is."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.arguments import masked
from driftwatch.config.packages import asked
from driftwatch.config.secret import Filled, Sources, fill, shown
from driftwatch.watch.supply.repin import Refusal, Repinned, exact_version, with_version

DIGEST = "sha256:" + "a" * 64


def bumped(line: str, version: str = "1.2.4") -> str:
    """Give a command line at another version, or why there is none."""
    command, *args = shlex.split(line)
    made = with_version(command, args, version)
    return shlex.join([made.command, *made.args]) if isinstance(made, Repinned) else made.why


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("npx -y pkg", "npx -y pkg@1.2.4"),
        ("npx -y pkg@1.2.3 --port 1.2.3", "npx -y pkg@1.2.4 --port 1.2.3"),
        ("npx -y pkg@^1 --as pkg@^1", "npx -y pkg@1.2.4 --as pkg@^1"),
        ("npx --package=pkg@1 tool", "npx --package=pkg@1.2.4 tool"),
        ("npx -p @scope/pkg pkg", "npx -p @scope/pkg@1.2.4 pkg"),
        ("npx other@npm:@scope/pkg@1.0.0", "npx other@npm:@scope/pkg@1.2.4"),
        ("npm exec -y -- pkg@1.0.0 --flag", "npm exec -y -- pkg@1.2.4 --flag"),
        ("pnpm dlx pkg", "pnpm dlx pkg@1.2.4"),
        ("yarn dlx @scope/pkg@latest", "yarn dlx @scope/pkg@1.2.4"),
        ("bunx pkg", "bunx pkg@1.2.4"),
        ("deno run -A jsr:@scope/pkg@1.0.0", "deno run -A jsr:@scope/pkg@1.2.4"),
        ("uvx pkg", "uvx pkg@1.2.4"),
        ("uvx pkg@1.2", "uvx pkg@1.2.4"),
        ("uvx pkg==1.2", "uvx pkg==1.2.4"),
        ("uvx --from pkg==1.2 tool", "uvx --from pkg==1.2.4 tool"),
        ("uvx --from 'pkg[more]~=1.2' tool", "uvx --from 'pkg[more]==1.2.4' tool"),
        ("uvx --from=pkg tool@1.0.0", "uvx --from=pkg==1.2.4 tool@1.0.0"),
        ("uvx 'pkg>=1; python_version>\"3\"'", "uvx 'pkg==1.2.4; python_version>\"3\"'"),
        ("uvx --with other==1.2 pkg==1.2", "uvx --with other==1.2 pkg==1.2.4"),
        ("uv tool run pkg@2", "uv tool run pkg@1.2.4"),
        ("uv run --with pkg==1 server.py", "uv run --with pkg==1.2.4 server.py"),
        ("pipx run pkg", "pipx run pkg==1.2.4"),
        ("pipx run --spec pkg==1.0 tool", "pipx run --spec pkg==1.2.4 tool"),
        ("docker run -i --rm -e A=1 img:1.2 img:1.2", "docker run -i --rm -e A=1 img:1.2.4 img:1.2"),
        (f"docker run -i host.example:5000/a/img:1@{DIGEST}", "docker run -i host.example:5000/a/img:1.2.4"),
        ("podman run -i host.example/a/img", "podman run -i host.example/a/img:1.2.4"),
        (
            "sh -c 'cd /srv && exec npx -y pkg@1.2.3 2>/dev/null'",
            "sh -c 'cd /srv && exec npx -y pkg@1.2.4 2>/dev/null'",
        ),
        ("env TOKEN=1.2.3 npx pkg@1.2.3", "env TOKEN=1.2.3 npx pkg@1.2.4"),
        ("cmd /c npx -y pkg", "cmd /c npx -y pkg@1.2.4"),
        ("npx pkg pkg", "npx pkg@1.2.4 pkg"),
    ],
)
def test_the_version_stands_where_the_runner_reads_it_and_all_else_is_as_it_was(line: str, now: str) -> None:
    assert bumped(line) == shlex.join(shlex.split(now))


@pytest.mark.parametrize("version", ["1.2.4", "v2", DIGEST, f"1.2.4@{DIGEST}"])
def test_an_image_takes_a_tag_a_digest_or_both(version: str) -> None:
    mark = "@" if version.startswith("sha256:") else ":"

    assert bumped(f"docker run -i --rm img:1@{'sha256:' + 'b' * 64} serve", version) == (
        f"docker run -i --rm img{mark}{version} serve"
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("node server.js", "names no package"),
        ("npx", "names no package"),
        ("npx ./local", 'npx is given "./local", which has no versions'),
        ("npx github:owner/repo", "which has no versions"),
        ("npx owner/repo#main", "which has no versions"),
        ("uvx --from git+https://tok3n@h.example/r@v1 tool", 'given "git+https://***@h.example/r@v1", which has no'),
        ("uvx ./local", "which has no versions"),
        ("deno run https://h.example/server.ts", "which has no versions"),
        ("deno run npm:@scope/pkg@1.2.3/tool", "which has no versions"),
        ("sh -c 'npx a && uvx b'", 'more than one package ("a", "b")'),
        ("uv run --with a,b server.py", 'more than one package ("a", "b")'),
    ],
)
def test_what_is_unclear_is_refused_with_the_way_out(line: str, why: str) -> None:
    command, *args = shlex.split(line)

    refused = with_version(command, args, "1.2.4")

    assert isinstance(refused, Refusal)
    assert why in refused.why
    assert "--command" in refused.hint
    assert "tok3n" not in refused.why


@pytest.mark.parametrize(
    "version",
    [
        *("", " ", "-y", "--registry=https://r.example", "1.2.4 --flag", "1.2.4;id", "$(id)", "1.2.4\n", "../x", "a/b"),
        *("https://h.example/pkg.tgz", "git+ssh://h.example/r", "file:x", "npm:other@1.2.4", "1.2.4@2", "@1.2.4", "*"),
        *("^1.2.4", "~1.2", ">=1", "latest\u202e", "1.2.4\0", "1" * 300, "sha256:abc", ":1", "é"),
    ],
)
@pytest.mark.parametrize("line", ["npx pkg", "uvx pkg", "docker run img"])
def test_what_is_no_exact_version_never_gets_into_a_command(line: str, version: str) -> None:
    command, *args = shlex.split(line)

    refused = with_version(command, args, version)

    assert isinstance(refused, Refusal)
    assert "is no version" in refused.why
    assert refused.why.isprintable()


def test_a_version_may_be_written_with_the_letter_that_tags_have() -> None:
    assert exact_version("npm", "v1.2.4") == "1.2.4"
    assert exact_version("pypi", "V1.2.4rc1") == "1.2.4rc1"
    assert exact_version("oci", "v1.2.4") == "v1.2.4"


def test_what_was_not_to_be_shown_is_not_shown_after_a_bump_either() -> None:
    token = Filled("ghp_0123456789abcdefABCDEF", shown="${TOKEN}", hidden=("ghp_0123456789abcdefABCDEF",))
    args = masked("npx", ["-y", "pkg@1.2.3", "--api-key", "s3cr3t-of-ann", token])

    made = with_version("npx", args, "1.2.4")

    assert isinstance(made, Repinned)
    assert list(made.args) == ["-y", "pkg@1.2.4", "--api-key", "s3cr3t-of-ann", "ghp_0123456789abcdefABCDEF"]
    assert [shown(word) for word in made.args] == ["-y", "pkg@1.2.4", "--api-key", "***", "${TOKEN}"]


def test_the_line_of_a_shell_keeps_its_secrets_to_itself() -> None:
    args = masked("sh", ["-c", "npx -y pkg@1.2.3 --api-key s3cr3t-of-ann"])

    made = with_version("sh", args, "1.2.4")

    assert isinstance(made, Repinned)
    assert made.args[1] == "npx -y pkg@1.2.4 --api-key s3cr3t-of-ann"
    assert "s3cr3t" not in shown(made.args[1])


def test_a_version_that_came_out_of_the_environment_gives_way_to_the_new_one() -> None:
    sources = Sources({"VERSION": "1.2.3", "ORG": "acme"}, read=lambda _: "")
    word = fill("@${ORG}/pkg@${VERSION}", sources)

    made = with_version("npx", ["-y", word], "1.2.4")

    assert isinstance(made, Repinned)
    assert made.args[1] == "@acme/pkg@1.2.4"
    assert shown(made.args[1]) == "@***/pkg@1.2.4"
    assert (made.was, made.now) == ('"@${ORG}/pkg@${VERSION}"', '"@***/pkg@1.2.4"')


NAMES = st.sampled_from(["notes", "notes-mcp", "a", "x1-y2", "server-memory"])
NUMBERS = st.integers(0, 2030)
VERSIONS = st.tuples(NUMBERS, NUMBERS, NUMBERS).map(lambda parts: ".".join(map(str, parts)))
REST = st.lists(st.sampled_from(["--flag", "-y", "--port=1.2.3", "notes", "a@1.0.0", "/srv", "."]), max_size=4)
WRAPPERS: list[list[str]] = [[], ["env", "A=1"], ["cmd", "/c"]]
FORMS: dict[str, list[list[str]]] = {
    "npm": [
        ["npx", "{}"],
        ["npx", "-y", "--quiet", "{}"],
        ["npx", "-y", "--package={}", "tool"],
        ["npm", "exec", "--", "{}"],
        ["pnpm", "dlx", "{}"],
    ],
    "pypi": [["uvx", "{}"], ["uvx", "--from", "{}", "tool"], ["pipx", "run", "--spec", "{}", "tool"]],
    "oci": [["docker", "run", "-i", "--rm", "-e", "A=1", "{}"], ["podman", "run", "-i", "{}"]],
}
MARKS = {"npm": "@", "pypi": "==", "oci": ":"}


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """Give the words of a command that starts one package, in one of the ways in which people write it."""
    ecosystem = draw(st.sampled_from(sorted(FORMS)))
    name, old = draw(NAMES), draw(st.none() | VERSIONS)
    scoped = f"@scope/{name}" if ecosystem == "npm" and draw(st.booleans()) else name
    spec = f"{scoped}{MARKS[ecosystem]}{old}" if old else scoped
    form = [word.replace("{}", spec) for word in draw(st.sampled_from(FORMS[ecosystem]))]
    return [*draw(st.sampled_from(WRAPPERS)), *form, *draw(REST)]


@given(commands(), VERSIONS)
def test_the_package_that_is_read_out_is_the_same_at_the_new_version_and_no_other_word_moved(
    words: list[str], version: str
) -> None:
    command, *args = words
    (before,) = asked(command, args)

    made = with_version(command, args, version)

    assert isinstance(made, Repinned)
    (after,) = asked(made.command, made.args)
    assert (after.runner, after.ecosystem, after.name, after.main) == (
        before.runner,
        before.ecosystem,
        before.name,
        before.main,
    )
    assert after.version == version if after.ecosystem != "oci" else after.spec.endswith(f":{version}")
    moved = [number for number, (old, new) in enumerate(zip(args, made.args, strict=True)) if old != new]
    assert len(moved) <= 1
    assert made.command == command


@given(commands(), VERSIONS, VERSIONS)
def test_the_last_of_two_bumps_counts(words: list[str], first: str, second: str) -> None:
    command, *args = words
    once = with_version(command, args, first)

    assert isinstance(once, Repinned)
    twice, at_once = with_version(command, once.args, second), with_version(command, args, second)
    assert isinstance(twice, Repinned)
    assert isinstance(at_once, Repinned)
    assert (twice.args, twice.now) == (at_once.args, at_once.now)


@given(
    st.sampled_from(["npx", "uvx", "docker", "sh", "env", ""]) | st.text(max_size=8),
    st.lists(
        st.sampled_from(["run", "-c", "--from", "-p", "--", "A=1", "@", "a@", "a"]) | st.text(max_size=8), max_size=5
    ),
    st.sampled_from(["1.2.4", "-x"]) | st.text(max_size=8),
)
def test_any_words_at_all_are_bumped_or_refused(command: str, args: list[str], version: str) -> None:
    made = with_version(command, args, version)

    said = (made.why, made.hint) if isinstance(made, Refusal) else (made.was, made.now)
    assert all(text.isprintable() for text in said)
