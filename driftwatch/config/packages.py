"""Commands that run a package which is not pinned: what is fetched at each start may not be what was approved."""

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


class _Words(NamedTuple):
    """What a runner was told: packages named by options, packages that come on top, and the first plain word."""

    instead: list[str]
    besides: list[str]
    first: str | None


def unpinned(command: str, args: Sequence[str]) -> tuple[str, ...]:
    """Give one warning for each package that the command fetches without a fixed version: which, why, how to pin."""
    found: list[str] = []
    for words in _commands([command, *args]):
        program = _program(words[0])
        for names, look in _RUNNERS:
            for name in names:
                if [program, *words[1 : len(name.split())]] == name.split():
                    found += look(name, words[len(name.split()) :])
    return tuple(dict.fromkeys(found))


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


def _npm(runner: str, words: Sequence[str]) -> Iterator[str]:
    told = _read(words, _NPM_TAKES, _PACKAGE)
    for spec in told.instead or [told.first or ""]:
        if spec and not _npm_pinned(spec):
            yield _say(runner, spec, _npm_pin(spec))


def _python(runner: str, words: Sequence[str]) -> Iterator[str]:
    told = _read(words, _UV_TAKES, {"--spec"} if runner == "pipx run" else {"--from"}, {"--with"})
    own = [] if runner == "uv run" else told.instead or [told.first or ""]
    mark = "==" if runner == "pipx run" or told.instead else "@"
    for spec in own:
        if spec and not _python_pinned(spec):
            yield _say(runner, spec, _python_pin(spec, mark))
    for spec in (part for group in told.besides for part in group.split(",")):
        if spec and not _python_pinned(spec):
            yield _say(runner, spec, _python_pin(spec, "=="))


def _container(runner: str, words: Sequence[str]) -> Iterator[str]:
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            if not _DIGEST.fullmatch(word):
                shows = f"{runner.partition(' ')[0]} images --digests"
                yield _say(runner, word, f"{_image_name(word)}@sha256:… (`{shows}` shows the digest)")
            return
        is_flag = word in _DOCKER_FLAGS or _DOCKER_SHORT_FLAGS.fullmatch(word)
        if not is_flag and "=" not in word and (word.startswith("--") or len(word) == 2):
            next(rest, None)


def _deno(runner: str, words: Sequence[str]) -> Iterator[str]:
    spec = (
        _read(words, {"--config", "-c", "--import-map", "--lock", "--cert", "--env-file", "--location"}, ()).first or ""
    )
    registry, colon, name = spec.partition(":")
    if registry in {"npm", "jsr"} and colon:
        if not _npm_pinned(name):
            yield _say(runner, spec, f"{registry}:{_npm_pin(name)}")
    elif registry in {"http", "https"}:
        yield _say(runner, spec, "run a local copy, or a jsr: or npm: package with an exact version")


_PACKAGE = ("-p", "--package")
_NPM_TAKES = ("--registry", "--cache", "--prefix", "--node-options", "-c", "--call", "-w", "--workspace")
_UV_TAKES = {
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
_RUNNERS: tuple[tuple[tuple[str, ...], Callable[[str, Sequence[str]], Iterator[str]]], ...] = (
    (("npx", "pnpx", "bunx", "npm exec", "npm x", "pnpm dlx", "yarn dlx", "bun x"), _npm),
    (("uvx", "uv tool run", "uv run", "pipx run"), _python),
    (("docker run", "podman run", "docker container run", "podman container run", "nerdctl run"), _container),
    (("deno run",), _deno),
)


def _say(runner: str, spec: str, pinned: str) -> str:
    what = quoted(mask_url(spec) if "://" in spec else spec)
    why = "any start may run something newer than what you approved"
    return f"{runner} fetches {what}, which is not pinned: {why} — pin it: {safe(pinned)}"


def _is_local(spec: str) -> bool:
    return spec.startswith((".", "/", "~", "file:")) or "\\" in spec


def _npm_pinned(spec: str) -> bool:
    if _is_local(spec):
        return True
    if ":" in spec.partition("@npm:")[0] or (spec.count("/") and not spec.startswith("@")):
        return _COMMIT.fullmatch(spec.partition("#")[2]) is not None
    return _EXACT.fullmatch(spec.rpartition("@")[2]) is not None and spec.rfind("@") > 0


def _npm_pin(spec: str) -> str:
    if ":" in spec or (spec.count("/") and not spec.startswith("@")):
        return "end it with # and a full commit hash"
    name = spec[: spec.rfind("@")] if spec.rfind("@") > 0 else spec
    return f"{name}@<the version you approved>"


def _python_pinned(spec: str) -> bool:
    if _is_local(spec):
        return True
    spec = spec.partition(";")[0].strip()
    if "://" in spec:
        address, _, fragment = spec.partition("#")
        return _COMMIT.fullmatch(address.rpartition("@")[2]) is not None or "sha256=" in fragment
    parts = _PYTHON_NAME.fullmatch(spec)
    version = parts[2].strip() if parts else ""
    exact = version.startswith(("==", "@"))
    return exact and _PYTHON_EXACT.fullmatch(version.lstrip("=@").strip()) is not None


def _python_pin(spec: str, mark: str) -> str:
    parts = None if "://" in spec else _PYTHON_NAME.match(spec)
    if parts is None:
        return "end the URL with @ and a full commit hash"
    return f"{parts[1]}{mark}<the version you approved>"


def _image_name(image: str) -> str:
    last = image.rpartition("/")[2]
    return image[: len(image) - len(last)] + last.partition("@")[0].partition(":")[0]
