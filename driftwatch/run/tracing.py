"""Traces for OpenTelemetry: what a look, a message and a request took, sent to a collector. Off unless configured.

The provider is our own and not the process's, so that no library sends spans along: those of the MCP SDK would carry
what servers say. A span holds only what `FACTS` names; an error is told by its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import structlog
from opentelemetry import context as contexts
from opentelemetry import propagate, trace
from opentelemetry.propagators.textmap import (
    CarrierT,
    Getter,
    Setter,
    TextMapPropagator,
    default_getter,
    default_setter,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from structlog.contextvars import bound_contextvars

from driftwatch import __version__
from driftwatch.config.schema import DaemonConfig
from driftwatch.errors import ConfigError
from driftwatch.model.spans import Fact, Told, no_spans

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

log = structlog.get_logger()

FACTS: Final[Mapping[str, str]] = {
    "alert": "driftwatch.alert",
    "attempts": "driftwatch.attempts",
    "channel": "driftwatch.channel",
    "code": "driftwatch.code",
    "delivery": "driftwatch.delivery",
    "era": "driftwatch.era",
    "findings": "driftwatch.findings",
    "identity": "driftwatch.identity",
    "kind": "driftwatch.kind",
    "look": "driftwatch.look",
    "outcome": "driftwatch.outcome",
    "server": "driftwatch.server",
    "told": "driftwatch.told",
    "method": "http.request.method",
    "request": "driftwatch.request",
    "route": "http.route",
    "status": "http.response.status_code",
}
"""Every attribute that a span may have, by what it is called in the code. Others are left out."""

_KINDS: Final = {"fetch": trace.SpanKind.CLIENT, "deliver": trace.SpanKind.CLIENT, "request": trace.SpanKind.SERVER}

_LONGEST: Final = 200
"""Characters of one attribute."""

_PATH: Final = "/v1/traces"
_EXPORT: Final = 5.0
"""Seconds for one batch, and so about the longest that the end of the daemon waits for the last one."""

_SILENT: Final = contexts.create_key("driftwatch-silent")
"""Set where a look is made as somebody else: that one would carry no trace of ours."""

_W3C: Final = TraceContextTextMapPropagator()

_MISSING: Final = "The packages for traces are not installed."
_INSTALL: Final = "Install driftwatch with its extra, pipx install 'mcp-driftwatch[otel]', or take traces out again."


class Tracing:
    """Makes spans with one provider; `Tracing()` makes none."""

    def __init__(self, provider: TracerProvider | None = None) -> None:
        """Take what spans are made with."""
        self._tracer = provider.get_tracer("driftwatch", __version__) if provider is not None else None

    @contextmanager
    def span(self, name: str, /, *, carrier: Mapping[str, str] | None = None, **facts: Fact | None) -> Iterator[Told]:
        """Do a piece of work in a span; see `driftwatch.model.spans.Spans`."""
        if self._tracer is None:
            with no_spans(name) as unheard:
                yield unheard
            return
        within = _W3C.extract(carrier) if carrier else None
        quiet = contexts.attach(contexts.set_value(_SILENT, facts.get("identity") is not None))
        try:
            with (
                self._tracer.start_as_current_span(
                    name,
                    within,
                    _KINDS.get(name, trace.SpanKind.INTERNAL),
                    record_exception=False,
                    set_status_on_exception=False,
                ) as span,
                bound_contextvars(trace=trace.format_trace_id(span.get_span_context().trace_id)),
            ):
                told = _teller(span)
                told(**facts)
                try:
                    yield told
                except BaseException as error:
                    span.set_attribute("error.type", type(error).__name__)
                    told(failed=True)
                    raise
        finally:
            contexts.detach(quiet)

    def carried(self) -> Mapping[str, str]:
        """Give `traceparent` and `tracestate` of the work that is under way, as headers of one request."""
        headers: dict[str, str] = {}
        if self._tracer is not None:
            _W3C.inject(headers)
        return headers


@contextmanager
def traced(config: DaemonConfig, environ: Mapping[str, str]) -> Iterator[Tracing]:
    """Trace as it is configured, or as the variables of OpenTelemetry say, until the end; then send what is left.

    Raises:
        ConfigError: traces are configured, and what sends them is not installed.

    """
    wanted = config.traces is not None or _asked_by(environ)
    provider = _provider(config, is_configured=config.traces is not None) if wanted else None
    if provider is None:
        yield Tracing()
        return
    with carrying(to_servers=config.traces_to_servers):
        try:
            yield Tracing(provider)
        finally:
            provider.shutdown()


@contextmanager
def carrying(*, to_servers: bool) -> Iterator[None]:
    """Let the MCP SDK write the trace into `_meta` of its requests, or keep it from that; baggage it never gets."""
    before = propagate.get_global_textmap()
    propagate.set_global_textmap(_InMeta() if to_servers else _Nowhere())
    try:
        yield
    finally:
        propagate.set_global_textmap(before)


def secrets_of(environ: Mapping[str, str]) -> Iterator[str]:
    """Give what the variables of OpenTelemetry hold that must not be logged: the values of headers."""
    for name in ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"):
        for header in environ.get(name, "").split(","):
            value = unquote(header.partition("=")[2].strip())
            yield value
            yield value.partition(" ")[2]


class _Nowhere(TextMapPropagator):
    """Writes nothing and reads nothing."""

    def extract(
        self, carrier: CarrierT, context: contexts.Context | None = None, getter: Getter[CarrierT] = default_getter
    ) -> contexts.Context:
        """Give the context as it is."""
        del carrier, getter
        return context if context is not None else contexts.get_current()

    def inject(
        self, carrier: CarrierT, context: contexts.Context | None = None, setter: Setter[CarrierT] = default_setter
    ) -> None:
        """Write nothing."""

    @property
    def fields(self) -> set[str]:
        """Name what it writes."""
        return set()


class _InMeta(_Nowhere):
    """Writes W3C trace context, but where we look as somebody else."""

    def inject(
        self, carrier: CarrierT, context: contexts.Context | None = None, setter: Setter[CarrierT] = default_setter
    ) -> None:
        """Write `traceparent`, and `tracestate` where there is one."""
        if not contexts.get_value(_SILENT, context):
            _W3C.inject(carrier, context, setter)

    @property
    def fields(self) -> set[str]:
        """Name what it writes."""
        return _W3C.fields


def _teller(span: trace.Span) -> Callable[..., None]:
    def told(*, failed: bool | None = None, **facts: Fact | None) -> None:
        for name, fact in facts.items():
            if fact is not None and name in FACTS:
                span.set_attribute(FACTS[name], fact[:_LONGEST] if isinstance(fact, str) else fact)
        if failed:
            span.set_status(trace.StatusCode.ERROR)

    return told


def _asked_by(environ: Mapping[str, str]) -> bool:
    """Say whether the variables of OpenTelemetry ask for traces: they name a collector, and do not switch them off."""
    off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or environ.get("OTEL_TRACES_EXPORTER") == "none"
    places = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    return not off and any(environ.get(name) for name in places)


def _provider(config: DaemonConfig, *, is_configured: bool) -> TracerProvider | None:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        if is_configured:
            raise ConfigError(f"daemon.traces: {_MISSING[0].lower()}{_MISSING[1:]}", hint=_INSTALL) from error
        # Such variables are often there for others.
        log.warning("no traces: the packages for them are not installed", action="traces-off")
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": "driftwatch", "service.version": __version__}))
    endpoint = None if config.traces is None else _endpoint(str.__str__(config.traces))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=_EXPORT)))
    return provider


def _endpoint(url: str) -> str:
    """Give where to post: the path of the protocol where the address has none."""
    place = urlsplit(url)
    return place._replace(path=_PATH).geturl() if place.path in {"", "/"} else url
