"""The rule advisory-published."""

from __future__ import annotations

import pytest
from entry_kit import supplied
from rule_kit import example, found

from driftwatch.model import Advisory, Severity

RULE = "advisory-published"


def test_an_advisory_is_medium_and_names_what_fixes_it() -> None:
    (finding,) = found(RULE, *example(RULE))

    assert (finding.severity, finding.pointer) == ("medium", "/package")
    assert "GHSA-aaaa-bbbb-cccc" in finding.message
    assert "Fixed in “1.2.1”" in finding.message


@pytest.mark.parametrize(
    ("advisory", "severity"),
    [
        (Advisory("MAL-2026-1"), "high"),
        (Advisory("GHSA-1", aliases=("MAL-2026-1",)), "high"),
        (Advisory("GHSA-1", severity=Severity.CRITICAL), "high"),
        (Advisory("GHSA-1", severity=Severity.HIGH), "medium"),
        (Advisory("GHSA-1"), "medium"),
        (Advisory("GHSA-1", severity=Severity.LOW), "low"),
    ],
)
def test_what_it_calls_the_package_weighs(advisory: Advisory, severity: str) -> None:
    (finding,) = found(RULE, *example(RULE), supplied(advisories=(advisory,)))

    assert finding.severity == severity


def test_a_malicious_package_is_never_called_fixed_and_its_words_are_escaped() -> None:
    advisory = Advisory("MAL-2026-1", summary="\x1b[31mrun this", fixed=("9.9.9",))

    (finding,) = found(RULE, *example(RULE), supplied(advisories=(advisory,)))

    assert "9.9.9" not in finding.message
    assert "Stop the server" in finding.message
    assert finding.message.isprintable()


def test_two_advisories_about_one_package_are_two_findings() -> None:
    both = (Advisory("GHSA-1"), Advisory("GHSA-2"))

    found_now = found(RULE, *example(RULE), supplied(advisories=both))

    assert len({finding.fingerprint for finding in found_now}) == 2
