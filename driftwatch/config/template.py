"""Templates for what people read: Jinja2 in a sandbox, checked when the configuration is read."""

from __future__ import annotations

from typing import Annotated, Final

from driftwatch.config.secret import Filled, problem
from driftwatch.config.values import filled

NAMES: Final = (
    *("acknowledged", "alert", "alerts", "approved", "baseline", "channel", "command", "counts", "drill", "event"),
    *("findings", "kind", "labels", "link", "omitted", "opened_at", "outcome", "reason", "resolved_at", "route"),
    *("server", "severity", "snapshot", "state", "summary", "timestamp"),
)
"""What a template may name; what each holds is in `docs/channels.md`."""

_SEE: Final = "see docs/channels.md"


def _template(value: str) -> str:
    # Few configurations hold a template, and Jinja takes a while to be imported.
    from jinja2.meta import find_undeclared_variables  # noqa: PLC0415

    from driftwatch.config import sandbox  # noqa: PLC0415

    if not value.strip():
        raise problem("is empty", "write a template, or leave the key out")
    try:
        parsed = sandbox.read(value)
    except sandbox.TroubleError as error:
        # What a variable of the environment holds is not repeated.
        why = "" if isinstance(value, Filled) else f": {error}"
        raise problem(f"is no template that can be used{why}", _SEE) from None
    strange = sorted(find_undeclared_variables(parsed) - set(NAMES) - set(sandbox.environment().globals))
    if strange:
        named = "a name" if isinstance(value, Filled) else strange[0]
        raise problem(f"names {named}, which no message has", f"a template may use: {', '.join(NAMES)}")
    return value


Template = Annotated[str, *filled(_template, words="template")]
