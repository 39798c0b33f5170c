"""Traces: what is told of looks, messages and requests, to whom, and what is not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import baggage, context, propagate, trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from driftwatch.config.channels import WebhookConfig
from driftwatch.config.identities import presets
from driftwatch.config.schema import DaemonConfig, ServerConfig, Settings
from driftwatch.config.secret import Secret
from driftwatch.errors import ConfigError
from driftwatch.model import Era, Listed, Outcome
from driftwatch.run.daemon import run
from driftwatch.run.demo import new_secret
from driftwatch.run.stage import served as stage_served
from driftwatch.run.tracing import FACTS, Tracing, carrying, secrets_of, traced
from driftwatch.run.wiring import World
from tests.blank import blank
from tests.servers.over_http import HttpServer
from tests.web.web_site import served

HUSH = "hush-4711-hush"
PARENT = f"00-{'a' * 32}-{'b' * 16}-01"


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    yield exporter
    exporter.shutdown()


@pytest.fixture
def traces(exported: InMemorySpanExporter) -> Tracing:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exported))
    return Tracing(provider)


def world_of(folder: Path, traces: Tracing, *servers: ServerConfig, **more: Any) -> World:
    settings = Settings(database_url=blank(folder / "driftwatch.db"), servers=servers, **more)
    return World.open(settings, tracing=traces)


def at(port: int, name: str = "notes", **fields: Any) -> ServerConfig:
    return ServerConfig(name=name, url=f"http://127.0.0.1:{port}/mcp", transport="http", alert_after=1, **fields)


def parents(spans: tuple[ReadableSpan, ...]) -> list[tuple[str, str | None]]:
    """Give each span's name with that of the one that it is a part of."""
    names = {span.context.span_id: span.name for span in spans if span.context}
    return [(span.name, names.get(span.parent.span_id) if span.parent else None) for span in spans]


def metas(server: HttpServer) -> list[dict[str, Any]]:
    """Give the `_meta` of every request that a server got."""
    sent = [request.message for request in server.requests if isinstance(request.message, dict)]
    return [(one.get("params") or {}).get("_meta") or {} for one in sent if "id" in one]


async def test_a_look_is_one_trace_with_its_parts(
    tmp_path: Path, traces: Tracing, exported: InMemorySpanExporter
) -> None:
    async with HttpServer("honest") as server:
        with (
            world_of(tmp_path, traces, at(server.port)) as world,
            capture_logs(processors=[merge_contextvars]) as logged,
        ):
            await world.checker.check(world.settings.servers[0])
            await world.checker.check(world.settings.servers[0])

    spans = exported.get_finished_spans()
    one = [("fetch", "look"), ("judge", "look"), ("record", "look"), ("look", None)]
    assert parents(spans) == [*one, *(part for part in one if part[0] != "judge")]
    ids = list(dict.fromkeys(f"{span.context.trace_id:032x}" for span in spans if span.context))
    assert len(ids) == 2
    assert [line["trace"] for line in logged if line["action"] == "look"] == ids
    assert spans[0].kind is trace.SpanKind.CLIENT
    assert spans[3].attributes is not None
    assert spans[3].attributes["driftwatch.outcome"] == "first-sight"


async def test_no_span_holds_what_a_server_said_or_what_it_was_sent(
    tmp_path: Path, traces: Tracing, exported: InMemorySpanExporter
) -> None:
    headers = {"authorization": Secret(f"Bearer {HUSH}")}
    async with HttpServer("honest") as server:
        odd = at(server.port, "odd", headers=headers)
        gone = at(9, "gone", headers=headers)
        with world_of(tmp_path, traces, odd, gone) as world:
            for one in world.settings.servers:
                await world.checker.check(one)
            shown = world.store.snapshot(world.store.state("odd").last_digest)

    spans = exported.get_finished_spans()
    said = " ".join(span.to_json() for span in spans)
    assert {name for span in spans for name in span.attributes or {}} <= {*FACTS.values(), "error.type"}
    assert not any(span.events or span.links or span.status.description for span in spans)
    assert [span.status.status_code.name for span in spans if span.name == "look"] == ["UNSET", "ERROR"]
    assert HUSH not in said
    assert shown is not None
    assert not [item.key for item in shown.items if item.key and f'"{item.key}"' in said]


