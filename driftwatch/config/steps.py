"""What a template may cost: the steps of one rendering, and what each piece of work comes to. Pure.

A step is about what one turn of a small loop takes. Work that grows with what it is given is counted before it is done:
an entry of a list is a step, and so are some characters of a text. A comparison counts what both sides hold as far as
they go together, whatever is inside of what.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Undefined
from jinja2.exceptions import SecurityError

STEPS: Final = 50_000
"""Steps of one rendering."""

LONGEST: Final = 40_000
"""Characters or entries of anything that a template puts together."""

LARGEST: Final = 10**30
"""The largest number that a template calculates with; beyond it a number is work, too."""

_CHARACTERS: Final = 64
"""Characters of a text that are a step."""

_RELATIONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = MappingProxyType(
    {
        "eq": operator.eq,
        "ne": operator.ne,
        "lt": operator.lt,
        "lteq": operator.le,
        "gt": operator.gt,
        "gteq": operator.ge,
    }
)
"""Comparisons by Jinja's names for them; beside them there are `in` and `notin`."""


class Budget:
    """How many steps a rendering may still take."""

    def __init__(self) -> None:
        """Begin with all of them."""
        self.left = STEPS

    def take(self, steps: int) -> None:
        """Count steps.

        Raises:
            SecurityError: there are not so many left.

        """
        self.left -= steps
        if self.left < 0:
            message = f"it takes more than {STEPS} steps"
            raise SecurityError(message)

    def take_all(self, value: Any) -> None:
        """Count a value with all that it holds."""
        for weight in _pieces(value):
            self.take(weight)

    def each(self, values: Iterable[Any], steps: int = 1) -> Iterator[Any]:
        """Count so many steps for every entry that is taken out."""
        for one in values:
            self.take(steps)
            yield one

    def holds(self, left: Any, relation: str, right: Any) -> bool:
        """Compare, by Jinja's name for it."""
        if relation in {"in", "notin"}:
            return self._is_among(left, right) == (relation == "in")
        self._compare(left, right)
        return bool(_RELATIONS[relation](left, right))

    def _is_among(self, one: Any, many: Any) -> bool:
        if isinstance(many, str | Mapping | AbstractSet):
            # What is looked up there is found by its hash.
            self.take(weight_of(many) if isinstance(many, str) else 1)
            self.take_all(one)
            return one in many
        for other in self.each(many):
            self._compare(one, other)
            if one is other or one == other:
                return True
        return False

    def _compare(self, left: Any, right: Any) -> None:
        for one, other in zip(_pieces(left), _pieces(right), strict=False):
            self.take(min(one, other))


def weight_of(value: Any) -> int:
    """Say how many steps it is to go through a value."""
    if isinstance(value, str):
        return 1 + len(value) // _CHARACTERS
    return 1 + len(value) if isinstance(value, Collection) and not isinstance(value, Undefined) else 1


def small(size: int) -> None:
    """Refuse what is put together and too long.

    Raises:
        SecurityError: it has more than `LONGEST` characters or entries.

    """
    if size > LONGEST:
        message = f"it puts together more than {LONGEST} characters"
        raise SecurityError(message)


def moderate(*numbers: Any) -> None:
    """Refuse numbers that are work by themselves; anything else passes.

    Raises:
        SecurityError: one is larger than `LARGEST`.

    """
    if any(isinstance(one, int) and abs(one) > LARGEST for one in numbers):
        message = "a number grows too large"
        raise SecurityError(message)


def _pieces(value: Any) -> Iterator[int]:
    """Give the steps of a value and of everything in it, one by one; what is in it twice counts twice."""
    waiting = [iter((value,))]
    while waiting:
        one = next(waiting[-1], waiting)
        if one is waiting:
            waiting.pop()
            continue
        yield weight_of(one) if isinstance(one, str) else 1
        if isinstance(one, Mapping):
            waiting.append(iter(one.values()))
        elif isinstance(one, Collection) and not isinstance(one, str | range | Undefined):
            waiting.append(iter(one))
