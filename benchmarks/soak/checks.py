"""What must hold after a soak. Pure: it goes by what was written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from benchmarks.soak.measured import Sample
from benchmarks.soak.plan import ALLOWANCE, BACK, DOWN, LEAST, LOCAL, TURN, UP, Member
from benchmarks.soak.receiver import Told
from benchmarks.soak.record import Deed, Record

_RANKS: Final = {"info": 0, "low": 1, "medium": 2, "high": 3, "critical": 4}
_TELLS: Final = frozenset({"opened", "updated", "reminded"})
_FLAPS: Final = "oscillating"
_SLOPE: Final = 8.0
"""MiB an hour that memory may grow by, once it is warm."""
_WARM: Final = 600.0
"""Seconds after a start before memory counts: caches fill, each kind of answer is met once."""
_LEAST_SLOPE: Final = 1200.0
"""Seconds of samples below which a slope says nothing."""


@dataclass(frozen=True)
class Check:
    """Whether something held, what was measured, and where it did not hold, the first that it did not hold for."""

    name: str
    holds: bool
    measured: str
    failures: tuple[str, ...] = ()
    is_known: bool = True
    """False where the run was too short to say."""


@dataclass(frozen=True)
class Stretch:
    """What stood for a while: a turn, an absence, or being well again."""

    deed: Deed
    until: float

    @property
    def lasts(self) -> float:
        """Seconds."""
        return self.until - self.deed.at


def stretches(record: Record) -> dict[str, list[Stretch]]:
    """Give what stood at each server, in order."""
    by_server: defaultdict[str, list[Deed]] = defaultdict(list)
    for deed in record.deeds:
        by_server[deed.server].append(deed)
    found = {}
    for name, deeds in by_server.items():
        ends = [*(after.at for _, after in pairwise(deeds)), record.ended]
        found[name] = [Stretch(deed, end) for deed, end in zip(deeds, ends, strict=True)]
    return found


def lost(record: Record, began: float, ended: float) -> float:
    """Say for how long the daemon was away in a time; each start costs a spread of its own."""
    away = (min(ended, one.ended) - max(began, one.began) for one in record.outages)
    return sum(seconds + ALLOWANCE for seconds in away if seconds > 0)


def seen_for_sure(record: Record, member: Member, stretch: Stretch) -> bool:
    """Say whether something stood for so long that it must have been seen."""
    wanted = record.pace.away(member.ttl_ms) if stretch.deed.kind == DOWN else record.pace.seen(member.ttl_ms)
    return stretch.lasts - lost(record, stretch.deed.at, stretch.until) >= wanted


def checks(record: Record) -> list[Check]:
    """Give all that is checked, in the order in which people read it."""
    return [
        every_flip_told(record),
        told_as_bad_as_it_is(record),
        told_once(record),
        nothing_invented(record),
        every_absence_told(record),
        every_end_told(record),
        looks_on_time(record),
        no_rows_for_nothing(record),
        memory_is_flat(record),
        descriptors_come_back(record),
        threads_are_bounded(record),
        nothing_lost_in_the_log(record),
        ended_well(record),
    ]


def _check(name: str, failures: Iterable[str], measured: str) -> Check:
    found = tuple(failures)
    return Check(name, not found, measured, found[:10])


def _first_told(record: Record) -> dict[str, Told]:
    first: dict[str, Told] = {}
    for told in record.told:
        for mark in (*told.marks, *told.others):
            first.setdefault(mark, told)
    return first


def _turns(record: Record) -> Iterator[tuple[Member, Stretch]]:
    members = {one.name: one for one in record.members}
    for name, stood in stretches(record).items():
        for stretch in stood:
            if stretch.deed.kind == TURN:
                yield members[name], stretch


def delays(record: Record) -> tuple[list[float], list[float]]:
    """Give the seconds from each turn to its message: of servers that send notices, and of the others."""
    first, noticed, polled = _first_told(record), list[float](), list[float]()
    for member, stretch in _turns(record):
        if stretch.deed.mark in first:
            (noticed if member.listens else polled).append(first[stretch.deed.mark].at - stretch.deed.at)
    return sorted(noticed), sorted(polled)


def every_flip_told(record: Record) -> Check:
    """Every turn that stood for long enough is told."""
    first, missing, must, may = _first_told(record), [], 0, 0
    for member, stretch in _turns(record):
        deed, is_told = stretch.deed, stretch.deed.mark in first
        if seen_for_sure(record, member, stretch):
            must += 1
            if not is_told:
                missing.append(f"{deed.mark} ({deed.how}, {member.speaks}) stood {stretch.lasts:.0f} s")
        else:
            may += is_told
    short = len([one for one in record.deeds if one.kind == TURN]) - must
    measured = f"{must - len(missing)} of {must} turns that stood long enough; {may} of {short} shorter ones too"
    return _check("every turn that stood long enough was told", missing, measured)


def told_as_bad_as_it_is(record: Record) -> Check:
    """Hold how bad a turn was told to be against how bad it is."""
    first, wrong, count = _first_told(record), [], 0
    for _, stretch in _turns(record):
        told = first.get(stretch.deed.mark)
        if told is not None:
            count += 1
            if _RANKS[told.severity] < _RANKS[LEAST[stretch.deed.how]]:
                wrong.append(f"{stretch.deed.mark} ({stretch.deed.how}) was told as {told.severity}")
    return _check("what was told is as bad as the turn was", wrong, f"{count} turns told")


def told_once(record: Record) -> Check:
    """No turn is called new by two messages with different ids; the same message may come again."""
    by_mark: defaultdict[str, set[str]] = defaultdict(set)
    for told in record.told:
        for mark in told.marks:
            by_mark[mark].add(told.id)
    twice = [f"{mark}: {len(ids)} messages" for mark, ids in by_mark.items() if len(ids) > 1]
    again = len(record.told) - len({one.id for one in record.told})
    measured = (
        f"{len(by_mark)} turns, {len(record.told)} messages taken, {again} of them a second time with the same id"
    )
    return _check("no turn was told twice with different ids", twice, measured)


def nothing_invented(record: Record) -> Check:
    """Look for the cause of each message: a turn, at that server, before the message."""
    done = {deed.mark: deed for deed in record.deeds if deed.mark}
    kinds = {"drift": {TURN}, "health": {DOWN}}
    began: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for deed in record.deeds:
        began[deed.server, deed.kind].append(deed.at)
    wrong = []
    for told in record.told:
        for mark in (*told.marks, *told.others):
            deed = done.get(mark)
            if deed is None or deed.server != told.server or deed.at > told.at:
                wrong.append(f"{told.server}: {mark} was told and not done")
        if told.kind not in kinds:
            wrong.append(f"{told.server or 'no server'}: a message of the kind {told.kind} ({', '.join(told.rules)})")
        elif not any(at < told.at for kind in kinds[told.kind] for at in began[told.server, kind]):
            wrong.append(f"{told.server}: {told.event} ({told.kind}: {', '.join(told.rules)}) before anything happened")
    return _check("nothing was told that never happened", wrong, f"{len(record.told)} messages, each with its cause")


def every_absence_told(record: Record) -> Check:
    """Every absence that lasts for three looks is told."""
    members = {one.name: one for one in record.members}
    missing, must = [], 0
    for name, stood in stretches(record).items():
        for stretch in stood:
            if stretch.deed.kind == DOWN and seen_for_sure(record, members[name], stretch):
                must += 1
                if not _told_between(record, name, "health", stretch.deed.at, stretch.until + ALLOWANCE):
                    missing.append(f"{name} was away ({stretch.deed.how}) for {stretch.lasts:.0f} s")
    return _check("every absence of three looks was told", missing, f"{must - len(missing)} of {must}")


def _told_between(record: Record, server: str, kind: str, began: float, ended: float) -> bool:
    return any(
        one.server == server and one.kind == kind and one.event in _TELLS and began <= one.at <= ended
        for one in record.told
    )


def every_end_told(record: Record) -> Check:
    """See that what is over is told to be: the last message says so, or that the server goes to and fro."""
    members, last = {one.name: one for one in record.members}, dict[tuple[str, str], Told]()
    for told in sorted(record.told, key=lambda one: one.at):
        last[told.server, told.kind] = told
    wrong, ends, flapping = [], 0, 0
    for name, stood in stretches(record).items():
        final = stood[-1]
        if final.deed.kind not in {BACK, UP} or not seen_for_sure(record, members[name], final):
            continue
        for kind in ("drift", "health"):
            told = last.get((name, kind))
            if told is None:
                continue
            ends += 1
            if told.event != "resolved" and _FLAPS in told.rules:
                flapping += 1
            elif told.event != "resolved":
                wrong.append(f"{name}: {kind} stands as {told.event} ({', '.join(told.rules)})")
    measured = f"{ends - len(wrong)} of {ends} alerts, of which {flapping} stay open since their servers go to and fro"
    return _check("every alert that was over was resolved", wrong, measured)


def gaps(record: Record) -> list[float]:
    """Give the seconds between looks at servers that were well, beyond what was wanted, by what they saw themselves."""
    late = []
    members = {one.name: one for one in record.members}
    for name, times in record.listed.items():
        member = members[name]
        if member.speaks == LOCAL:
            continue  # it does not outlive a look
        away = [(one.deed.at, one.until) for one in stretches(record).get(name, []) if one.deed.kind == DOWN]
        for before, after in pairwise(times):
            over = any(began <= after and ended + record.pace.rest >= before for began, ended in away)
            if not over and before >= record.began and after <= record.ended and not lost(record, before, after):
                late.append(after - before - record.pace.longest(member.ttl_ms))
    return sorted(late)


def looks_on_time(record: Record) -> Check:
    """No look comes later than its time and the allowance."""
    late = gaps(record)
    over = [f"{one:.1f} s late" for one in reversed(late) if one > ALLOWANCE]
    lags = sorted(one.lag for one in record.samples if one.at >= record.began and one.lag >= 0)
    measured = (
        f"{len(late)} times between looks, the longest {max(late, default=0):+.1f} s off the longest wanted; "
        f"look most overdue: median {part(lags, 0.5):.1f} s, 99 in 100 below {part(lags, 0.99):.1f} s, "
        f"worst {part(lags, 1):.1f} s"
    )
    return _check(f"looks come on time (within {ALLOWANCE:g} s)", over, measured)


def part(values: list[float], share: float) -> float:
    """Give the value below which such a share of sorted values lies; 0 of none."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def no_rows_for_nothing(record: Record) -> Check:
    """While nothing changes no table gets a row."""
    grown = [f"{one.name}: {table} {rows:+d}" for one in record.quiets for table, rows in one.grown.items()]
    measured = "; ".join(f"{one.name}: {one.looks} looks" for one in record.quiets)
    return _check("an unchanged look adds no row", grown, measured)


