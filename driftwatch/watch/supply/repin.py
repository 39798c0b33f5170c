"""The same command with another version of its package: what a version bump makes of a configuration. Pure.

A command can hold its package in many ways. Instead of knowing them all once more, a new one is tried at each place
where the spec stands, and read back by what reads commands everywhere (`config.packages`): it is right where that finds
the same packages as before, and of one of them the wanted version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from driftwatch.config.arguments import masked
from driftwatch.config.packages import Asked, asked, at_version
from driftwatch.config.secret import MASK, Filled, hidden, shown
from driftwatch.config.urls import mask_url
from driftwatch.config.words import quoted
from driftwatch.watch.supply import versions

_LONGEST = 200
_PLAIN = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.+!:@-]*")
_NPM = re.compile(r"[v=]*(\d[0-9A-Za-z.+-]*)")
_PYTHON = re.compile(r"v?(\d[0-9A-Za-z.+!_-]*)", re.IGNORECASE)
_IMAGE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(?:@sha256:[0-9a-f]{64})?|sha256:[0-9a-f]{64}")
_EXAMPLES = {
    "npm": "an exact version such as 1.2.4",
    "jsr": "an exact version such as 1.2.4",
    "pypi": "an exact version such as 1.2.4",
    "oci": "a tag such as 1.2.4, or a digest (sha256: and 64 hex digits)",
}
_WHOLE = "Give the whole command instead: --command '…'"


@dataclass(frozen=True, slots=True)
class Repinned:
    """A command that asks for another version of its package.

    `was` and `now` are the package as it was and is asked for, in quotes and safe to show; `version` is as written now.
    """

    command: str
    args: tuple[str, ...]
    was: str
    now: str
    version: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no version can be put into a command, and what to do instead; both are safe to show."""

    why: str
    hint: str


def with_version(command: str, args: Sequence[str], version: str) -> Repinned | Refusal:
    """Put another exact version of its package into a command, and change nothing else.

    What must not be shown of the arguments stays so. A version is given as the package's registry writes it.
    """
    found = asked(command, args)
    names = _as_shown(command, args, found)
    which = _which(found, names)
    if isinstance(which, Refusal):
        return which
    was = found[which]
    exact = exact_version(was.ecosystem, version)
    if not exact:
        example = _EXAMPLES.get(was.ecosystem, "an exact version")
        return Refusal(f"{quoted(version)} is no version that {was.runner} can be asked for.", f"Give {example}.")
    wanted = at_version(was, exact)
    if not wanted:
        return Refusal(f"{was.runner} is given {names[which]}, which has no versions of a registry.", _WHOLE)
    made = [
        changed for changed in _tries(args, was.spec, wanted) if _is_only(found, asked(command, changed), which, wanted)
    ]
    if len(made) != 1:
        where = "in more than one place" if made else "in no place"
        return Refusal(f"{names[which]} stands {where} in the command where it can be replaced.", _WHOLE)
    changed = masked(command, made[0])
    return Repinned(command, changed, names[which], _as_shown(command, changed, asked(command, changed))[which], exact)


def exact_version(ecosystem: str, version: str) -> str:
    """Give a version as it is written into a command (`v1.2.4` as 1.2.4), empty for what is not one exact version.

    Of an image it is a tag or a digest. Nothing that comes out can be read as an option, a path or an address.
    """
    if len(version) > _LONGEST or not _PLAIN.fullmatch(version.lstrip("=")):
        return ""
    if ecosystem == "oci":
        return version if _IMAGE.fullmatch(version) else ""
    kind = "pypi" if ecosystem == "pypi" else "npm"
    match = (_PYTHON if kind == "pypi" else _NPM).fullmatch(version)
    return match[1] if match is not None and versions.key(kind, match[1]) is not None else ""


def _as_shown(command: str, args: Sequence[str], found: Sequence[Asked]) -> list[str]:
    """Give each package of a command as it may be shown, in quotes."""
    seen = asked(shown(command), [shown(word) for word in args])
    specs = [one.spec for one in seen] if len(seen) == len(found) else [MASK] * len(found)
    return [quoted(mask_url(spec) if "://" in spec else spec) for spec in specs]


def _which(found: Sequence[Asked], names: Sequence[str]) -> int | Refusal:
    """Say which of the packages a version is meant for: the program's own, else the only one."""
    if not found:
        return Refusal("The command names no package of a registry, so there is no version in it to replace.", _WHOLE)
    main = [number for number, one in enumerate(found) if one.main] or list(range(len(found)))
    if len(main) > 1:
        listed = ", ".join(names[number] for number in main[:4])
        return Refusal(f"The command fetches more than one package ({listed}).", _WHOLE)
    return main[0]


def _tries(args: Sequence[str], spec: str, wanted: str) -> Iterator[tuple[str, ...]]:
    """Give the arguments with the spec replaced, once for each place where it stands as a word of its own."""
    for number, word in enumerate(args):
        for start in _places(word, spec):
            yield (*args[:number], _replaced(word, start, spec, wanted), *args[number + 1 :])


def _places(word: str, spec: str) -> Iterator[int]:
    """Give where a spec stands in a word: whole, after an option's `=`, in a list, or in the line of a shell."""
    for match in re.finditer(rf"(?:(?<=^)|(?<=[\s=,'\"]))(?={re.escape(spec)}(?:[\s,'\";&|]|$))", word):
        yield match.start()


def _replaced(word: str, start: int, spec: str, wanted: str) -> str:
    """Give a word with the spec replaced that shows no more than before."""
    value = f"{word[:start]}{wanted}{word[start + len(spec) :]}"
    if not isinstance(word, Filled):
        return value
    seen = shown(word)
    places = list(_places(seen, spec))
    if len(places) == 1:
        text = f"{seen[: places[0]]}{wanted}{seen[places[0] + len(spec) :]}"
    elif len(word) == len(spec):
        text = value
        for piece in sorted(filter(None, hidden(word)), key=len, reverse=True):
            text = text.replace(piece, MASK)
    else:
        text = MASK
    return Filled(value, shown=text, hidden=hidden(word))


def _is_only(before: Sequence[Asked], after: Sequence[Asked], which: int, wanted: str) -> bool:
    """Say whether one package is asked for in the wanted spelling, is the same one still, and all others stand."""
    if len(after) != len(before):
        return False
    others = all(one == other for number, (one, other) in enumerate(zip(before, after, strict=True)) if number != which)
    was, now = before[which], after[which]
    same = (was.runner, was.ecosystem, was.name, was.main) == (now.runner, now.ecosystem, now.name, now.main)
    return others and same and now.spec == wanted
