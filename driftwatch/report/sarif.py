"""Reports as SARIF 2.1.0 (OASIS), for code scanning: rules with their help, places, fingerprints, suppressions. Pure.

Every text that may hold words of a server goes through `defang`: which signs a reader of SARIF turns into links or
mentions differs from reader to reader.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC
from urllib.parse import quote

from driftwatch import __version__
from driftwatch.judge.catalogue import SECTIONS, sections
from driftwatch.judge.rules import RULES
from driftwatch.judge.rules.base import Rule
from driftwatch.model import Axis, Finding, Json, Kind, Severity
from driftwatch.model.amounts import many
from driftwatch.report.cut import clipped
from driftwatch.report.headline import happened, place_words
from driftwatch.report.safe import defanged
from driftwatch.report.shape import written
from driftwatch.report.subject import Fails, Judged

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}

SCORES = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.5",
    Severity.INFO: "0.0",
}
"""`security-severity` as GitHub reads it: above 9.0 is critical, from 7.0 high, from 4.0 medium."""

RESULTS = 5_000
"""Results of one run: what GitHub shows of one upload. The worst are kept, and it is said how many are not."""

_LONGEST = 1_000
_NAME = 200
_MOST = 20
"""Items of one finding that are listed as locations."""
_KEY = "driftwatch/v1"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_KINDS = {Kind.TOOL: "function", Kind.PROMPT: "function", Kind.SERVER: "module"}
"""Kinds of logical locations that SARIF names; all others are resources."""


def to_sarif(judged: Sequence[Judged], fails: Fails) -> str:  # noqa: ARG001 - all formats take the same
    """Write one run with a result for every finding, those that the policy hides suppressed with the reason."""
    found = [(one, finding) for one in judged for finding in (*one.report.findings, *one.report.hidden)]
    found.sort(key=lambda row: (bool(row[1].hidden), row[1].order))
    kept = found[:RESULTS]
    worst: dict[str, Severity] = {}
    for _, finding in kept:
        worst[finding.rule] = max(worst.get(finding.rule, Severity.INFO), finding.severity)
    ids = sorted(worst)
    known = {rule.id: rule for rule in RULES}
    unseen = [one for one in judged if one.trouble]
    notices = [_notice(f"{one.subject.name} could not be looked at: {one.trouble}", "error") for one in unseen]
    if len(found) > len(kept):
        left = many(len(found) - len(kept), "result is", "results are")
        notices.append(_notice(f"{left} left out: a run holds {RESULTS}.", "warning"))
    invocation: dict[str, Json] = {
        "executionSuccessful": not unseen,
        "toolExecutionNotifications": notices,
    }
    times = [one.subject.looked_at for one in judged if one.subject.looked_at is not None]
    if times:
        invocation["endTimeUtc"] = max(times).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    driver = {
        "name": "driftwatch",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(known.get(one), one, worst[one]) for one in ids],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, finding, ids.index(finding.rule)) for one, finding in kept],
    }
    return written({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule | None, rule_id: str, worst: Severity) -> dict[str, Json]:
    """Give a rule with its documentation; one that is not there any more by its id alone.

    Readers take the weight from the rule, so it has that of its worst finding here.
    """
    if rule is None:
        return {"id": rule_id, "name": rule_id}
    parts = sections(rule)
    axis = "security" if rule.axis is Axis.SECURITY else "contract"
    properties: dict[str, Json] = {"tags": [axis, rule.area.value], "precision": rule.confidence.value}
    if rule.axis is Axis.SECURITY:
        properties["security-severity"] = SCORES[worst]
    else:
        properties["problem.severity"] = {"error": "error", "warning": "warning"}.get(LEVELS[worst], "recommendation")
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": clipped(" ".join(parts["What it does"].split()), _LONGEST)},
        "help": {"text": _help(parts), "markdown": _help_markdown(parts)},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": properties,
    }


def _help(parts: dict[str, str]) -> str:
    return "\n\n".join(f"{heading}\n{parts[heading]}" for heading in SECTIONS)


def _help_markdown(parts: dict[str, str]) -> str:
    """Give the same as Markdown; it is our own text."""
    said = {heading: f"```\n{text}\n```" if heading == "Example" else text for heading, text in parts.items()}
    return "\n\n".join(f"**{heading}**\n\n{said[heading]}" for heading in SECTIONS)


def _result(judged: Judged, finding: Finding, index: int) -> dict[str, Json]:
    """Give one finding."""
    result: dict[str, Json] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": {"text": _message(judged, finding)},
        "locations": [_location(judged, finding)],
        "partialFingerprints": {_KEY: finding.fingerprint, "primaryLocationLineHash": _line_hash(judged, finding)},
        "properties": {
            "server": defanged(judged.subject.server, _NAME),
            "severity": finding.severity.value,
            "confidence": finding.confidence.value,
            "axis": finding.axis.value,
            "category": finding.category,
        },
    }
    if finding.hidden:
        suppression = {"kind": "external", "status": "accepted", "justification": defanged(finding.hidden, _LONGEST)}
        result["suppressions"] = [suppression]
    return result


def _message(judged: Judged, finding: Finding) -> str:
    """Say what and where in one line: lists of results show nothing else."""
    sort, names = place_words(finding)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    where = f"{judged.subject.name}, {sort} {', '.join(clipped(one, 60) for one in names[:3])}{more}".strip()
    text = defanged(f"{where}: {happened(finding)}", _LONGEST)
    return _without_placeholders(text)


def _location(judged: Judged, finding: Finding) -> dict[str, Json]:
    """Give where it is: in which server, item and value, and the line of the file that names the server."""
    sort, names = place_words(finding)
    subject = judged.subject
    places = names or ("",)
    logical = {
        defanged(f"{'/'.join(filter(None, (subject.name, finding.kind.value, one)))}{finding.pointer}", _LONGEST): one
        for one in places[:_MOST]
    }
    location: dict[str, Json] = {
        "logicalLocations": [
            {
                "name": defanged(one, _NAME) or sort,
                "kind": _KINDS.get(finding.kind, "resource"),
                "fullyQualifiedName": whole,
            }
            for whole, one in logical.items()
        ]
    }
    if subject.file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": quote(subject.file.encode("utf-8", "replace"), safe="/")},
            "region": {"startLine": max(subject.line, 1)},
        }
    return location


def _line_hash(judged: Judged, finding: Finding) -> str:
    """Tell findings apart that stand at one line of one file: the same for the same finding of the same server."""
    whole = f"{judged.subject.server}\0{finding.fingerprint}".encode("utf-8", "replace")
    return f"{hashlib.sha256(whole).hexdigest()[:16]}:1"


def _notice(text: str, level: str) -> dict[str, Json]:
    return {"level": level, "message": {"text": _without_placeholders(defanged(text, _LONGEST))}}


def _without_placeholders(text: str) -> str:
    """Give a message without `{0}` and the like, in place of which a reader would put something else (3.11.5)."""
    return _PLACEHOLDER.sub(r"｛\1｝", text)
