"""Which commands run a package that is not pinned, and how to pin it."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.packages import asked, unpinned

DIGEST = "sha256:" + "a" * 64
COMMIT = "b" * 40


def warnings(line: str) -> tuple[str, ...]:
    command, *args = shlex.split(line)
    return unpinned(command, args)


@pytest.mark.parametrize(
    ("line", "what", "pin"),
    [
        ("npx pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("npx -y @scope/pkg", 'npx fetches "@scope/pkg"', "@scope/pkg@<the version you approved>"),
        (
            "npx --yes @scope/pkg@latest --flag x",
            'npx fetches "@scope/pkg@latest"',
            "@scope/pkg@<the version you approved>",
        ),
        ("npx -y pkg@^1.2.3", 'npx fetches "pkg@^1.2.3"', "pkg@<the version you approved>"),
        ("npx -y pkg@1", 'npx fetches "pkg@1"', "pkg@<the version you approved>"),
        ("npx -y pkg@1.x.0", 'npx fetches "pkg@1.x.0"', "pkg@<the version you approved>"),
        ("npx -p pkg@beta bin@1.0.0", 'npx fetches "pkg@beta"', "pkg@<the version you approved>"),
        ("npx --package=pkg -- bin", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("npx --registry https://r.example pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("npx github:owner/repo", 'npx fetches "github:owner/repo"', "full commit hash"),
        ("npx owner/repo#main", 'npx fetches "owner/repo#main"', "full commit hash"),
        ("/usr/local/bin/npx pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("'C:\\\\node\\\\npx.CMD' pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("cmd /c npx -y pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("env A=1 npx pkg", 'npx fetches "pkg"', "pkg@<the version you approved>"),
        ("sh -c 'npx -y @s/pkg'", 'npx fetches "@s/pkg"', "@s/pkg@<the version you approved>"),
        (
            "bash -lc 'cd /x && exec npx @s/pkg@latest 2>/dev/null'",
            'npx fetches "@s/pkg@latest"',
            "@s/pkg@<the version you approved>",
        ),
        ("npm exec -y -- pkg", 'npm exec fetches "pkg"', "pkg@<the version you approved>"),
        ("bunx pkg", 'bunx fetches "pkg"', "pkg@<the version you approved>"),
        ("bun x pkg", 'bun x fetches "pkg"', "pkg@<the version you approved>"),
        ("pnpm dlx pkg", 'pnpm dlx fetches "pkg"', "pkg@<the version you approved>"),
        ("yarn dlx pkg", 'yarn dlx fetches "pkg"', "pkg@<the version you approved>"),
        ("uvx pkg", 'uvx fetches "pkg"', "pkg@<the version you approved>"),
        ("uvx pkg@latest", 'uvx fetches "pkg@latest"', "pkg@<the version you approved>"),
        ("uvx 'pkg==1.*'", 'uvx fetches "pkg==1.*"', "pkg@<the version you approved>"),
        ("uvx 'pkg>=1.0'", 'uvx fetches "pkg>=1.0"', "pkg@<the version you approved>"),
        ("uvx --from pkg@latest bin", 'uvx fetches "pkg@latest"', "pkg==<the version you approved>"),
        ("uvx --from=pkg[cli] bin@1.0.0", 'uvx fetches "pkg[cli]"', "pkg==<the version you approved>"),
        ("uvx --python 3.12 pkg", 'uvx fetches "pkg"', "pkg@<the version you approved>"),
        ("uvx --with extra pkg@1.0.0", 'uvx fetches "extra"', "extra==<the version you approved>"),
        ("uvx --from git+https://h.example/r bin", 'uvx fetches "git+https://h.example/r"', "full commit hash"),
        ("uvx --from git+https://tok3n@h.example/r@v1 b", 'fetches "git+https://***@h.example/r@v1"', "commit hash"),
        ("uv tool run pkg", 'uv tool run fetches "pkg"', "pkg@<the version you approved>"),
        ("uv run --with pkg server.py", 'uv run fetches "pkg"', "pkg==<the version you approved>"),
        ("pipx run pkg", 'pipx run fetches "pkg"', "pkg==<the version you approved>"),
        ("pipx run --spec pkg bin", 'pipx run fetches "pkg"', "pkg==<the version you approved>"),
        ("docker run -i --rm img", 'docker run fetches "img"', "img@sha256:…"),
        (
            "docker run -i --rm -e A=1 -v /a:/b --network host r.example:5000/o/img:1.2 --flag",
            "img:1.2",
            "img@sha256:…",
        ),
        ("docker container run -it img:latest", 'docker container run fetches "img:latest"', "img@sha256:…"),
        ("podman run -i --name x ghcr.io/o/img", 'podman run fetches "ghcr.io/o/img"', "`podman images --digests`"),
        ("deno run -A https://h.example/s.ts", 'deno run fetches "https://h.example/s.ts"', "a local copy"),
        ("deno run --allow-net npm:pkg", 'deno run fetches "npm:pkg"', "npm:pkg@<the version you approved>"),
        ("deno run jsr:@s/pkg@1", 'deno run fetches "jsr:@s/pkg@1"', "jsr:@s/pkg@<the version you approved>"),
    ],
)
def test_a_package_that_is_not_pinned_is_named_with_the_way_to_pin_it(line: str, what: str, pin: str) -> None:
    (warning,) = warnings(line)

    assert what in warning
    assert pin in warning.partition("pin it: ")[2]
    assert "newer than what you approved" in warning
    assert "tok3n" not in warning


@pytest.mark.parametrize(
    "line",
    [
        "npx -y pkg@1.2.3",
        "npx -y @scope/pkg@2025.7.1",
        "npx -y @scope/pkg@1.2.3-beta.1+build",
        "npx -p @scope/pkg@1.2.3 bin",
        f"npx git+https://h.example/r#{COMMIT}",
        "npx ./local",
        "npx /opt/local",
        "uvx pkg@1.2.3",
        "uvx pkg==1.2",
        "uvx --from 'pkg[cli]==1.2.3' bin",
        f"uvx --from git+https://h.example/r@{COMMIT} bin",
        "uvx --from ./local bin",
        "uv run server.py",
        "uv --directory /srv run server.py",
        "uv run --with 'pkg==1.0' server.py",
        "pipx run --spec pkg==1.0 bin",
        f"docker run -i --rm img@{DIGEST}",
        f"docker run -i --rm img:1.2@{DIGEST} npx pkg",
        "docker compose run web",
        "docker mcp gateway run",
        "deno run -A ./server.ts",
        "deno run npm:pkg@1.2.3",
        "node server.js",
        "python -m server",
        "npx",
        "npm run start",
        "sh -c 'unbalanced \"'",
        "env",
    ],
)
def test_what_is_pinned_or_local_is_no_warning(line: str) -> None:
    command, *args = line.split() if "unbalanced" in line else shlex.split(line)

    assert unpinned(command, args) == ()


def test_each_command_of_a_shell_line_is_looked_at_once() -> None:
    found = warnings("sh -c 'npx -y @a/b && uvx c@latest; npx -y @a/b | cat'")

    assert [warning.split('"')[1] for warning in found] == ["@a/b", "c@latest"]


def test_a_hostile_name_cannot_write_on_the_terminal() -> None:
    (warning,) = unpinned("npx", ["pkg\x1b[31m\n\u202e"])

    assert warning.isprintable()


@given(
    st.sampled_from(["npx", "uvx", "pipx", "docker", "deno", "sh", "cmd", "env", "uv", ""]) | st.text(),
    st.lists(
        st.sampled_from(["run", "-c", "/c", "--from", "-p", "--", "tool", "A=1", "@", "a@"]) | st.text(), max_size=5
    ),
)
def test_any_command_at_all_is_read_without_an_error(command: str, args: list[str]) -> None:
    assert all(warning.isprintable() for warning in unpinned(command, args))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("npx -y @scope/pkg@1.2.3", ("npm", "@scope/pkg", "1.2.3", True)),
        ("npx pkg@latest", ("npm", "pkg", "", False)),
        ("npx alias@npm:@scope/pkg@1.2.3", ("npm", "@scope/pkg", "1.2.3", True)),
        (f"npx owner/repo#{COMMIT}", ("npm", "", COMMIT, True)),
        ("npx file:./pkg.tgz", ("npm", "", "", True)),
        ("uvx Some_Pkg==1.2", ("pypi", "some-pkg", "1.2", True)),
        ("uvx --from 'some.pkg[cli]>=1' bin", ("pypi", "some-pkg", "", False)),
        (f"uvx --from git+https://h.example/r@{COMMIT} bin", ("pypi", "", COMMIT, True)),
        (f"docker run -i r.example:5000/o/img:1.2@{DIGEST}", ("oci", "r.example:5000/o/img", DIGEST, True)),
        ("docker run -i img:1.2", ("oci", "img", "", False)),
        ("deno run jsr:@s/pkg@1.0.0", ("jsr", "@s/pkg", "1.0.0", True)),
        ("deno run https://h.example/s.ts", ("url", "", "", False)),
    ],
)
def test_what_a_command_asks_for_is_read(line: str, expected: tuple[str, str, str, bool]) -> None:
    command, *args = shlex.split(line)

    (found,) = asked(command, args)

    assert (found.ecosystem, found.name, found.version, found.pinned) == expected


def test_the_package_of_the_program_is_told_from_those_that_come_along() -> None:
    found = asked("uvx", ["--with", "extra,more", "pkg"])

    assert [(one.name, one.main) for one in found] == [("pkg", True), ("extra", False), ("more", False)]
