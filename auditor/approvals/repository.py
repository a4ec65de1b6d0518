"""Approvals: each is written with its request, and ends in the transaction of its decision."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from auditor.access.person import check_person, is_same_person, person_key
from auditor.access.second_person import check_second_person, read_log_ins
from auditor.approvals.agreed import agreed_values, check_agreement, find_agreement, note_replaced
from auditor.approvals.deciders import check_decider as check_decider
from auditor.approvals.deciders import check_taker
from auditor.approvals.record import APPROVAL_COLUMNS, Agreement, Approval, ApprovalState, Decision, NewApproval
from auditor.approvals.words import one_line
from auditor.core.errors import BadInput, NotFound
from auditor.core.names import is_name
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json
from auditor.notifications.message import approval_messages, decision_messages
from auditor.notifications.outbox import write_messages
from auditor.policy import stored_policy
from auditor.store.ledger import Ledger
from auditor.store.policies import KEEP_POLICY
from auditor.store.repository import NewEntry, Repository, find_one
from auditor.store.schema.head import lock_store

# read
_SHOW = f"MATCH (a:AuditorApproval {{id: $id}}) {APPROVAL_COLUMNS}"
# read, under the store's lock
_PENDING_LIKE = f"""
MATCH (a:AuditorApproval {{about: $about}})
WHERE a.state = 'pending' AND a.policy_hash = $policy_hash AND a.asked_key = $asked_key AND a.by = $by
{APPROVAL_COLUMNS} ORDER BY a.at, a.id
"""
# write
_CREATE = (
    KEEP_POLICY
    + """
