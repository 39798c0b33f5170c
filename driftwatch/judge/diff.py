"""What differs between two snapshots: facts, no judgement.

Digests decide whether something changed; deepdiff, the only structural differ here, explains where. It never sees a
value from a server: `align` turns values into flat mappings of numbers first, since the differ copies what it is given
at every level. Its settings undo the defaults that hide things: names beginning with two underscores, and objects that
have little in common. If it explains nothing where digests differ, the whole item is the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from deepdiff import DeepDiff

from driftwatch.judge import pointer as at
from driftwatch.judge.align import Alignment, Path, Slot
from driftwatch.judge.bounded import bounded
from driftwatch.judge.pairing import NAME_FIELD, Pair, changed_pairs
from driftwatch.judge.snapshot import MAX_DEPTH, shallow
from driftwatch.model import Change, ChangeKind, Item, Json, Kind, Snapshot

_EXPLAINED = {
    "dictionary_item_added": ChangeKind.VALUE_ADDED,
    "dictionary_item_removed": ChangeKind.VALUE_REMOVED,
    "values_changed": ChangeKind.VALUE_CHANGED,
    "type_changes": ChangeKind.VALUE_CHANGED,
}
Found: TypeAlias = tuple[ChangeKind, str, Json, Json]
"""A place where two values differ: what happened, the pointer, the value before and after."""

_KINDS = list(Kind)
_WHOLE = frozenset({Kind.SERVER, Kind.LAUNCH})
"""Kinds of which a snapshot has one document at most."""
_CHANGES = list(ChangeKind)


@dataclass(frozen=True)
class Difference:
    """One item that differs, with both of its forms and every change in it."""

    pair: Pair
    changes: tuple[Change, ...]


def diff(baseline: Snapshot, live: Snapshot) -> tuple[Change, ...]:
    """Give every change, in one order; empty exactly when the digests are equal."""
    found = differences(*bounded(baseline, live))
    return tuple(sorted((change for difference in found for change in difference.changes), key=_order))


def differences(baseline: Snapshot, live: Snapshot) -> tuple[Difference, ...]:
    """Give every item that differs with its changes, in one order. Grows linearly with the items that changed.

    The snapshots are as `bounded` gives them.
    """
    if baseline.digest == live.digest:
        return ()
    found = [Difference(pair, tuple(sorted(_changes(pair), key=_order))) for pair in changed_pairs(baseline, live)]
    return tuple(sorted(found, key=lambda difference: _order(difference.changes[0])))


def _order(change: Change) -> tuple[int, str, int, str, int, str]:
    return (
        _KINDS.index(change.kind),
        change.key,
        change.occurrence,
        change.pointer,
        _CHANGES.index(change.change),
        change.before_key,
    )


def _changes(pair: Pair) -> Iterable[Change]:
    before, after = pair.before, pair.after
    if _WHOLE & {item.kind for item in (before, after) if item is not None}:
        return _document_changes(before, after)
    if before is None or after is None:
        return [_whole(before, after)]
    if not pair.renamed:
        return _inside(before, after)
    name = at.join("", NAME_FIELD[after.kind])
    rest = [] if _same_but(before.raw, after.raw, NAME_FIELD[after.kind]) else _inside(before, after)
    return [_whole(before, after), *(change for change in rest if change.pointer != name)]


def _whole(before: Item | None, after: Item | None) -> Change:
    """Make the change that is about an item as a whole; a pair has at least one side."""
    kind = ChangeKind.ITEM_RENAMED
    if before is None or after is None:
        kind = ChangeKind.ITEM_ADDED if before is None else ChangeKind.ITEM_REMOVED
    item, earlier = next((one, two) for one, two in ((after, before), (before, after)) if one is not None)
    old, new = (shallow(before.raw) if before else None), (shallow(after.raw) if after else None)
    return Change(kind, item.kind, item.key, "", old, new, (earlier or item).key, item.occurrence)


def _document_changes(before: Item | None, after: Item | None) -> list[Change]:
    """Compare the one document of a kind value by value, also when one side has none."""
    kind = next(item.kind for item in (before, after) if item is not None)
    empty = Item(kind, "", {}, "")
    changes = _explain(before or empty, after or empty)
    return changes or [_whole(before, after)]


def _same_but(before: Json, after: Json, field: str) -> bool:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    return not _explain_values({**before, field: None}, {**after, field: None})


def _inside(before: Item, after: Item) -> list[Change]:
    return _explain(before, after) or [_value(before, after, (ChangeKind.VALUE_CHANGED, "", before.raw, after.raw))]


def _explain(before: Item, after: Item) -> list[Change]:
    return [_value(before, after, found) for found in _explain_values(before.raw, after.raw)]


def _value(before: Item, after: Item, found: Found) -> Change:
    kind, pointer, old, new = found
    return Change(kind, after.kind, after.key, pointer, shallow(old), shallow(new), before.key, after.occurrence)


def _explain_values(before: Json, after: Json) -> list[Found]:
    """Give kind, pointer, before and after of every place where two values differ."""
    laid = Alignment(MAX_DEPTH)
    try:
        laid.lay(before, after)
        return list(_places(laid, before, after))
    except RecursionError:  # a caller that is itself deep in recursion; the whole value is then the change
        return []


def _places(laid: Alignment, before: Json, after: Json) -> Iterator[Found]:
    found = DeepDiff(
        laid.left,
        laid.right,
        view="tree",
        ignore_private_variables=False,
        threshold_to_diff_deeper=0,
        verbose_level=1,
    )
    for name, levels in found.items():
        kind = _EXPLAINED[name]
        for level in levels:
            (index,) = level.path(output_format="list")
            yield _place(kind, laid.paths[index], before, after)


def _place(kind: ChangeKind, path: Path, before: Json, after: Json) -> Found:
    """Turn a path through both values into a pointer: into the live value, or the baseline's for a removal."""
    if path and path[-1] == Slot():
        path, kind = path[:-1], ChangeKind.VALUE_CHANGED
    old = [token.before if isinstance(token, Slot) else token for token in path]
    new = [token.after if isinstance(token, Slot) else token for token in path]
    was = None if kind is ChangeKind.VALUE_ADDED else at.follow(before, _known(old))
    now = None if kind is ChangeKind.VALUE_REMOVED else at.follow(after, _known(new))
    return kind, at.join("", *_known(old if kind is ChangeKind.VALUE_REMOVED else new)), was, now


def _known(tokens: list[str | int | None]) -> list[str | int]:
    return [token for token in tokens if token is not None]
