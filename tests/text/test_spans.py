"""The offsets of a finding, applied to the text as received, give what was injected and nothing that was there."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from languages import INJECTIONS, TWINS

from driftwatch import Finding, Severity, Span, compare
from driftwatch.model import Json

HONEST = {
    "en": ("Adds two numbers.", "Takes whole numbers and decimals 😀.", "Returns the total."),
    "de": ("Addiert zwei Zahlen.", "Nimmt ganze Zahlen und Brüche.", "Gibt die Summe zurück."),
    "fr": ("Additionne deux nombres.", "Accepte les entiers et les décimaux.", "Renvoie la somme."),
    "ru": ("Складывает два числа.", "Принимает целые и дробные числа.", "Возвращает сумму."),
    "zh": ("将两个数字相加。", "支持整数和小数。", "返回总和。"),
    "ar": ("يجمع عددين.", "يقبل الأعداد الصحيحة والكسور.", "يعيد المجموع."),
    "hi": ("दो संख्याएँ जोड़ता है।", "पूर्णांक और दशमलव लेता है।", "योग लौटाता है।"),
}
LOOK_ALIKES = str.maketrans("aeocip", "аеосір")
DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "zero-width": "\u200b".join,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "entities": lambda text: "".join(char if char == " " else f"&#{ord(char)};" for char in text),
    "comment": lambda text: f"<!-- {text} -->",
    "tags": lambda text: "".join(chr(0xE0000 + ord(char)) for char in text),
    "full-width": lambda text: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text),
    "look-alikes": lambda text: text.translate(LOOK_ALIKES),
}
"""Disguises of one stretch; the last three are for ASCII."""
ASCII_ONLY = ("tags", "full-width", "look-alikes")
CIPHERS: dict[str, Callable[[str], str]] = {
    "reversed": lambda text: text[::-1],
    "bidi": lambda text: f"\u202e{text[::-1]}\u202c",
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "zero-width-bits": lambda text: "".join(
        "\u200c" if bit == "1" else "\u200b" for byte in text.encode() for bit in f"{byte:08b}"
    ),
}
"""Disguises that are undone for the whole text."""
PLACES = ("description", "parameter", "key")


@dataclass(frozen=True)
class Case:
    """An honest text and the same with something injected, which stands at `start`..`end` of it."""

    before: str
    after: str
    start: int
    end: int
    place: str = "description"

    def findings(self) -> list[Finding]:
        """Give what was found in the text, worst first."""
        report = compare(tools(self.before, self.place), tools(self.after, self.place))
        return [one for one in report.findings if one.rule in {"text-injection", "hidden-characters"}]

    def stretch(self, span: Span) -> set[int]:
        """Give the offsets that a span covers, when it leads to the text and into it."""
        name = span.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        said = name if span.target == "key" else value(tools(self.after, self.place)[0], span.pointer)
        assert said == self.after
        assert 0 <= span.start < span.end <= len(self.after)
        return set(range(span.start, span.end))


def tools(text: str, place: str) -> list[dict[str, Json]]:
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "number"}}}
    if place != "description":
        inner: dict[str, Json] = {"note": {"type": "string", "description": text}}
        schema["properties"] = {text: {"type": "string"}} if place == "key" else inner
    return [
        {"name": "add", "description": text if place == "description" else "Adds two numbers.", "inputSchema": schema}
    ]


def value(raw: Json, pointer: str) -> Json:
    for step in pointer.split("/")[1:]:
        assert isinstance(raw, dict)
        raw = raw[step.replace("~1", "/").replace("~0", "~")]
    return raw


def put(honest: tuple[str, ...], injected: str, at: int, place: str = "description") -> Case:
    """Insert as a sentence of its own before the sentence of number `at`, or behind all."""
    start = len(" ".join(honest[:at])) + (at > 0)
    after = " ".join((*honest[:at], injected, *honest[at:]))
    return Case(" ".join(honest), after, start, start + len(injected), place)


@st.composite
def insertions(draw: st.DrawFn) -> Case:
    disguise = draw(st.sampled_from(list(DISGUISES)))
    languages = [name for name in INJECTIONS if disguise not in ASCII_ONLY or name == "en"]
    sentence = draw(st.sampled_from([text for name in languages for text in INJECTIONS[name]]))
    honest = draw(st.sampled_from(list(HONEST.values())))
    return put(honest, DISGUISES[disguise](sentence), draw(st.integers(0, 3)), draw(st.sampled_from(PLACES)))


@given(insertions())
def test_every_span_lies_in_what_was_injected(case: Case) -> None:
    found = case.findings()

    reached = [case.stretch(span) for one in found for span in one.spans]

    injected = set(range(case.start, case.end))
    assert [stretch for stretch in reached if not stretch <= injected] == []


@given(insertions())
def test_the_spans_of_the_worst_injection_make_up_what_was_injected(case: Case) -> None:
    worst = next((one for one in case.findings() if one.rule == "text-injection"), None)

    if worst is not None and worst.severity >= Severity.MEDIUM:
        covered = set().union(*map(case.stretch, worst.spans))
        assert covered == set(range(case.start, case.end))


@given(
    st.sampled_from([text for texts in INJECTIONS.values() for text in texts]),
    st.sampled_from(list(HONEST.values())),
    st.integers(0, 3),
)
def test_a_plain_injection_is_found_and_marked_wherever_it_stands(
    sentence: str, honest: tuple[str, ...], at: int
) -> None:
    case = put(honest, sentence, at)

    found = [one for one in case.findings() if one.rule == "text-injection"]

    whole = [span for span in found[0].spans if case.after[span.start : span.end] == sentence]
    assert len(whole) == 1


@given(st.sampled_from(INJECTIONS["en"]), st.sampled_from(["", "\u200b", "\u00ad"]))
def test_an_injection_inside_a_sentence_marks_that_sentence_and_no_other(text: str, between: str) -> None:
    first, middle, last = "Adds numbers.", "Takes two of them, and then returns the total.", "Costs nothing."
    clause = between.join(text.rstrip("."))
    grown = middle.replace(", and", f", {clause}, and")
    start = len(first) + 1
    case = Case(f"{first} {middle} {last}", f"{first} {grown} {last}", start, start + len(grown))

    found = case.findings()

    sentence = set(range(case.start, case.end))
    injected = set(range(case.after.index(clause), case.after.index(clause) + len(clause)))
    covered = [set().union(*map(case.stretch, one.spans)) for one in found]
    assert all(one <= sentence for one in covered)
    assert any(injected <= one for one in covered)


@given(
    st.sampled_from(list(CIPHERS)), st.sampled_from(INJECTIONS["en"]), st.sampled_from([*HONEST.values(), TWINS["en"]])
)
def test_what_is_undone_for_the_whole_text_is_marked_only_where_it_stands(
    cipher: str, sentence: str, honest: tuple[str, ...]
) -> None:
    before, after = honest[0], honest[-1]
    case = put((before, *honest, after), CIPHERS[cipher](sentence), 2)

    found = case.findings()

    reached = set[int]().union(*(case.stretch(span) for one in found for span in one.spans))
    assert min(reached, default=len(before)) >= len(before)
    assert max(reached, default=0) < len(case.after) - len(after)


def test_two_injections_are_marked_and_not_what_stands_between() -> None:
    honest = HONEST["en"]
    hidden = codecs.encode(INJECTIONS["en"][0], "rot13")
    case = put(honest, hidden, 1)
    both = f"{case.after} {hidden}"

    found = Case(case.before, both, 0, len(both)).findings()

    marked = {both[span.start : span.end] for one in found for span in one.spans}
    assert marked == {hidden}
