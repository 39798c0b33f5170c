"""What was learned of packages: one row for each package and version that was asked about."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, insert, or_, select, update

from driftwatch.model import Advisory, Json, Package, PackageNews, Severity, Withdrawn
from driftwatch.store.codec import pack, unpack
from driftwatch.store.engine import reading
from driftwatch.store.servers import judged_anew
from driftwatch.store.shelf import Shelf
from driftwatch.store.tables import supply

_AT_ONCE = 100


class SupplyShelf(Shelf):
    """The part of the Store that is about packages."""

    def package_news(self, packages: Collection[Package] | None = None) -> dict[Package, PackageNews]:
        """Give what was learned of these packages; of all without them."""
        with reading(self._engine) as connection:
            return known(connection, packages)

    def record_package_news(self, news: PackageNews, *, used_by: Iterable[str]) -> bool:
        """Keep what was learned of a package, and say whether anything of it is new.

        If it is, the servers and files named by `used_by` are judged anew at their next look.
        """
        with self._write() as connection:
            return write(connection, news, used_by)

    def forget_packages_but(self, packages: Collection[Package]) -> None:
        """Drop what was learned of all packages but these."""
        with self._write() as connection:
            forget_but(connection, packages)


def known(connection: Connection, packages: Collection[Package] | None) -> dict[Package, PackageNews]:
    """Give what is known of these packages, or of all."""
    if packages is None:
        return dict(map(_news, connection.execute(select(supply))))
    found: dict[Package, PackageNews] = {}
    wanted = sorted(packages, key=str)
    for start in range(0, len(wanted), _AT_ONCE):
        part = or_(*map(_is, wanted[start : start + _AT_ONCE]))
        found.update(map(_news, connection.execute(select(supply).where(part))))
    return found


def write(connection: Connection, news: PackageNews, used_by: Iterable[str]) -> bool:
    """Keep what was learned. Where it is news, the servers that use the package are judged anew at their next look."""
    before = known(connection, [news.package]).get(news.package)
    values = {"asked_at": news.asked_at, "body": _body(news)}
    if before is None:
        named = {"ecosystem": news.package.ecosystem, "name": news.package.name, "version": news.package.version}
        connection.execute(insert(supply).values(**named, **values))
    else:
        connection.execute(update(supply).where(_is(news.package)).values(**values))
    if before is not None and replace(before, asked_at=news.asked_at, trouble=news.trouble) == news:
        return False
    for server in used_by:
        judged_anew(connection, server)
    return True


def forget_but(connection: Connection, packages: Collection[Package]) -> None:
    """Drop what is known of packages that nothing uses any more."""
    for package in known(connection, None).keys() - set(packages):
        connection.execute(delete(supply).where(_is(package)))


def _is(package: Package) -> Any:
    return and_(
        supply.c.ecosystem == package.ecosystem,
        supply.c.name == package.name,
        supply.c.version == package.version,
    )


def _body(news: PackageNews) -> bytes:
    return pack(
        {
            "latest": news.latest,
            "latest_at": news.latest_at.isoformat() if news.latest_at else None,
            "newer": news.newer,
            "withdrawn": news.withdrawn.value if news.withdrawn else None,
            "reason": news.reason,
            "trouble": list(news.trouble),
            "advisories": [
                {
                    "id": one.id,
                    "summary": one.summary,
                    "severity": one.severity.value if one.severity else None,
                    "aliases": list(one.aliases),
                    "fixed": list(one.fixed),
                }
                for one in news.advisories
            ],
        }
    )


def _news(row: Row[Any]) -> tuple[Package, PackageNews]:
    package, body = Package(row.ecosystem, row.name, row.version), unpack(row.body)
    named = {
        "latest_at": datetime.fromisoformat(body["latest_at"]) if body["latest_at"] else None,
        "withdrawn": Withdrawn(body["withdrawn"]) if body["withdrawn"] else None,
        "trouble": tuple(body["trouble"]),
        "advisories": tuple(map(_advisory, body["advisories"])),
    }
    return package, PackageNews(package, row.asked_at, **{**body, **named})


def _advisory(value: dict[str, Json]) -> Advisory:
    named = {
        "severity": Severity(value["severity"]) if value["severity"] else None,
        "aliases": tuple(value["aliases"]),
        "fixed": tuple(value["fixed"]),
    }
    return Advisory(**{**value, **named})