def test_an_error_is_told_by_its_type_alone(traces: Tracing, exported: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match=HUSH), traces.span("look", server="notes", unheard_of=HUSH):
        raise ValueError(HUSH)

    (span,) = exported.get_finished_spans()
    assert dict(span.attributes or {}) == {"driftwatch.server": "notes", "error.type": "ValueError"}
    assert span.status.status_code is trace.StatusCode.ERROR
    assert HUSH not in span.to_json()


async def fetched(
    folder: Path, traces: Tracing, *, to_servers: bool, era: Era, as_somebody: bool = False
) -> tuple[Outcome, list[dict[str, Any]]]:
    """Look once with baggage about, and give what every request had in its `_meta`."""
    identity = presets()[0] if as_somebody else None
    async with HttpServer("honest" if era is Era.MODERN else "handshake-only") as server:
        with world_of(folder, traces, at(server.port)) as world, carrying(to_servers=to_servers):
            token = context.attach(baggage.set_baggage("secret", HUSH))
            try:
                with traces.span("fetch", identity=identity.name if identity else None):
                    outcome = await world.fetcher.fetch(world.settings.servers[0], era=era, identity=identity)
            finally:
                context.detach(token)
        return outcome, metas(server)


@pytest.mark.parametrize("era", list(Era))
async def test_servers_are_sent_the_trace_in_the_meta_of_every_request_where_that_is_configured(
    tmp_path: Path, traces: Tracing, exported: InMemorySpanExporter, era: Era
) -> None:
    outcome, sent = await fetched(tmp_path, traces, to_servers=True, era=era)

    (span,) = exported.get_finished_spans()
    assert isinstance(outcome, Listed)
    assert span.context is not None
    expected = f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-"
    assert len(sent) > 1
    assert [meta["traceparent"][:-2] for meta in sent] == [expected] * len(sent)
    assert HUSH not in str(sent)


@pytest.mark.parametrize(("to_servers", "as_somebody"), [(False, False), (True, True)])
async def test_servers_are_sent_no_trace_unless_configured_and_never_by_a_look_as_somebody_else(
    tmp_path: Path, traces: Tracing, *, to_servers: bool, as_somebody: bool
) -> None:
    _, sent = await fetched(tmp_path, traces, to_servers=to_servers, era=Era.MODERN, as_somebody=as_somebody)

    assert len(sent) > 1
    assert not {"traceparent", "tracestate", "baggage"} & {name for meta in sent for name in meta}


def test_the_process_propagates_as_before_once_it_is_over() -> None:
    before = propagate.get_global_textmap()

    with carrying(to_servers=False):
        within = propagate.get_global_textmap()

    assert within is not before
    assert propagate.get_global_textmap() is before


def test_a_request_goes_on_with_the_trace_that_it_came_with(traces: Tracing, exported: InMemorySpanExporter) -> None:
    with traces.span("request", carrier={"traceparent": PARENT, "tracestate": "a=b"}, method="GET"):
        carried = traces.carried()
    with traces.span("request", carrier={"traceparent": "00-nonsense-01", "tracestate": "a=b"}):
        pass

    first, second = exported.get_finished_spans()
    assert first.context is not None
    assert carried == {"traceparent": f"00-{'a' * 32}-{first.context.span_id:016x}-01", "tracestate": "a=b"}
    assert second.parent is None


def test_nothing_is_traced_and_nothing_carried_unless_configured() -> None:
    with traced(DaemonConfig(), {"PATH": "/bin"}) as traces, traces.span("look", server="notes") as told:
        told(outcome="unchanged")
        carried = traces.carried()

    assert carried == {}
    assert not trace.get_current_span().get_span_context().is_valid


