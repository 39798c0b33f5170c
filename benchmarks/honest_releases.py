"""How often honest releases of real servers would alert: every step between captured releases and in histories.

Run: python benchmarks/honest_releases.py [--check | --alerts]

Without options the page docs/honest-releases.md is written anew. `--check` writes nothing and ends with 1 when the page
is out of date, when an alert at high or above has no defence in honest_alerts.json, when a defence has no alert, or
when no finding speaks of a change. `--alerts` prints each of these alerts with its message, which holds text of the
servers and is not for the page.

The releases are read from the shared material beside the repository (DRIFTWATCH_SHARED names another place) and are not
part of it; without them nothing is done, and the reason is said. A step is a comparison of two successive releases of
one server under the profile `balanced`. A history holds single tools: a release of its server is what its tools were
at one time, put together.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from driftwatch.judge.coverage import uncovered
from driftwatch.judge.judge import compare
from driftwatch.model import Finding, Kind, Report, Severity

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("DRIFTWATCH_SHARED", ROOT.parent / "shared")) / "corpus"
PAGE = ROOT / "docs" / "honest-releases.md"
DEFENCES = Path(__file__).parent / "honest_alerts.json"
VERDICTS = {
    "right": "a person should look: the approval covered another tool",
    "arguable": "a careful person would look, a busy one would not miss it",
    "false alarm": "nobody should have been woken",
}
GOAL = 0.05
"""The share of changed tools that may reach high."""

HEAD = """\
# Honest releases that would alert

Written by `python benchmarks/honest_releases.py`: every step between successive releases of real, public servers,
judged under the profile `balanced`. All of them are honest, so every alert at high or above is either worth a person's
look or a false alarm. Each is listed below with the line that defends or admits it.

| set | steps | with changes | at medium or above | at high or above | changed tools | of these at medium | at high |
|---|--:|--:|--:|--:|--:|--:|--:|
{rows}

`captures` are what servers sent on the wire, one release after the other. `histories` are tool definitions in public
repositories and packages: a step is one version at which tools of a server changed. A tool counts as changed when
anything in it did, and when it came or went; it counts where it stands, also in a finding about many. The goal is less
than {goal:.0%} of changed tools at high or above.

## Every alert at high or above
"""


@dataclass(frozen=True)
class Step:
    """Two successive releases of one server, by the names they have in the material."""

    server: str
    before: str
    after: str
    baseline: Any
    live: Any


@dataclass(frozen=True, order=True)
class Alert:
    """One finding at high or above in one item, as the page names it: no text of a server but names."""

    server: str
    before: str
    after: str
    item: str
    rule: str
    severity: str = field(compare=False)

    @property
    def key(self) -> tuple[str, ...]:
        """Name the alert for its defence, whatever it weighs."""
        return (self.server, self.before, self.after, self.item, self.rule)


@dataclass
class Tally:
    """What one set of steps came to."""

    steps: int = 0
    changed: int = 0
    high: int = 0
    medium: int = 0
    tools: int = 0
    tools_high: int = 0
    tools_medium: int = 0
    alerts: list[Alert] = field(default_factory=list)
    unspoken: list[str] = field(default_factory=list)
    """Releases with a change that no finding speaks of: there should be none."""

    def add(self, step: Step, report: Report) -> None:
        """Count one step."""
        self.steps += 1
        self.changed += bool(report.changes)
        self.tools += len({change.key for change in report.changes if change.kind is Kind.TOOL})
        worst = report.worst or Severity.INFO
        self.high += worst >= Severity.HIGH
        self.medium += worst >= Severity.MEDIUM
        self.tools_high += len(set(_tools(report.findings, Severity.HIGH)))
        self.tools_medium += len(set(_tools(report.findings, Severity.MEDIUM)))
        self.alerts += sorted(set(_alerts(step, report.findings)))
        if any(uncovered(report.changes, report.findings)):
            self.unspoken.append(f"{step.server} {step.after}")


def captures() -> Iterator[Step]:
    """Give every pair of successive captured releases."""
    for folder in sorted((SHARED / "captures").iterdir()):
        files = sorted(folder.glob("*.json"), key=lambda file: [int(part) for part in re.findall(r"\d+", file.stem)])
        for before, after in pairwise(files):
            both = [json.loads(file.read_text()) for file in (before, after)]
            yield Step(folder.name, before.stem, after.stem, *both)


def histories() -> Iterator[Step]:
    """Give every step of every server whose tools have histories, all that changed at one time together."""
    servers: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in (SHARED / "histories.jsonl").read_text().splitlines():
        row = json.loads(line)
        servers[row["server"], row["source"]].append(row)
    for (server, _), rows in sorted(servers.items()):
        yield from _steps(server, rows)


def _steps(server: str, rows: list[dict[str, Any]]) -> Iterator[Step]:
    """Walk through the times at which any tool of one server changed."""
    times: dict[tuple[Any, ...], dict[int, Any]] = defaultdict(dict)
    for number, row in enumerate(rows):
        for version in row["versions"]:
            times[_time(version)][number] = version["tool"]
    state: dict[int, Any] = {}
    earlier = ""
    for (*_, ref), found in sorted(times.items()):
        before = [tool for tool in state.values() if tool]
        state.update(found)
        after = [state[number] for number in sorted(state) if state[number]]
        if before:
            yield Step(server, earlier, ref, before, after)
        earlier = ref


def _time(version: dict[str, Any]) -> tuple[Any, ...]:
    """Give when a version came: by its date, and by its number where there is none."""
    if version["date"]:
        return (datetime.fromisoformat(version["date"]).timestamp(), version["ref"])
    return (0.0, *map(int, re.findall(r"\d+", version["ref"])), version["ref"])


def _tools(findings: Iterable[Finding], least: Severity) -> Iterator[str]:
    for finding in findings:
        if finding.kind is Kind.TOOL and finding.severity >= least:
            yield from finding.items or (finding.item,)


def _alerts(step: Step, findings: Iterable[Finding]) -> Iterator[Alert]:
    for finding in findings:
        if finding.severity >= Severity.HIGH:
            for item in finding.items or (finding.item or finding.kind.value,):
                yield Alert(step.server, step.before, step.after, item, finding.rule, finding.severity.value)


def measure() -> dict[str, Tally]:
    """Judge every step of both sets."""
    tallies = {"captures": Tally(), "histories": Tally()}
    for name, steps in (("captures", captures()), ("histories", histories())):
        for step in steps:
            tallies[name].add(step, compare(step.baseline, step.live))
    return tallies


def defences() -> dict[tuple[str, ...], dict[str, str]]:
    """Give what is said to each alert, by the alert's key."""
    rows = json.loads(DEFENCES.read_text())
    return {tuple(row[name] for name in ("server", "before", "after", "item", "rule")): row for row in rows}


