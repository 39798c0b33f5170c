"""Where templates run: Jinja2's sandbox with bounds, so that no template holds up or fills what sends alerts. Pure.

Jinja's own sandbox keeps a template from reaching anything; it does not keep it from taking all time or memory. So:

- A template is made of what is known to be bounded (`_PARTS`, `_FILTERS`, `_METHODS`). Macros, blocks, loops that call
  themselves, powers and lists of lists are not among it.
- Whatever takes the longer the more it is given counts towards `STEPS` (see `steps`): turns of loops, filters, tests,
  methods, comparisons, and what is put together or sliced.
- Text that is put together (`+`, `*`, `~`, `join`, `replace`) is at most `LONGEST` characters.
- What comes out is read piece by piece, and no further than is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from jinja2 import StrictUndefined, Template, TemplateError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.filters import make_multi_attrgetter
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from driftwatch.config.steps import Budget, moderate, small, weight_of

_BUDGET: Final = "_budget"
_FILE: Final = "<template>"

_PARTS: Final = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.NSRef, nodes.Const, nodes.If, nodes.For),
    *(nodes.Assign, nodes.With, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call),
    *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos, nodes.Concat, nodes.CondExpr),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.List, nodes.Tuple, nodes.Keyword),
)
_TAKES_IN: Final = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
_FILTERS: Final = (
    *("capitalize", "count", "d", "default", "dictsort", "first", "groupby", "int", "items", "join", "last", "length"),
    *("list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "select", "selectattr"),
    *("sort", "string", "title", "trim", "truncate", "unique", "upper", "wordcount"),
)
_SORTING: Final[Mapping[str, int | None]] = MappingProxyType(
    {"dictsort": None, "groupby": 0, "max": 1, "min": 1, "sort": 2, "unique": 1}
)
"""Filters that compare entries with each other, and which argument names what of them is compared."""

_COMPARING: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("==", "eq", "equalto"), "eq"),
        **dict.fromkeys(("!=", "ne"), "ne"),
        **dict.fromkeys((">", "gt", "greaterthan"), "gt"),
        **dict.fromkeys((">=", "ge"), "gteq"),
        **dict.fromkeys(("<", "lt", "lessthan"), "lt"),
        **dict.fromkeys(("<=", "le"), "lteq"),
        "in": "in",
    }
)
"""Tests that compare, with Jinja's name for the comparison."""

_PARTS_A_STEP: Final = 20
"""Parts of a template in one turn of a loop that are a step."""

_NAMED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "AssignBlock": "a set with an end",
        "CallBlock": "a call",
        "Dict": "a table of its own",
        "FilterBlock": "a filter with an end",
        "Pow": "a power (**)",
        "ScopedEvalContextModifier": "autoescape",
    }
)
"""What parts of templates are called where their names in Jinja's own code say too little."""

_METHODS: Final[Mapping[type, frozenset[str]]] = MappingProxyType(
    {
        str: frozenset(
            {"startswith", "endswith", "lower", "upper", "capitalize", "title", "strip", "lstrip", "rstrip", "split"}
            | {"removeprefix", "removesuffix"}
        ),
        dict: frozenset({"items", "keys", "values", "get"}),
        list: frozenset(),
        tuple: frozenset({"grouper", "list"}),
        int: frozenset(),
        float: frozenset(),
    }
)
"""What may be named of a value with a dot; of anything else what Jinja's sandbox allows."""


class TroubleError(Exception):
    """A template does not work; the text says why and, where that is known, in which line."""


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, with the bounds that stand at the top of this file."""

    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%"})

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allow what is known to be bounded."""
        named = next((names for kind, names in _METHODS.items() if isinstance(obj, kind)), None)
        return super().is_safe_attribute(obj, attr, value) and (named is None or attr in named)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Give the entry of a table before its method: a finding has `items`."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def wrap_str_format(self, value: Any) -> None:
        """Let `format` be refused like any other method: a width makes it as long as one likes."""

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Count what is called, and what it is given: `loop.changed` compares it."""
        budget = _budget(context)
        budget.take(weight_of(getattr(obj, "__self__", None)))
        budget.take_all([*args, *kwargs.values()])
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Calculate, within bounds."""
        numbers = all(isinstance(one, int | float) for one in (left, right))
        moderate(left, right)
        size = 0
        if not numbers and operator in {"*", "%"}:
            count, text = sorted((left, right), key=lambda one: isinstance(one, Sized))
            if operator == "%" or not isinstance(count, int) or not isinstance(text, Sized):
                message = f"{operator} needs two numbers here"
                raise SecurityError(message)
            size = len(text) * count
        if operator == "+" and isinstance(left, Sized) and isinstance(right, Sized):
            size = len(left) + len(right)
        small(size)
        made = super().call_binop(context, operator, left, right)
        _budget(context).take(weight_of(made))
        moderate(made)
        return made


