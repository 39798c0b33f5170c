"""Taking to the daemon what waits: in rounds, in which a look that is refused keeps back nothing but its own session.

Some refusals speak of the daemon: it is not there, or does not know the token. They end a round. All others may speak
of one look or one server, such as 429 where a server has too many witnesses. Then the session waits, for as long as the
daemon asks or longer each time, its server is not tried again in this round, and the next round begins with the others.
So a round makes one request for each look that is taken and one more for each server at the most, and ends early when
several servers are refused in a row: that is the daemon after all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from driftwatch.model import Witnessed
from driftwatch.watch.witness.gathering import LIFE
from driftwatch.watch.witness.handing import Hand, Handed, Taken
from driftwatch.watch.witness.marks import FOLDER, LARGEST, MOST
from driftwatch.watch.witness.spool import Spool, server_of

if TYPE_CHECKING:
    from driftwatch.config.witnessing import WitnessConfig

_MARK: Final = re.compile(r"[0-9a-f]{2,64}\.json")

_HOPELESS: Final = "Others were taken meanwhile. See the daemon's log for why it fails at this one."

IN_A_ROW: Final = 3
"""Servers that are refused one after the other before that is taken to be the daemon's state."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came of taking to the daemon what waits.

    `held` is how many sessions wait because a look of theirs was refused for now. `failed` is why it ended early.
    `wait` is in how many seconds a try is due, as far as that is known. `busy` says that another witness does it now.
    """

    taken: int = 0
    aside: int = 0
    held: int = 0
    wait: float = 0.0
    failed: Handed | None = None
    busy: bool = False

    @property
    def again(self) -> bool:
        """Say whether it is to be tried again."""
        return self.busy or self.failed is not None or self.held > 0


def spool_of(config: WitnessConfig) -> Spool:
    """Give the folder in which a witness's looks wait."""
    return Spool(Path(config.spool), looks=config.spool_looks, size=config.spool_bytes)


def take_marks(keep: Callable[[Witnessed], None], usual: Path) -> None:
    """Make looks of the marks of sessions of which nobody could hand in what was not seen (see `marks`).

    `keep` takes each, `usual` is the folder in which looks wait where no settings say otherwise.

    Raises:
        OSError: the looks cannot be kept; the marks stay.

    """
    for path, seen in _marks(usual):
        if seen is not None:
            keep(seen)
        path.unlink(missing_ok=True)


def left_unread(usual: Path) -> list[Witnessed]:
    """Give what the marks there stand for, and leave them there."""
    return [seen for _, seen in _marks(usual) if seen is not None]


def _marks(usual: Path) -> list[tuple[Path, Witnessed | None]]:
    try:
        found = sorted((usual / FOLDER).glob("*.json"))[:MOST]
    except OSError:
        return []
    return [(path, _marked(path)) for path in found]


def _marked(path: Path) -> Witnessed | None:
    """Give the look that a mark stands for; None where it is damaged."""
    try:
        if path.is_symlink() or not _MARK.fullmatch(path.name) or path.stat().st_size > LARGEST:
            return None
        left = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        told = json.loads(path.read_bytes())
        server, witness, gaps = told["server"], told["witness"], told["gaps"]
        began = datetime.fromtimestamp(told["began"], UTC)
        if not isinstance(server, str) or not isinstance(witness, str) or not 0 < int(gaps) < LIFE:
            return None
        return Witnessed(server, witness, path.stem, int(gaps) * LIFE, left, began, {}, gaps=int(gaps))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def deliver(spool: Spool, config: WitnessConfig, clock: Callable[[], datetime], *, at_once: bool = False) -> Delivered:
    """Hand in what waits, of each session in its order; `at_once` also what was to wait longer.

    Raises:
        OSError: the spool cannot be used.

    """
    taken = aside = row = 0
    refused: set[str] = set()
    with spool.alone() as mine, Hand(config.url, config.token, timeout=config.timeout) as hand:
        if not mine:
            return Delivered(busy=True)
        while path := spool.turn(None if at_once else clock(), refused):
            try:
                handed = hand.over(spool.read(path))
            except FileNotFoundError:
                continue  # There was no room for it any more.
            now, row = clock(), row + 1 if handed.taken is Taken.HELD else 0
            if handed.taken is Taken.TAKEN:
                spool.delivered(path, now.isoformat())
                taken += 1
            elif handed.taken is Taken.HELD and handed.is_fault and spool.is_hopeless(path, now):
                spool.set_aside(path, f"{handed.why}, each time for more than a day", now.isoformat(), _HOPELESS)
                aside, row = aside + 1, 0
            elif handed.taken is Taken.NEVER:
                spool.set_aside(path, handed.why, now.isoformat(), handed.hint)
                aside += 1
            elif handed.taken is Taken.HELD:
                spool.hold(path, handed.why, handed.hint, now, asked=handed.wait, is_fault=handed.is_fault)
                refused.add(server_of(path))
            if handed.taken is Taken.LATER or row >= IN_A_ROW:
                spool.tried(handed.why, handed.hint, now.isoformat())
                return Delivered(taken, aside, wait=handed.wait, failed=handed)
    held = spool.status().held
    wait = min((one.left(clock()) for one in held), default=0.0)
    return Delivered(taken, aside, len(held), wait)
