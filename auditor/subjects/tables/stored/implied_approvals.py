"""Pending requests that follow from a release: there is nothing left to decide about them."""

from typing import Any

from auditor.approvals.record import APPROVAL_COLUMNS, Approval
from auditor.core.transactions import Transaction
from auditor.store.ledger import Ledger
from auditor.store.records import decode
from auditor.subjects.tables.stored.releases import TableState
from graphkit.tables.hierarchies.recoding import RecodedMarginal

_REASON = "it follows from a marginal that was released meanwhile"

# read, under the store's lock
_PENDING = f"MATCH (a:AuditorApproval {{state: 'pending', kind: 'marginal'}}) {APPROVAL_COLUMNS} ORDER BY a.at, a.id"
# write
_END = """
MATCH (a:AuditorApproval {id: $id})
SET a.state = 'implied', a.decided_by = $actor, a.decided_at = $at, a.reason = $reason
"""


def end_implied(tx: Transaction, ledger: Ledger, state: TableState, *, actor: str) -> None:
    """End, in the transaction of a release, all that waits and can be added up from it.

    Parameters
    ----------
    tx : transaction
        Which has the store's lock.
    ledger : Ledger
    state : TableState
        The table and the marginal that is released; what waits of other versions of its data goes on waiting.
    actor : str
        Who releases it.
    """
    for record in list(tx.run(_PENDING)):
        approval = decode(Approval, record["approval"])
        what = approval.what
        if what["data"] != state.row.data:
            continue
        if not RecodedMarginal.of(state.table, what["merged"], what["marginal"]).within(state.marginal):
            continue
        values: dict[str, Any] = {"id": approval.id, "actor": actor, "at": ledger.now(), "reason": _REASON}
        tx.run(_END, values).consume()
        payload = {"approval": approval.id, "asked_by": approval.asked_by, "kind": approval.kind, "reason": _REASON}
        ledger.append(tx, "implied", payload, actor=actor, subject=approval.subject)
