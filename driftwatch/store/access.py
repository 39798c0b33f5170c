"""Who may come in: users, tokens, sessions, and links that are good once. No secret is ever seen here in clear."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, exists, insert, or_, select, update

from driftwatch.errors import LastAdminError, NothingToDoError, UnknownIdError, UnknownUserError, UsageError
from driftwatch.model import Act, Action, Actor, Json, Role, Session, SignInLink, Token, User
from driftwatch.store import audit
from driftwatch.store.access_tables import keys, links, sessions, tokens, users
from driftwatch.store.columns import kept_as, row_of
from driftwatch.store.engine import insert_new, reading
from driftwatch.store.shelf import Shelf
from driftwatch.store.sound import marked

_NEW_KEY = 32
"""Bytes of a key that is made."""

_GIVE_LINK: Final = "Make a link for them first: driftwatch user link"


class AccessShelf(Shelf):
    """The part of the Store that is about who may come in. What a person does is in the audit log with it."""

    # Users

    def add_user(self, user: User, *, by: Actor) -> None:
        """Keep a new user.

        Raises:
            UsageError: there is one of that name.

        """
        with self._write() as connection:
            if not insert_new(connection, users, row_of(user)):
                raise UsageError(f"There is a user {user.name!r} already.", hint="Choose another name.")
            details: dict[str, Json] = {
                "user": user.name,
                "role": user.role.value,
                "password": user.password is not None,
            }
            details["mark"] = marked(user.password)
            _note(connection, Action.USER_ADDED, by, user.created_at, details)

    def users(self) -> list[User]:
        """Give all users, by name."""
        with reading(self._engine) as connection:
            return [kept_as(User, row) for row in connection.execute(select(users).order_by(users.c.name))]

    def user(self, name: str) -> User | None:
        """Give a user, None where there is none of that name."""
        with reading(self._engine) as connection:
            return _user(connection, name)

    def change_user(
        self,
        name: str,
        *,
        by: Actor,
        at: datetime,
        role: Role | None = None,
        password: str | None = None,
        disabled: bool | None = None,
        even_last_admin: bool = False,
        proxied: bool = False,
    ) -> User:
        """Change what is given of a user; None leaves it. Any change ends all their sessions.

        `proxied` says that a proxy signs people in, so that admins without a password or a link can come in too.

        Raises:
            UnknownUserError: there is none of that name.
            LastAdminError: nobody would be left who is an admin and can come in, and that was not said to be meant.

        """
        asked = {"role": role, "password": password, "disabled": disabled}
        with self._write() as connection:
            before = _known(connection, name)
            new = {key: value for key, value in asked.items() if value is not None and value != getattr(before, key)}
            if not new:
                return before
            if not even_last_admin and (new.get("disabled") or "role" in new):
                _leave_an_admin(connection, before, at, proxied=proxied)
            connection.execute(update(users).where(users.c.name == name).values(**new))
            # Whoever held a session under what was so before begins anew under what is so now.
            connection.execute(delete(sessions).where(sessions.c.user == name))
            if "password" in new or new.get("disabled"):
                connection.execute(delete(links).where(links.c.user == name))
            said = {key: True if key == "password" else str(value) for key, value in new.items()}
            mark = {"mark": marked(password)} if "password" in new else {}
            _note(connection, Action.USER_CHANGED, by, at, {"user": name, "changed": said, **mark})
            return _known(connection, name)

    def remove_user(
        self, name: str, *, by: Actor, at: datetime, even_last_admin: bool = False, proxied: bool = False
    ) -> None:
        """Take a user out, with their sessions and links, and take back their tokens: those would outlive them.

        What they did stays in the audit log. `proxied` is as in `change_user`.

        Raises:
            UnknownUserError: there is none of that name.
            LastAdminError: nobody would be left who is an admin and can come in, and that was not said to be meant.

        """
        with self._write() as connection:
            before = _known(connection, name)
            if not even_last_admin:
                _leave_an_admin(connection, before, at, proxied=proxied)
            theirs = (tokens.c.by == name, tokens.c.revoked_at.is_(None))
            for row in connection.execute(select(tokens).where(*theirs).order_by(tokens.c.id)).all():
                _revoke(connection, kept_as(Token, row), by, at)
            for table in (sessions, links):
                connection.execute(delete(table).where(table.c.user == name))
            connection.execute(delete(users).where(users.c.name == name))
            _note(connection, Action.USER_REMOVED, by, at, {"user": name, "role": before.role.value})

    # Tokens

    def add_token(self, token: Token, *, by: Actor, of_user: bool = False) -> None:
        """Keep a new token.

        With `of_user` whoever makes it must be a user at that moment, and may do what the token is for: one who was
        taken out since they asked leaves no token behind.

        Raises:
            UsageError: they are none, may not come in, or may do less than the token is to do.

        """
        with self._write() as connection:
            if of_user:
                _may_make(connection, token)
            connection.execute(insert(tokens).values(**row_of(token)))
            expires = token.expires_at.isoformat() if token.expires_at else None
            details: dict[str, Json] = {
                "token": token.id,
                "name": token.name,
                "role": token.role.value,
                "scopes": token.scopes,
            }
            details |= {"expires": expires, "by": token.by, "mark": marked(token.sha256)}
            _note(connection, Action.TOKEN_MADE, by, token.created_at, details)

    def tokens(self, *, at: datetime | None = None, limit: int = 1_000) -> list[Token]:
        """Give tokens, newest first: with `at` those that are good then, else also those that open nothing any more."""
        query = select(tokens).order_by(tokens.c.created_at.desc(), tokens.c.id).limit(limit)
        if at is not None:
            lasts = or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > at)
            query = query.where(tokens.c.revoked_at.is_(None), lasts)
        with reading(self._engine) as connection:
            return [kept_as(Token, row) for row in connection.execute(query)]

    def token(self, token_id: str) -> Token | None:
        """Give the token of that id, whether or not it is still good; None for none."""
        with reading(self._engine) as connection:
            row = connection.execute(select(tokens).where(tokens.c.id == token_id)).one_or_none()
        return None if row is None else kept_as(Token, row)

    def token_by_hash(self, sha256: str) -> Token | None:
        """Give the token whose secret has that SHA-256, whether or not it is still good; None for none."""
        with reading(self._engine) as connection:
            row = connection.execute(select(tokens).where(tokens.c.sha256 == sha256)).one_or_none()
        return None if row is None else kept_as(Token, row)

    def touch_token(self, token_id: str, *, at: datetime) -> None:
        """Write down when a token was used last."""
        with self._write() as connection:
            connection.execute(update(tokens).where(tokens.c.id == token_id).values(last_used_at=at))

    def revoke_token(self, prefix: str, *, by: Actor, at: datetime) -> Token:
        """Take back the token whose id begins so: from now on it opens nothing.

        Raises:
            UnknownIdError: none begins so, or more than one does.
            NothingToDoError: it is taken back already.

        """
        begins = tokens.c.id.startswith(prefix, autoescape=True)
        with self._write() as connection:
            found = connection.execute(select(tokens).where(begins).limit(2)).all()
            if len(found) != 1:
                many = "More than one token has" if found else "No token has"
                raise UnknownIdError(f"{many} an id that begins with {prefix!r}.", hint="See them: driftwatch token")
            token = kept_as(Token, found[0])
            if token.revoked_at is not None:
                raise NothingToDoError(f"The token {token.id} was revoked before.", hint="There is nothing to do.")
            _revoke(connection, token, by, at)
            return kept_as(Token, connection.execute(select(tokens).where(tokens.c.id == token.id)).one())

    # Sessions

    def open_session(self, session: Session, *, origin: str, how: str) -> None:
        """Keep a session of somebody who signed in, `how`: `password`, `link`, `proxy`. Those that are over go.

        Raises:
            UnknownUserError: there is no such user.

        """
        with self._write() as connection:
            _known(connection, session.user)
            connection.execute(delete(sessions).where(sessions.c.expires_at <= session.created_at))
            connection.execute(insert(sessions).values(**row_of(session)))
            by = Actor(session.user, origin)
            _note(connection, Action.SIGNED_IN, by, session.created_at, {"how": how})

    def session(self, sha256: str) -> tuple[Session, User] | None:
        """Give the session whose id has that SHA-256, with its user; None for none. See yourself whether it is over."""
        query = select(sessions).where(sessions.c.sha256 == sha256)
        with reading(self._engine) as connection:
            row = connection.execute(query).one_or_none()
            user = None if row is None else _user(connection, row.user)
        return None if row is None or user is None else (kept_as(Session, row), user)

    def sessions(self, user: str) -> list[Session]:
        """Give the sessions of a user, newest first; see yourself which are over."""
        theirs = select(sessions).where(sessions.c.user == user)
        query = theirs.order_by(sessions.c.created_at.desc(), sessions.c.sha256)
        with reading(self._engine) as connection:
            return [kept_as(Session, row) for row in connection.execute(query)]

    def touch_session(self, sha256: str, *, at: datetime, expires_at: datetime) -> None:
        """Write down that a session was used, and until when it is good now."""
        with self._write() as connection:
            used = {"last_seen_at": at, "expires_at": expires_at}
            connection.execute(update(sessions).where(sessions.c.sha256 == sha256).values(**used))

    def end_session(self, sha256: str, *, by: Actor, at: datetime) -> bool:
        """End a session; False when there is none."""
        return self._end(sessions.c.sha256 == sha256, by, at) > 0

    def end_sessions(self, user: str, *, by: Actor, at: datetime) -> int:
        """End all sessions of a user; give how many there were."""
        return self._end(sessions.c.user == user, by, at)

    def _end(self, which: Any, by: Actor, at: datetime) -> int:
        with self._write() as connection:
            gone = connection.execute(select(sessions.c.user).where(which)).scalars().all()
            connection.execute(delete(sessions).where(which))
            if gone:
                _note(connection, Action.SIGNED_OUT, by, at, {"user": gone[0], "sessions": len(gone)})
            return len(gone)

    def note_failed_sign_in(self, *, by: Actor, at: datetime, why: str) -> None:
        """Write down that somebody tried to sign in and was not let in; `by` says as whom.

        Never the name as it was typed where there is no such user: people type passwords there.
        """
        with self._write() as connection:
            audit.write(connection, Act(Action.SIGN_IN_FAILED, by, at, why=why))

    def key(self, name: str, random: Callable[[int], bytes]) -> bytes:
        """Give the key of that name with which driftwatch signs; the first who asks makes it."""
        query = select(keys.c.value).where(keys.c.name == name)
        with reading(self._engine) as connection:
            found = connection.scalar(query)
        if found is not None:
            return bytes(found)
        with self._write() as connection:
            insert_new(connection, keys, {"name": name, "value": random(_NEW_KEY)})
            return bytes(connection.execute(query).scalar_one())

    # Links that are good once

    def add_link(self, link: SignInLink, *, by: Actor) -> None:
        """Keep a link that signs its user in, once.

        Raises:
            UnknownUserError: there is no such user.

        """
        with self._write() as connection:
            _known(connection, link.user)
            connection.execute(delete(links).where(links.c.expires_at <= link.created_at))
            connection.execute(insert(links).values(**row_of(link)))
            details = {"user": link.user, "expires": link.expires_at.isoformat()}
            _note(connection, Action.LINK_MADE, by, link.created_at, details)

    def link(self, sha256: str) -> SignInLink | None:
        """Give a link without using it up, whether or not it is still good; None for none."""
        with reading(self._engine) as connection:
            row = connection.execute(select(links).where(links.c.sha256 == sha256)).one_or_none()
        return None if row is None else kept_as(SignInLink, row)

    def use_link(self, sha256: str, *, at: datetime) -> User | None:
        """Use a link up, and give the user whom it signs in; None when it is none, was used, is over, or they may not.

        Of two who use it at the same time one gets it.
        """
        good = (links.c.sha256 == sha256, links.c.used_at.is_(None), links.c.expires_at > at)
        with self._write() as connection:
            if connection.execute(update(links).where(*good).values(used_at=at)).rowcount != 1:
                return None
            name = connection.scalar(select(links.c.user).where(links.c.sha256 == sha256))
            user = _user(connection, name) if name is not None else None
            return None if user is None or user.disabled else user


def _leave_an_admin(connection: Connection, before: User, at: datetime, *, proxied: bool) -> None:
    """See that somebody else is an admin who can come in, where this one was; with `proxied` a proxy names whoever."""
    if before.role is not Role.ADMIN or before.disabled:
        return
    others = (users.c.role == Role.ADMIN, users.c.disabled.is_(False), users.c.name != before.name)
    linked = exists().where(links.c.user == users.c.name, links.c.used_at.is_(None), links.c.expires_at > at)
    ways = () if proxied else (or_(users.c.password.is_not(None), linked),)
    if connection.scalar(select(exists().where(*others, *ways))):
        return
    named = connection.execute(select(users.c.name).where(*others).order_by(users.c.name)).scalars().all()
    message = f"{before.name!r} is the last admin: nobody would be left who may let people in."
    hint = None
    if named:
        more = f" (and {len(named) - 1} more)" if len(named) > 1 else ""
        lacks = "has no password, and no link that is still good"
        message = f"{before.name!r} is the last admin who can come in: {named[0]!r}{more} {lacks}."
        hint = f"{_GIVE_LINK} {named[0]}. The command line does it all the same with --even-last-admin."
    raise LastAdminError(message, hint=hint)


def _may_make(connection: Connection, token: Token) -> None:
    """See that the maker of a token is a user who may come in, and may do what it is for."""
    maker = _user(connection, token.by)
    if maker is None or maker.disabled:
        hint = "An admin adds users with: driftwatch user add NAME"
        raise UsageError(f"Only users make tokens, and {token.by!r} is none who may come in.", hint=hint)
    if not maker.role.includes(token.role):
        raise UsageError(
            f"{maker.name!r} may do no more than a {maker.role.value}.",
            hint="Make a token with that role, or a lesser one.",
        )


def _note(connection: Connection, action: Action, by: Actor, at: datetime, details: dict[str, Json]) -> None:
    audit.write(connection, Act(action, by, at, details=details))


def _revoke(connection: Connection, token: Token, by: Actor, at: datetime) -> None:
    revoked = {"revoked_at": at, "revoked_by": by.name}
    connection.execute(update(tokens).where(tokens.c.id == token.id).values(**revoked))
    _note(connection, Action.TOKEN_REVOKED, by, at, {"token": token.id, "name": token.name})


def _known(connection: Connection, name: str) -> User:
    user = _user(connection, name)
    if user is None:
        raise UnknownUserError(f"There is no user {name!r}.", hint="See them: driftwatch user")
    return user


def _user(connection: Connection, name: str) -> User | None:
    row = connection.execute(select(users).where(users.c.name == name)).one_or_none()
    return None if row is None else kept_as(User, row)
