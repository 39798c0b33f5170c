"""What happened, in plain words, worst first: the first lines of every document. Pure; not yet safe to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from driftwatch.judge.hosts import sentence as hosts_sentence
from driftwatch.model import Finding, Severity
from driftwatch.model.amounts import many
from driftwatch.report.shape import count
from driftwatch.report.subject import Judged


def in_order(judged: Sequence[Judged]) -> list[Judged]:
    """Put the worst first; those as bad stay in the order they came in."""
    return sorted(judged, key=lambda one: -one.rank)


def headline(judged: Sequence[Judged]) -> str:
    """Say in one sentence what happened: to the server, or to how many of them and to which the worst."""
    ranked = in_order(judged)
    if not ranked:
        return "Nothing was looked at."
    if len(ranked) == 1:
        return verdict(ranked[0])
    found = [one for one in ranked if one.report.findings]
    unseen = [one for one in ranked if one.trouble]
    servers = _names(one for one in ranked if not _is_file(one))
    if not found and not unseen:
        return f"Nothing found at any of {len(servers)} servers."
    bad = len(_names(found))
    parts = [f"{bad} of {many(len(servers), 'server')} {'has' if bad == 1 else 'have'} findings"] if found else []
    files = len(_names(one for one in unseen if _is_file(one)))
    asked = len(_names(one for one in unseen if not _is_file(one)))
    counted = [many(number, what) for number, what in ((asked, "server"), (files, "file")) if number]
    parts += [f"{' and '.join(counted)} could not be looked at"] if unseen else []
    worst = f"; the worst is {found[0].subject.name} ({counts(found[0].report.findings)})" if found else ""
    return f"{', '.join(parts)}{worst}."


def _is_file(judged: Judged) -> bool:
    """Say whether it is about a file of a repository that could not be read, not about a server."""
    return bool(judged.trouble and judged.subject.file and not judged.subject.server)


def _names(judged: Iterable[Judged]) -> dict[str, None]:
    """Give what they are about, each once: of one server there may be more than one report."""
    return dict.fromkeys(one.subject.name for one in judged)


def verdict(judged: Judged) -> str:
    """Say in one sentence what became of one server."""
    subject, report = judged.subject, judged.report
    if judged.trouble:
        return f"{subject.name} could not be looked at: {judged.trouble.rstrip('.')}."
    if not report.findings:
        same = subject.before and report.baseline_digest == report.live_digest
        return f"{subject.name} is the same as {subject.before}." if same else f"Nothing found in {subject.name}."
    version = f" {subject.after_version}" if subject.after_version else ""
    if subject.before and report.baseline_digest != report.live_digest:
        return f"{subject.name}{version} differs from {subject.before}: {counts(report.findings)}."
    return f"Found in {subject.name}{version}: {counts(report.findings)}."


def counts(findings: Sequence[Finding]) -> str:
    """Say how much was found: `2 high, 1 medium`; nothing that is for the record unless there is nothing else."""
    numbers = {severity: number for severity, number in count(findings).items() if number}
    told = {severity: number for severity, number in numbers.items() if severity != Severity.INFO} or numbers
    return ", ".join(f"{number} {severity}" for severity, number in told.items()) or "nothing"


def happened(finding: Finding) -> str:
    """Say what one finding is about, without the hosts, which stand elsewhere."""
    return finding.message.removesuffix(hosts_sentence(finding.hosts))


def place_words(finding: Finding) -> tuple[str, tuple[str, ...]]:
    """Say what sort of item a finding is about, and which: `2 tools` and their names, `server` and none."""
    if len(finding.items) > 1:
        return f"{len(finding.items)} {finding.kind.nouns}", tuple(one or "(without a name)" for one in finding.items)
    name = finding.item or next(iter(finding.items), "")
    return finding.kind.noun, (name,) if name else ()


def worst_words(finding: Finding) -> str:
    """Say of the worst finding where it is and what happened: `Tool wipe: The tool now claims to only read.`."""
    sort, names = place_words(finding)
    # What is said of several begins with their number.
    return happened(finding) if len(names) > 1 else f"{' '.join([sort.capitalize(), *names])}: {happened(finding)}"
