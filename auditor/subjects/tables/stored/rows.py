"""A stored table within a transaction: its row, its lock, its counts.

Three nodes are behind a name. `Table` is the name; it `HOLDS` a `TableData`, one version of the data of a
`TablePopulation`. What is out belongs to the data and counts for the whole population, so that neither another name
nor a removal makes it forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from auditor.core.errors import StoreConflict, StoreCorrupt
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.formats.tables.checksum import table_checksum
from auditor.store.schema.head import lock_store
from auditor.store.subjects import missing_subject
from auditor.subjects.tables.stored.cells import read_cells
from auditor.subjects.tables.stored.layout import parse_variables
from graphkit.errors import InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

if TYPE_CHECKING:
    from auditor.store import Store

# read
_ROW = """
MATCH (t:AuditorTable {name: $name})-[:HOLDS]->(d:AuditorTableData)-[:OF]->(p:AuditorTablePopulation)
RETURN t.name AS name, d.id AS data, p.id AS population, d.version AS version, p.revision AS revision,
       d.variables AS variables_text, d.checksum AS checksum
"""
# write: takes the node's lock for the rest of the transaction, as that of the store is taken
_LOCK = """
MATCH (:AuditorTable {name: $name})-[:HOLDS]->(:AuditorTableData)-[:OF]->(p:AuditorTablePopulation) SET p.locked = true
"""
# write
_RAISE = "MATCH (p:AuditorTablePopulation {id: $population}) SET p.revision = p.revision + 1"
# read
_VERSION = """
MATCH (d:AuditorTableData {id: $data})
RETURN d.variables AS variables, d.checksum AS checksum, d.chunks AS chunks, d.cells AS cells, d.counts AS counts
"""


# no slots: the variables are parsed when they are first asked for
@dataclass(frozen=True)
class TableRow:
    """What a transaction knows of a table without its counts."""

    name: str
    data: str
    """Id of the version of the data; what its marginals are stored under."""
    population: str
    """Random id; the history belongs to it."""
    version: int
    """Of the data, from 1 within the population."""
    revision: int
    """Changes whenever something of the population goes out, or it gets a new version."""
    variables_text: str
    checksum: str
    """Protected, as the counts are: of a small table it tells them to whoever tries all."""

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables with their categories, in the order that positions count."""
        return parse_variables(self.variables_text)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return tuple(variable.name for variable in self.variables)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of every variable."""
        return tuple(variable.size for variable in self.variables)


def read_row(tx: Transaction, name: str) -> TableRow:
    """Return a table as it is now.

    Raises
    ------
    NotFound
        If there is none of that name.
    """
    record = tx.run(_ROW, name=name).single() if is_name(name) else None
    if record is None:
        raise missing_subject("table", name)
    return TableRow(**record)


def lock_table(tx: Transaction, name: str, *, revision: int | None = None) -> TableRow:
    """Take the store's lock, then that of a table's population, and return the table as it is under both.

    Parameters
    ----------
    tx : Transaction
    name : str
    revision : int, optional
        What a computation outside the transaction saw.

    Raises
    ------
    NotFound
        If there is none of that name.
    StoreConflict
        If it has another revision by now; compute again.
    """
    lock_store(tx)
    tx.run(_LOCK, name=name).consume()
    # a second statement: what the first one reads, it may have read before it had the lock
    row = read_row(tx, name)
    if revision is not None and row.revision != revision:
        raise StoreConflict(f"something of the table {name!r} was released meanwhile; start over")
    return row


def raise_revision(tx: Transaction, population: str) -> None:
    """Note that something of a locked population went out, or that its versions changed."""
    tx.run(_RAISE, population=population).consume()


def record_look(store: Store, row: TableRow, kind: str, payload: Mapping[str, Any], *, actor: str) -> int:
    """Record that what follows from a table's counts is about to be shown, and return the entry's position.

    Parameters
    ----------
    store : Store
    row : TableRow
        The table as it was read.
    kind : str
        What is viewed, such as ``table_bounds``.
    payload : mapping
        What was requested; population and version are added. Never a count.
    actor : str
        Who sees it.

    Raises
    ------
    NotFound
        If there is no table of that name any more.
    StoreConflict
        If it has other data by now.
    """

    def work(tx: Transaction) -> int:
        locked = lock_table(tx, row.name)
        if locked.data != row.data:
            raise StoreConflict(f"the table {row.name!r} got other data meanwhile; start over")
        known = {"population": locked.population, "version": locked.version}
        return store.ledger.append(tx, kind, {**payload, **known}, actor=actor, subject=f"table:{row.name}").seq

    return store.connection.write(work)


def read_counts(tx: Transaction, row: TableRow) -> ContingencyTable:
    """Return a table with its counts, checked against its checksum.

    Raises
    ------
    StoreCorrupt
        If the store does not hold what was stored.
    """
    what, remedy = f"the table {row.name!r}", "restore it from a backup or add it again"
    table = read_version(tx, row.data, what, remedy)
    if table is None:
        raise StoreCorrupt(f"the counts of {what} are gone; {remedy}")
    return table


def read_version(
    tx: Transaction,
    data: str,
    what: str = "an earlier version of the table",
    remedy: str = "restore it from a backup",
) -> ContingencyTable | None:
    """Return any version of a population's data by its id; None if its counts are not stored any more.

    Raises
    ------
    StoreCorrupt
        If the store does not hold what was stored: a sentence about what it is, and what to do.
    """
    record = tx.run(_VERSION, data=data).single()
    if record is None or record["chunks"] is None:
        return None
    try:
        table = ContingencyTable(parse_variables(record["variables"]), *read_cells(tx, data, record))
    except InvalidInput:
        table = None
    if table is None or table_checksum(table) != record["checksum"]:
        raise StoreCorrupt(f"{what} is not what was stored; {remedy}")
    return table