@pytest.mark.parametrize(
    "environ",
    [{"OTEL_SDK_DISABLED": "TRUE"}, {"OTEL_TRACES_EXPORTER": "none"}],
)
def test_the_variables_that_name_a_collector_count_unless_others_switch_traces_off(environ: dict[str, str]) -> None:
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with traced(DaemonConfig(), named) as on:
        pass
    with traced(DaemonConfig(), {**named, **environ}) as off:
        pass

    assert (vars(on)["_tracer"] is None, vars(off)["_tracer"] is None) == (False, True)


def test_without_the_extra_traces_that_are_configured_are_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with pytest.raises(ConfigError) as caught, traced(DaemonConfig(traces="http://127.0.0.1:4318"), {}):
        pass
    with capture_logs() as logged, traced(DaemonConfig(), {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}):
        pass

    assert "daemon.traces" in caught.value.message
    assert "mcp-driftwatch[otel]" in (caught.value.hint or "")
    assert [line["action"] for line in logged] == ["traces-off"]


def test_the_secrets_in_the_variables_of_opentelemetry_are_known() -> None:
    environ = {"OTEL_EXPORTER_OTLP_HEADERS": f"x-tenant=me,authorization=Bearer%20{HUSH}"}

    assert {HUSH, f"Bearer {HUSH}"} <= set(secrets_of(environ))


class Collector:
    """An OTLP/HTTP receiver that keeps what it is sent."""

    def __init__(self) -> None:
        self.came: list[tuple[str, bytes]] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.came.append((scope["path"], body))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


class Hook:
    """A webhook's receiver that keeps the headers of the first message."""

    def __init__(self) -> None:
        self.headers: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        while (await receive()).get("more_body", False):
            pass
        if not self.headers.done():
            self.headers.set_result({name.decode(): value.decode() for name, value in scope["headers"]})
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def watch(folder: Path, traces: Tracing) -> dict[str, str]:
    """Run a daemon on a server that is down, until a webhook is told of it; give that message's headers."""
    hook, stop = Hook(), asyncio.Event()
    async with stage_served(hook) as port:
        url = f"http://127.0.0.1:{port}/"
        headers = {"x-key": Secret(HUSH), "traceparent": Secret(HUSH)}
        channel = WebhookConfig(name="hook", kind="webhook", url=url, secret=Secret(new_secret()), headers=headers)
        gone = at(9, "gone", headers={"authorization": Secret(f"Bearer {HUSH}")})
        settings = Settings(database_url=blank(folder / "driftwatch.db"), servers=(gone,), channels=(channel,))
        daemon = asyncio.create_task(run(settings, stop=stop, signals=False, tracing=traces))
        async with asyncio.timeout(30):
            told = await hook.headers
            stop.set()
            await daemon
    return told


def test_a_collector_is_sent_the_looks_and_deliveries_of_a_daemon_and_its_webhooks_carry_the_trace(
    tmp_path: Path,
) -> None:
    collector = Collector()

    with served(collector) as url, traced(DaemonConfig(traces=url), {}) as traces:
        headers = asyncio.run(watch(tmp_path, traces))

    assert {path for path, _ in collector.came} == {"/v1/traces"}
    groups = [part for _, body in collector.came for part in ExportTraceServiceRequest.FromString(body).resource_spans]
    spans = [span for group in groups for scope in group.scope_spans for span in scope.spans]
    named = {one.key: one.value.string_value for one in groups[0].resource.attributes}
    (sent,) = [span for span in spans if span.name == "deliver"]
    facts = {one.key: one.value.string_value for one in sent.attributes}
    assert named["service.name"] == "driftwatch"
    assert {"look", "fetch", "record", "deliver"} <= {span.name for span in spans}
    assert (facts["driftwatch.channel"], facts["driftwatch.outcome"]) == ("hook", "delivered")
    assert headers["traceparent"][:-2] == f"00-{sent.trace_id.hex()}-{sent.span_id.hex()}-"
    assert HUSH.encode() not in b"".join(body for _, body in collector.came)
