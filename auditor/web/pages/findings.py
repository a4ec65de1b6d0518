"""The findings of the newest audits, and the waivers that somebody gave."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

from fastapi import Form, Query, Request
from starlette.responses import Response

from auditor.audits.open_findings import find_open_findings
from auditor.audits.waivers import Waivers
from auditor.web.api.common import Served, Viewer, Waiver
from auditor.web.pages.common import KNOWN, page_router, parts_around, said, told
from auditor.web.pages.rendering import render
from auditor.web.pages.rules import rules_in_words
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()

_SHOWN = 100
_MOST_WAIVERS = 200
_USUAL = timedelta(days=90)


@router.get("/findings")
def findings(
    request: Request, identity: Viewer, service: Served, skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0
) -> Response:
    """Show open findings, and waivers."""
    return _page(request, identity, service, skip)


@router.post("/findings/waive")
def waive(
    request: Request,
    identity: Waiver,
    service: Served,
    fingerprint: Annotated[str, Form(max_length=100)],
    reason: Annotated[str, Form(max_length=1000)],
    until: Annotated[date, Form()],
) -> Response:
    """Waive a finding until a day."""
    try:
        Waivers(service.store).add(
            fingerprint, reason=reason, until=datetime.combine(until, time(), UTC), actor=identity.person
        )
    except KNOWN as error:
        return _page(request, identity, service, 0, **told(error))
    return said("/findings", "waived")


@router.post("/findings/revoke")
def revoke(identity: Waiver, service: Served, id: Annotated[str, Form(max_length=100)]) -> Response:
    """End a waiver before its time."""
    Waivers(service.store).revoke(id, actor=identity.person)
    return said("/findings", "waiver-revoked")


def _page(request: Request, identity: Identity, service: Service, skip: int, **given: Any) -> Response:
    # the newest audit of every subject that is there
    subjects = {row.subject.audit: row.subject.subject for row in service.overview.rows() if row.subject.audit}
    found = find_open_findings(service.store.connection, list(subjects), limit=_SHOWN + 1, skip=skip)
    now = service.store.ledger.clock()
    waivers = [(waiver, waiver.state(now)) for waiver in Waivers(service.store).list()[:_MOST_WAIVERS]]
    return render(
        request,
        "findings.html",
        identity,
        found=found[:_SHOWN],
        subjects=subjects,
        waivers=waivers,
        rules=rules_in_words(),
        tomorrow=f"{now + timedelta(days=1):%Y-%m-%d}",
        usual=f"{now + _USUAL:%Y-%m-%d}",
        **parts_around("/findings", skip, _SHOWN, len(found) > _SHOWN),
        **given,
    )
