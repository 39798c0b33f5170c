"""Users and tokens: what pages and command line do with them, said once."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from driftwatch.config.words import did_you_mean, quoted
from driftwatch.errors import UsageError
from driftwatch.model import Actor, Role, SignInLink, Token, User
from driftwatch.store.store import Store
from driftwatch.web import passwords
from driftwatch.web.keys import hashed, new_key, new_token

LINK_LASTS: Final = timedelta(days=1)
"""How long a link for a new password is good."""

LONGEST_TOKEN: Final = timedelta(days=366)
"""No token that expires lasts longer."""

SCOPES: Final = (
    "ahead",
    "alerts",
    "audit",
    "batches",
    "channels",
    "deliveries",
    "events",
    "looks",
    "me",
    "metrics",
    "rules",
    "servers",
    "settings",
    "silences",
    "status",
    "tokens",
    "users",
)
"""The parts of the API that a token can be for: the words after /api/v1/ in its paths, and /metrics."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}", re.ASCII)


def name_of(text: str) -> str:
    """Give the name of a user or a token as it is kept: in small letters.

    Raises:
        UsageError: it cannot be one.

    """
    name = text.strip().lower()
    if not _NAME.fullmatch(name):
        hint = "Start with a letter or digit; then letters, digits, . _ @ + - (64 at most)."
        raise UsageError("This cannot be a name.", hint=hint)
    return name


def is_free(store: Store, name: str) -> None:
    """See that nobody has a name yet.

    Raises:
        UsageError: somebody has.

    """
    if store.user(name) is not None:
        raise UsageError(f"There is a user {name!r} already.", hint="Choose another name.")


def add_user(store: Store, name: str, role: Role, password: str | None, *, by: Actor, now: datetime) -> User:
    """Keep a new user; without a password they come in by a link, or by a proxy that names them.

    Raises:
        UsageError: the name is taken or cannot be one, or the password is no good.
        StoreError: the database could not be written.

    """
    name = name_of(name)
    user = User(name, role, now, None if password is None else kept_password(password, name))
    store.add_user(user, by=by)
    return user


def set_password(store: Store, name: str, password: str, *, by: Actor, now: datetime) -> User:
    """Give a user another password; all their sessions end.

    Raises:
        UsageError: there is no such user, or the password is no good.
        StoreError: the database could not be written.

    """
    return store.change_user(name, by=by, at=now, password=kept_password(password, name))


def add_link(store: Store, random: Callable[[int], bytes], name: str, *, by: Actor, now: datetime) -> str:
    """Make the key of a link with which a user chooses a new password, once. Only its hash is kept.

    Raises:
        UsageError: there is no such user.
        StoreError: the database could not be written.

    """
    key = new_key(random)
    store.add_link(SignInLink(hashed(key), name, now, now + LINK_LASTS), by=by)
    return key


def add_token(
    store: Store,
    random: Callable[[int], bytes],
    name: str,
    role: Role,
    *,
    scopes: Iterable[str] = (),
    lasts: timedelta | None,
    by: Actor,
    now: datetime,
    of_user: bool = False,
) -> tuple[Token, str]:
    """Make a token for a program. Give it and its secret, which is shown once: only its hash is kept.

    With `of_user` it is made by a user, who must still be one then, and may do what it is for. Whoever has the command
    line need be none.

    Raises:
        UsageError: the name, a scope or the time cannot be used, or the user may not make it.
        StoreError: the database could not be written.

    """
    wanted = sorted(set(scopes))
    for scope in wanted:
        if scope not in SCOPES:
            # A typo must not make a token that is of no use.
            hint = did_you_mean(scope, SCOPES)
            raise UsageError(f"The API has no part {quoted(scope)}.", hint=f"{hint[:1].upper()}{hint[1:]}")
    if lasts is not None and not timedelta() < lasts <= LONGEST_TOKEN:
        raise UsageError("This is not a time that a token can last.", hint="Write 12h or 90d; a year is the most.")
    secret = new_token(random)
    token = Token(
        id=f"tok_{uuid.uuid4().hex}",
        name=name_of(name),
        by=by.name,
        role=role,
        sha256=hashed(secret),
        created_at=now,
        scopes=" ".join(wanted),
        expires_at=None if lasts is None else now + lasts,
    )
    store.add_token(token, by=by, of_user=of_user)
    return token, secret


def kept_password(password: str, name: str) -> str:
    """Give what is kept of a password of that user. Takes a while.

    Raises:
        UsageError: the password is no good.
        BusyError: many others wait already.

    """
    wrong = passwords.wrong_with(password, name=name)
    if wrong is not None:
        raise UsageError(wrong, hint="")
    return passwords.hash_password(password)
