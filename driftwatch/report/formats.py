"""Every format of a report, by name: one call for the command line, the pages and CI. Pure.

render(Form.SARIF, [Judged(Subject("github"), report)], fails=at_least(Severity.HIGH))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from driftwatch.model import Severity
from driftwatch.report.document_json import to_json_document
from driftwatch.report.html.document import to_html
from driftwatch.report.junit import to_junit
from driftwatch.report.markdown.document import to_markdown
from driftwatch.report.plaintext import to_plaintext
from driftwatch.report.sarif import to_sarif
from driftwatch.report.subject import Fails, Judged


class Form(StrEnum):
    """How a report is written. The value is what `--format` takes."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    HTML = "html"
    JUNIT = "junit"


Written: TypeAlias = Callable[[Sequence[Judged], Fails], str]

FORMATS: Mapping[Form, Written] = MappingProxyType(
    {
        Form.TEXT: to_plaintext,
        Form.JSON: to_json_document,
        Form.MARKDOWN: to_markdown,
        Form.SARIF: to_sarif,
        Form.HTML: to_html,
        Form.JUNIT: to_junit,
    }
)
"""What writes each format. All take the same, whether they need it or not."""


def at_least(severity: Severity) -> Fails:
    """Fail for every finding from a severity on."""
    return lambda finding: finding.severity >= severity


HIGH = at_least(Severity.HIGH)


def render(form: Form, judged: Sequence[Judged], *, fails: Fails = HIGH) -> str:
    """Write reports of one or several servers as one document, ending in a line feed. The same input gives the same."""
    return FORMATS[form](judged, fails)