def _budget(context: Context) -> Budget:
    budget: Budget = context[_BUDGET]
    return budget


def _text(value: Any) -> str:
    """Give a value as text; a list or a table has none of its own: `| join` says how."""
    if value is None:
        return ""
    if isinstance(value, str | int | float | StrictUndefined):
        return str(value)
    message = f"a {'table' if isinstance(value, Mapping) else 'list'} is no text: name a part of it, or use join"
    raise SecurityError(message)


@pass_context
def _finalize(context: Context, value: Any) -> str:  # noqa: ARG001 - with a context nothing is worked out beforehand
    return _text(value)


@pass_context
def _counted(context: Context, value: Iterable[Any], steps: int) -> Iterator[Any]:
    """Count the turns of a loop."""
    return _budget(context).each(value, steps)


@pass_context
def _weighed(context: Context, value: Any) -> Any:
    """Count what is sliced."""
    _budget(context).take(weight_of(value))
    return value


@pass_context
def _compared(context: Context, value: Any, *rest: Any) -> bool:
    """Compare a value with the next, that one with the one after it, and so on: each comes after how they compare."""
    for relation, other in zip(rest[::2], rest[1::2], strict=True):
        if not _budget(context).holds(value, relation, other):
            return False
        value = other
    return True


@pass_context
def _together(context: Context, value: Iterable[Any]) -> str:
    """Put texts together, as `~` does."""
    made = _join(value)
    _budget(context).take(weight_of(made))
    return made


