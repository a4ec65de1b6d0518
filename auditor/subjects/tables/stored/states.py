"""What becomes of a table's name: added, added again, a new version, removed. Each step takes the store's lock first.

`Table` → `RemovedTable` → `Table`: a name that was removed keeps its node, and with it its population and its entries
in the ledger.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from auditor.core.errors import AlreadyExists, BadInput
from auditor.core.names import check_name
from auditor.core.transactions import Transaction
from auditor.formats.tables.checksum import variable_checksums
from auditor.formats.tables.loaded import LoadedTable
from auditor.store.repository import NewEntry, OpenStore, Repository
from auditor.subjects.tables.stored.cells import delete_chunks, write_cells
from auditor.subjects.tables.stored.kinship import note_alike
from auditor.subjects.tables.stored.layout import in_layout, parse_variables, variables_text
from auditor.subjects.tables.stored.rows import raise_revision, read_row

# read, under the store's lock
_BY_NAME = """
MATCH (t:AuditorTable|AuditorRemovedTable {name: $name})-[:HOLDS]->(d:AuditorTableData)
RETURN t:AuditorTable AS stored, t.change AS change, d.id AS data, d.population AS population, d.version AS version
"""
# read, under the store's lock
_BY_CHECKSUM = """
MATCH (d:AuditorTableData {checksum: $checksum})
RETURN d.id AS data, d.population AS population, d.version AS version, d.variables AS variables, d.held AS held
"""
# write
_CREATE_POPULATION = """
CREATE (:AuditorTablePopulation {id: $population, created_at: $at, revision: 0, versions: 0})
"""
# write
_CREATE_DATA = """
MATCH (p:AuditorTablePopulation {id: $population})
SET p.versions = p.versions + 1
CREATE (d:AuditorTableData {id: $population + '/' + toString(p.versions), population: $population, version: p.versions,
                     checksum: $checksum, variables: $variables, variable_checksums: $variable_checksums,
                     created_at: $at, held: false})
CREATE (d)-[:OF]->(p)
RETURN d.id AS data, d.population AS population, d.version AS version, d.variables AS variables, d.held AS held
"""
# write
_HOLD = "MATCH (d:AuditorTableData {id: $data}) SET d.held = true SET d += $cells"
# write: a name that was removed gets its old node back
_NAME = """
OPTIONAL MATCH (r:AuditorRemovedTable {name: $name})
FOREACH (one IN CASE WHEN r IS NULL THEN [] ELSE [r] END |
    REMOVE one:AuditorRemovedTable SET one:AuditorTable SET one.removed_at = null)
