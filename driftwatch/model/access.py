"""Who may come in, and how: users, tokens of programs, sessions of browsers, links that are good once.

Nothing here holds a secret in clear: `password` is a hash made to be slow, every other secret is known by its SHA-256
in 64 hex digits (they are long and random, so that nobody can guess them from it).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do: look, decide, or see to users and tokens as well. Each includes those before it."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Say whether this role may do what the other one may."""
        roles = list(Role)
        return roles.index(self) >= roles.index(other)


@dataclass(frozen=True, slots=True)
class User:
    """A person. `password` is None for one whom a trusted proxy names, and who has none here."""

    name: str
    role: Role
    created_at: datetime
    password: str | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """What a program shows to come in. `scopes` narrows what its role may do, in words of whoever checks them."""

    id: str
    name: str
    by: str
    role: Role
    sha256: str
    created_at: datetime
    scopes: str = ""
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    revoked_by: str = ""

    def is_good(self, now: datetime) -> bool:
        """Say whether it still opens anything."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that somebody signed in with. `sha256` is of its id, `csrf` what its forms are checked by."""

    sha256: str
    user: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    csrf: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that signs one user in, once."""

    sha256: str
    user: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None

    def is_good(self, now: datetime) -> bool:
        """Say whether it still opens anything."""
        return self.used_at is None and now < self.expires_at
