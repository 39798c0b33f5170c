"""Which packages a command fetches, and whether they are pinned: what is not may be another one at each start."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from driftwatch.config.urls import mask_url
from driftwatch.config.words import quoted, safe

_EXACT = re.compile(r"[v=]?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?")
_PYTHON_EXACT = re.compile(r"\d+(?:\.\d+)*[0-9A-Za-z.+!-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DIGEST = re.compile(r".+@sha256:[0-9a-f]{64}")
_PYTHON_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)")
_SEPARATORS = {"&&", "||", ";", "|", "&"}
_WRAPPERS = {"env", "exec", "sudo", "nohup", "wsl", "command"}
_SHELLS = {"sh", "bash", "dash", "zsh"}
_DOCKER_FLAGS = {
    *(
        "--rm",
        "--init",
        "--interactive",
        "--tty",
        "--privileged",
        "--read-only",
        "--detach",
        "--publish-all",
        "--quiet",
    ),
    *("--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--disable-content-trust", "--no-hosts", "--replace"),
}
_DOCKER_SHORT_FLAGS = re.compile(r"-[itdPq]+")


_APPROVED = "<the version you approved>"


class Asked(NamedTuple):
    """A package that a command fetches, as the command has it.

    `ecosystem` is `npm`, `pypi`, `oci`, `jsr` or `url`; `name` is empty where the spec does not say it (a repository, a
    local folder) and in normal form for `pypi`. `version` is what an exact pin names (a version, a commit, a digest),
    empty without one. `how` says how to pin it, empty where it is pinned. `main` tells the package that the program
    comes from, from those that only come along (`--with`).
    """

    runner: str
    ecosystem: str
    spec: str
    name: str
    version: str
    pinned: bool
    how: str
    main: bool = True


class _Words(NamedTuple):
    """What a runner was told: packages named by options, packages that come on top, and the first plain word."""

    instead: list[str]
    besides: list[str]
    first: str | None


def unpinned(command: str, args: Sequence[str]) -> tuple[str, ...]:
    """Give one warning for each package that the command fetches without a fixed version: which, why, how to pin."""
    return tuple(dict.fromkeys(_say(one) for one in asked(command, args) if not one.pinned))


def asked(command: str, args: Sequence[str]) -> tuple[Asked, ...]:
    """Give each package that the command fetches, in the order of the command."""
    found: list[Asked] = []
    for words in _commands([command, *args]):
        program = _program(words[0])
        for names, look in _RUNNERS:
            for name in names:
                if [program, *words[1 : len(name.split())]] == name.split():
                    found += look(name, words[len(name.split()) :])
    return tuple(found)


def at_version(one: Asked, version: str) -> str:
    """Give the spec of a package as it is written to ask for one exact version, without the other words around it.

    It is empty where the spec names no release of a registry: a repository, an archive, a folder, an address. The
    version is taken as it is.
    """
    if one.ecosystem == "oci":
        return _image_name(one.spec) + ("@" if version.startswith("sha256:") else ":") + version
    if one.ecosystem == "pypi":
        return _python_at(one, version)
    place, colon, spec = one.spec.partition(":") if one.runner == "deno run" else ("", "", one.spec)
    # In `npm:@scope/pkg@1.2.3/program` a path follows the version, and would be lost.
    leads_on = "/" in spec.rpartition("@")[2] and not spec.endswith(_npm_name(spec))
    if one.ecosystem == "url" or leads_on or _is_local(spec) or _is_elsewhere(spec):
        return ""
    return f"{place}{colon}{_npm_pin(spec, version)}"


def normal(name: str) -> str:
    """Give the normal form of a Python package's name: lower case, one hyphen for each run of `-`, `_` and `.`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _commands(words: list[str], depth: int = 0) -> Iterator[list[str]]:
    """Give the commands that are really run, out of `env`, `cmd /c` and `sh -c`."""
    while words and depth < 4:
        program = _program(words[0])
        if program in _WRAPPERS and len(words) > 1:
            words = list(_after_assignments(words[1:]))
        elif program == "cmd" and len(words) > 2 and words[1].lower() in {"/c", "/k"}:
            words = words[2:]
        elif program in _SHELLS and len(words) > 2 and re.fullmatch(r"-[a-z]*c", words[1]):
            for line in _split(words[2]):
                yield from _commands(line, depth + 1)
            return
        else:
            yield words
            return
        depth += 1


def _after_assignments(words: list[str]) -> Iterator[str]:
    begun = False
    for word in words:
        begun = begun or not (word.startswith("-") or re.match(r"[A-Za-z_]\w*=", word))
        if begun:
            yield word


