"""The policy for one server, as data, and the word that says what it comes to."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, time, timedelta

from driftwatch.judge.expectations import NOTHING_EXPECTED, Expectations
from driftwatch.judge.policy.profiles import BALANCED_PROFILE
from driftwatch.judge.policy.volatile import Volatile
from driftwatch.judge.policy.where import Where
from driftwatch.model import Json, Severity


@dataclass(frozen=True, slots=True)
class Override:
    """Findings that weigh otherwise to this person."""

    where: Where
    severity: Severity
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ignore:
    """Findings that are to alert nobody, why, and until when (None: for ever)."""

    where: Where
    reason: str
    expires: datetime | None = None

    def is_over(self, now: datetime | None) -> bool:
        """Say whether it holds no more."""
        return self.expires is not None and (now is None or now >= self.expires)

    @property
    def words(self) -> str:
        """Why a finding is hidden, and for how long."""
        until = f" until {_end(self.expires)}" if self.expires is not None else ""
        return f"ignored{until}: {self.reason}"


@dataclass(frozen=True)
class Policy:
    """A person's say about findings, for one server. Of several overrides that fit a finding the last one counts.

    The patterns of `volatile` are valid expressions that the configuration has checked. `expect` is what must hold
    whatever was approved: a rule judges it, and it stands here because it decides what a judgement comes to.
    """

    profile: str = BALANCED_PROFILE
    overrides: tuple[Override, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    volatile: tuple[Volatile, ...] = ()
    expect: Expectations = NOTHING_EXPECTED

    def at(self, now: datetime | None) -> Policy:
        """Give what holds at a time: without the ignores that are over. At no known time, those with an end are."""
        return replace(self, ignores=tuple(ignore for ignore in self.ignores if not ignore.is_over(now)))

    def key(self, now: datetime) -> str:
        """Name what the policy comes to at a time, in a short word without spaces; another one: judge anew.

        Empty for the default. It moves when an ignore expires.
        """
        said = _said(self.at(now))
        text = json.dumps(said, ensure_ascii=True, default=str)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:12] if said else ""


def _said(value: object) -> Json:
    """Give what differs from the defaults: a release that brings another key moves no key of what was said before."""
    if is_dataclass(value):
        parts = {field.name: (field, getattr(value, field.name)) for field in fields(value)}
        return {name: _said(part) for name, (field, part) in parts.items() if part != field.default}
    return [_said(part) for part in value] if isinstance(value, tuple) else value


def _end(moment: datetime) -> str:
    """Write when something ends; midnight is the end of the day before, as a person who gave a date wrote it."""
    if moment.time() == time():
        return f"the end of {moment - timedelta(days=1):%Y-%m-%d} UTC"
    return f"{moment:%Y-%m-%d %H:%M} UTC"


BALANCED = Policy()
"""The default profile and nothing else."""
