"""Traces of a service: what took how long, and nothing of what it was about."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from auditor.core.spans import span, take_spans
from auditor.operating.tracing import Tracing
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

CANARY = "canary"


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    """Takes the spans of this process."""
    found = InMemorySpanExporter()
    take_spans(Tracing(found, "tests", at_once=True))
    yield found
    take_spans(None)


def test_a_trace_has_no_name_label_value_or_parameter(site: ServedStore, exporter: InMemorySpanExporter) -> None:
    officer = site.client(site.token(f"{CANARY} person", "officer"))
    table = f"{CANARY}_sex,ill,count\n{CANARY},yes,471147114711\nm,no,12\n".encode()
    given = {"data": {"name": f"{CANARY}_table"}, "files": {"file": (f"{CANARY}.csv", table)}}
    assert officer.post("/api/v1/tables", **given).status_code == 201
    path = f"/api/v1/tables/{CANARY}_table"
    assert officer.get(path, params={"q": CANARY}).status_code == 200
    assert officer.post(f"{path}/requests", json={"variables": [f"{CANARY}_sex"]}).status_code == 200
    assert officer.get(f"/api/v1/networks/{CANARY}").status_code == 404
    officer.get(f"/{CANARY}/nowhere")
    officer.request(CANARY.upper(), "/")
    spans = exporter.get_finished_spans()
    everything = "".join(one.to_json() for one in spans).lower()
    assert CANARY not in everything
    assert "471147114711" not in everything  # longer than what a time can hold
    assert "match (" not in everything
    attributes = {key for one in spans for key in one.attributes or ()}
    assert attributes <= {
        "http.request.method",
        "http.route",
        "http.response.status_code",
        "db.operation.name",
        "db.system.name",
        "auditor.store.tries",
        "error.type",
    }


def test_a_request_has_its_route_and_its_transactions(site: ServedStore, exporter: InMemorySpanExporter) -> None:
    viewer = site.client("viewer")
    exporter.clear()
    viewer.get("/api/v1/networks/none")
    (request,) = [one for one in exporter.get_finished_spans() if one.kind.name == "SERVER"]
    inner = [one for one in exporter.get_finished_spans() if one.kind.name == "CLIENT"]
    assert request.name == "GET /api/v1/networks/{name:path}"
    assert (request.attributes or {})["http.response.status_code"] == 404
    assert request.context is not None
    assert {one.parent.span_id for one in inner if one.parent is not None} == {request.context.span_id}
    assert {(one.attributes or {})["db.operation.name"] for one in inner} == {"read"}


def test_of_an_error_only_its_class_is_told(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match=CANARY), span("store", {"access": "write"}):
        raise ValueError(CANARY)
    (found,) = exporter.get_finished_spans()
    told = json.loads(found.to_json())
    assert CANARY not in json.dumps(told)
    assert found.status.status_code is StatusCode.ERROR
    assert told["attributes"]["error.type"] == "ValueError"


def test_nothing_is_measured_unless_somebody_takes_it() -> None:
    with span("request", {"method": "GET"}) as told:
        assert told == {"method": "GET"}
