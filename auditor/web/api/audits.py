"""Audits, findings and waivers."""

from datetime import UTC
from typing import Annotated, Any

from fastapi import Query

from auditor.audits.explaining import shown_findings
from auditor.audits.open_findings import look_at_findings
from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.subjects import find_subject
from auditor.audits.waivers import Waiver, Waivers
from auditor.core.plain import plain
from auditor.core.subject import parse_subject
from auditor.web.api import common
from auditor.web.api.common import Looker, Part, Viewer, router_for
from auditor.web.api.models import AuditOut, FindingOut, Page, WaiverIn
from auditor.web.security.identity import Call

router = router_for("audits")

Subject = Annotated[
    str | None, Query(description="network:NAME, table:NAME, microdata:NAME or export:ID", max_length=300)
]


@router.get("/audits")
def list_audits(call: Viewer, part: Part, subject: Subject = None) -> Page[AuditOut]:
    """List audits, newest first; of one subject if it is named."""
    key = None if subject is None else find_subject(call.store, *parse_subject(subject)).key
    return part.page(call, [_out(audit) for audit in Audits(call.store).list(key, **part.read)])


@router.get("/audits/{id}")
def show_audit(call: Viewer, id: str) -> AuditOut:
    """Return an audit, without the locations of its findings."""
    return _out(Audits(call.store).show(id))


@router.post("/audits/{id}/details")
def audit_details(call: Looker, id: str) -> AuditOut:
    """Return an audit with the locations and figures of its findings; the ledger records the view."""
    return _out(look_at_findings(call.store, id, actor=call.person), details=True)


@router.get("/waivers")
def list_waivers(call: Viewer, part: Part) -> Page[dict[str, Any]]:
    """List waivers, newest first, including those that have ended. Their locations need the right 'look'."""
    return part.page(call, [_waiver_out(call, waiver) for waiver in Waivers(call.store).list(**part.read)])


@router.post("/waivers", status_code=201)
def add_waiver(call: common.Waiver, asked: WaiverIn) -> dict[str, Any]:
    """Waive a finding of the newest audit of its subject until a time; then it counts again."""
    return _waiver_out(call, waive(call, asked))


def waive(call: Call, asked: WaiverIn) -> Waiver:
    """Waive a finding in the name of the person who sends the call; a time without a zone is of UTC.

    Raises
    ------
    BadInput, NotFound
        As :meth:`auditor.audits.waivers.Waivers.add`.
    """
    until = asked.until if asked.until.tzinfo is not None else asked.until.replace(tzinfo=UTC)
    return Waivers(call.store).add(asked.fingerprint, reason=asked.reason, until=until, actor=call.person)


@router.delete("/waivers/{id}", status_code=204)
def revoke_waiver(call: common.Waiver, id: str) -> None:
    """End a waiver before its time."""
    Waivers(call.store).revoke(id, actor=call.person)


def _out(audit: Audit, *, details: bool = False) -> AuditOut:
    """Return an audit; with details only after the disclosure view was recorded."""
    findings = [FindingOut.from_record(finding) for finding in shown_findings(audit, viewed=details)]
    return AuditOut.from_record(audit, findings=findings, gone=len(audit.gone))


def _waiver_out(call: Call, waiver: Waiver) -> dict[str, Any]:
    hidden = {} if call.may("look") else {"where": None}
    return {**plain(waiver), "state": waiver.state(call.now()), **hidden}
