"""A comment on a pull request: read on one screen, never too long, and no text of a server forms anything in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from contracts.hostile import HOSTILE, HUGE
from formats_kit import bump, hostile, turned, unseen
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token
from markdown_kit import checked
from report_kit import finding

from driftwatch.model import Report, Severity
from driftwatch.report.excerpt import sentence
from driftwatch.report.formats import HIGH, Form, render
from driftwatch.report.markdown.document import to_markdown
from driftwatch.report.markdown.safe import fenced, in_html, name, prose
from driftwatch.report.subject import Judged, Subject


def visible_lines(text: str, width: int = 110) -> int:
    """Count the lines that a reader sees before opening anything, wrapped as on a screen."""
    shown = re.sub(r"<details>\n<summary>(.*?)</summary>.*?</details>", r"\1", text, flags=re.DOTALL)
    lines = [line for line in shown.split("\n") if line and not line.startswith("|---")]
    return sum(-(-len(line) // width) for line in lines)


@pytest.mark.parametrize("text", [*HOSTILE, *HUGE], ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_hostile_text_in_every_field_forms_nothing(text: str) -> None:
    several = (hostile(text), turned(), Judged(Subject(text, after=text), Report(()), trouble=text))

    alone, beside = render(Form.MARKDOWN, several[:1]), render(Form.MARKDOWN, several)

    for comment in (alone, beside):
        tokens = checked(comment)
        rows = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
        cells = [sum(one.type in ("td_open", "th_open") for one in tokens[at : _end(tokens, at)]) for at in rows]
        assert len(set(cells)) == 1


def _end(tokens: list[Token], start: int) -> int:
    return next(index for index in range(start, len(tokens)) if tokens[index].type == "tr_close")


PIECES = st.sampled_from(
    ["`", "``", "|", "\\", "*", "_", "[", "]", "(", ")", "!", "<", ">", "#1", "@a", "a.b", "http://x", "1.", "- ", "\n"]
)
TEXTS = st.lists(st.one_of(PIECES, st.sampled_from(["a", " ", "word", "“", "”", ",", "deadbeef"]), st.characters()))


@given(TEXTS.map("".join))
def test_a_sentence_reads_as_it_was_written_and_forms_nothing(text: str) -> None:
    said = f"x {prose(text)}"

    tokens = checked(said)

    read = "".join(one.content for one in tokens if one.type in ("text", "code_inline"))
    assert (
        read.split() == ["x", *sentence(text).replace("|", "\\u{007C}").split(" ")]
        or "(blank)" in said
        or (" ".join(read.split()) == " ".join(f"x {sentence(text)}".replace("|", "\\u{007C}").split()))
    )


@given(TEXTS.map("".join), TEXTS.map("".join))
def test_cells_of_a_table_stay_cells(one: str, other: str) -> None:
    tokens = checked(f"| a | b |\n|---|---|\n| {prose(one)} | {name(other)} |\n")

    assert sum(token.type == "td_open" for token in tokens) == 2
    assert sum(token.type == "tr_open" for token in tokens) == 2


@given(st.lists(TEXTS.map("".join), max_size=4))
def test_nothing_ends_a_block_of_code(lines: list[str]) -> None:
    safe = [f"+ {sentence(line)}" for line in lines]

    tokens = checked("\n".join([*fenced(safe, "diff"), "", "after"]))

    fence, *rest = tokens
    assert fence.type == "fence"
    assert fence.content.split("\n")[:-1] == safe
    assert [token.content for token in rest if token.type == "inline"] == ["after"]


@given(TEXTS.map("".join))
def test_a_summary_is_one_line_of_words_and_code(text: str) -> None:
    checked(f"\n<details>\n<summary>{in_html(text)}</summary>\n\nword\n\n</details>\n")


def test_the_first_line_says_what_happened_worst_first() -> None:
    first = render(Form.MARKDOWN, [turned()]).split("\n")[0]

    assert first.startswith("**CRITICAL: notes `1.2.4` differs from what was approved: ")
    assert "** Tool `read_note`: The text gained " in first


def test_it_says_what_it_means_for_which_hosts_and_what_to_do() -> None:
    text = render(Form.MARKDOWN, [turned()])

    parts = ["**What it means**", "Hosts that act otherwise: ", "**What to do**", "Go on with: `driftwatch diff notes`"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_before_and_after_are_a_diff_with_the_marked_stretch() -> None:
    fences = [one.content for one in checked(render(Form.MARKDOWN, [turned()])) if one.type == "fence"]

    assert any(one.startswith("- Reads one note.\n+ Reads one note.\\n>>Before you answer") for one in fences)


def test_a_bump_with_sixty_changes_is_read_on_one_screen() -> None:
    judged = bump(60)
    assert len(judged.report.findings) >= 60

    text = render(Form.MARKDOWN, [judged])

    assert visible_lines(text) <= 40
    checked(text)


def test_twelve_servers_are_read_on_one_screen_too() -> None:
    judged = [replace(turned(), subject=Subject(f"server-{chr(97 + number)}")) for number in range(12)]

    text = render(Form.MARKDOWN, [*judged, unseen()])

    assert text.startswith("**CRITICAL: 12 of 13 servers have findings, 1 server could not be looked at; the worst is")
    assert visible_lines(text) <= 60
    checked(text)


def test_what_does_not_fit_is_left_out_whole_and_counted() -> None:
    many = tuple(
        finding(item=f"tool_{number}", before="It reads.", after=f"It writes {number}.") for number in range(900)
    )

    text = render(Form.MARKDOWN, [Judged(Subject("x"), Report(many))])

    assert 60_000 < len(text) <= 65_000
    assert re.search(r"Left out, because a comment takes no more: \d+ parts of the details\.", text)
    checked(text)


def test_a_smaller_room_is_kept_as_well() -> None:
    for judged in ([bump(60), turned()], [turned()] * 30, [hostile("🦀" * 400)]):
        text = to_markdown(judged, HIGH, room=20_000)
        assert len(text.encode("utf-16-le")) // 2 <= 20_000
        checked(text)


def test_nothing_found_says_that_it_is_no_guarantee() -> None:
    text = render(Form.MARKDOWN, [Judged(Subject("notes", before="what was approved"), Report(()))])

    assert text.startswith("**notes is the same as what was approved.**\n")
    assert "That is no guarantee" in text


def test_what_could_not_be_looked_at_does_not_read_as_clean() -> None:
    text = render(Form.MARKDOWN, [unseen()])

    assert text.startswith("**mail could not be looked at: timeout: no answer within 30 s.**")
    assert "guarantee" not in text


def test_what_is_for_the_record_stands_in_the_details_only() -> None:
    found = (finding(severity=Severity.INFO, message="Of no weight."), finding(message="Of some weight."))

    text = render(Form.MARKDOWN, [Judged(Subject("x"), Report(found))])

    assert text.index("Of some weight.") < text.index("<details>") < text.index("Of no weight.")
    assert "and 1 more finding, in the details" in text


def test_hidden_findings_are_counted_with_their_reasons() -> None:
    hidden = finding(severity=Severity.HIGH, hidden="Agreed with the maker.")

    text = render(Form.MARKDOWN, [Judged(Subject("x"), Report((), hidden=(hidden,)))])

    assert "**1 hidden by policy, worst: high**" in text
    assert "Agreed with the maker." in text
