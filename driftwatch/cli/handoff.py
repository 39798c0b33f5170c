"""What `export --for` writes: the fragment on stdout, all that is to be said of it on stderr."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, TypeAlias

import typer

from driftwatch.cli.moments import short
from driftwatch.cli.terminal import Terminal, warn
from driftwatch.errors import StoreError, UsageError
from driftwatch.model import Baseline, BaselineState
from driftwatch.model.commands import command
from driftwatch.report.cut import shown
from driftwatch.report.handoff import HANDOFFS, Fragment, Handoff, hand_off, named
from driftwatch.store.store import Store

For: TypeAlias = Annotated[
    str | None, typer.Option("--for", metavar="FORM", help="Write the approved set as an allow-list of this host.")
]
As: TypeAlias = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="With --for: what the host calls the server.")
]
Unapproved: TypeAlias = Annotated[
    bool, typer.Option("--provisional", help="With --for: take the first list seen where none is approved.")
]

LISTED = 20
"""Names of one sort that are listed; the rest is counted."""


def alone(name: str | None, *, provisional: bool) -> None:
    """Refuse the options that go with a form where there is none.

    Raises:
        UsageError: one of them was given.

    """
    if name is not None or provisional:
        raise UsageError("--as and --provisional go with --for.", hint="Say which host the list is for: --for FORM")


def handed_off(
    store: Store, server: str, form: str, *, digest: str | None, name: str | None, provisional: bool
) -> Fragment:
    """Write the approved set of a server in the form of a host.

    Raises:
        UsageError: there is no such form, nothing is approved, or the server's name cannot stand in the form.

    """
    chosen = _form(form)
    if digest is not None:
        raise UsageError("--for takes the approved list, so it takes no --digest.", hint="Leave --digest out.")
    baseline = _baseline(store.baseline(server), server, provisional=provisional)
    snapshot = store.snapshot(baseline.digest)
    if snapshot is None:
        raise StoreError(f"The snapshot {baseline.digest} is not in the database.", hint="Look again: driftwatch check")
    fragment = hand_off(snapshot, name or server, chosen)
    standing = "approved" if baseline.state is BaselineState.APPROVED else "NOT approved, the first one seen"
    warn(f"{server}: {short(baseline.digest)}, {standing}, for {chosen.name}.")
    return fragment


def show_fragment(terminal: Terminal, fragment: Fragment) -> None:
    """Write the fragment; say where it belongs, what is asked about and why, and what was refused."""
    warn(f"Merge it into: {fragment.form.place}")
    for note in fragment.form.notes:
        warn(f"note: {note}")
    _list("asked about", [(tool.name, tool.ask) for tool in fragment.tools if tool.ask])
    _list("refused and left out", list(fragment.refused))
    warn(f"How the form is documented: {fragment.form.source}")
    terminal.write(fragment.text)


def _list(what: str, found: list[tuple[str, str]]) -> None:
    for name, why in found[:LISTED]:
        warn(f"{what}: {shown(name, 100) or '(without a name)'}: {why}")
    if len(found) > LISTED:
        warn(f"{what}: {len(found) - LISTED} more")


def _form(name: str) -> Handoff:
    """Find a form by its id."""
    found = named(name)
    if found is not None:
        return found
    near = get_close_matches(name.lower(), [form.id for form in HANDOFFS], n=1)
    hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(form.id for form in HANDOFFS)}"
    raise UsageError(f"There is no form {name!r} of hand-off.", hint=hint)


def _baseline(baseline: Baseline | None, server: str, *, provisional: bool) -> Baseline:
    """Accept an approved baseline, and a provisional one where it was asked for."""
    if baseline is not None and (provisional or baseline.state is BaselineState.APPROVED):
        return baseline
    take = "; or take the first list seen, unapproved: --provisional" if baseline is not None else ""
    raise UsageError(
        f"Nothing is approved for {server}, so there is nothing to hand over.",
        hint=f"Read and approve it first: {command('approve', server)}{take}",
    )
