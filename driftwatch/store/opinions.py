"""What a configured model said of texts: one row for each text, model and wording of the question."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from driftwatch.model import KeptOpinion, Passage
from driftwatch.store.codec import opinion_from_json, opinion_to_json, pack, unpack
from driftwatch.store.engine import reading
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import opinion_requests, opinions

_AT_ONCE = 500
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


class OpinionShelf(Shelf):
    """The part of the Store that is about second opinions."""

    def opinions(self, keys: Collection[str]) -> dict[str, KeptOpinion]:
        """Give what was asked already of these, by key."""
        with reading(self._engine) as connection:
            return known(connection, keys)

    def owed_opinions(self, now: datetime, *, limit: int) -> list[KeptOpinion]:
        """Give the questions without an answer that are to be asked again by now, the longest due first."""
        due = select(opinions).where(opinions.c.again_at <= now).order_by(opinions.c.again_at, opinions.c.key)
        with reading(self._engine) as connection:
            return [_kept(row) for row in connection.execute(due.limit(limit))]

    def take_opinion_request(self, now: datetime, *, per_hour: int, per_day: int) -> bool:
        """Count one more request, and say whether the limits let it be made; if not, nothing is counted."""
        with self._write() as connection:
            # Those of the future are from before the clock was set back.
            past = or_(opinion_requests.c.at <= now - _DAY, opinion_requests.c.at > now)
            connection.execute(delete(opinion_requests).where(past))
            for span, most in ((_HOUR, per_hour), (_DAY, per_day)):
                made = select(func.count()).where(opinion_requests.c.at > now - span)
                if (connection.scalar(made) or 0) >= most:
                    return False
            connection.execute(insert(opinion_requests).values(at=now))
            return True

    def record_opinions(self, found: Iterable[KeptOpinion], *, judging: str = "") -> None:
        """Keep what came of questions. An answer that is there already stays.

        Where there is an answer now, the servers that waited for it are judged anew at their next look, but for the one
        that is being judged with it (`judging`).
        """
        with self._write() as connection:
            for kept in found:
                _keep(connection, kept, judging)


def known(connection: Connection, keys: Collection[str]) -> dict[str, KeptOpinion]:
    """Give what is kept under these keys."""
    wanted = sorted(set(keys))
    found: dict[str, KeptOpinion] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        part = select(opinions).where(opinions.c.key.in_(wanted[start : start + _AT_ONCE]))
        found.update({row.key: _kept(row) for row in connection.execute(part)})
    return found


def _keep(connection: Connection, kept: KeptOpinion, judging: str) -> None:
    before = known(connection, [kept.key]).get(kept.key)
    if before is not None and before.opinion.injection is not None:
        return
    waited = {*kept.servers, *(before.servers if before is not None else ())}
    answered = kept.opinion.injection is not None
    values = {
        "asked_at": kept.asked_at,
        "again_at": None if answered else kept.again_at,
        "body": _body(kept, () if answered else sorted(waited)),
    }
    if before is None:
        connection.execute(insert(opinions).values(key=kept.key, **values))
    else:
        connection.execute(update(opinions).where(opinions.c.key == kept.key).values(**values))
    for server in sorted(waited - {judging}) if answered else ():
        judged_anew(connection, server)


def _body(kept: KeptOpinion, servers: Collection[str]) -> bytes:
    """Pack a question; what was asked is kept only for as long as it may have to be asked again."""
    asked = kept.passage if kept.again_at is not None and kept.opinion.injection is None else None
    return pack(
        {
            "opinion": opinion_to_json(kept.opinion),
            "passage": [list(asked.texts), list(asked.undone)] if asked else None,
            "servers": list(servers),
            "tries": kept.tries,
        }
    )


def _kept(row: Row[Any]) -> KeptOpinion:
    body = unpack(row.body)
    return KeptOpinion(
        key=row.key,
        opinion=opinion_from_json(body["opinion"]),
        asked_at=row.asked_at,
        again_at=row.again_at,
        passage=Passage(*map(tuple, body["passage"])) if body["passage"] else None,
        servers=tuple(body["servers"]),
        tries=body["tries"],
    )
