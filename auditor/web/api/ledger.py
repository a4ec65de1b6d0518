"""The ledger."""

from typing import Annotated, Any

from fastapi import Query

from auditor.core.plain import plain
from auditor.web.api.common import LedgerReader, Limit, router_for
from auditor.web.api.models import EntryOut, Page

router = router_for("ledger")


@router.get("/ledger")
def entries(
    call: LedgerReader,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this position")] = None,
    about: Annotated[str | None, Query(max_length=300, description="only entries about this subject")] = None,
    limit: Limit = 50,
) -> Page[EntryOut]:
    """List the entries of the ledger, newest first."""
    found = [EntryOut.from_record(entry) for entry in call.store.ledger.show(limit + 1, before, about)]
    found.sort(key=lambda entry: -entry.seq)
    if len(found) <= limit:
        return Page(items=found)
    more = f"/api/v1/ledger?before={found[limit - 1].seq}&limit={limit}"
    return Page(items=found[:limit], next=more if about is None else None)


@router.post("/ledger/verify")
def verify(call: LedgerReader) -> dict[str, Any]:
    """Verify every entry; each fault is named by its position."""
    report = call.store.ledger.verify()
    return {name: plain(getattr(report, name)) for name in ("intact", "entries", "head", "faults", "notes")}
