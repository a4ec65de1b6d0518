"""Tables, as the registry of kinds knows them."""

from __future__ import annotations

from auditor.core.kinds import Contents, SubjectKind

__all__ = ["TABLE"]

TABLE = SubjectKind(
    name="table",
    plural="tables",
    node="(s:AuditorTable {name: $name})",
    number="s.change",
    # a table that was removed keeps its node
    about="(s:AuditorTable|AuditorRemovedTable {name: $name})",
    listed="""
  MATCH (t:AuditorTable)-[:HOLDS]->(d:AuditorTableData)
  RETURN t.name AS name, 'table:' + d.population AS key, null AS state, null AS of""",
    port="auditor.subjects.tables.port:TablePort",
    contents=Contents(
        keys={
            "TablePopulation": "id",
            "TableData": "id",
            "TableChunk": "id",
            "Table": "name",
            "RemovedTable": "name",
            "Marginal": "id",
            "SimulatedTable": "id",
            "Release": "id",
        },
        relations=(
            ("TableData", "OF", "TablePopulation"),
            ("Table", "HOLDS", "TableData"),
            ("RemovedTable", "HOLDS", "TableData"),
            ("Entry", "ABOUT", "Table"),
            ("Entry", "ABOUT", "RemovedTable"),
            ("Audit", "OF", "Table"),
            ("Audit", "OF", "RemovedTable"),
            ("Marginal", "OF", "TableData"),
            ("SimulatedTable", "OF", "TableData"),
            ("Marginal", "COVERS", "Marginal"),
            ("Release", "OF", "Marginal"),
            ("Release", "RECORDED", "Entry"),
            ("Release", "UNDER", "Policy"),
        ),
    ),
    approvals={"marginal": "auditor.subjects.tables.releases.approver:MarginalApprover"},
    entries={
        "table_added": "a table was stored, as new data, another name or another version",
        "table_removed": "the name of a table was removed; what is out of it still counts",
        "table_mapped": "how variables of an earlier version go together with those of a later one was declared",
        "table_kinship": "whether two tables that look alike are of the same people was declared",
        "table_request": "somebody asked for a marginal, and was answered",
        "table_bounds": "somebody looked at bounds of a table's cells",
        "table_frontier": "somebody looked at what of a table can still go out",
    },
    jobs={"frontier": "auditor.subjects.tables.jobs:FRONTIER"},
    pages=(
        "auditor.subjects.tables.pages.tables:router",
        "auditor.subjects.tables.pages.marginal:router",
        "auditor.subjects.tables.pages.marginal_bounds:router",
        "auditor.subjects.tables.pages.table:router",
    ),
    last_pages=("auditor.subjects.tables.pages.table:last",),
    api=(
        "auditor.subjects.tables.api.tables:router",
        "auditor.subjects.tables.api.table_maps:router",
        "auditor.subjects.tables.api.requests:router",
        "auditor.subjects.tables.api.tables:last",
    ),
    templates=("auditor.subjects.tables.pages",),
    navigation=(("/tables", "Tables", "view"),),
)
