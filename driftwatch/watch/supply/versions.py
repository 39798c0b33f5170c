"""Which of two versions is the newer one, as npm (Semantic Versioning 2.0.0) and Python (PEP 440) order them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

Key: TypeAlias = tuple[Any, ...]

_LONGEST = 100
_NPM = re.compile(r"[v=]*(\d{1,18})\.(\d{1,18})\.(\d{1,18})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_PYTHON = re.compile(
    r"v?(?:(?P<epoch>\d{1,18})!)?(?P<release>\d{1,18}(?:\.\d{1,18})*)"
    r"(?:[-_.]?(?P<pre>a|b|c|rc|alpha|beta|pre|preview)[-_.]?(?P<pre_n>\d{0,18}))?"
    r"(?P<post>-\d{1,18}|[-_.]?(?:post|rev|r)[-_.]?\d{0,18})?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_n>\d{0,18}))?"
    r"(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?",
    re.IGNORECASE,
)
_PRE = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}


def key(ecosystem: str, version: str) -> Key | None:
    """Give what sorts a version among others of its ecosystem, None for what is no version."""
    text = version.strip()
    if len(text) > _LONGEST:
        return None
    return _npm(text) if ecosystem == "npm" else _python(text)


def is_newer(ecosystem: str, version: str, than: str) -> bool:
    """Say whether a version comes after another one; not when either cannot be read."""
    one, other = key(ecosystem, version), key(ecosystem, than)
    return one is not None and other is not None and one > other


def newest(versions: Iterable[str]) -> str:
    """Give the newest Python version that is final, else the newest of all; empty for none."""
    known = [(found, version) for version in versions if (found := key("pypi", version)) is not None]
    final = [one for one in known if not _is_early(one[1])]
    return max(final or known, default=((), ""))[1]


def _npm(version: str) -> Key | None:
    match = _NPM.fullmatch(version)
    if match is None:
        return None
    release = tuple(int(part) for part in match.group(1, 2, 3))
    # A release comes after everything that was called an early form of it.
    early = match[4]
    parts = tuple(
        (0, int(part), "") if part.isdigit() and len(part) < 19 else (1, 0, part) for part in (early or "").split(".")
    )
    return (*release, early is None, () if early is None else parts)


def _python(version: str) -> Key | None:
    match = _PYTHON.fullmatch(version)
    if match is None:
        return None
    release = [int(part) for part in match["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    pre, post, dev = match["pre"], match["post"], match["dev"]
    early = (_PRE[pre.lower()], int(match["pre_n"] or 0)) if pre else (-1, 0) if dev and not post else (3, 0)
    later = int(re.sub(r"\D", "", post) or 0) + 1 if post else 0
    unfinished = (0, int(match["dev_n"] or 0)) if dev else (1, 0)
    return (int(match["epoch"] or 0), tuple(release), early, later, unfinished)


def _is_early(version: str) -> bool:
    match = _PYTHON.fullmatch(version.strip())
    return match is not None and bool(match["pre"] or match["dev"])
