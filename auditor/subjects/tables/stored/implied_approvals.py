"""Pending requests that follow from a release: there is nothing left to decide about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.approvals.record import APPROVAL_COLUMNS, parse_approval
from graphkit.hierarchies.grouping import grouping_of
from graphkit.tables.hierarchies.recoding import RecodedMarginal

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.store.ledger import Ledger
    from auditor.subjects.tables.stored.rows import TableRow

_REASON = "it follows from a marginal that was released meanwhile"

# read, under the store's lock
_PENDING = f"MATCH (a:AuditorApproval {{state: 'pending', kind: 'marginal'}}) {APPROVAL_COLUMNS} ORDER BY a.at, a.id"
# write
_END = """
MATCH (a:AuditorApproval {id: $id})
SET a.state = 'implied', a.decided_by = $actor, a.decided_at = $at, a.reason = $reason
"""


def end_implied(
    tx: ManagedTransaction, ledger: Ledger, row: TableRow, released: RecodedMarginal, *, actor: str
) -> None:
    """End, in the transaction of a release, all that waits and can be added up from it.

    Parameters
    ----------
    tx : transaction
        Which has the store's lock.
    ledger : Ledger
    row : TableRow
        The table; what waits of other versions of its data goes on waiting.
    released : RecodedMarginal
        What goes out.
    actor : str
        Who lets it out.
    """
    for record in list(tx.run(_PENDING)):
        approval = parse_approval(record["approval"])
        what = approval.what
        if what["data"] != row.data or not _marginal(row, what["marginal"], what["merged"]).within(released):
            continue
        values: dict[str, Any] = {"id": approval.id, "actor": actor, "at": ledger.now(), "reason": _REASON}
        tx.run(_END, values).consume()
        payload = {"approval": approval.id, "asked_by": approval.asked_by, "kind": approval.kind, "reason": _REASON}
        ledger.append(tx, "implied", payload, actor=actor, subject=approval.subject)


def _marginal(row: TableRow, names: list[str], merged: dict[str, list[list[str]]]) -> RecodedMarginal:
    """Return a marginal that waits, from its names."""
    known = {variable.name: axis for axis, variable in enumerate(row.variables)}
    axes = tuple(sorted(known[name] for name in names))
    chosen = [row.variables[axis] for axis in axes]
    return RecodedMarginal(axes, tuple(grouping_of(variable, merged.get(variable.name, ())) for variable in chosen))
