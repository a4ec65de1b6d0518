"""A Neo4j for the contracts that stores keep."""

from __future__ import annotations

import pytest

from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from tests.integration.conftest import neo4j_connection, neo4j_installed, neo4j_settings, short_lived_machines

__all__ = ["neo4j_connection", "neo4j_installed", "neo4j_settings", "short_lived_machines"]


@pytest.fixture
def store(neo4j_connection: Connection) -> Store:
    """An empty store; its connection is closed by the fixture that it comes from."""
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection)
