"""The report of a soak: Markdown, with pictures beside it."""

from __future__ import annotations

import platform
from collections import Counter
from pathlib import Path

from benchmarks.soak.checks import Check, delays, part
from benchmarks.soak.measured import Sample
from benchmarks.soak.plan import TURN
from benchmarks.soak.plots import Picture, draw
from benchmarks.soak.record import Record


def write(record: Record, found: list[Check], folder: Path, *, pictures: str = "") -> Path:
    """Write `soak.md` and the pictures; `pictures` is where those lie as seen from the page."""
    beside = folder / pictures
    beside.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn(record).items():
        (beside / f"soak-{name}.svg").write_text(draw(picture), encoding="utf-8")
    page = folder / "soak.md"
    page.write_text(text(record, found, pictures), encoding="utf-8")
    return page


def drawn(record: Record) -> dict[str, Picture]:
    """Give the pictures by name."""
    first = record.samples[0].at if record.samples else 0.0
    moments = [((one.began - first) / 60, "kill -9") for one in record.outages]

    def over_time(title: str, unit: str, of: str) -> Picture:
        points = [((one.at - first) / 60, getattr(one, of)) for one in record.samples if getattr(one, of) >= 0]
        return Picture(title, unit, points, moments)

    return {
        "memory": over_time("Resident memory of the daemon", "MiB", "memory"),
        "lag": over_time("How long the look is overdue that is overdue for longest", "s", "lag"),
        "database": over_time("Size of the database with its log", "MiB", "database"),
        "descriptors": over_time("Open file descriptors", "number", "descriptors"),
    }


def text(record: Record, found: list[Check], pictures: str) -> str:
    """Give the page."""
    lines = [
        "# The soak",
        "",
        "Written by `python -m benchmarks.soak`; do not edit it by hand. Real servers over HTTP and stdio on loopback,",
        "the real daemon in a process of its own, a real webhook receiver that fails once in fifty times. The servers",
        "keep the truth of what they did; what was told, and what the daemon used, is held against it.",
        "",
        *_run(record),
        "",
        "## What must hold",
        "",
        "| | what | measured |",
        "|---|---|---|",
        *(f"| {_word(one)} | {one.name} | {one.measured} |" for one in found),
        "",
        *_failures(found),
        *_figures(record),
        "",
    ]
    where = f"{pictures}/" if pictures else ""
    for name, picture in drawn(record).items():
        lines += [f"![{picture.title}]({where}soak-{name}.svg)", ""]
    return "\n".join(lines)


def _run(record: Record) -> list[str]:
    speaks = Counter(one.speaks for one in record.members)
    kinds = Counter(one.how if one.kind == TURN else one.kind for one in record.deeds)
    eras = ", ".join(f"{count} {name}" for name, count in speaks.most_common())
    listening = sum(one.listens for one in record.members)
    pace = f"for {record.minutes:g} minutes; one look each {record.pace.interval:g} s; seed {record.seed}"
    return [
        f"- {len(record.members)} servers ({eras}), {listening} of which send notices,",
        f"  {pace}.",
        f"- What they did: {', '.join(f'{count} {name}' for name, count in kinds.most_common())}.",
        f"- Python {platform.python_version()}, two cores that the servers and the receiver share with the daemon.",
    ]


def _word(check: Check) -> str:
    if not check.is_known:
        return "not known"
    return "yes" if check.holds else "**no**"


def _failures(found: list[Check]) -> list[str]:
    lines = []
    for one in found:
        if not one.holds:
            lines += [f"Where it did not hold that {one.name}:", "", *(f"- {said}" for said in one.failures), ""]
    return lines


def _figures(record: Record) -> list[str]:
    noticed, polled = delays(record)
    seconds = record.ended - record.began
    storm = [one for one in record.samples if record.began <= one.at <= record.ended]
    return [
        "## Figures",
        "",
        "| what | figure |",
        "|---|---|",
        f"| from the start until each server had been seen | {record.start:.1f} s |",
        f"| to approve all of them | {record.approving:.1f} s |",
        f"| looks | {record.looks}, {record.looks / seconds if seconds else 0:.1f} a second |",
        f"| processor time of the daemon | {_share(record, seconds)} |",
        f"| from a turn to its message, servers with notices | {_quartiles(noticed)} |",
        f"| from a turn to its message, the others | {_quartiles(polled)} |",
        f"| messages | {len(record.told)} taken, {record.failed} refused on purpose and sent again |",
        f"| streams of notices held | {max((one.streams for one in storm), default=0)} |",
        f"| memory | {_range(storm, 'memory')} MiB |",
        f"| database | {_range(storm, 'database')} MiB |",
    ]


def _share(record: Record, seconds: float) -> str:
    if not seconds or not record.looks:
        return "none"
    each = 1000 * record.processor / record.looks
    return f"{record.processor:.0f} s, {100 * record.processor / seconds:.0f} % of one core, {each:.1f} ms a look"


def _quartiles(values: list[float]) -> str:
    return (
        f"median {part(values, 0.5):.1f} s, 99 in 100 within {part(values, 0.99):.1f} s, worst {part(values, 1):.1f} s"
    )


def _range(samples: list[Sample], of: str) -> str:
    values = [getattr(one, of) for one in samples]
    return f"{values[0]:.0f} to {values[-1]:.0f}" if values else "none"
