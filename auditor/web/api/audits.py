"""Audits, findings and waivers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request

from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.waivers import Waivers
from auditor.web.api.common import Limit, Looker, Served, Skip, Viewer, Waiver, page_of, router_for
from auditor.web.api.models import AuditOut, FindingOut, Page, WaiverIn
from auditor.web.security.identity import Identity

router = router_for("audits")

Subject = Annotated[str | None, Query(description="network:NAME, table:NAME or export:ID", max_length=300)]


@router.get("/audits")
def list_audits(
    request: Request,
    identity: Viewer,
    service: Served,
    subject: Subject = None,
    limit: Limit = 50,
    skip: Skip = 0,
) -> Page[AuditOut]:
    """List audits, newest first; of one subject if it is named."""
    from auditor.audits.subjects import find_subject
    from auditor.core.subject import parse_subject

    key = None if subject is None else find_subject(service.store, *parse_subject(subject)).key
    audits = Audits(service.store).list(key, limit=limit + 1, skip=skip)
    return page_of(request, [audit_out(audit) for audit in audits], limit, skip)


@router.get("/audits/{id}")
def show_audit(id: str, identity: Viewer, service: Served) -> AuditOut:
    """Return an audit; where its findings are is asked for on purpose."""
    return audit_out(Audits(service.store).show(id))


@router.post("/audits/{id}/details")
def audit_details(id: str, identity: Looker, service: Served) -> AuditOut:
    """Return an audit with where its findings are, and what was measured; the look is in the ledger."""
    from auditor.audits.open_findings import look_at_findings

    store = service.store
    return audit_out(look_at_findings(store, id, actor=identity.person), details=True)


@router.get("/waivers")
def list_waivers(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[dict[str, Any]]:
    """List waivers, newest first; those that ended, too. Where they are is for those with the right 'look'."""
    now = service.store.ledger.clock()
    found = Waivers(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [_waiver_out(waiver, identity, now) for waiver in found], limit, skip)


@router.post("/waivers", status_code=201)
def add_waiver(asked: WaiverIn, identity: Waiver, service: Served) -> dict[str, Any]:
    """Waive a finding of the newest audit of its subject until a time; then it counts again."""
    from datetime import UTC

    until = asked.until if asked.until.tzinfo is not None else asked.until.replace(tzinfo=UTC)
    waiver = Waivers(service.store).add(asked.fingerprint, reason=asked.reason, until=until, actor=identity.person)
    return _waiver_out(waiver, identity, service.store.ledger.clock())


@router.delete("/waivers/{id}", status_code=204)
def revoke_waiver(id: str, identity: Waiver, service: Served) -> None:
    """End a waiver before its time."""
    Waivers(service.store).revoke(id, actor=identity.person)


def audit_out(audit: Audit, *, details: bool = False) -> AuditOut:
    """Return an audit; with details only after the look was recorded."""
    findings = []
    for finding in audit.findings:
        shown = FindingOut(
            rule=finding.rule,
            severity=finding.severity,
            change=finding.change,
            fingerprint=finding.fingerprint,
            waiver=finding.waiver,
        )
        if details:
            shown.where, shown.message = finding.where, finding.message
            shown.figure, shown.threshold = float(finding.figure), float(finding.threshold)
        findings.append(shown)
    return AuditOut(
        id=audit.id,
        at=audit.at,
        subject=audit.subject,
        verdict=audit.verdict,
        trigger=audit.trigger,
        actor=audit.actor,
        seconds=audit.seconds,
        repeats=audit.repeats,
        policy=audit.policy_hash,
        findings=findings,
        gone=len(audit.gone),
    )


def _waiver_out(waiver: Any, identity: Identity, now: Any) -> dict[str, Any]:
    from auditor.core.plain import plain

    shown: dict[str, Any] = {**plain(waiver), "state": waiver.state(now)}
    if not identity.may("look"):
        shown["where"] = None
    return shown