def slope(samples: list[Sample]) -> float:
    """Give how memory grows, in MiB an hour, by the least squares."""
    if len(samples) < 2:
        return 0.0
    times, sizes = [one.at / 3600 for one in samples], [one.memory for one in samples]
    at, size = sum(times) / len(times), sum(sizes) / len(sizes)
    spread = sum((time - at) ** 2 for time in times)
    return sum((time - at) * (memory - size) for time, memory in zip(times, sizes, strict=True)) / spread


def lives(record: Record) -> list[list[Sample]]:
    """Give the samples of each life of the daemon."""
    by_life: defaultdict[int, list[Sample]] = defaultdict(list)
    for one in record.samples:
        by_life[one.life].append(one)
    return [by_life[life] for life in sorted(by_life)]


def memory_is_flat(record: Record) -> Check:
    """Memory does not grow once a life is warm; a run too short for that says so."""
    words, steep, slopes = [], [], 0
    for samples in lives(record):
        warm = [one for one in samples if one.at >= samples[0].at + _WARM]
        peak = max(one.memory for one in samples)
        long_enough = bool(warm) and warm[-1].at - warm[0].at >= _LEAST_SLOPE
        said = f"{slope(warm):+.1f} MiB an hour" if long_enough else "too short for a slope"
        slopes += long_enough
        words.append(f"life {samples[0].life}: at most {peak:.0f} MiB, {said}")
        if long_enough and slope(warm) > _SLOPE:
            steep.append(said)
    name = f"memory grows by less than {_SLOPE:g} MiB an hour"
    return replace(_check(name, steep, "; ".join(words)), is_known=bool(slopes))


