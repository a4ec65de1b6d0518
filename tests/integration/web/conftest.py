"""A service on an empty store."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.opening import Store
from auditor.store.schema.head import ensure_schema
from tests.support.web_service import ServedStore, served


@pytest.fixture
def store(neo4j_connection: Connection) -> Store:
    """An empty store; its connection is closed by the fixture that it comes from."""
    ensure_schema(neo4j_connection)
    return Store(neo4j_connection)


@pytest.fixture
def site(store: Store, neo4j_settings: Settings, tmp_path: Path) -> ServedStore:
    """A service with a person in every role."""
    return served(store, neo4j_settings, tmp_path)
