"""Answers to requests for marginals, each recorded in one transaction with what it changes and its ledger entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.store.clock import parse_time, time_text
from auditor.store.ledger import Ledger
from auditor.store.table_covers import link_marginal
from auditor.store.table_history import read_history
from auditor.store.table_marginals import StoredMarginal, marginal_id, read_marginal, write_marginals
from auditor.store.table_rows import TableRow, lock_table, read_counts, read_row
from auditor.store.table_simulated import read_simulated, write_simulated
from graphkit.tables.contingency import ContingencyTable

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.connection import Connection
    from auditor.store.table_history import VersionHistory

__all__ = ["RecordedAnswer", "Releases", "TableState"]

# write: the entry was appended before, in the same transaction
_RECORD = """
MATCH (e:Entry {seq: $seq})
MATCH (m:Marginal {id: $marginal})
MERGE (p:Policy {hash: $policy_hash}) ON CREATE SET p.text = $policy_text, p.created_at = $at
CREATE (r:Release {id: $id, at: $at, by: $by, actor: $actor, data: $data, names: $names, answer: $answer,
                   rules: $rules, policy_hash: $policy_hash, repeated: $repeated, seq: $seq})
CREATE (r)-[:OF]->(m), (r)-[:RECORDED]->(e), (r)-[:UNDER]->(p)
"""
_COLUMNS = """
RETURN r.id AS id, r.at AS at, r.by AS by, r.actor AS actor, r.names AS names, r.answer AS answer, r.rules AS rules,
       r.policy_hash AS policy_hash, r.repeated AS repeated, r.seq AS entry
