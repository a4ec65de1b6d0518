"""The description of the API against the API: generated requests get no 5xx and no answer that is not described."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from auditor.audits.overview import Overview
from tests.support.web_service import ServedStore

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
EACH = 15


RUN = settings(
    max_examples=EACH, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def test_generated_requests_get_answers_that_are_described(site: ServedStore) -> None:
    site.add_data()
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", site.app)
    operations = [result.ok() for result in schema.get_all_operations()]
    # a stream is as long as its job
    failures = [told for one in operations if not one.path.endswith("/events") for told in failures_of(one, site)]
    assert len(operations) > 40
    assert failures == []


def failures_of(operation: Any, site: ServedStore) -> list[str]:
    """Return what is wrong with the answers to generated requests."""
    role = "administrator" if "/tokens" in operation.path else "officer"
    headers = {"Authorization": f"Bearer {site.secrets[role]}"}
    found: list[str] = []

    @RUN
    @given(case=operation.as_strategy())
    def once(case: Any) -> None:
        try:
            case.call_and_validate(headers=headers, checks=CHECKS)
        except Exception as error:
            found.append(f"{operation.label}: {error}")

    once()
    return found


def test_a_fault_would_be_found(site: ServedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise ValueError

    monkeypatch.setattr(Overview, "changes", fails)
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", site.app)
    (operation,) = [one for one in (result.ok() for result in schema.get_all_operations()) if "/overview" in one.path]
    assert failures_of(operation, site)
