"""What is made of the names of a fleet once, and not at each judgement again."""

from __future__ import annotations

from driftwatch.judge.facts import Neighbour
from driftwatch.judge.neighbours import Elsewhere
from driftwatch.judge.recalled import of_same, of_short


def test_of_a_short_text_it_is_made_once_and_of_a_long_one_each_time_so_that_no_server_fills_the_memory() -> None:
    made: list[str] = []

    @of_short
    def noted(text: str) -> str:
        made.append(text)
        return text.upper()

    assert [noted("read"), noted("read"), noted("x" * 1000), noted("x" * 1000)] == ["READ"] * 2 + ["X" * 1000] * 2
    assert made == ["read", "x" * 1000, "x" * 1000]


def test_what_is_equal_but_not_the_same_is_made_anew() -> None:
    made: list[int] = []

    @of_same
    def noted(thing: list[int]) -> int:
        made.append(len(thing))
        return sum(thing)

    one, other = [1, 2], [1, 2]

    assert [noted(one), noted(one), noted(other)] == [3, 3, 3]
    assert len(made) == 2


def test_the_names_of_one_fleet_do_not_get_into_what_another_one_is_asked() -> None:
    billing, mail = (Neighbour("billing", {"send_invoice": "a"}),), (Neighbour("mail", {"send_letter": "b"}),)

    found = [Elsewhere(each).namesakes("sendInvoice") for each in (billing, mail, billing)]

    assert [[(one.server, one.exact) for one in each] for each in found] == [
        [("billing", True)],
        [],
        [("billing", True)],
    ]


def test_a_name_that_only_looks_alike_comes_after_those_that_are_the_same() -> None:
    fleet = (Neighbour("look", {"send_1nvoice": "a"}), Neighbour("same", {"SendInvoice": "b"}))

    found = Elsewhere(fleet).namesakes("send_invoice")

    assert [(one.server, one.exact) for one in found] == [("same", True), ("look", False)]
