"""What registries and databases of advisories said about a package."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from driftwatch.model.judged import Severity


@dataclass(frozen=True, slots=True)
class Package:
    """A package in use. `ecosystem` is `npm` or `pypi`; `version` is empty where nobody could tell it."""

    ecosystem: str
    name: str
    version: str = ""

    def __str__(self) -> str:
        """Give `npm name 1.2.3`."""
        return f"{self.ecosystem} {self.name} {self.version}".rstrip()


class Withdrawn(StrEnum):
    """How a release was taken back: by its maker, or by the registry."""

    DEPRECATED = "deprecated"
    YANKED = "yanked"
    GONE = "gone"
    """The registry does not list the version (any more)."""
    QUARANTINED = "quarantined"
    """The registry holds the whole package back."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """A published advisory about the version in use. Its words are a stranger's.

    `severity` is how bad it says it is, None when it does not; `fixed` names versions that are no longer affected.
    """

    id: str
    summary: str = ""
    severity: Severity | None = None
    aliases: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()

    @property
    def malicious(self) -> bool:
        """Say whether this calls the package itself an attack (`MAL-…` names such advisories in the OSV format)."""
        return any(name.startswith("MAL-") for name in (self.id, *self.aliases))


@dataclass(frozen=True, slots=True)
class PackageNews:
    """What was learned about a package when it was asked about last.

    `latest` is the newest release (its date, where known, in `latest_at`), `newer` the same where it is newer than the
    version in use. `reason` is the words that came with `withdrawn`. `trouble` says what could not be learned and why;
    what was known before then stays.
    """

    package: Package
    asked_at: datetime
    latest: str = ""
    latest_at: datetime | None = None
    newer: str = ""
    withdrawn: Withdrawn | None = None
    reason: str = ""
    advisories: tuple[Advisory, ...] = ()
    trouble: tuple[str, ...] = ()
