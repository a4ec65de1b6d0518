"""The simulated table that answers for one version of a table, once something simulated is out of it."""

from auditor.core.errors import StoreCorrupt
from auditor.core.transactions import Transaction
from auditor.subjects.tables.stored.cells import read_cells, write_cells
from auditor.subjects.tables.stored.rows import TableRow
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.tables.structure.contingency import ContingencyTable

# read
_READ = "MATCH (s:AuditorSimulatedTable {id: $id}) RETURN s.chunks AS chunks, s.cells AS cells, s.counts AS counts"
# write
_CREATE = """
MATCH (d:AuditorTableData {id: $data})
CREATE (s:AuditorSimulatedTable {id: $id, data: $data, created_at: $at})
SET s += $cells
CREATE (s)-[:OF]->(d)
"""


def read_simulated(tx: Transaction, row: TableRow) -> ContingencyTable | None:
    """Return the simulated table of a version of the data; None if nothing simulated is out of it.

    Raises
    ------
    StoreCorrupt
        If the store does not hold what was stored.
    """
    id = _id(row)
    record = tx.run(_READ, id=id).single()
    if record is None:
        return None
    try:
        return ContingencyTable(row.variables, *read_cells(tx, id, record))
    except InvalidInput:
        raise StoreCorrupt(
            f"the simulated table of {row.name!r} is not what was stored; restore it from a backup"
        ) from None


def write_simulated(tx: Transaction, row: TableRow, simulated: ContingencyTable, at: str) -> None:
    """Write the simulated table of a locked table, for good.

    Raises
    ------
    BrokenClaim
        If there is one: answers that differ could be averaged.
    """
    id = _id(row)
    if tx.run(_READ, id=id).single() is not None:
        raise BrokenClaim("a table was to be simulated a second time")
    values = write_cells(tx, id, simulated.cells, simulated.counts)
    tx.run(_CREATE, id=id, data=row.data, at=at, cells=values).consume()


def _id(row: TableRow) -> str:
    return f"{row.data}/simulated"
