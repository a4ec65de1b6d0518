"""Tables, as the registry of kinds knows them."""

from auditor.core.kinds import Contents, SubjectKind

TABLE = SubjectKind(
    name="table",
    plural="tables",
    node="(s:AuditorTable {name: $name})",
    number="s.change",
    # a table that was removed keeps its node
    # a name never changes its population, which is one for all names that it has or had; removed tables keep their node
    past="""
  MATCH (:AuditorTable|AuditorRemovedTable {name: $name})-[:HOLDS]->(d:AuditorTableData)
  WITH DISTINCT d.population AS population
  MATCH (:AuditorTableData {population: population})<-[:HOLDS]-(s:AuditorTable|AuditorRemovedTable)""",
    about="(s:AuditorTable|AuditorRemovedTable {name: $name})",
    listed="""
  MATCH (t:AuditorTable)-[:HOLDS]->(d:AuditorTableData)
  RETURN t.name AS name, 'table:' + d.population AS key, null AS state, null AS of""",
    port="auditor.subjects.tables.port:TablePort",
    policy="auditor.subjects.tables.policy:TablePolicy",
    commands=("cli.table", "Contingency tables: requests for marginals, bounds, lattice."),
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
        "table_removed": "the name of a table was removed; its released marginals still count",
        "table_mapped": "the mapping from variables of an earlier version to a later one was declared",
        "table_kinship": "it was declared whether two similar tables have respondents in common",
        "table_request": "a request for a marginal was answered",
        "table_bounds": "bounds of a table's cells were viewed",
        "table_frontier": "the releasable marginals of a table were viewed",
    },
    jobs={"frontier": "auditor.subjects.tables.jobs:FRONTIER"},
    pages=(
        "auditor.subjects.tables.pages.marginal:router",
        "auditor.subjects.tables.pages.marginal_bounds:router",
        "auditor.subjects.tables.pages.table:router",
    ),
    last_pages=("auditor.subjects.tables.pages.table:last",),
    api=(
        "auditor.subjects.tables.api.tables:router",
        "auditor.subjects.tables.api.requests:router",
        "auditor.subjects.tables.api.tables:last",
    ),
    templates=("auditor.subjects.tables.pages",),
    navigation=(("/tables", "Tables", "view"),),
)
