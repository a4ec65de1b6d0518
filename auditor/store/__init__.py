"""The graph database: networks, audits, exports and the ledger, in Neo4j."""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
