"""Answers to requests for marginals, as the store has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor.core.clock import parse_time, time_text
from auditor.core.transactions import Transaction
from auditor.store.policies import KEEP_POLICY
from auditor.subjects.tables.stored.marginals import StoredMarginal, marginal_id
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import MergedCategories, RecodedMarginal

# fields of an answer whose properties have their names and values
_AS_THEY_ARE = ("id", "by", "actor", "answer", "policy_hash", "repeated", "approval")

# read
_READ = "MATCH (r:AuditorRelease {id: $id}) RETURN properties(r) AS answer"
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


def parse_answer(stored: Mapping[str, Any]) -> RecordedAnswer:
    """Return an answer from the properties of its node."""
    same: dict[str, Any] = {name: stored.get(name) for name in _AS_THEY_ARE}
    proposal = stored.get("proposal") and json.loads(stored["proposal"])
    return RecordedAnswer(
        **same,
        at=parse_time(stored["at"]),
        names=tuple(stored["names"]),
        merged=_merged(json.loads(stored.get("merged") or "{}")),
        rules=tuple(stored["rules"]),
        proposal=proposal and MarginalNames(tuple(proposal["marginal"]), _merged(proposal["merged"])),
        entry=stored["seq"],
    )


def read_answer(tx: Transaction, id: str) -> RecordedAnswer | None:
    """Return the answer that was recorded under an id; None if none was."""
    record = tx.run(_READ, id=id).single()
    return None if record is None else parse_answer(record["answer"])


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
    properties = {name: getattr(answer, name) for name in _AS_THEY_ARE} | {
        "at": time_text(answer.at),
        "data": data,
        "names": [*answer.names],
        "merged": _text(answer.merged) if answer.merged else None,
        "rules": [*answer.rules],
        "proposal": None if answer.proposal is None else _text(answer.proposal.record()),
        "seq": answer.entry,
    }
    id = marginal_id(data, marginal.axes, marginal.groupings)
    policy = {"policy_hash": answer.policy_hash, "policy_text": policy_text, "at": properties["at"]}
    tx.run(_WRITE, policy, answer=properties, marginal=id).consume()


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _merged(found: Mapping[str, Any]) -> MergedCategories:
    return {name: tuple(tuple(together) for together in groups) for name, groups in found.items()}
