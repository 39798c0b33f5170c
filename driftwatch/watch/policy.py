"""From the configuration's policy to the judge's: what one server's findings come to."""

from __future__ import annotations

from driftwatch.config.policy import ExpectConfig, Matched
from driftwatch.config.schema import ServerConfig, Settings
from driftwatch.judge.expectations import Expectations
from driftwatch.judge.globs import fits
from driftwatch.judge.policy import Ignore, Override, Policy, Volatile, Where


def policy_of(settings: Settings, server: ServerConfig | None) -> Policy:
    """Give what the configuration says about findings of one server (None: a server that it no longer holds).

    Without a server only the lines that name none count, and nothing is expected.
    """
    said, name = settings.policy, server.name if server is not None else ""
    return Policy(
        profile=said.profile,
        overrides=tuple(
            Override(_where(one), one.severity, one.reason) for one in said.severity if fits(one.server, name)
        ),
        ignores=tuple(Ignore(_where(one), one.reason, one.expires) for one in said.ignore if fits(one.server, name)),
        volatile=tuple(
            Volatile(one.pointer, one.item, one.pattern or "", one.reason)
            for one in said.volatile
            if fits(one.server, name)
        ),
        expect=_expected(server.expect) if server is not None else Expectations(),
    )


def _where(line: Matched) -> Where:
    return Where(line.rule, line.item, line.pointer, line.category)


def _expected(said: ExpectConfig) -> Expectations:
    return Expectations(
        read_only=said.read_only,
        no_destructive=said.no_destructive,
        closed_world=said.closed_world,
        annotated=said.annotated,
        tools=said.tools,
        max_tools=said.max_tools,
    )
