"""The forms of hand-off as a page, written from the registry and from an example, so that it cannot go stale."""

from __future__ import annotations

from driftwatch.report.handoff.base import Approved, Handoff
from driftwatch.report.handoff.registry import HANDOFFS

EXAMPLE = (Approved("delete_ticket", "it says that it writes"), Approved("list_tickets"))
"""What the page shows each form with: one tool to be asked about, one that may run."""

_HEAD = """# Hand-off

Written from the program's own registry by `make docs`.

driftwatch watches and never blocks. `driftwatch export SERVER --for FORM` writes the approved set in a form that a host
or a gateway reads, for those who want to block as well. It goes to standard output; where it belongs, what is asked
about and why, and what was refused goes to standard error.

    driftwatch export tickets --for claude-code
    driftwatch export tickets --for codex --as issue-tracker

What is handed over is the *approved* baseline, never what the server shows now. Without an approval there is nothing
to hand over; `--provisional` takes the first list that was seen, and says so. `--as` gives the name that the host knows
the server by. A fragment is to be merged by hand: driftwatch writes no file of a host.

**Allowed or asked about.** A tool may run unasked only when it spells out `readOnlyHint: true`, says nothing against
that by another hint, its name, description and parameters do not contradict it, no other tool has its name, and no gate
of its own asks for a question. Every other approved tool goes to the list that is asked about. Hints are the server's
own words: take a tool off the list of the allowed when you know better. An allowed tool may still reach the open world.

**Refused names.** A name that a form cannot carry is refused with a note and left out: anything but letters, digits,
hyphens, underscores and dots, where a form parts or replaces dots also those, more than 128 characters, and two names
that differ in case only. So no name can end a string, start a rule or become a pattern. A pin is by name: what a tool
does under an approved name is for driftwatch to watch.

| form | for | what it does | where it belongs | source |
|---|---|---|---|---|
"""


def render() -> str:
    """Give the page as Markdown."""
    rows = "".join(
        f"| [`{form.id}`](#{form.id}) | {form.name} | {form.does} | {form.place} | {form.source} |\n"
        for form in HANDOFFS
    )
    return "\n".join([_HEAD + rows, *map(_section, HANDOFFS)])


def _section(form: Handoff) -> str:
    notes = "".join(f"- {note}\n" for note in form.notes)
    text = form.write("tickets", EXAMPLE)
    spaced = f"{notes}\n" if notes else ""
    return f"## {form.id}\n\n{form.name}: {form.does}\n\n{spaced}```\n{text}```\n"