def _split(line: str) -> Iterator[list[str]]:
    try:
        words = list(shlex.shlex(line, posix=True, punctuation_chars="&|;"))
        plain = shlex.split(line)
    except ValueError:
        return
    if not _SEPARATORS & set(words):
        yield plain
        return
    # Whole words matter here, and shlex cuts at characters such as @ unless it is told not to.
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;")
    lexer.whitespace_split = True
    part: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _SEPARATORS:
            part.append(word)
        elif part:
            yield part
            part = []


def _program(word: str) -> str:
    name = re.split(r"[/\\]", word)[-1].lower()
    return re.sub(r"\.(exe|cmd|bat|ps1)$", "", name)


def _read(words: Sequence[str], takes: Iterable[str], instead: Iterable[str], besides: Iterable[str] = ()) -> _Words:
    """Walk over a runner's own options up to the first plain word; what follows belongs to the program it runs."""
    takes, instead, besides = set(takes), set(instead), set(besides)
    told = _Words([], [], None)
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if word == "--":
            return told._replace(first=next(rest, None))
        if option in instead | besides:
            (told.instead if option in instead else told.besides).append(value if equals else next(rest, ""))
        elif word.startswith("-"):
            if option in takes and not equals:
                next(rest, None)
        else:
            return told._replace(first=word)
    return told


def _npm(runner: str, words: Sequence[str]) -> Iterator[Asked]:
    told = _read(words, NPM_TAKES, PACKAGE)
    for number, spec in enumerate(told.instead or [told.first or ""]):
        if spec:
            yield _of_npm(runner, "npm", spec, spec, main=number == 0)


def _of_npm(runner: str, ecosystem: str, written: str, spec: str, *, main: bool = True) -> Asked:
    pinned, name = _npm_pinned(spec), _npm_name(spec)
    version = _npm_version(spec) if pinned else ""
    prefix = written[: len(written) - len(spec)]
    return Asked(runner, ecosystem, written, name, version, pinned, "" if pinned else prefix + _npm_pin(spec), main)


def _python(runner: str, words: Sequence[str]) -> Iterator[Asked]:
    told = _read(words, UV_TAKES, {"--spec"} if runner == "pipx run" else {"--from"}, {"--with"})
    own = [] if runner == "uv run" else told.instead or [told.first or ""]
    mark = "==" if runner == "pipx run" or told.instead else "@"
    for spec in own:
        if spec:
            yield _of_python(runner, spec, mark, main=True)
    for spec in (part for group in told.besides for part in group.split(",")):
        if spec:
            yield _of_python(runner, spec, "==", main=False)


def _of_python(runner: str, spec: str, mark: str, *, main: bool) -> Asked:
    pinned, version = _python_pin_of(spec)
    parts = None if _is_local(spec) or "://" in spec else _PYTHON_NAME.match(spec)
    name = normal(parts[1]) if parts else ""
    return Asked(runner, "pypi", spec, name, version, pinned, "" if pinned else _python_pin(spec, mark), main)


def _container(runner: str, words: Sequence[str]) -> Iterator[Asked]:
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            pinned, name = _DIGEST.fullmatch(word) is not None, _image_name(word)
            shows = f"{runner.partition(' ')[0]} images --digests"
            how = f"{name}@sha256:… (`{shows}` shows the digest)"
            version = word.rpartition("@")[2] if pinned else ""
            yield Asked(runner, "oci", word, name, version, pinned, "" if pinned else how)
            return
        is_flag = word in _DOCKER_FLAGS or _DOCKER_SHORT_FLAGS.fullmatch(word)
        if not is_flag and "=" not in word and (word.startswith("--") or len(word) == 2):
            next(rest, None)


def _deno(runner: str, words: Sequence[str]) -> Iterator[Asked]:
    spec = (
        _read(words, {"--config", "-c", "--import-map", "--lock", "--cert", "--env-file", "--location"}, ()).first or ""
    )
    registry, colon, name = spec.partition(":")
    if registry in {"npm", "jsr"} and colon:
        yield _of_npm(runner, registry, spec, name)
    elif registry in {"http", "https"}:
        how = "run a local copy, or a jsr: or npm: package with an exact version"
        yield Asked(runner, "url", spec, "", "", pinned=False, how=how)


FETCH_FIRST = ("npx", "npm exec", "npm x", "uvx", "uv tool run")
"""Runners that can fetch a package without running it."""

