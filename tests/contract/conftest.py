"""What contracts are kept on: a Neo4j for stores, DuckDB and Spark for tables."""

from __future__ import annotations

from typing import Any

import ibis
import pytest

from tests.integration.conftest import (
    neo4j_connection,
    neo4j_installed,
    neo4j_server,
    neo4j_settings,
    short_lived_machines,
)

__all__ = ["neo4j_connection", "neo4j_installed", "neo4j_server", "neo4j_settings", "short_lived_machines"]


@pytest.fixture(scope="module", params=["duckdb", pytest.param("spark", marks=pytest.mark.slow)])
def connection(request: pytest.FixtureRequest) -> Any:
    """An open backend of Ibis."""
    return request.getfixturevalue("spark") if request.param == "spark" else ibis.duckdb.connect(threads=2)