"""
# write
_POINT = """
MERGE (t:AuditorTable {name: $name})
SET t.source = $source, t.created_at = $at, t.change = $change
WITH t
OPTIONAL MATCH (t)-[old:HOLDS]->(:AuditorTableData)
DELETE old
WITH DISTINCT t
MATCH (d:AuditorTableData {id: $data})
CREATE (t)-[:HOLDS]->(d)
"""
# write
_REMOVE = """
MATCH (t:AuditorTable {name: $name})
REMOVE t:AuditorTable SET t:AuditorRemovedTable
SET t.removed_at = $at, t.change = $change
"""
# read: whether a population has a table left
_LEFT = "MATCH (:AuditorTable)-[:HOLDS]->(d:AuditorTableData {population: $population}) RETURN count(d) AS tables"
# write: what is out stays
_LET_GO = """
MATCH (d:AuditorTableData {population: $population})
SET d.held = false SET d.chunks = null SET d.cells = null SET d.counts = null
RETURN d.id AS data
"""
# write: bounds tell which cells are sensitive
_FORGET_BOUNDS = """
MATCH (m:AuditorMarginal) WHERE m.data IN $data
SET m.bound_cells = null SET m.bound_lower = null SET m.bound_upper = null SET m.bound_status = null
"""


@dataclass(frozen=True, slots=True)
class Added:
    """How a table came into the store."""

    known: bool
    """The same data was there before: what is out of it still counts."""
    later: bool
    """It is another state of data that were there before: what is out of those still counts."""


def add_table(store: OpenStore, name: str, loaded: LoadedTable, *, source: str, actor: str, new_version: bool) -> Added:
    """Store a table under a name, as one more of its population if the data or the name were there before.

    Parameters and errors are those of :meth:`~auditor.subjects.tables.repository.Tables.add`.
    """
    check_name(name)
    table, checksum, at, change = loaded.table, loaded.checksum, store.ledger.now(), str(uuid.uuid4())

    def work(tx: Transaction) -> Added:
        named = tx.run(_BY_NAME, name=name).single()
        known = tx.run(_BY_CHECKSUM, checksum=checksum).single()
        if named is not None and named["stored"] and named["change"] == change:
            return Added(known=False, later=False)
        _check_name_and_data(name, named, known, new_version=new_version)
        data = known
        if data is None:
            population = named["population"] if named is not None else str(uuid.uuid4())
            if named is None:
                tx.run(_CREATE_POPULATION, population=population, at=at).consume()
            values = {
                "population": population,
                "at": at,
                "checksum": checksum,
                "variables": variables_text(table.variables),
                "variable_checksums": variable_checksums(table),
            }
            data = tx.run(_CREATE_DATA, values).single(strict=True)
            note_alike(tx, population, table)
        if not data["held"]:
            held = in_layout(table, parse_variables(data["variables"]))
            tx.run(_HOLD, data=data["data"], cells=write_cells(tx, data["data"], held.cells, held.counts)).consume()
        tx.run(_NAME, name=name).consume()
        tx.run(_POINT, name=name, source=source, at=at, change=change, data=data["data"]).consume()
        added = Added(known=known is not None, later=known is None and named is not None)
        if added.later:
            raise_revision(tx, data["population"])
        # no checksum: of a small table it tells the counts to anyone who tries all
        payload = {
            "population": data["population"],
            "version": data["version"],
            "variables": [*table.names],
            "cells": table.size,
            "source": source,
            "known": added.known,
        }
        store.ledger.append(tx, "table_added", payload, actor=actor, subject=f"table:{name}")
        return added

    return Repository(store).locked(work)


def _check_name_and_data(
    name: str, named: Mapping[str, Any] | None, known: Mapping[str, Any] | None, *, new_version: bool
) -> None:
    """Refuse what would hide a history: other data under a name, or data under the name of other people."""
    if named is None:
        if new_version:
            raise BadInput(
                f"there never was a table {name!r}, so this is no new version of it; leave out --new-version "
                "('New version' on the page)"
            )
        return
    if known is not None and known["population"] != named["population"]:
        raise BadInput(
            f"this data belongs to another table than {name!r}, and the releases of both cannot be combined; "
            "choose another name"
        )
    same = known is not None and known["data"] == named["data"]
    if same and named["stored"]:
        raise AlreadyExists(f"the table {name!r} has this data already; there is nothing to add")
    if not same and not new_version:
        has = "has" if named["stored"] else "had"
        raise AlreadyExists(
            f"the table {name!r} {has} other data; add --new-version ('New version' on the page) for another state of "
            "the same respondents (earlier releases still count), or choose another name"
        )


def remove_table(store: OpenStore, name: str, *, actor: str) -> None:
    """Remove a name and, with the last one of its population, all counts. What is out, and of whom, stays.

    Raises
    ------
    NotFound
        If there is no table of that name.
    """
    at, change = store.ledger.now(), str(uuid.uuid4())

    def work(tx: Transaction) -> NewEntry | None:
        named = tx.run(_BY_NAME, name=name).single()
        if named is not None and not named["stored"] and named["change"] == change:
            return None
        row = read_row(tx, name)
        tx.run(_REMOVE, name=name, at=at, change=change).consume()
        if not tx.run(_LEFT, population=row.population).single(strict=True)["tables"]:
            let_go = [record["data"] for record in tx.run(_LET_GO, population=row.population)]
            delete_chunks(tx, let_go)
            tx.run(_FORGET_BOUNDS, data=let_go).consume()
        payload = {
            "population": row.population,
            "version": row.version,
            "variables": [*row.names],
            "cells": prod(row.shape),
        }
        return NewEntry("table_removed", payload, actor, f"table:{name}")

    Repository(store).change(work)
