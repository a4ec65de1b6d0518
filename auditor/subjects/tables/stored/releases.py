"""A table with all that is out of its population, and the answers to requests for its marginals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.store.repository import Repository, find_one
from auditor.subjects.tables.stored.history import VersionHistory, read_history
from auditor.subjects.tables.stored.kinship import OpenKinship, open_kinships
from auditor.subjects.tables.stored.marginals import StoredMarginal, marginal_id, read_marginal
from auditor.subjects.tables.stored.recorded_answers import (
    ANSWER_COLUMNS,
    DecidedUnder,
    MarginalNames,
    RecordedAnswer,
    read_policies,
)
from auditor.subjects.tables.stored.rows import TableRow, read_counts, read_row, read_version
from auditor.subjects.tables.stored.simulated import read_simulated
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

_NONE: Mapping[str, Iterable[Iterable[str]]] = {}

# read: the first answer that was a yes or a no
_BEFORE = f"""
MATCH (:AuditorMarginal {{id: $marginal}})<-[:OF]-(r:AuditorRelease {{policy_hash: $policy_hash}})
WHERE NOT r.answer IN ['undecided', 'pending']
{ANSWER_COLUMNS} ORDER BY r.seq LIMIT 1
"""
# read
_OF_TABLE = f"""
MATCH (d:AuditorTableData {{population: $population}})<-[:OF]-(:AuditorMarginal)<-[:OF]-(r:AuditorRelease)
{ANSWER_COLUMNS} ORDER BY r.seq
"""


@dataclass(frozen=True, slots=True, eq=False)
class TableState:
    """What a decision is computed from. Protected."""

    row: TableRow
    table: ContingencyTable
    marginal: RecodedMarginal
    """The requested one."""
    history: tuple[VersionHistory, ...]
    """What is out of every version of the population."""
    present: StoredMarginal | None
    """What is stored of the requested marginal."""
    before: RecordedAnswer | None
    """The first answer to the same request under the same policy."""
    simulated: ContingencyTable | None
    """The table that all answers come from, once one did."""
    kinships: tuple[OpenKinship, ...] = ()
    """Other populations that look alike, of which nobody has said whether they are of the same people."""
    policies: tuple[DecidedUnder, ...] = ()
    """Those that something of the population was decided under."""

    @property
    def asked(self) -> MarginalNames:
        """The requested marginal by its names."""
        return MarginalNames.of(self.marginal, self.row.variables)

    @property
    def groupings(self) -> tuple[tuple[int, ...], ...] | None:
        """The groups of categories of the requested marginal; None if nothing is merged."""
        return None if self.marginal.is_plain else self.marginal.groupings

    @property
    def stored_releases(self) -> tuple[StoredMarginal, ...]:
        """What is out of the present data, simulated marginals too."""
        return next((version.released for version in self.history if version.data == self.row.data), ())

    @property
    def simulated_releases(self) -> int:
        """How many marginals are out of any version with simulated counts: these tell nothing of the true ones."""
        return sum(marginal.simulated for version in self.history for marginal in version.released)

    def released(self, *, simulated: bool = False) -> set[RecodedMarginal]:
        """Return the marginals that are out of the present data.

        Parameters
        ----------
        simulated : bool, optional
            Whether to count simulated marginals, too: they tell nothing of the counts.
        """
        return {one.recoded(self.row.shape) for one in self.stored_releases if simulated or not one.simulated}

    def unchanged_since(self, at: datetime) -> bool:
        """Whether nothing of the population went out since a time."""
        times = [marginal.released_at for version in self.history for marginal in version.released]
        return not any(time is not None and time >= at for time in times)


class Releases(Repository):
    """The answers of a store."""

    def state(
        self,
        name: str,
        names: Iterable[str] = (),
        policy_hash: str = "",
        merged: Mapping[str, Iterable[Iterable[str]]] = _NONE,
    ) -> TableState:
        """Return a table with all that is out of its population, as one transaction sees it.

        Parameters
        ----------
        name : str
            Of the table.
        names : iterable of str, optional
            Requested variables, in any order.
        policy_hash : str, optional
            The policy of the request.
        merged : mapping of str to iterable of iterable of str, optional
            Categories that become one, by variable.

        Raises
        ------
        NotFound
            If there is no table of that name.
        InvalidInput
            If there is no such variable or category.
        StoreCorrupt
            If the store does not hold what was stored.
        """
        requested = tuple(names)

        def work(tx: Transaction) -> TableState:
            row = read_row(tx, name)
            table = read_counts(tx, row)
            marginal = RecodedMarginal.of(table, merged, requested)
            key = marginal.axes, None if marginal.is_plain else marginal.groupings
            before = {"marginal": marginal_id(row.data, *key), "policy_hash": policy_hash}
            return TableState(
                row,
                table,
                marginal,
                tuple(read_history(tx, row)),
                read_marginal(tx, row.data, *key),
                find_one(tx, RecordedAnswer, _BEFORE, **before),
                read_simulated(tx, row),
                tuple(open_kinships(tx, row.population)),
                tuple(read_policies(tx, row.population)),
            )

        return self._connection.read_transaction(work)

    def history(self, name: str) -> tuple[TableRow, tuple[VersionHistory, ...]]:
        """Return a table without its counts, and what is out of every version of its population.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: Transaction) -> tuple[TableRow, tuple[VersionHistory, ...]]:
            row = read_row(tx, name)
            return row, tuple(read_history(tx, row))

        return self._connection.read_transaction(work)

    def versions(self, name: str) -> tuple[int, list[VersionHistory]]:
        """Return the version of the data that a table has, and all versions, with their counts as far as stored.

        Raises
        ------
        NotFound
            If there is no table of that name.
        StoreCorrupt
            If the store does not hold what was stored.
        """

        def work(tx: Transaction) -> tuple[int, list[VersionHistory]]:
            row = read_row(tx, name)
            found = read_history(tx, row)
            return row.version, [replace(one, table=one.table or read_version(tx, one.data)) for one in found]

        return self._connection.read_transaction(work)

    def policies(self, name: str, before: int) -> list[DecidedUnder]:
        """Return the policies that something of a table was decided under before an entry of the ledger.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: Transaction) -> list[DecidedUnder]:
            return read_policies(tx, read_row(tx, name).population, before)

        return self._connection.read_transaction(work)

    def of_table(self, name: str) -> list[RecordedAnswer]:
        """Return all answers about the population of a table, the first one first.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: Transaction) -> list[RecordedAnswer]:
            population = read_row(tx, name).population
            return [decode(RecordedAnswer, record[0]) for record in tx.run(_OF_TABLE, population=population)]

        return self._connection.read_transaction(work)
