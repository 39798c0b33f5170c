"""What templates cost: nothing that one can do takes long, and counting changes no answer."""

from __future__ import annotations

import operator
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftwatch.config.sandbox import TroubleError, environment, read, render
from driftwatch.config.steps import STEPS, Budget

LIST = "{% set a = range(9000)|list %}{% set b = range(9000)|list %}"
TEXT = "{% set s = 'a, b. ' * 6000 %}{% set t = 'a, b. ' * 5999 ~ 'a, b. ' %}"
GROUP = "{% set g = range(9000)|groupby('x', default=0) %}{% set h = range(9000)|groupby('x', default=0) %}"
MANY = "{% set p = g + h %}" + "{% set p = p + p %}" * 11

ARGUMENTS = {
    "default": "(a)",
    "groupby": "('x', default=0)",
    "map": "('upper')",
    "rejectattr": "('x')",
    "replace": "('a', 'bb')",
    "sameas": "(b)",
    "selectattr": "('x')",
    **dict.fromkeys(("eq", "equalto", "ne", "lt", "lessthan", "le", "gt", "greaterthan", "ge", "in"), "(b)"),
}
"""What filters and tests are called with that need more than a value."""
TOO_MUCH = f"more than {STEPS} steps|grows too large"


def loop(body: str) -> str:
    return "{% for i in range(9000) %}" + body + "{% endfor %}"


def used(template: str, **names: Any) -> str:
    """Render a template that may be written."""
    read(template)
    return render(template, names, 100)


@pytest.mark.parametrize(
    "template",
    [
        LIST + loop("{% if -1 in a %}{% endif %}"),
        LIST + loop("{% if -1 not in a %}{% endif %}"),
        LIST + loop("{% if -1 is in a %}{% endif %}"),
        LIST + loop("{% set x = 0 < 1 < 2 and -1 in a %}"),
        LIST + loop("{% if a == b %}{% endif %}"),
        LIST + loop("{% if a is eq b %}{% endif %}"),
        LIST + loop("{% if a < b %}{% endif %}"),
        LIST + loop("{% if loop.changed(a if i is odd else b) %}{% endif %}"),
        LIST + loop("{% set x = a + b %}"),
        LIST + loop("{% set x = a[:] %}"),
        LIST + loop("{% set x = a[1:20]|list * 500 %}"),
        LIST + "{% set x = a|select('in', b|reverse|list)|list %}",
        LIST + "{% set x = range(9000)|map(attribute='a" + ".a" * 99 + "', default=0)|list %}",
        LIST + "{% set x = a" + "|select" * 9 + "|list %}",
        TEXT + loop("{% if 'xyz' in s %}{% endif %}"),
        TEXT + loop("{% if s == t %}{% endif %}"),
        TEXT + loop("{% set x = s ~ i %}"),
        TEXT + loop("{% set x = s + t[:9] %}"),
        TEXT + loop("{% set x = 'a' * 39999 %}"),
        TEXT + loop("{% set x = s[1:] %}"),
        TEXT + loop("{% set x = s.split(' ') %}"),
        TEXT + loop("{% set x = (1, 2, 3)|join(s[:9000]) %}"),
        TEXT + "{% set p = s.split('$') %}" + "{% set p = p + p %}" * 12 + "{% set x = p|sort %}",
        TEXT + "{% set p = s.split('$') %}" + "{% set p = p + p %}" * 12 + "{% set x = p|map('lower')|list %}",
        GROUP + MANY + "{% set x = p|sort %}",
        GROUP + MANY + "{% set x = p|map('last')|map('sort')|list %}",
        GROUP + MANY + "{% if h[0] in p[:4096] %}{% endif %}",
        "{% set x = ('f' * 39999)|int(0, 16) %}{% set y = ('f' * 20000)|int(0, 16) %}" + loop("{% set z = x % y %}"),
        loop("{% if i %}{% set x = i %}{% endif %}" * 99),
    ],
)  # fmt: skip
def test_no_work_on_large_values_goes_uncounted(template: str) -> None:
    with pytest.raises(TroubleError, match=TOO_MUCH):
        used(template)


def trouble(template: str) -> str:
    """Give why a template fails, empty when it does not."""
    try:
        used(template, labels={str(number): number for number in range(9000)})
    except TroubleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", sorted(name for name in environment().filters if not name.startswith("_")))
@pytest.mark.parametrize("value", ["a", "s", "a|map('string')", "labels"])
def test_every_filter_counts_what_it_is_given(name: str, value: str) -> None:
    one = "{% set x = " + value + "|" + name + ARGUMENTS.get(name, "") + " %}"

    refused = trouble(LIST + TEXT + one)

    assert refused or re.search(TOO_MUCH, trouble(LIST + TEXT + loop(one)))


@pytest.mark.parametrize("name", sorted(name for name in environment().tests if name.isalpha()))
def test_every_test_counts_what_it_is_given(name: str) -> None:
    one = "{% if a is " + name + ARGUMENTS.get(name, "") + " %}{% endif %}"

    refused = trouble(LIST + one)

    assert refused or re.search(TOO_MUCH, trouble(LIST + loop(one)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
    ),
    max_leaves=8,
)
RELATIONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda one, many: one in many,
    "notin": lambda one, many: one not in many,
}


def outcome(work: Any, *values: Any) -> Any:
    try:
        return work(*values)
    except TypeError:
        return TypeError


@given(VALUES, st.sampled_from(sorted(RELATIONS)), VALUES)
def test_counting_changes_no_answer(left: Any, relation: str, right: Any) -> None:
    def counted(left: Any, right: Any) -> bool:
        return Budget().holds(left, relation, right)

    assert outcome(counted, left, right) == outcome(RELATIONS[relation], left, right)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 1 == 1 != 2 }}", "True False True"),
        (
            "{{ 'b' in 'abc' }} {{ 4 in range(5) }} {{ 'x' in labels }} {{ 1 in labels.values() }}",
            "True True True True",
        ),
        ("{% for i in range(9) if i in [2, 4] %}{{ i }}{% endfor %}", "24"),
        ("{{ [3, 1, 2]|sort|join }} {{ ['b', 'A']|sort(true)|join }} {{ [2, 2, 1]|unique|join }}", "123 bA 21"),
        ("{{ rows|sort(attribute='n')|map(attribute='n')|join }} {{ (rows|max(attribute='n')).n }}", "12 2"),
        ("{% for n, some in rows|groupby('n') %}{{ n }}:{{ some|length }} {% endfor %}", "1:1 2:1 "),
        ("{{ rows|selectattr('n', 'gt', 1)|list|length }}{{ rows|rejectattr('n', '==', 1)|list|length }}", "11"),
        ("{{ nothing is defined }} {{ nothing|default('-') }} {{ [1, 2, 3][1:]|join }}", "False - 23"),
        ("{{ labels|dictsort|first|join }} {{ 'abc'|reverse }} {{ [1, 2]|reverse|join }}", "x1 cba 21"),
    ],
)
def test_what_a_template_compares_and_sorts_is_what_jinja_would(template: str, text: str) -> None:
    assert used(template, labels={"x": 1}, rows=[{"n": 2}, {"n": 1}]) == text


def test_a_comparison_counts_no_more_than_both_sides_hold() -> None:
    budget = Budget()

    budget.holds([[1, 2], 3], "eq", list(range(20_000)))
    budget.holds("x", "in", ["y", "z"])

    assert STEPS - budget.left < 20
