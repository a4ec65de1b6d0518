"""The ledger."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Query

from auditor.web.api.common import LedgerReader, Limit, Served, router_for
from auditor.web.api.models import EntryOut, Page

router = router_for("ledger")


@router.get("/ledger")
def entries(
    identity: LedgerReader,
    service: Served,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this position")] = None,
    about: Annotated[str | None, Query(max_length=300, description="only entries about this subject")] = None,
    limit: Limit = 50,
) -> Page[EntryOut]:
    """List the entries of the ledger, the newest first."""
    found = [entry_out(entry) for entry in service.store.ledger.show(limit + 1, before, about)]
    found.sort(key=lambda entry: -entry.seq)
    if len(found) <= limit:
        return Page(items=found)
    more = f"/api/v1/ledger?before={found[limit - 1].seq}&limit={limit}"
    return Page(items=found[:limit], next=more if about is None else None)


@router.post("/ledger/verify")
def verify(identity: LedgerReader, service: Served) -> dict[str, Any]:
    """Check every entry; what is wrong is named by its position."""
    from auditor.core.plain import plain

    report = service.store.ledger.verify()
    return {
        "intact": report.intact,
        "entries": report.entries,
        "head": report.head,
        "faults": plain(report.faults),
        "notes": plain(report.notes),
    }


def entry_out(entry: Any) -> EntryOut:
    """Return an entry."""
    return EntryOut(
        seq=entry.seq,
        at=entry.at,
        actor=entry.actor,
        kind=entry.kind,
        subject=entry.subject,
        payload=json.loads(entry.payload),
        previous=entry.previous,
        hash=entry.hash,
    )
