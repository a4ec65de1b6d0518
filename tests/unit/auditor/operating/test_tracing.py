"""Spans on their way to a collector."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from auditor.config.telemetry import TelemetrySettings
from auditor.core.spans import span
from auditor.operating.logs import Log
from auditor.operating.tracing import traced


@contextmanager
def collector(answer: int) -> Iterator[tuple[str, list[bytes]]]:
    """A collector that listens: its address, and what came."""
    came: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(answer)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/traces", came
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def measure(endpoint: str, log: Log | None = None) -> None:
    """Send the span of a job."""
    settings = TelemetrySettings(endpoint=endpoint, service_name="ours")
    with traced(settings, log), span("job", {"kind": "anonymize"}):
        pass


def test_a_collector_gets_the_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    with collector(200) as (address, came):
        measure(address)
    assert b"anonymize" in b"".join(came)
    assert b"ours" in b"".join(came)


def test_a_collector_that_refuses_is_told_of_in_our_words() -> None:
    stream = io.StringIO()
    with collector(400) as (address, _):
        measure(address, Log(stream, format="json"))
    (line,) = stream.getvalue().splitlines()
    assert '"event":"trouble"' in line
    assert '"kind":"telemetry"' in line


@pytest.mark.parametrize("endpoint", ["collector:4318", "ftp://collector", "http://ann:x@collector", "http://a b"])
def test_an_endpoint_is_an_address(endpoint: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        TelemetrySettings(endpoint=endpoint)
