"""Probes, metrics and logs: what an operator sees, and nothing of what was asked for."""

from __future__ import annotations

import io
import json

import pytest

from auditor.core.errors import StoreUnavailable
from auditor.operating.logs import Log
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j


def test_a_probe_tells_whether_the_store_answers(site: ServedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.client()
    assert client.get("/healthz").text == "ok\n"
    assert client.get("/readyz").json() == {"ready": True, "reasons": []}

    def away(*_: object) -> None:
        raise StoreUnavailable("bolt://10.1.2.3:7687 does not answer")

    monkeypatch.setattr(site.store.connection, "read_transaction", away)
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert not answer.json()["ready"]
    assert "10.1.2.3" not in answer.text


def test_figures_and_logs_know_routes_and_no_paths(site: ServedStore) -> None:
    stream = io.StringIO()
    site.service.log = Log(stream, format="json")
    client = site.client("viewer")
    client.get("/api/v1/networks/canary-name/degrees?x=canary-query")
    client.get("/canary-path", headers={"User-Agent": "canary-agent"})
    client.post("/login", data={"token": "canary-token"})
    text = client.get("/metrics").text
    assert 'route="/api/v1/networks/{name:path}/degrees",status="403"' in text
    assert 'auditor_logins_total{result="refused"} 1.0' in text
    assert "auditor_store_up 1.0" in text
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["answer"] for line in lines] == [403, 404, 401, 200]
    assert lines[0]["person"] == "viewer"
    assert "canary" not in text + stream.getvalue()
    assert site.client().get("/metrics").status_code == 401
