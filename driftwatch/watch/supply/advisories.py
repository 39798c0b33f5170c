"""What advisories are published about a package, from a database in the OSV format (ossf.github.io/osv-schema).

Asked is `POST /v1/query` with name, ecosystem and version; it answers whole advisories, page by page. Which versions an
advisory is about is the database's answer, not ours. One that was withdrawn is not given, and the same matter under two
names (a CVE and what a vendor calls it) is given once. Without a version only what calls the package malicious counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol

from driftwatch.config.packages import normal
from driftwatch.model import Advisory, Json, Package, Severity
from driftwatch.watch.supply.asking import Asker, Trouble
from driftwatch.watch.supply.cvss import severity_of

ECOSYSTEMS: Final = {"npm": "npm", "pypi": "PyPI"}
"""What the format calls the ecosystems."""

MOST_PAGES: Final = 20
"""Pages of one answer. A package with more has advisories enough."""

MOST: Final = 200
"""Advisories that are kept of one package, the worst first."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}", re.ASCII)
_WORDS = {"CRITICAL": Severity.CRITICAL, "HIGH": Severity.HIGH, "MODERATE": Severity.MEDIUM, "MEDIUM": Severity.MEDIUM}
_WORDS |= {"LOW": Severity.LOW}
_SUMMARY = 500
_VERSION = 60
_FIXES = 5
_ALIASES = 10


class Advisories(Protocol):
    """Knows what is published about packages."""

    async def about(self, package: Package) -> tuple[Advisory, ...] | Trouble:
        """Give the advisories about a package and version, worst first. What the database does wrong is a `Trouble`."""
        ...


class OsvDatabase:
    """A database in the OSV format."""

    def __init__(self, asker: Asker) -> None:
        """Take who asks its address."""
        self._asker = asker

    async def about(self, package: Package) -> tuple[Advisory, ...] | Trouble:
        """Give the advisories about a package and version, worst first."""
        question: dict[str, Json] = {"package": {"name": package.name, "ecosystem": ECOSYSTEMS[package.ecosystem]}}
        if package.version:
            question["version"] = package.version
        found: list[Json] = []
        for _ in range(MOST_PAGES):
            answer = await self._asker.post("/v1/query", question)
            if isinstance(answer, Trouble):
                return answer
            if not isinstance(answer.value, Mapping):
                return Trouble("the answer is no list of advisories")
            page = answer.value.get("vulns", [])
            if not isinstance(page, list):
                return Trouble("the answer is no list of advisories")
            found += page
            token = answer.value.get("next_page_token")
            if not isinstance(token, str) or not token:
                return read(found, package)
            question = {**question, "page_token": token}
        return Trouble(f"the answer has more than {MOST_PAGES} pages")


def read(found: Iterable[Json], package: Package) -> tuple[Advisory, ...]:
    """Read advisories in the OSV format, each matter once, the worst first."""
    known = list(_advisories(found, package))
    if not package.version:
        known = [one for one in known if one.malicious]
    return tuple(sorted(_once(known), key=_order)[:MOST])


def _advisories(found: Iterable[Json], package: Package) -> Iterator[Advisory]:
    for raw in found:
        if not isinstance(raw, Mapping) or raw.get("withdrawn"):
            continue
        name = raw.get("id")
        if isinstance(name, str) and _ID.fullmatch(name):
            affected = [one for one in _list(raw, "affected") if _is_about(one, package)]
            yield Advisory(
                name,
                _summary(raw),
                _severity(raw, affected),
                tuple(one for one in _texts(raw, "aliases") if _ID.fullmatch(one) and one != name)[:_ALIASES],
                tuple(dict.fromkeys(_fixed(affected)))[:_FIXES],
            )


def _once(known: list[Advisory]) -> Iterator[Advisory]:
    """Give of each matter the advisory that says most of it: malicious first, then the worst, then by name."""
    taken: set[str] = set()
    for one in sorted(known, key=_order):
        names = {one.id, *one.aliases}
        if not names & taken:
            yield one
        taken |= names


def _order(one: Advisory) -> tuple[bool, int, bool, str]:
    weight = -1 if one.severity is None else one.severity.rank
    return (not one.malicious, -weight, not one.id.startswith("GHSA-"), one.id)


def _summary(raw: Mapping[str, Json]) -> str:
    summary, details = raw.get("summary"), raw.get("details")
    if isinstance(summary, str) and summary.strip():
        return summary.strip()[:_SUMMARY]
    # Some databases have no summary: the first line of the long text then stands for it.
    lines = details.strip()[: 4 * _SUMMARY].splitlines() if isinstance(details, str) else []
    return lines[0].lstrip("# ")[:_SUMMARY] if lines else ""


def _severity(raw: Mapping[str, Json], affected: list[Mapping[str, Json]]) -> Severity | None:
    """Give how bad it says it is: the word that its publisher chose, else the worst of its CVSS vectors."""
    for one in (raw, *affected):
        for key in ("database_specific", "ecosystem_specific"):
            inner = one.get(key)
            word = inner.get("severity") if isinstance(inner, Mapping) else None
            if isinstance(word, str) and word.upper() in _WORDS:
                return _WORDS[word.upper()]
    scores = (entry.get("score") for one in (raw, *affected) for entry in _list(one, "severity"))
    told = [found for score in scores if isinstance(score, str) and (found := severity_of(score)) is not None]
    return max(told, default=None)


def _is_about(affected: Mapping[str, Json], package: Package) -> bool:
    named = affected.get("package")
    if not isinstance(named, Mapping) or named.get("ecosystem") != ECOSYSTEMS[package.ecosystem]:
        return False
    name = named.get("name")
    if package.ecosystem == "pypi" and isinstance(name, str):
        return normal(name) == normal(package.name)
    return bool(name == package.name)


def _fixed(affected: list[Mapping[str, Json]]) -> Iterator[str]:
    for one in affected:
        for span in _list(one, "ranges"):
            if span.get("type") in {"SEMVER", "ECOSYSTEM"}:
                for event in _list(span, "events"):
                    version = event.get("fixed")
                    if isinstance(version, str) and 0 < len(version) <= _VERSION:
                        yield version


def _list(value: Mapping[str, Json], key: str) -> list[Mapping[str, Json]]:
    found = value.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _texts(value: Mapping[str, Json], key: str) -> list[str]:
    found = value.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
