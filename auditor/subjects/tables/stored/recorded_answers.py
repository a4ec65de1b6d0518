"""Answers to requests for marginals, as the store has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from auditor.core.clock import parse_time
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import MergedCategories, RecodedMarginal

ANSWER_COLUMNS = """
RETURN r.id AS id, r.at AS at, r.by AS by, r.actor AS actor, r.names AS names, r.merged AS merged, r.answer AS answer,
       r.rules AS rules, r.proposal AS proposal, r.policy_hash AS policy_hash, r.repeated AS repeated, r.seq AS entry,
       properties(r)['approval'] AS approval
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


def proposal_text(proposal: MarginalNames | None) -> str | None:
    """Return a proposal as the store has it."""
    if proposal is None:
        return None
    return json.dumps(proposal.record(), ensure_ascii=False, sort_keys=True)


def _merged(found: Mapping[str, Any]) -> MergedCategories:
    return {name: tuple(tuple(together) for together in groups) for name, groups in found.items()}
