"""An open store on the Neo4j of the test run."""

from __future__ import annotations

import pytest

from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema


@pytest.fixture
def store(neo4j_connection: Connection) -> Store:
    """An empty store; its connection is closed by the fixture that it comes from."""
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection)
