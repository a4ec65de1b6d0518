"""Traces for OpenTelemetry: spans of requests, jobs and transactions of the store, sent where the settings say."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import auditor
from auditor.config.telemetry import TelemetrySettings
from auditor.core.extras import require
from auditor.core.spans import SpanFields, SpanName, take_spans
from auditor.operating.logs import Log

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

_ATTRIBUTES: Mapping[str, str] = {
    "method": "http.request.method",
    "route": "http.route",
    "answer": "http.response.status_code",
    "kind": "auditor.job.kind",
    "outcome": "auditor.job.outcome",
    "access": "db.operation.name",
    "tries": "auditor.store.tries",
    "error": "error.type",
}
"""How OpenTelemetry calls what a span may say, where it has a word for it."""

_SELDOM = 60.0
_SERVER_ERROR = 500


class Tracing:
    """Gives spans to an exporter.

    Parameters
    ----------
    exporter : SpanExporter
    name : str
        Of the service.
    at_once : bool, optional
        Whether each span is exported when it ends, for tests; else some together, by a thread.
    """

    def __init__(self, exporter: "SpanExporter", name: str, *, at_once: bool = False) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        resource = Resource.create({"service.name": name, "service.version": auditor.__version__})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(SimpleSpanProcessor(exporter) if at_once else BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("auditor", auditor.__version__)

    @contextmanager
    def span(self, name: SpanName, fields: SpanFields) -> Iterator[SpanFields]:
        """Measure a block; see :func:`auditor.core.spans.span`."""
        from opentelemetry.trace import SpanKind, Status, StatusCode

        kinds = {"request": SpanKind.SERVER, "store": SpanKind.CLIENT}
        kind = kinds.get(name, SpanKind.INTERNAL)
        told = fields.copy()
        # an exception's message may quote data: only its class is told, by whoever opened the span
        with self._tracer.start_as_current_span(
            name, kind=kind, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield told
            finally:
                for key, attribute in _ATTRIBUTES.items():
                    value = told.get(key)
                    if isinstance(value, str | int):
                        span.set_attribute(attribute, value)
                if name == "store":
                    span.set_attribute("db.system.name", "neo4j")
                if name == "request":
                    span.update_name(f"{told.get('method', '')} {told.get('route', '')}")
                if "error" in told or told.get("answer", 0) >= _SERVER_ERROR or told.get("outcome") == "failed":
                    span.set_status(Status(StatusCode.ERROR))

    def close(self) -> None:
        """Export what is left."""
        self._provider.shutdown()


@contextmanager
def traced(settings: TelemetrySettings, log: Log | None = None) -> Iterator[None]:
    """Take the spans of this process, as long as the block runs, if the settings say where to send them.

    Parameters
    ----------
    settings : TelemetrySettings
    log : Log, optional
        Told, once a minute, that spans cannot be delivered.

    Raises
    ------
    MissingExtra
        If the libraries are not installed.
    """
    if settings.endpoint is None:
        yield
        return
    require("telemetry")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    logger = logging.getLogger("opentelemetry")
    handler = _Trouble(log)
    logger.addHandler(handler)
    logger.propagate = False
    tracing = Tracing(OTLPSpanExporter(endpoint=settings.endpoint, timeout=5), settings.service_name)
    take_spans(tracing)
    try:
        yield
    finally:
        take_spans(None)
        tracing.close()
        logger.removeHandler(handler)


class _Trouble(logging.Handler):
    """Says in our own log, and seldom, that something is wrong with the traces: not in the words of others."""

    def __init__(self, log: Log | None) -> None:
        super().__init__(logging.WARNING)
        self._log, self._last = log, -_SELDOM

    def emit(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        if self._log is not None and now - self._last >= _SELDOM:
            self._last = now
            self._log.write("warning", "trouble", process="serve", kind="telemetry")
