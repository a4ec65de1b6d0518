"""A second person lets an export out: its held files are verified once more, recorded, and only then appear."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from auditor.approvals.approver import Approver
from auditor.approvals.deciding import Approved
from auditor.approvals.record import Approval, ApprovalState, Decision
from auditor.approvals.repository import Approvals, check_decider
from auditor.approvals.review import ChangeField, Fact, Out, Review, Risk
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.core.kinds import SubjectPort, kind_named
from auditor.core.staging import discard
from auditor.core.subject import kind_of_subject, parse_subject
from auditor.exports.asked import release_terms
from auditor.exports.auditing import audit_release
from auditor.exports.destination import Destination
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.exports.staged import check_held, discard_held, held_folder, holding, publish_held
from auditor.policy import stored_policy
from auditor.store import Store
from graphkit.numbers import count


class ExportApprover(Approver):
    """See :class:`~auditor.approvals.approver.Approver`."""

    def approve(
        self, store: Store, id: str, *, actor: str, clock: Callable[[], float], agreement: str | None = None
    ) -> Approved:
        """Release it, if it still may be released now."""
        approval = approve_export(store, id, actor=actor, agreement=agreement)
        path = Path(Exports(store).show(approval.what["export"]).path)
        return Approved(approval, path=path if approval.state == "approved" else None)

    def end(self, store: Store, id: str, ending: Callable[[], Approval]) -> Approval:
        """Return what `ending` returns, and delete the staged files; the record of the export stays."""
        _, export, path = _held(store, id)
        with holding(path, export.id):
            _tidy(Approvals(store).show(id), export, path)
            ended = ending()
            discard_held(path, export.id)
        return ended

    def review(self, store: Store, approval: Approval) -> Review:
        """Return what a second person sees of it."""
        export = Exports(store).show(approval.what["export"])
        try:
            beside, gone = [one for one in Exports(store).list(approval.subject) if one.is_out], False
        except NotFound:
            beside, gone = [], True
        attributes = export.claim.get("attributes", [])
        facts = (
            Fact("Method", str(export.claim.get("method", "unknown"))),
            *_port(export).review_release(store, export),
            Fact("Attributes", ", ".join(map(str, attributes)) or "none"),
            Fact("File", Path(export.path).name),
            Fact("Export", export.id[:8], f"/exports/{export.id}"),
        )
        out = [
            Out(f"export {one.id[:8]}", one.at, f"k = {count(int(one.claim['k']))}", f"/exports/{one.id}")
            for one in beside
            if one.id != export.id
        ]
        k, n = int(export.claim["k"]), int(export.claim["n"])
        field = ChangeField("k", "k", "number", f"larger than {count(k)}, at most {count(n)}", k + 1, n)
        return Review(facts, out, (field,) if k < n and not gone else (), gone)

    def change_url(self, store: Store, approval: Approval) -> str | None:
        """Return the page of the subject, where an export of another k is made."""
        kind, name = parse_subject(approval.subject)
        return f"/{kind_named(kind).plural}/{quote(name, safe='')}"

    def risk(self, store: Store, approval: Approval, clock: Callable[[], float]) -> Risk:
        """Return the risk before and after it. Protected."""
        export = Exports(store).show(approval.what["export"])
        if Exports(store).origin(export) is None:
            return Risk(remark="what it was made from is not in the store any more")
        path = Path(export.path)
        held = held_folder(path, export.id) / path.name
        policy = stored_policy(Approvals(store).policy_text(approval.id), "policy of the approval")
        found: Risk | None = _port(export).release_risk(store, export, policy, path if export.is_out else held)
        return found if found is not None else Risk(remark="this kind of subject has no measure of risk")

    def agreed(self, store: Store, approval: Approval, change: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
        """Return a change of it in its one form, and the terms of the request that it leads to."""
        export = Exports(store).show(approval.what["export"])
        now, k, n = int(export.claim["k"]), change.get("k"), int(export.claim["n"])
        if set(change) != {"k"} or not isinstance(k, int) or isinstance(k, bool) or not now < k <= n:
            raise BadInput(f"of an export a larger k can be approved: more than {now}, at most {n}")
        beside = Exports(store).out_of(export.subject)
        return {"k": k}, release_terms(store, export, approval.what, beside, k=k)


def approve_export(store: Store, id: str, *, actor: str, agreement: str | None = None) -> Approval:
    """Verify the held files of an export, record that it is out, and let it appear.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who approves: neither who asked nor for whom it was asked.
    agreement : str, optional
        Id of the returned request in which the actor agreed to this one.

    Returns
    -------
    Approval
        ``approved``; or ``overtaken`` where it does not hold its claim, or the policy, against the original as it is
        by now: the held files are deleted then.

    Raises
    ------
    NotFound
        If there is no such approval.
    BadInput
        If it is the approval of something else.
    AlreadyExists, NotFound, BadInput
        If it could not appear in its place; it goes on waiting.
    Refused
        If it is not pending any more, this person asked for it, or a held file is missing or was changed.
    NotDelivered
        If it was approved and could not appear; approve it again when the reason is gone.

    Notes
    -----
    Approving once more what was approved and did not appear, by whatever was in the way, lets it appear.
    """
    approval, export, path = _held(store, id)
    destination = Destination(path, approval.what["force"], export.claim.get("format"))
    port = _port(export)
    with holding(path, export.id) as folder:
        # as it is under the lock: another one may have decided meanwhile
        approval, export = Approvals(store).show(id), Exports(store).show(export.id)
        if not (approval.state == "approved" and export.state == "recorded"):
            _tidy(approval, export, path)
            check_decider(approval, actor)
            if folder is not None:
                port.check_release_place(destination)
            check_held(folder or held_folder(path, export.id), approval.what["files"])
            beside = Exports(store).out_of(export.subject)
            policy = stored_policy(Approvals(store).policy_text(id), "policy of the approval")
            terms = release_terms(store, export, approval.what, beside)
            if agreement is not None and terms != Approvals(store).terms(id):
                raise Refused("another export of the same subject came out since the change was agreed to")
            broken = audit_release(store, export, policy, held_folder(path, export.id) / path.name)
            if broken and agreement is not None:
                # nobody decides now in whose name it could end
                raise Refused("it does not hold by now what it should: another person decides")
            if broken:
                rules = ", ".join(dict.fromkeys(finding.rule for finding in broken))
                reason = f"by now it does not hold what it should ({rules})"
                ended = Approvals(store).overtake(id, actor=actor, reason=reason)
                discard_held(path, export.id)
                return ended
            decision = Decision(id, "approved", actor, agreement=agreement)
            Exports(store).let_out(export.id, decision, keep_key=approval.what["keep_key"], beside=beside)
        if destination.force:
            discard(port.stale_beside(destination, list(export.files)))
        publish_held(folder, path, approval.what["files"], force=approval.what["force"])
        Exports(store).mark_published(export.id)
        discard_held(path, export.id)
    return Approvals(store).show(id)


_NEVER_OUT: tuple[ApprovalState, ...] = ("rejected", "withdrawn", "overtaken", "returned")


def _held(store: Store, id: str) -> tuple[Approval, Export, Path]:
    approval = Approvals(store).show(id)
    if approval.kind != "export":
        raise BadInput(f"{id} is the approval of a marginal, not of an export")
    try:
        export = Exports(store).show(approval.what["export"])
    except NotFound:
        raise NotFound(f"the export that {id} is about is not in the store any more") from None
    return approval, export, Path(export.path)


def _port(export: Export) -> SubjectPort:
    return kind_of_subject(export.subject).load()


def _tidy(approval: Approval, export: Export, path: Path) -> None:
    """Delete held files that whoever ended an approval had no time to delete."""
    if approval.state in _NEVER_OUT or export.state == "published":
        discard_held(path, export.id)
