"""A Neo4j for the contracts that stores keep."""

from __future__ import annotations

from tests.integration.conftest import neo4j_connection, neo4j_installed, neo4j_settings, short_lived_machines

__all__ = ["neo4j_connection", "neo4j_installed", "neo4j_settings", "short_lived_machines"]
