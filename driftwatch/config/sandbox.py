"""Where templates run: Jinja2's sandbox with bounds, so that no template holds up or fills what sends alerts. Pure.

Jinja's own sandbox keeps a template from reaching anything; it does not keep it from taking all time or memory. So:

- A template is made of what is known to be bounded (`_PARTS`, `_FILTERS`, `_METHODS`). Macros, blocks, loops that call
  themselves, powers and lists of lists are not among it.
- Every turn of a loop, and every entry of a list that is handed to a filter, counts towards `STEPS`.
- Text that is put together (`+`, `*`, `~`, `join`, `replace`) is at most `LONGEST` characters.
- What comes out is read piece by piece, and no further than is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from jinja2 import StrictUndefined, Template, TemplateError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

STEPS: Final = 50_000
"""Turns of all loops, and entries of lists handed to filters, in one rendering."""

LONGEST: Final = 40_000
"""Characters or entries of anything that a template puts together."""

_LARGEST: Final = 10**30
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
    *("capitalize", "count", "d", "default", "dictsort", "first", "groupby", "int", "items", "last", "length", "list"),
    *("lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "title", "trim"),
    *("truncate", "unique", "upper", "wordcount"),
)
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


class _Budget:
    """How many steps a rendering may still take."""

    def __init__(self) -> None:
        self.left = STEPS

    def take(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            message = f"it takes more than {STEPS} steps"
            raise SecurityError(message)


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
        """Count what is called."""
        context[_BUDGET].take(_weight(getattr(obj, "__self__", None)))
        return super().call(context, obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Calculate, within bounds."""
        numbers = all(isinstance(one, int | float) for one in (left, right))
        if not numbers and operator in {"*", "%"}:
            count, text = sorted((left, right), key=lambda one: isinstance(one, Sized))
            if operator == "%" or not isinstance(count, int) or not isinstance(text, Sized):
                message = f"{operator} needs two numbers here"
                raise SecurityError(message)
            _small(len(text) * count)
        if operator == "+" and isinstance(left, Sized) and isinstance(right, Sized):
            _small(len(left) + len(right))
        made = super().call_binop(context, operator, left, right)
        if isinstance(made, int) and abs(made) > _LARGEST:
            message = "a number grows too large"
            raise SecurityError(message)
        return made


def _small(size: int) -> None:
    if size > LONGEST:
        message = f"it puts together more than {LONGEST} characters"
        raise SecurityError(message)


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
def _counted(context: Context, value: Iterable[Any]) -> Iterator[Any]:
    """Count the turns of a loop."""
    for one in value:
        context[_BUDGET].take(1)
        yield one


@pass_context
def _weighed(context: Context, value: Any) -> Any:
    """Count what is handed to a filter."""
    context[_BUDGET].take(_weight(value))
    return value


def _weight(value: Any) -> int:
    """Say how many steps it is to go through a value."""
    if isinstance(value, str):
        return 1 + len(value) // 256
    return 1 + len(value) if isinstance(value, Sized) and not isinstance(value, StrictUndefined) else 1


@pass_context
def _together(context: Context, value: Iterable[Any]) -> str:
    """Put texts together, as `~` does."""
    context[_BUDGET].take(1)
    return _join(value)


def _join(value: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
    """Put texts together, with `d` between them; of tables the entry that `attribute` names."""
    pieces: list[str] = []
    size = 0
    for one in value:
        pieces.append(_text(one[attribute] if attribute is not None else one))
        size += len(pieces[-1]) + len(d)
        _small(size)
    return d.join(pieces)


def _replace(value: Any, old: str, new: str) -> str:
    text = _text(value)
    _small(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


class _Bounds(NodeTransformer):
    """Puts the counting into a template."""

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> nodes.Node:
        """Give a part with its own parts bounded, and then itself."""
        self.generic_visit(node, *args, **kwargs)
        if isinstance(node, nodes.For):
            node.iter = _filter(node.iter, "_counted")
        elif isinstance(node, nodes.Filter) and node.node is not None:
            node.node = _filter(node.node, "_weighed")
        elif isinstance(node, nodes.Concat):
            return _filter(nodes.List(node.nodes, lineno=node.lineno), "_together")
        return node


def _filter(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Give what templates are read and rendered by. A name that does not exist is an error, not an empty place."""
    made = _Sandbox(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalize)
    own = {"join": _join, "replace": _replace, "string": _text}
    counting = {"_counted": _counted, "_weighed": _weighed, "_together": _together}
    made.filters = {name: made.filters[name] for name in _FILTERS} | own | counting
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
        for piece in _compiled(source).generate({**names, _BUDGET: _Budget()}):
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