"""
# read
_IS_RECORDED = f"MATCH (r:Release {{id: $id}}) {_COLUMNS}"
# read: the first answer that was not undecided
_BEFORE = f"""
MATCH (:Marginal {{id: $marginal}})<-[:OF]-(r:Release {{policy_hash: $policy_hash}})
WHERE r.answer <> 'undecided'
{_COLUMNS} ORDER BY entry LIMIT 1
"""
# read
_OF_TABLE = f"""
MATCH (d:TableData {{population: $population}})<-[:OF]-(:Marginal)<-[:OF]-(r:Release)
{_COLUMNS} ORDER BY entry
"""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """An answer as it was recorded."""

    id: str
    at: datetime
    by: str
    """Who asked."""
    actor: str
    """Who recorded it."""
    names: tuple[str, ...]
    """Variables of the marginal, in the order of the table."""
    answer: str
    """``release``, ``refuse``, ``undecided``, or ``simulate``: out are the counts of a simulated table."""
    rules: tuple[str, ...]
    """Rules that are broken, or that could not be settled."""
    policy_hash: str
    repeated: bool
    """Whether the same had been answered before."""
    entry: int
    """Position of its entry in the ledger."""


@dataclass(frozen=True, slots=True, eq=False)
class TableState:
    """What a decision is computed from. Protected."""

    row: TableRow
    table: ContingencyTable
    axes: tuple[int, ...]
    """Positions of the requested variables, ascending."""
    history: tuple[VersionHistory, ...]
    """What is out of every version of the population."""
    present: StoredMarginal | None
    """What is stored of the requested marginal."""
    before: RecordedAnswer | None
    """The first answer to the same request under the same policy."""
    simulated: ContingencyTable | None
    """The table that all answers come from, once one did."""


class Releases:
    """The answers of a store.

    Parameters
    ----------
    connection : Connection
        The store.
    ledger : Ledger, optional
        Where answers are recorded; the store's own by default.
    """

    def __init__(self, connection: Connection, ledger: Ledger | None = None) -> None:
        self._connection = connection
        self.ledger = ledger if ledger is not None else Ledger(connection)

    def state(self, name: str, names: Sequence[str], policy_hash: str) -> TableState:
        """Return a table with all that is out of its population, as one transaction sees it.

        Parameters
        ----------
        name : str
            Of the table.
        names : sequence of str
            Requested variables, in any order.
        policy_hash : str
            The policy of the request.

        Raises
        ------
        NotFound
            If there is no table of that name.
        InvalidInput
            If there is no such variable.
        StoreCorrupt
            If the store does not hold what was stored.
        """

        def work(tx: ManagedTransaction) -> TableState:
            row = read_row(tx, name)
            table = read_counts(tx, row)
            axes = table.axes(names)
            found = tx.run(_BEFORE, marginal=marginal_id(row.data, axes), policy_hash=policy_hash).single()
            return TableState(
                row,
                table,
                axes,
                tuple(read_history(tx, row.population)),
                read_marginal(tx, row.data, axes),
                None if found is None else _answer(dict(found)),
                read_simulated(tx, row),
            )

        return self._connection.read_transaction(work)

    def record(
        self,
        row: TableRow,
        marginal: StoredMarginal,
        *,
        id: str,
        answer: str,
        rules: Sequence[str],
        proof: str,
        by: str,
        actor: str,
        policy_hash: str,
        policy_text: str,
        repeated: bool,
        explained: bool,
        simulated: ContingencyTable | None = None,
    ) -> RecordedAnswer:
        """Record an answer and what it changes, if nothing of the population went out since it was computed.

        Parameters
        ----------
        row : TableRow
            As the computation saw it.
        marginal : StoredMarginal
            As it is from now on.
        id : str
            Random; a repetition of the transaction is known by it.
        answer, rules, by, actor, policy_hash, repeated
            See :class:`RecordedAnswer`.
        proof : str
            What the answer rests on, for the ledger: no bound, no count.
        policy_text : str
            Kept once.
        explained : bool
            Whether the actor will see cells and their bounds: that is recorded before.
        simulated : ContingencyTable, optional
            A table that was drawn for this answer: from now on all answers come from it.

        Raises
        ------
        NotFound, StoreConflict
            If the table is gone, or something went out meanwhile: compute again.
        """
        names = [row.names[axis] for axis in marginal.axes]

        def work(tx: ManagedTransaction) -> RecordedAnswer:
            known = tx.run(_IS_RECORDED, id=id).single()
            if known is not None:
                return _answer(dict(known))
            locked = lock_table(tx, row.name, revision=row.revision)
            payload = {
                "answer": answer,
                "by": by,
                "explained": explained,
                "marginal": names,
                "policy": policy_hash,
                "proof": proof,
                "population": locked.population,
                "repeated": repeated,
                "rules": [*rules],
                "simulated": marginal.simulated,
                "version": locked.version,
            }
            write_marginals(tx, locked, [marginal])
            link_marginal(tx, locked.data, marginal.axes)
            if simulated is not None:
                write_simulated(tx, locked, simulated, time_text(self.ledger.clock()))
            entry = self.ledger.append(tx, "table_request", payload, actor=actor, subject=f"table:{row.name}")
            values: dict[str, Any] = {
                "id": id,
                "at": entry.at,
                "by": by,
                "actor": actor,
                "names": names,
                "answer": answer,
                "rules": [*rules],
                "policy_hash": policy_hash,
                "repeated": repeated,
            }
            tx.run(
                _RECORD,
                values,
                seq=entry.seq,
                data=locked.data,
                marginal=marginal_id(locked.data, marginal.axes),
                policy_text=policy_text,
            ).consume()
            return _answer({**values, "entry": entry.seq})

        return self._connection.write(work)

    def of_table(self, name: str) -> list[RecordedAnswer]:
        """Return all answers about the population of a table, the first one first.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: ManagedTransaction) -> list[RecordedAnswer]:
            population = read_row(tx, name).population
            return [_answer(dict(record)) for record in tx.run(_OF_TABLE, population=population)]

        return self._connection.read_transaction(work)

    def now(self) -> datetime:
        """Return the time that a release gets."""
        return parse_time(time_text(self.ledger.clock()))


def _answer(record: dict[str, Any]) -> RecordedAnswer:
    return RecordedAnswer(
        **{
            **record,
            "at": parse_time(record["at"]),
            "names": tuple(record["names"]),
            "rules": tuple(record["rules"]),
        }
    )
