"""Answers to requests for marginals, each recorded in one transaction with what it changes and its ledger entry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.approvals.repository import decide_approval, want_approval
from auditor.core.clock import parse_time
from auditor.store.policies import KEEP_POLICY
from auditor.store.repository import Repository
from auditor.subjects.tables.stored.covers import link_marginal
from auditor.subjects.tables.stored.history import read_history
from auditor.subjects.tables.stored.implied_approvals import end_implied
from auditor.subjects.tables.stored.kinship import OpenKinship, open_kinships
from auditor.subjects.tables.stored.marginals import StoredMarginal, marginal_id, read_marginal, write_marginals
from auditor.subjects.tables.stored.recorded_answers import (
    ANSWER_COLUMNS,
    MarginalNames,
    RecordedAnswer,
    parse_answer,
    proposal_text,
)
from auditor.subjects.tables.stored.rows import TableRow, lock_table, read_counts, read_row
from auditor.subjects.tables.stored.simulated import read_simulated, write_simulated
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.contingency import ContingencyTable

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.approvals.record import Decision, NewApproval
    from auditor.subjects.tables.stored.history import VersionHistory

_NONE: Mapping[str, Iterable[Iterable[str]]] = {}

# write: the entry was appended before, in the same transaction
_RECORD = (
    KEEP_POLICY
    + """
WITH p
MATCH (e:AuditorEntry {seq: $seq})
MATCH (m:AuditorMarginal {id: $marginal})
CREATE (r:AuditorRelease {id: $id, at: $at, by: $by, actor: $actor, data: $data, names: $names, merged: $merged,
                   answer: $answer, rules: $rules, proposal: $proposal, policy_hash: $policy_hash,
                   repeated: $repeated, seq: $seq, approval: $approval})