CREATE (a:AuditorApproval $values)-[:UNDER]->(p)
"""
)
# read, under the store's lock
_DECISION = "MATCH (a:AuditorApproval {id: $id}) RETURN properties(a)['decision'] AS decision"
# write
_SET = "MATCH (a:AuditorApproval {id: $id}) SET a += $values"
# write: what was returned can still be rejected or withdrawn, but it awaits nobody since it was returned
_END = """
MATCH (a:AuditorApproval {id: $id})
SET a.ended_at = coalesce(properties(a)['ended_at'], properties(a)['decided_at'], $values.decided_at)
SET a += $values
"""
# write: an export that never appears keeps its record, but nobody needs to know any more who is who in it
_DROP_EXPORT = """
MATCH (x:AuditorExport {id: $id}) SET x.state = $state, x.key_kept = false, x.terms = null
WITH x MATCH (p:AuditorRelabellingPart {export: x.id}) DELETE p
"""
# read, under the store's lock
_TAKEN_OVER = "MATCH (a:AuditorApproval {id: $id}) RETURN properties(a)['taken_over'] AS step"
# read
_LIST = f"MATCH (a:AuditorApproval) {APPROVAL_COLUMNS} ORDER BY a.at DESC, a.id"
# read
_LIST_OF_STATE = f"MATCH (a:AuditorApproval {{state: $state}}) {APPROVAL_COLUMNS} ORDER BY a.at DESC, a.id"
# read
_PENDING_OF = f"""
MATCH (a:AuditorApproval {{state: 'pending'}}) WHERE a.subject = $subject
{APPROVAL_COLUMNS} ORDER BY a.at DESC, a.id
"""
# read
_TERMS = "MATCH (a:AuditorApproval {id: $id}) RETURN properties(a)['terms'] AS terms"
# read
_POLICY = "MATCH (:AuditorApproval {id: $id})-[:UNDER]->(p:AuditorPolicy) RETURN p.text AS text"


class Approvals(Repository):
    """The approvals of a store."""

    def list(self, state: ApprovalState | None = None) -> Sequence[Approval]:
        """Return approvals, newest first: all, or those in a state."""
        return self._all(Approval, _LIST if state is None else _LIST_OF_STATE, state=state)

    def pending_of(self, subject: str) -> Sequence[Approval]:
        """Return what is pending of a subject, such as ``table:survey``, newest first."""
        return self._all(Approval, _PENDING_OF, subject=subject)

    def show(self, id: str) -> Approval:
        """Return an approval.

        Raises
        ------
        NotFound
            If there is none of that id.
        """
        return self._connection.read_transaction(lambda tx: _read(tx, id))

    def policy_text(self, id: str) -> str:
        """Return the policy that something waits under, as canonical JSON.

        Raises
        ------
        NotFound
            If there is no approval of that id.
        """
        return str(self._one(_POLICY, id)["text"])

    def terms(self, id: str) -> str | None:
        """Return what exactly would go out, as :func:`auditor.approvals.record.terms_key` makes it.

        Raises
        ------
        NotFound
            If there is no approval of that id.
        """
        found: str | None = self._one(_TERMS, id)["terms"]
        return found

    def _one(self, query: str, id: str) -> Mapping[str, Any]:
        """Return the record of an approval."""
        records = self._connection.read(query, id=id) if is_name(id) else []
        if not records:
            raise missing_approval(id)
        return records[0]

    def reject(self, id: str, *, actor: str, reason: str) -> Approval:
        """Say no to what is pending, as another person than the one who asked.

        The held files of an export are for the caller to delete: :class:`auditor.exports.approving.ExportApprover`.

        Raises
        ------
        NotFound
            If there is none of that id.
        BadInput
            If there is no reason.
        Refused
            If it is not pending any more, or the actor asked for it.
        """
        return self._end(Decision(id, "rejected", actor, one_line(reason, "the reason of a rejection")))

    def withdraw(self, id: str, *, actor: str) -> Approval:
        """Take back what one asked for, while it is pending.

        Raises
        ------
        NotFound
            If there is none of that id.
        Refused
            If it is not pending any more, or another person asked for it.
        """
        return self._end(Decision(id, "withdrawn", actor))

    def take_over(self, id: str, *, actor: str, token: str | None = None) -> Approval:
        """Make what is frozen one's own request: the actor is the requester from then on, and cannot decide about it.

        Parameters
        ----------
        id : str
        actor : str
            Another person than those who requested it before; they do not decide about it either.
        token : str, optional
            Id of the token that the actor is logged in with.

        Raises
        ------
        NotFound
            If there is none of that id.
        BadInput
            If nobody is named.
        Refused
            If it is not pending any more or not frozen, or the actor requested it before.
        """
        step = str(uuid.uuid4())

        def work(tx: Transaction) -> NewEntry | None:
            approval = _read(tx, id)
            if tx.run(_TAKEN_OVER, id=id).single(strict=True)["step"] == step:
                return None
            check_taker(approval, actor)
            own = is_same_person(approval.by, approval.asked_by)
            values = {
                "asked_by": actor,
                "asked_key": person_key(actor),
                # what somebody requested for another one stays for that one
                "by": actor if own else approval.by,
                "earlier": [*dict.fromkeys((*approval.earlier, approval.asked_by))],
                "token": token,
                "taken_over": step,
            }
            tx.run(_SET, id=id, values=values).consume()
            payload = {"approval": id, "asked_by": approval.asked_by, "by": approval.by, "kind": approval.kind}
            return NewEntry("taken_over", payload, actor, approval.subject)

        self.change(work)
        return self.show(id)

    def give_back(self, id: str, *, actor: str, reason: str, agreed: Agreement) -> Approval:
        """Return what is pending to its requester: another person approves it, if it is changed as they say.

        Raises
        ------
        NotFound
            If there is none of that id.
        BadInput
            If there is no reason.
        Refused
            If it is not pending any more or frozen, or the actor asked for it.
        """
        words = one_line(reason, "the reason for the change")
        return self._end(Decision(id, "returned", actor, words, agreed=agreed))

    def overtake(self, id: str, *, actor: str, reason: str) -> Approval:
        """Note that the answer is no by now: what is not as it was asked for is not approved.

        Raises
        ------
        NotFound
            If there is none of that id.
        Refused
            If it is not pending any more, or the actor asked for it.
        """
        return self._end(Decision(id, "overtaken", actor, reason))

    def _end(self, decision: Decision) -> Approval:
        self._connection.write(lambda tx: decide_approval(tx, self._ledger, decision))
        return self.show(decision.approval)


def want_approval(tx: Transaction, ledger: Ledger, wanted: NewApproval) -> tuple[str, bool]:
    """Write in a request's transaction that it waits for a second person, with its ledger entry and its messages.

    Returns
    -------
    str
        Id of the approval: of the one that is pending already, if the same person asked the same for the same.
    bool
        Whether it is a new one.
    """
    lock_store(tx)
    key = person_key(wanted.asked_by)
    if not key:
        raise BadInput("name the requester: an approval by a second person needs it")
    check_person(wanted.asked_by, "the name of who asks")
    policy, digest = wanted.policy, wanted.policy.digest()
    same = {"about": wanted.about, "policy_hash": digest, "asked_key": key, "by": wanted.by}
    purpose = wanted.origin.purpose
    asked = {**same, "subject": wanted.subject, "terms": wanted.terms, "purpose": purpose}
    agreement, agreed_purpose = find_agreement(tx, asked, ledger.now()) or (None, None)
    for known in tx.run(_PENDING_LIKE, same):
        # what is frozen is not asked for any more, until another person takes it over
        if not known["approval"]["frozen"]:
            pending = str(known["approval"]["id"])
            if agreement is not None and known["approval"]["purpose"] in (None, agreed_purpose):
                note_replaced(tx, agreement, pending)
            return pending, False
    if purpose is None:
        purpose = agreed_purpose
    # what may never appear has no checksum in the ledger: whoever reads it could test guesses about the network by it
    told = {key: value for key, value in wanted.what.items() if key != "files"}
    payload: dict[str, Any] = {"approval": wanted.id, "by": wanted.by, "policy": digest, wanted.kind: told}
    if purpose is not None:
        payload["purpose"] = purpose
    if agreement is not None:
        payload["replaces"] = agreement
    # one reading of the clock: a report on a month takes from the record, and its verifier from the entry, what waits
    at = ledger.append(tx, "approval_wanted", payload, actor=wanted.asked_by, subject=wanted.subject).at
    values = {
        **same,
        **{name: getattr(wanted, name) for name in ("id", "kind", "subject", "asked_by")},
        "at": at,
        "what": canonical_json(wanted.what),
        "state": "pending",
        "token": wanted.origin.token,
        "earlier": [*wanted.origin.earlier],
        "purpose": purpose,
        "terms": wanted.terms,
    }
    tx.run(_CREATE, policy_hash=digest, policy_text=policy.text(), at=at, values=values).consume()
    if agreement is not None:
        note_replaced(tx, agreement, wanted.id)
    write_messages(tx, approval_messages(policy, wanted.id, wanted.kind, wanted.subject, at), at)
    return wanted.id, True


def decide_approval(tx: Transaction, ledger: Ledger, decision: Decision) -> None:
    """End an approval in the transaction of what follows from it, with its ledger entry; once, however often it is run.

    Raises
    ------
    NotFound
        If there is none of that id.
    Refused
        If it is not pending any more, or this person may not decide so.
    """
    lock_store(tx)
    approval = _read(tx, decision.approval)
    if was_decided_by(tx, decision):
        return
    check_decider(approval, decision.actor, decision.state)
    if decision.state not in ("withdrawn", "rejected", "overtaken"):
        # names alone do not tell whether somebody at a provider is a person with a token
        check_second_person(decision.actor, approval.requesters, read_log_ins(tx))
    if decision.agreement is not None:
        check_agreement(tx, approval, decision, ledger.now())
    end_approval(tx, ledger, approval, decision)


def end_approval(tx: Transaction, ledger: Ledger, approval: Approval, decision: Decision) -> None:
    """Write the end of a pending approval, with its ledger entry, under the store's lock; nothing is checked."""
    values = {
        "state": decision.state,
        "decided_by": decision.actor,
        "reason": decision.reason,
        "decision": decision.id,
    }
    payload: dict[str, Any] = {"approval": approval.id, "asked_by": approval.asked_by, "kind": approval.kind}
    if decision.reason is not None:
        payload["reason"] = decision.reason
    if decision.agreed is not None:
        values |= agreed_values(decision.agreed)
        payload |= {"change": decision.agreed.change, "until": values["agreed_until"]}
    kind, actor = str(decision.state), decision.actor
    if decision.agreement is not None:
        # the requester carries out what another person agreed to before: the ledger says who did what
        kind, actor = "approved_as_agreed", approval.asked_by
        payload |= {"agreed_by": decision.actor, "agreement": decision.agreement}
    if approval.kind == "export":
        payload["export"] = approval.what["export"]
        if decision.state == "approved":
            # they are about to appear
            payload["files"] = approval.what["files"]
        else:
            tx.run(_DROP_EXPORT, id=approval.what["export"], state=decision.state).consume()
    at = values["decided_at"] = ledger.append(tx, kind, payload, actor=actor, subject=approval.subject).at
    tx.run(_END, id=approval.id, values=values).consume()
    policy = stored_policy(tx.run(_POLICY, id=approval.id).single(strict=True)["text"], "policy of the approval")
    told = decision_messages(policy, approval.id, approval.subject, str(decision.state), at, decision.id)
    write_messages(tx, told, at)


def was_decided_by(tx: Transaction, decision: Decision) -> bool:
    """Whether a decision is the one that ended its approval: a transaction that is run again does nothing."""
    record = tx.run(_DECISION, id=decision.approval).single()
    return record is not None and record["decision"] == decision.id


def _read(tx: Transaction, id: str) -> Approval:
    found = find_one(tx, Approval, _SHOW, id=id) if is_name(id) else None
    if found is None:
        raise missing_approval(id)
    return found


def missing_approval(id: str) -> NotFound:
    """Return the error that there is no such approval; in the same words for who may not see one that there is."""
    return NotFound(f"there is no approval {id!r}; see 'auditor approval list'")
