"""Answers to requests for marginals, as the store has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from auditor.core.clock import parse_time, time_text
from auditor.subjects.tables.stored.marginals import StoredMarginal, marginal_id
from graphkit.tables.hierarchies.recoding import MergedCategories, RecodedMarginal
from graphkit.tables.structure.variable import Variable

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

ANSWER_COLUMNS = """
RETURN r.id AS id, r.at AS at, r.by AS by, r.actor AS actor, r.names AS names, r.merged AS merged, r.answer AS answer,
       r.rules AS rules, r.proposal AS proposal, r.policy_hash AS policy_hash, r.repeated AS repeated, r.seq AS entry,
       properties(r)['approval'] AS approval
"""

# read
_READ = f"MATCH (r:AuditorRelease {{id: $id}}) {ANSWER_COLUMNS}"
# write: the entry was appended before, in the same transaction
_WRITE = """
MATCH (e:AuditorEntry {seq: $answer.seq})
MATCH (m:AuditorMarginal {id: $marginal})
MERGE (p:AuditorPolicy {hash: $answer.policy_hash}) ON CREATE SET p.text = $policy_text, p.created_at = $answer.at
CREATE (r:AuditorRelease)-[:OF]->(m), (r)-[:RECORDED]->(e), (r)-[:UNDER]->(p)
SET r = $answer
"""


@dataclass(frozen=True, slots=True)
class MarginalNames:
    """A marginal by the names of its variables and of the categories that are one in it."""

    names: tuple[str, ...]
    """Its variables, in the order of the table."""
    merged: MergedCategories
    """Categories that become one, by variable."""

    @classmethod
    def of(cls, marginal: RecodedMarginal, variables: Sequence[Variable]) -> MarginalNames:
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
    merged: MergedCategories
    """Categories that became one, by variable."""
    answer: str
    """``release``, ``refuse``, ``undecided``, ``coarsen``: refused with a proposal, ``simulate``: out are counts of a
    simulated table, ``pending``: nothing is out before a second person approves."""
    rules: tuple[str, ...]
    """Rules that are broken, or that could not be settled."""
    proposal: MarginalNames | None
    """What may go out instead."""
    policy_hash: str
    repeated: bool
    """Whether the same had been answered before."""
    entry: int
    """Position of its entry in the ledger."""
    approval: str | None = None
    """What it waits for, or what it is the end of."""


def parse_answer(record: Mapping[str, Any]) -> RecordedAnswer:
    """Return an answer from the columns :data:`ANSWER_COLUMNS`."""
    proposal = None if record["proposal"] is None else json.loads(record["proposal"])
    return RecordedAnswer(
        **{
            **record,
            "at": parse_time(record["at"]),
            "names": tuple(record["names"]),
            "merged": _merged(json.loads(record["merged"] or "{}")),
            "rules": tuple(record["rules"]),
            "proposal": proposal and MarginalNames(tuple(proposal["marginal"]), _merged(proposal["merged"])),
        }
    )


def read_answer(tx: ManagedTransaction, id: str) -> RecordedAnswer | None:
    """Return the answer that was recorded under an id; None if none was."""
    record = tx.run(_READ, id=id).single()
    return None if record is None else parse_answer(record)


def write_answer(
    tx: ManagedTransaction, answer: RecordedAnswer, marginal: StoredMarginal, *, data: str, policy_text: str
) -> None:
    """Write an answer whose ledger entry was appended before, in the same transaction.

    Parameters
    ----------
    tx : ManagedTransaction
    answer : RecordedAnswer
    marginal : StoredMarginal
        What it is about; it is written already.
    data : str
        Id of the version of the data.
    policy_text : str
        Kept once.
    """
    properties = {
        "id": answer.id,
        "at": time_text(answer.at),
        "by": answer.by,
        "actor": answer.actor,
        "data": data,
        "names": [*answer.names],
        "merged": _text(answer.merged) if answer.merged else None,
        "answer": answer.answer,
        "rules": [*answer.rules],
        "proposal": None if answer.proposal is None else _text(answer.proposal.record()),
        "policy_hash": answer.policy_hash,
        "repeated": answer.repeated,
        "seq": answer.entry,
        "approval": answer.approval,
    }
    id = marginal_id(data, marginal.axes, marginal.groupings)
    tx.run(_WRITE, answer=properties, marginal=id, policy_text=policy_text).consume()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _merged(found: Mapping[str, Any]) -> MergedCategories:
    return {name: tuple(tuple(together) for together in groups) for name, groups in found.items()}
