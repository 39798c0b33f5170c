"""Templates for what people read: Jinja2 in its sandbox, checked when the configuration is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from driftwatch.config.secret import problem
from driftwatch.config.values import filled

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

NAMES: Final = (
    *("alert", "alerts", "baseline", "channel", "command", "counts", "drill", "event", "findings", "kind", "labels"),
    *("link", "opened_at", "outcome", "reason", "resolved_at", "server", "severity", "snapshot", "state", "summary"),
    "timestamp",
)
"""What a template may name; what each holds is in `docs/channels.md`."""


def environment() -> ImmutableSandboxedEnvironment:
    """Give what templates are read and rendered by.

    Sandboxed: a template reaches nothing but what it is given, and changes none of it. A name that does not exist is
    an error, not an empty place in an alert.
    """
    from jinja2 import StrictUndefined  # noqa: PLC0415 - few configurations hold a template
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _template(value: str) -> str:
    from jinja2 import TemplateError, TemplateSyntaxError  # noqa: PLC0415
    from jinja2.meta import find_referenced_templates, find_undeclared_variables  # noqa: PLC0415

    made = environment()
    try:
        parsed = made.parse(value)
        made.compile(value)
    except TemplateSyntaxError as error:
        raise problem(f"is no template: line {error.lineno}: {error.message}", "see docs/channels.md") from None
    except (TemplateError, RecursionError, ValueError) as error:
        raise problem(f"is no template ({type(error).__name__})", "see docs/channels.md") from None
    if any(True for _ in find_referenced_templates(parsed)):
        raise problem("a template cannot take in another one", "write its text here")
    strange = sorted(find_undeclared_variables(parsed) - set(NAMES) - set(made.globals))
    if strange:
        raise problem(f"names {strange[0]}, which no message has", f"a template may use: {', '.join(NAMES)}")
    return value


Template = Annotated[str, *filled(_template, words="template")]
