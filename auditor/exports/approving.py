"""A second person lets an export out: its held files are verified once more, recorded, and only then appear."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from auditor.approvals.deciding import Approved
from auditor.approvals.record import Approval, ApprovalState, Decision
from auditor.approvals.repository import Approvals, check_decider
from auditor.core.errors import BadInput, NotFound
from auditor.core.kinds import Approver, SubjectPort
from auditor.core.staging import discard
from auditor.core.subject import kind_of_subject
from auditor.exports.auditing import audit_release
from auditor.exports.destination import Destination
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.exports.staged import check_held, discard_held, held_folder, holding, publish_held
from auditor.policy import stored_policy
from auditor.store import Store


class ExportApprover(Approver):
    """See :class:`~auditor.core.kinds.Approver`."""

    def approve(self, store: Store, id: str, *, actor: str, clock: Callable[[], float]) -> Approved:
        """Release it, if it still may be released now."""
        approval = approve_export(store, id, actor=actor)
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

    def shown(self, store: Store, approval: Approval) -> Mapping[str, Any]:
        """Return what the template of its page is given."""
        id = approval.what["export"]
        export, terms = Exports(store).show(id), Exports(store).terms(id)
        try:
            beside = Exports(store).list(approval.subject)
        except NotFound:
            beside = []
        out = sum(other.state == "published" for other in beside)
        kind = kind_of_subject(export.subject).plural
        return {"export": export, "file": Path(export.path).name, "terms": terms, "out": out, "kind": kind}


def approve_export(store: Store, id: str, *, actor: str) -> Approval:
    """Verify the held files of an export, record that it is out, and let it appear.

    Parameters
    ----------
    store : Store
    id : str
        Of the approval.
    actor : str
        Who approves: neither who asked nor for whom it was asked.

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
            broken = audit_release(store, export, policy, held_folder(path, export.id) / path.name)
            if broken:
                rules = ", ".join(dict.fromkeys(finding.rule for finding in broken))
                reason = f"by now it does not hold what it should ({rules})"
                ended = Approvals(store).overtake(id, actor=actor, reason=reason)
                discard_held(path, export.id)
                return ended
            Exports(store).let_out(
                export.id, Decision(id, "approved", actor), keep_key=approval.what["keep_key"], beside=beside
            )
        if destination.force:
            discard(port.stale_beside(destination, list(export.files)))
        publish_held(folder, path, approval.what["files"], force=approval.what["force"])
        Exports(store).mark_published(export.id)
        discard_held(path, export.id)
    return Approvals(store).show(id)


_NEVER_OUT: tuple[ApprovalState, ...] = ("rejected", "withdrawn", "overtaken")


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