def _counting(name: str) -> Callable[..., Any]:
    """Give a filter that counts what it is given, what it compares, and what it makes."""

    @pass_context
    def counting(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        budget = _budget(context)
        budget.take(weight_of(value))
        # The name of an attribute may be a path, such as `a.b.c`, or several.
        path = 1 + sum(one.count(".") + one.count(",") for one in (*args, *kwargs.values()) if isinstance(one, str))
        if name in _SORTING:
            value = value if isinstance(value, Mapping) else list(budget.each(value, path))
            _count_keys(budget, name, value, args, kwargs)
        made = _plain().call_filter(name, value, args, kwargs, context=context)
        if isinstance(made, str):
            budget.take(weight_of(made))
        return budget.each(made, path) if isinstance(made, Iterator) else made

    return counting


def _count_keys(budget: Budget, name: str, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Count all of what is compared of each entry."""
    place = _SORTING[name]
    if place is None:
        budget.take_all(value)
        return
    attribute = args[place] if len(args) > place else kwargs.get("attribute")
    key = make_multi_attrgetter(_plain(), attribute)
    for one in value:
        budget.take_all(key(one))


def _testing(name: str) -> Callable[..., bool]:
    """Give a test that counts what it is given."""

    @pass_context
    def counting(context: Context, value: Any, *args: Any) -> bool:
        budget = _budget(context)
        if name in _COMPARING:
            (other,) = args
            return budget.holds(value, _COMPARING[name], other)
        budget.take(weight_of(value))
        return bool(_plain().call_test(name, value, args, context=context))

    return counting


def _join(value: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
    """Put texts together, with `d` between them; of tables the entry that `attribute` names."""
    pieces: list[str] = []
    size = 0
    for one in value:
        pieces.append(_text(one[attribute] if attribute is not None else one))
        size += len(pieces[-1]) + len(d)
        small(size)
    return d.join(pieces)


def _replace(value: Any, old: str, new: str) -> str:
    text = _text(value)
    small(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


class _Bounds(NodeTransformer):
    """Puts the counting into a template, where it is not in what is called by name."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """Give a part with its own parts bounded, and then itself."""
        parts = sum(1 for _ in node.find_all(nodes.Node)) if isinstance(node, nodes.For) else 0
        self.generic_visit(node, *args, **kwargs)
        if isinstance(node, nodes.For):
            node.iter = _filter(node.iter, "_counted", nodes.Const(1 + parts // _PARTS_A_STEP))
        elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
            node.node = _filter(node.node, "_weighed")
        elif isinstance(node, nodes.Concat):
            return _filter(nodes.List(node.nodes, lineno=node.lineno), "_together")
        elif isinstance(node, nodes.Compare):
            rest = [part for one in node.ops for part in (nodes.Const(one.op), one.expr)]
            return _filter(node.expr, "_compared", *rest)
        return node


def _filter(node: nodes.Node, name: str, *args: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno)


@lru_cache(maxsize=1)
def _plain() -> _Sandbox:
    """Give what holds filters and tests as they are."""
    made = _Sandbox(undefined=StrictUndefined)
    made.filters.update({"join": _join, "replace": _replace, "string": _text})
    return made


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Give what templates are read and rendered by. A name that does not exist is an error, not an empty place."""
    made = _Sandbox(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalize)
    counting = {"_counted": _counted, "_weighed": _weighed, "_compared": _compared, "_together": _together}
    made.filters = {name: _counting(name) for name in _FILTERS} | counting
    made.tests = {name: _testing(name) for name in _plain().tests}
    made.globals = {name: made.globals[name] for name in ("namespace", "range")}
    return made


def read(source: str) -> nodes.Template:
    """Give a template as it was written.

    Raises:
        TroubleError: it is none, or holds what a template may not.

    """
    try:
        parsed = environment().parse(source)
        wrong = next(_not_allowed(parsed), None)
        if wrong is None:
            _compiled(source)
    except TemplateError as error:
        raise TroubleError(_words(error)) from error
    except (RecursionError, MemoryError, SyntaxError, ValueError) as error:
        # Python's own compiler has limits too, such as for loops within loops.
        message = "it is nested too deeply, or cannot be read"
        raise TroubleError(message) from error
    if wrong is not None:
        raise TroubleError(wrong)
    return parsed


def render(source: str, names: Mapping[str, Any], room: int) -> str:
    """Render a template, and give what comes out; of what is longer than `room` characters a little more than that.

    Raises:
        TroubleError: it failed, or took too much.

    """
    pieces: list[str] = []
    size = 0
    try:
        for piece in _compiled(source).generate({**names, _BUDGET: Budget()}):
            pieces.append(piece)
            size += len(piece)
            if size > room:
                break
    except TemplateError as error:
        raise TroubleError(_words(error)) from error
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        raise TroubleError(f"{_line(error)}{type(error).__name__}: {error}") from error
    return "".join(pieces)[: room + 1]


@lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    made = environment()
    bounded = made.parse(source)
    _Bounds().visit(bounded)
    return made.from_string(bounded)


def _not_allowed(parsed: nodes.Template) -> Iterator[str]:
    """Say what a template holds that has no bounds."""
    for node in parsed.find_all(nodes.Node):
        what = ""
        if isinstance(node, _TAKES_IN):
            what = "take in another one"
        elif not isinstance(node, _PARTS):
            name = type(node).__name__
            what = f"have {_NAMED.get(name, f'a {name.lower()}')}"
        elif isinstance(node, nodes.For) and node.recursive:
            what = "have a loop that calls itself"
        elif isinstance(node, nodes.List | nodes.Tuple) and not _is_plain(node):
            what = "hold anything but plain values in a list"
        elif isinstance(node, nodes.Filter) and (node.node is None or node.name.startswith("_")):
            what = "have such a filter"
        elif isinstance(node, nodes.Name) and node.name.startswith("_"):
            what = "use a name that starts with _"
        if what:
            yield f"{f'line {node.lineno}: ' if node.lineno else ''}a template cannot {what}"


def _is_plain(node: nodes.List | nodes.Tuple) -> bool:
    names = isinstance(node, nodes.Tuple) and node.ctx == "store"
    return all(isinstance(item, nodes.Const) or (names and isinstance(item, nodes.Name)) for item in node.items)


def _words(error: TemplateError) -> str:
    line = getattr(error, "lineno", None)
    return f"{f'line {line}: ' if line else _line(error)}{error.message}"


def _line(error: BaseException) -> str:
    """Say in which line of the template a rendering failed."""
    lines = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _FILE:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f"line {lines[-1]}: " if lines else ""
