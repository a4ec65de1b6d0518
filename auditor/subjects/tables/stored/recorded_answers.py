"""Answers to requests for marginals, as the store has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, Json

from auditor.core.transactions import Transaction
from auditor.store.policies import KEEP_POLICY
from auditor.store.records import columns, encode
from auditor.store.repository import find_one
from auditor.subjects.tables.stored.marginals import StoredMarginal, marginal_id
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import MergedCategories, RecodedMarginal


@dataclass(frozen=True, slots=True)
class MarginalNames:
    """A marginal by the names of its variables and of the categories that are one in it."""

    names: Annotated[tuple[str, ...], Field(validation_alias="marginal")]
    """Its variables, in the order of the table."""
    merged: MergedCategories
    """Categories that become one, by variable."""

    @classmethod
    def of(cls, marginal: RecodedMarginal, variables: Sequence[Variable]) -> Self:
        """Return the names of a marginal."""
        return cls(tuple(variables[axis].name for axis in marginal.axes), marginal.merged(variables))

    def record(self) -> dict[str, Any]:
        """Return the names as the ledger and the store have them."""
        merged = {name: [[*together] for together in groups] for name, groups in self.merged.items()}
        return {"marginal": [*self.names], "merged": merged}


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
    merged: Json[MergedCategories]
    """Categories that became one, by variable."""
    answer: str
    """``release``, ``refuse``, ``undecided``, ``coarsen``: refused with a proposal, ``simulate``: out are counts of a
    simulated table, ``pending``: nothing is out before a second person approves."""
    rules: tuple[str, ...]
    """Rules that are broken, or that could not be settled."""
    proposal: Json[MarginalNames] | None
    """What may go out instead."""
    policy_hash: str
    repeated: bool
    """Whether the same had been answered before."""
    entry: int
    """Position of its entry in the ledger."""
    approval: str | None = None
    """What it waits for, or what it is the end of."""


@dataclass(frozen=True, slots=True)
class DecidedUnder:
    """A policy that something of a population was decided under."""

    hash: str
    text: str
    """Canonical JSON."""
    entry: int
    """Position in the ledger of the last answer under it."""
    released: bool
    """Whether something went out under it."""


_COLUMNS = columns(RecordedAnswer, "r", merged="coalesce(properties(r)['merged'], '{}')", entry="r.seq")
ANSWER_COLUMNS = f"RETURN {_COLUMNS} AS answer"
"""How a query returns the answers `r`."""
# read
_READ = f"MATCH (r:AuditorRelease {{id: $id}}) {ANSWER_COLUMNS}"
# read
_POLICIES = """
MATCH (:AuditorTableData {population: $population})<-[:OF]-(:AuditorMarginal)<-[:OF]-(r:AuditorRelease)
WHERE $before IS NULL OR r.seq < $before
MATCH (r)-[:UNDER]->(p:AuditorPolicy)
WITH p, max(r.seq) AS entry, collect(DISTINCT r.answer) AS answers
RETURN p.hash AS hash, p.text AS text, entry, any(a IN answers WHERE a IN ['release', 'simulate']) AS released
ORDER BY entry
"""
# write: the entry was appended before, in the same transaction
_WRITE = (
    KEEP_POLICY
    + """
WITH p
MATCH (e:AuditorEntry {seq: $answer.seq})
MATCH (m:AuditorMarginal {id: $marginal})
CREATE (r:AuditorRelease)-[:OF]->(m), (r)-[:RECORDED]->(e), (r)-[:UNDER]->(p)
SET r = $answer
"""
)


def read_answer(tx: Transaction, id: str) -> RecordedAnswer | None:
    """Return the answer that was recorded under an id; None if none was."""
    return find_one(tx, RecordedAnswer, _READ, id=id)


def read_policies(tx: Transaction, population: str, before: int | None = None) -> list[DecidedUnder]:
    """Return the policies that something of a population was decided under.

    Parameters
    ----------
    tx : Transaction
    population : str
    before : int, optional
        An entry of the ledger: what was decided from there on is left out.
    """
    return [DecidedUnder(**record) for record in tx.run(_POLICIES, population=population, before=before)]


def write_answer(
    tx: Transaction, answer: RecordedAnswer, marginal: StoredMarginal, *, data: str, policy_text: str
) -> None:
    """Write an answer whose ledger entry was appended before, in the same transaction.

    Parameters
    ----------
    tx : Transaction
    answer : RecordedAnswer
    marginal : StoredMarginal
        What it is about; it is written already.
    data : str
        Id of the version of the data.
    policy_text : str
        Kept once.
    """
    proposal = None if answer.proposal is None else answer.proposal.record()
    properties = encode(
        answer, data=data, merged=answer.merged or None, proposal=proposal, entry=None, seq=answer.entry
    )
    id = marginal_id(data, marginal.axes, marginal.groupings)
    policy = {"policy_hash": answer.policy_hash, "policy_text": policy_text, "at": properties["at"]}
    tx.run(_WRITE, policy, answer=properties, marginal=id).consume()
