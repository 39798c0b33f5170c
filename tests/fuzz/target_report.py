"""Reports: in every format nothing raises, and nothing of a server's forms, hides, moves a cursor or breaks out."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from functools import partial

from driftwatch.judge.judge import compare_under
from driftwatch.judge.policy import Policy
from driftwatch.judge.policy.profiles import BALANCED_PROFILE, named
from driftwatch.judge.snapshot import take
from driftwatch.judge.text.chars import UNSEEN
from driftwatch.report import to_text
from driftwatch.report.formats import Form, render
from driftwatch.report.page import in_order, to_page
from driftwatch.report.safe import defang
from driftwatch.report.subject import Judged, Subject
from tests.fuzz.listings import two
from tests.report.html_kit import checked as checked_html
from tests.report.markdown_kit import checked as checked_markdown


def _plain(said: str, *, colour: bool = False) -> None:
    said.encode("utf-8")
    assert "\r" not in said
    found = {match[0] for match in UNSEEN.finditer(said.replace("\ufe0f", ""))}
    assert found <= ({"\x1b"} if colour else set()), found


def _xml(text: str) -> None:
    for element in ET.fromstring(text).iter():
        assert element.tag in {
            "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "system-out",
        }  # fmt: skip


def _json(text: str) -> None:
    # What Python takes for a number and no other reader does must not get into a document.
    json.loads(text, parse_constant=partial(_refuse, text))


def _refuse(text: str, word: str) -> None:
    raise AssertionError((word, text[:200]))


_READERS = {
    Form.JSON: _json,
    Form.SARIF: _json,
    Form.JUNIT: _xml,
    Form.HTML: checked_html,
    Form.MARKDOWN: checked_markdown,
}


def one(data: bytes) -> None:
    """Write the report of two listings in each format, and read it as its readers do."""
    given = two(data)
    if given is None:
        return
    report = compare_under(Policy(named(BALANCED_PROFILE)), *given)
    before, after = (take(side.document, side.oddities) for side in given)
    words = next((item.key for item in after.items if item.key), "x")
    subject = Subject(words, before=words, after=words, reached=words, before_version=words, after_version=words)
    judged = [Judged(subject, report, before, after)]
    for form in Form:
        said = render(form, judged)
        _plain(said)
        if form in _READERS:
            _READERS[form](said)
    _plain(to_text(report, colour=True, width=60), colour=True)
    _plain(to_page(in_order(after), colour=False))
    _plain(defang(words))