CREATE (r)-[:OF]->(m), (r)-[:RECORDED]->(e), (r)-[:UNDER]->(p)
"""
)
# read
_IS_RECORDED = f"MATCH (r:AuditorRelease {{id: $id}}) {ANSWER_COLUMNS}"
# read: the first answer that was a yes or a no
_BEFORE = f"""
MATCH (:AuditorMarginal {{id: $marginal}})<-[:OF]-(r:AuditorRelease {{policy_hash: $policy_hash}})
WHERE NOT r.answer IN ['undecided', 'pending']
{ANSWER_COLUMNS} ORDER BY entry LIMIT 1
"""
# read
_OF_TABLE = f"""
MATCH (d:AuditorTableData {{population: $population}})<-[:OF]-(:AuditorMarginal)<-[:OF]-(r:AuditorRelease)
{ANSWER_COLUMNS} ORDER BY entry
"""


@dataclass(frozen=True, slots=True, eq=False)
class TableState:
    """What a decision is computed from. Protected."""

    row: TableRow
    table: ContingencyTable
    marginal: RecodedMarginal
    """What is asked for."""
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

    def unchanged_since(self, at: datetime) -> bool:
        """Whether nothing of the population went out since a time."""
        times = [marginal.released_at for version in self.history for marginal in version.released]
        return not any(time is not None and time >= at for time in times)


class Releases(Repository):
    """The answers of a store."""

    def state(
        self, name: str, names: Sequence[str], policy_hash: str, merged: Mapping[str, Iterable[Iterable[str]]] = _NONE
    ) -> TableState:
        """Return a table with all that is out of its population, as one transaction sees it.

        Parameters
        ----------
        name : str
            Of the table.
        names : sequence of str
            Requested variables, in any order.
        policy_hash : str
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

        def work(tx: ManagedTransaction) -> TableState:
            row = read_row(tx, name)
            table = read_counts(tx, row)
            marginal = RecodedMarginal.of(table, merged, names)
            key = marginal.axes, None if marginal.is_plain else marginal.groupings
            found = tx.run(_BEFORE, marginal=marginal_id(row.data, *key), policy_hash=policy_hash).single()
            return TableState(
                row,
                table,
                marginal,
                tuple(read_history(tx, row)),
                read_marginal(tx, row.data, *key),
                None if found is None else parse_answer(found),
                read_simulated(tx, row),
                tuple(open_kinships(tx, row.population)),
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
        proposal: MarginalNames | None = None,
        simulated: ContingencyTable | None = None,
        wanted: NewApproval | None = None,
        approving: Decision | None = None,
        approval: str | None = None,
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
        proposal : MarginalNames, optional
            What may go out instead.
        simulated : ContingencyTable, optional
            A table that was drawn for this answer: from now on all answers come from it.
        wanted : NewApproval, optional
            Pending approvals from now on, unless it does already.
        approving : Decision, optional
            The end of what waited, by this answer.
        approval : str, optional
            What this answer is about; that of `wanted` or `approving` by default.

        Raises
        ------
        NotFound, StoreConflict
            If the table is gone, or something went out meanwhile: compute again.
        Refused
            If what is approved is not pending any more, or may not be approved by this person.
        """
        asked = MarginalNames.of(marginal.recoded(row.shape), row.variables)

        def work(tx: ManagedTransaction) -> RecordedAnswer:
            known = tx.run(_IS_RECORDED, id=id).single()
            if known is not None:
                return parse_answer(known)
            locked = lock_table(tx, row.name, revision=row.revision)
            about, again = approval, repeated
            if approving is not None:
                decide_approval(tx, self._ledger, approving)
                about = approving.approval
            if wanted is not None:
                about, is_new = want_approval(tx, self._ledger, wanted)
                again = again or not is_new
            payload = {
                "answer": answer,
                "by": by,
                "explained": explained,
                "marginal": [*asked.names],
                "policy": policy_hash,
                "proof": proof,
                "population": locked.population,
                "repeated": again,
                "rules": [*rules],
                "simulated": marginal.simulated,
                "version": locked.version,
                **({"approval": about} if about is not None else {}),
                **({"merged": asked.merged} if asked.merged else {}),
                **({"proposal": proposal.record()} if proposal else {}),
            }
            write_marginals(tx, locked, [marginal])
            if marginal.groupings is None:
                link_marginal(tx, locked.data, marginal.axes)
            if marginal.status == "released":
                end_implied(tx, self._ledger, locked, marginal.recoded(row.shape), actor=actor)
            if simulated is not None:
                write_simulated(tx, locked, simulated, self._ledger.now())
            entry = self._ledger.append(tx, "table_request", payload, actor=actor, subject=f"table:{row.name}")
            values: dict[str, Any] = {
                "id": id,
                "at": entry.at,
                "by": by,
                "actor": actor,
                "names": [*asked.names],
                "merged": json.dumps(asked.merged, ensure_ascii=False, sort_keys=True) if asked.merged else None,
                "answer": answer,
                "rules": [*rules],
                "proposal": proposal_text(proposal),
                "policy_hash": policy_hash,
                "repeated": again,
                "approval": about,
            }
            tx.run(
                _RECORD,
                values,
                seq=entry.seq,
                data=locked.data,
                marginal=marginal_id(locked.data, marginal.axes, marginal.groupings),
                policy_text=policy_text,
            ).consume()
            return parse_answer({**values, "entry": entry.seq})

        return self._connection.write(work)

    def history(self, name: str) -> tuple[TableRow, tuple[VersionHistory, ...]]:
        """Return a table without its counts, and what is out of every version of its population.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: ManagedTransaction) -> tuple[TableRow, tuple[VersionHistory, ...]]:
            row = read_row(tx, name)
            return row, tuple(read_history(tx, row))

        return self._connection.read_transaction(work)

    def data_of(self, name: str) -> str:
        """Return the id of the version of its data that a table has now.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """
        return self._connection.read_transaction(lambda tx: read_row(tx, name)).data

    def of_table(self, name: str) -> list[RecordedAnswer]:
        """Return all answers about the population of a table, the first one first.

        Raises
        ------
        NotFound
            If there is no table of that name.
        """

        def work(tx: ManagedTransaction) -> list[RecordedAnswer]:
            population = read_row(tx, name).population
            return [parse_answer(record) for record in tx.run(_OF_TABLE, population=population)]

        return self._connection.read_transaction(work)

    def now(self) -> datetime:
        """Return the time that a release gets."""
        return parse_time(self._ledger.now())
