"""What a store holds beside vertices and edges: the list that backups follow."""

from __future__ import annotations

__all__ = ["HIDDEN_LABELS", "KEYS", "RELATIONS"]

KEYS: dict[str, str] = {
    "Network": "id",
    "Entry": "seq",
    "Policy": "hash",
    "Audit": "id",
    "Finding": "id",
    "Export": "id",
    "RelabellingPart": "id",
    "TablePopulation": "id",
    "TableData": "id",
    "TableChunk": "id",
    "Table": "name",
    "RemovedTable": "name",
    "Marginal": "id",
    "SimulatedTable": "id",
    "Release": "id",
}
"""Labels of nodes, each with the property that tells its nodes apart (unique by a constraint)."""

RELATIONS: tuple[tuple[str, str, str], ...] = (
    ("Entry", "ABOUT", "Network"),
    ("Audit", "OF", "Network"),
    ("Audit", "UNDER", "Policy"),
    ("Audit", "FOUND", "Finding"),
    ("Export", "FROM", "Network"),
    ("TableData", "OF", "TablePopulation"),
    ("Table", "HOLDS", "TableData"),
    ("RemovedTable", "HOLDS", "TableData"),
    ("Entry", "ABOUT", "Table"),
    ("Entry", "ABOUT", "RemovedTable"),
    ("Marginal", "OF", "TableData"),
    ("SimulatedTable", "OF", "TableData"),
    ("Marginal", "COVERS", "Marginal"),
    ("Release", "OF", "Marginal"),
    ("Release", "RECORDED", "Entry"),
    ("Release", "UNDER", "Policy"),
)
"""Relations between such nodes: from, type, to. None has properties."""

HIDDEN_LABELS = ("Vertex", "LoadingNetwork", "RemovedNetwork")
"""Labels that backups treat apart or leave out. `Store`, the store's own node, is the only other one."""
