"""What a store holds beside vertices and edges: the list that backups follow.

A backup names kinds of nodes (`Network`); in the database their labels have a prefix (`AuditorNetwork`), so that a
graph of the user's own in the same database is never taken for ours.
"""

from __future__ import annotations

__all__ = ["HIDDEN_KINDS", "KEYS", "RELATIONS", "label_of"]

KEYS: dict[str, str] = {
    "Network": "id",
    "Entry": "seq",
    "Policy": "hash",
    "Audit": "id",
    "Finding": "id",
    "AuditHead": "key",
    "Waiver": "id",
    "AccessToken": "id",
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
    "Approval": "id",
    "Schedule": "id",
    "RemovedSchedule": "id",
    "Tick": "id",
    "Message": "id",
}
"""Kinds of nodes, each with the property that tells its nodes apart (unique by a constraint)."""

RELATIONS: tuple[tuple[str, str, str], ...] = (
    ("Entry", "ABOUT", "Network"),
    ("Audit", "OF", "Network"),
    ("Audit", "OF", "Table"),
    ("Audit", "OF", "RemovedTable"),
    ("Audit", "OF", "Export"),
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
    ("Approval", "UNDER", "Policy"),
    ("Schedule", "UNDER", "Policy"),
    ("RemovedSchedule", "UNDER", "Policy"),
    ("Tick", "OF", "Schedule"),
    ("Tick", "OF", "RemovedSchedule"),
)
"""Relations between such nodes: from, type, to. None has properties."""

HIDDEN_KINDS = ("Vertex", "LoadingNetwork", "RemovedNetwork", "Session", "Job", "KeptAnswer", "Worker")
"""Kinds that backups treat apart or leave out. `Store`, the store's own node, is the only other one."""


def label_of(kind: str) -> str:
    """Return the label that nodes of a kind have in the database."""
    return f"Auditor{kind}"
