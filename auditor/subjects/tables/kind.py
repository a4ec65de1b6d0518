"""Tables, as the registry of kinds knows them."""

from auditor.core.kinds import Contents, EntryKind, FirstSteps, SubjectKind

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
    people="""
  MATCH (r:AuditorRelease) UNWIND [r.by, r.actor] AS name
  WITH DISTINCT name WHERE name IS NOT NULL RETURN name""",
    port="auditor.subjects.tables.port:TablePort",
    rules="auditor.subjects.tables.remedies:RULES",
    remedies="auditor.subjects.tables.remedies:remedy",
    policy="auditor.subjects.tables.policy:TablePolicy",
    commands=("cli.table", "Contingency tables: requests for marginals, bounds, lattice."),
    guide="cli.start.tables:TableGuide",
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
    shown_by="'auditor table show NAME' and 'auditor table lattice NAME' show what is released, "
    "'auditor table bounds NAME' what follows, and 'auditor report month' writes a page about a month",
    entries={
        "table_added": EntryKind(
            "a table was stored, as new data, another name or another version",
            "{who} stored {what}[ from {source}][, version {version} of its data]",
        ),
        "table_removed": EntryKind(
            "the name of a table was removed; its released marginals still count",
            "{who} removed {what}; its released marginals still count",
        ),
        "table_mapped": EntryKind(
            "the mapping from variables of an earlier version to a later one was declared",
            "{who} declared how the variables of {what} in version {earlier} map to those in version {version}",
        ),
        "table_kinship": EntryKind(
            "it was declared whether two similar tables have respondents in common",
            "{who} declared that {what} and {other} have [respondents{linked:}][no respondents{!linked:}] in common",
        ),
        "table_request": EntryKind(
            "a request for a marginal was answered",
            "{who} requested [{marginal}][the total{!marginal:}] of {what}[ for {by}]: {answer}[ ({rules})]",
        ),
        "table_bounds": EntryKind("bounds of a table's cells were viewed", "{who} viewed bounds of cells of {what}"),
        "table_frontier": EntryKind(
            "the releasable marginals of a table were viewed", "{who} viewed which marginals of {what} are releasable"
        ),
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
    help=(
        (
            "/tables",
            "Tables",
            "Tables of counts and what has been released of them. Request a marginal: the answer counts "
            "everything that is released already.",
            "table-requests",
        ),
    ),
    first=FirstSteps(
        "A table of counts",
        "Each line says how many people share some categories.",
        "sex,smoking,count\nf,yes,12\nf,no,31",
        (
            ("Add the file.", "auditor table add survey survey.csv"),
            (
                "Request a marginal. The answer counts together with all earlier ones.",
                "auditor table request survey sex,smoking --by ann --out public.csv",
            ),
            ("If it is refused, see what may go out instead.", "auditor table frontier survey"),
        ),
    ),
)