PACKAGE = ("-p", "--package")
NPM_TAKES = ("--registry", "--cache", "--prefix", "--node-options", "-c", "--call", "-w", "--workspace")
UV_TAKES = {
    *(
        "-p",
        "--python",
        "--index",
        "--index-url",
        "-i",
        "--default-index",
        "--extra-index-url",
        "--with-editable",
        "-f",
    ),
    *(
        "--with-requirements",
        "--directory",
        "--project",
        "--env-file",
        "-c",
        "--constraints",
        "--find-links",
        "--pip-args",
    ),
    *(
        "--refresh-package",
        "-P",
        "--upgrade-package",
        "--cache-dir",
        "--config-file",
        "--extra",
        "--group",
        "-m",
        "--module",
    ),
}
_RUNNERS: tuple[tuple[tuple[str, ...], Callable[[str, Sequence[str]], Iterator[Asked]]], ...] = (
    (("npx", "pnpx", "bunx", "npm exec", "npm x", "pnpm dlx", "yarn dlx", "bun x"), _npm),
    (("uvx", "uv tool run", "uv run", "pipx run"), _python),
    (("docker run", "podman run", "docker container run", "podman container run", "nerdctl run"), _container),
    (("deno run",), _deno),
)


def _say(one: Asked) -> str:
    what = quoted(mask_url(one.spec) if "://" in one.spec else one.spec)
    why = "any start may run something newer than what you approved"
    return f"{one.runner} fetches {what}, which is not pinned: {why} — pin it: {safe(one.how)}"


def _is_local(spec: str) -> bool:
    return spec.startswith((".", "/", "~", "file:")) or "\\" in spec


def _npm_pinned(spec: str) -> bool:
    if _is_local(spec):
        return True
    if _is_elsewhere(spec):
        return _COMMIT.fullmatch(spec.partition("#")[2]) is not None
    return _EXACT.fullmatch(spec.rpartition("@")[2]) is not None and spec.rfind("@") > 0


def _is_elsewhere(spec: str) -> bool:
    """Say whether an npm spec names a place (a repository, an archive) and not a package."""
    real = spec.partition("@npm:")[2] or spec
    return ":" in real or (spec.count("/") > 0 and not real.startswith("@"))


def _npm_name(spec: str) -> str:
    if _is_local(spec) or _is_elsewhere(spec):
        return ""
    real = spec.partition("@npm:")[2] or spec
    return real[: real.rfind("@")] if real.rfind("@") > 0 else real


def _npm_version(spec: str) -> str:
    if _is_local(spec):
        return ""
    return spec.partition("#")[2] if _is_elsewhere(spec) else spec.rpartition("@")[2].lstrip("v=")


def _npm_pin(spec: str, version: str = _APPROVED) -> str:
    if _is_elsewhere(spec):
        return "end it with # and a full commit hash"
    alias, mark, _ = spec.partition("@npm:")
    return f"{alias}{mark}{_npm_name(spec)}@{version}" if mark else f"{_npm_name(spec)}@{version}"


def _python_pin_of(spec: str) -> tuple[bool, str]:
    """Say whether a Python spec is exact, and what it is pinned to (nothing for a local folder)."""
    if _is_local(spec):
        return True, ""
    spec = spec.partition(";")[0].strip()
    if "://" in spec:
        address, _, fragment = spec.partition("#")
        commit = address.rpartition("@")[2]
        if _COMMIT.fullmatch(commit):
            return True, commit
        return "sha256=" in fragment, fragment.partition("sha256=")[2].partition("&")[0]
    parts = _PYTHON_NAME.fullmatch(spec)
    asked_for = parts[2].strip() if parts else ""
    version = asked_for.lstrip("=@").strip()
    exact = asked_for.startswith(("==", "@")) and _PYTHON_EXACT.fullmatch(version) is not None
    return exact, version if exact else ""


def _python_pin(spec: str, mark: str) -> str:
    parts = None if "://" in spec else _PYTHON_NAME.match(spec)
    if parts is None:
        return "end the URL with @ and a full commit hash"
    return f"{parts[1]}{mark}{_APPROVED}"


def _python_at(one: Asked, version: str) -> str:
    """Give a Python spec for one exact version: extras and markers stay, and `@` where that is how it is written."""
    if _is_local(one.spec) or "://" in one.spec:
        return ""
    said, semicolon, marker = one.spec.partition(";")
    parts = _PYTHON_NAME.fullmatch(said.strip())
    if parts is None:
        return ""
    head = said.strip()[: parts.start(2)].rstrip()
    written = re.match(r"===|==|@", parts[2])
    usual = "@" if one.how == _python_pin(one.spec, "@") and not marker else "=="
    return f"{head}{written[0] if written else usual}{version}{semicolon}{marker}"


def _image_name(image: str) -> str:
    last = image.rpartition("/")[2]
    return image[: len(image) - len(last)] + last.partition("@")[0].partition(":")[0]
