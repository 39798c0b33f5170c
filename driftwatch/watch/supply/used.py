"""Which packages the items of a snapshot are started from: what there is to ask a registry about."""

from __future__ import annotations

from collections.abc import Iterator

from driftwatch.config.packages import asked
from driftwatch.model import Json, Kind, Package, Snapshot

ECOSYSTEMS = frozenset({"npm", "pypi"})
"""The ecosystems whose registries can be asked."""

_LONGEST = 214
"""Characters of a package's name: what npm allows, and more than anybody uses elsewhere."""


def packages_in(snapshot: Snapshot) -> Iterator[tuple[Kind, str, Package]]:
    """Give the package of the launch, or of each entry of a file, with the kind and the key of its item."""
    for kind in (Kind.LAUNCH, Kind.ENTRY):
        for item in snapshot.of(kind):
            package = package_of(item.raw)
            if package is not None:
                yield kind, item.key, package


def package_of(raw: Json) -> Package | None:
    """Give the package that a launch names, in the version that ran or that it pins; None for none to ask about."""
    named = raw.get("package") if isinstance(raw, dict) else None
    if not isinstance(named, dict) or named.get("ecosystem") not in ECOSYSTEMS:
        return None
    name, version = named.get("name"), named.get("version")
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST or not name.isascii() or not name.isprintable():
        return None
    known = version if isinstance(version, str) and version else _pinned(raw)
    return Package(str(named["ecosystem"]), name, known)


def _pinned(raw: dict[str, Json]) -> str:
    """Give the version that a command line pins its package to, empty for none."""
    command, args = raw.get("command"), raw.get("args")
    words = [word for word in args if isinstance(word, str)] if isinstance(args, list) else []
    main = next((one for one in asked(command, words) if one.main), None) if isinstance(command, str) else None
    return main.version if main is not None and main.pinned else ""