def descriptors_come_back(record: Record) -> Check:
    """When all is quiet again as many descriptors are open as before, but for streams."""
    words, grown = [], []
    for one in record.quiets:
        calm = sorted(s.descriptors - s.streams for s in record.samples if one.began <= s.at <= one.ended)
        words.append((one.name, part(list(map(float, calm)), 0.5)))
    if len(words) > 1 and words[-1][1] > words[0][1] + 40:
        grown.append(f"{words[0][1]:.0f} before, {words[-1][1]:.0f} after")
    most = max((one.descriptors for one in record.samples), default=0)
    said = ", ".join(f"{name}: {count:.0f}" for name, count in words)
    return _check("descriptors come back", grown, f"without those of streams {said}; at most {most} with them")


def threads_are_bounded(record: Record) -> Check:
    """Threads come from pools of a fixed size."""
    most = [max(one.threads for one in samples) for samples in lives(record)]
    wrong = [f"{count} threads" for count in most if count > 64]
    return _check("threads are bounded", wrong, f"at most {max(most, default=0)}")


def nothing_lost_in_the_log(record: Record) -> Check:
    """No error in the daemon's log, and no look that was lost."""
    wrong = [f"{one.get('action')}: {one.get('event')} {one.get('error', '')}" for one in record.troubles]
    return _check("the daemon's log has no error", wrong, f"{len(record.troubles)} lines")


def ended_well(record: Record) -> Check:
    """See that it ends by itself when told to, leaves nobody behind, and that what it kept is whole."""
    wrong = [f"{words} ended with {code}" for words, code in record.codes.items() if code]
    wrong += [f"process {pid} was left behind" for pid in record.left]
    wrong += [f"{record.refused} messages with a wrong signature"] if record.refused else []
    measured = (
        f"{', '.join(record.codes)}: all 0; it took {record.stop:.1f} s to end; killed {len(record.outages)} times"
    )
    return _check("it ends well, and what it kept is whole", wrong, measured)