def unsettled(tallies: dict[str, Tally]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Give the alerts without a defence, and the defences without an alert."""
    raised = {alert.key for tally in tallies.values() for alert in tally.alerts}
    said = defences().keys()
    return sorted(raised - said), sorted(said - raised)


def render(tallies: dict[str, Tally]) -> str:
    """Write the page."""
    said = defences()
    alerts = [alert for tally in tallies.values() for alert in tally.alerts]
    verdicts = [said[alert.key]["verdict"] for alert in alerts]
    lines = [
        HEAD.format(goal=GOAL, rows="\n".join(_row(name, tally) for name, tally in tallies.items())),
        f"{len(alerts)} in all. " + " ".join(f"{verdicts.count(one)} {one}: {why}." for one, why in VERDICTS.items()),
        "",
        "| server | step | item | rule | severity | verdict | why |",
        "|---|---|---|---|---|---|---|",
    ]
    for alert in alerts:
        row = said[alert.key]
        cells = [alert.server, f"{alert.before} → {alert.after}", f"`{alert.item}`", alert.rule, alert.severity]
        lines.append(f"| {' | '.join([*cells, row['verdict'], row['why']])} |")
    return "\n".join(lines) + "\n"


def _row(name: str, tally: Tally) -> str:
    numbers = [tally.steps, tally.changed, tally.medium, tally.high, tally.tools]
    shares = [f"{count} ({count / tally.tools:.1%})" for count in (tally.tools_medium, tally.tools_high)]
    return f"| {' | '.join([name, *map(str, numbers), *shares])} |"


def print_alerts() -> None:
    """Print each alert with its message and pointer, for whoever has to judge it."""
    said = defences()
    for steps in (captures(), histories()):
        for step in steps:
            for finding in compare(step.baseline, step.live).findings:
                for alert in _alerts(step, [finding]):
                    known = said.get(alert.key, {}).get("verdict", "NOT JUDGED")
                    print(f"[{known}] {' '.join(alert.key)} {alert.severity}\n    {finding.pointer}: {finding.message}")


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--alerts", action="store_true")
    given = parser.parse_args()
    if not SHARED.exists():
        print(f"Nothing is measured: the releases are not here ({SHARED.name} beside the repository).")
        return 0
    if given.alerts:
        print_alerts()
        return 0
    tallies = measure()
    unjudged, stale = unsettled(tallies)
    for words, keys in (("has no defence", unjudged), ("is defended and not raised", stale)):
        for key in keys:
            print(f"{' / '.join(key)} {words}")
    unspoken = [release for tally in tallies.values() for release in tally.unspoken]
    for release in unspoken:
        print(f"{release} has a change that no finding speaks of")
    if unjudged or stale or unspoken:
        return 1
    page = render(tallies)
    if given.check:
        return int(PAGE.read_text() != page)
    PAGE.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
