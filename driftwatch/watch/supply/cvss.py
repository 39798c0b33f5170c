"""How bad a CVSS vector of version 3.0 or 3.1 says something is: its base score, as severity. Pure.

The formula is that of the specification (first.org/cvss/v3.1/specification-document, 7.1); the names of the ranges are
those of its section 5. A vector of another version is not read: who publishes one says the severity in words as well.
"""

from __future__ import annotations

import re

from driftwatch.model import Severity

_VECTOR = re.compile(r"CVSS:3\.[01]((?:/[A-Z]{1,3}:[A-Z])+)")
_WEIGHTS = {
    "AV": {"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2},
    "AC": {"L": 0.77, "H": 0.44},
    "UI": {"N": 0.85, "R": 0.62},
    "C": {"H": 0.56, "L": 0.22, "N": 0.0},
    "I": {"H": 0.56, "L": 0.22, "N": 0.0},
    "A": {"H": 0.56, "L": 0.22, "N": 0.0},
}
_PRIVILEGES = {"U": {"N": 0.85, "L": 0.62, "H": 0.27}, "C": {"N": 0.85, "L": 0.68, "H": 0.5}}
_RANGES = ((9.0, Severity.CRITICAL), (7.0, Severity.HIGH), (4.0, Severity.MEDIUM), (0.1, Severity.LOW))


def severity_of(vector: str) -> Severity | None:
    """Give how bad a vector says it is, None for one that cannot be read or that scores nothing."""
    score = base_score(vector)
    return None if score is None else next((name for least, name in _RANGES if score >= least), None)


def base_score(vector: str) -> float | None:
    """Give the base score, from 0.0 to 10.0."""
    match = _VECTOR.match(vector[:200])
    if match is None:
        return None
    told = dict(part.split(":") for part in match[1].strip("/").split("/"))
    try:
        weights = {metric: values[told[metric]] for metric, values in _WEIGHTS.items()}
        privileges = _PRIVILEGES[told["S"]][told["PR"]]
    except KeyError:
        return None
    changed = told["S"] == "C"
    loss = 1 - (1 - weights["C"]) * (1 - weights["I"]) * (1 - weights["A"])
    impact = 7.52 * (loss - 0.029) - 3.25 * (loss - 0.02) ** 15 if changed else 6.42 * loss
    if impact <= 0:
        return 0.0
    effort = 8.22 * weights["AV"] * weights["AC"] * privileges * weights["UI"]
    return _round_up(min((1.08 if changed else 1.0) * (impact + effort), 10.0))


def _round_up(score: float) -> float:
    """Round up to one place, as the specification spells it out for floating point."""
    whole = round(score * 100_000)
    return whole / 100_000 if whole % 10_000 == 0 else (whole // 10_000 + 1) / 10
