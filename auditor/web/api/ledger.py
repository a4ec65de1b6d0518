"""The ledger."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import AfterValidator

from auditor.core.plain import plain
from auditor.web.api.common import LedgerReader, Limit, asked_again, router_for
from auditor.web.api.models import EntryOut, Page

router = router_for("ledger")


def _in_utc(at: datetime) -> datetime:
    try:
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except OverflowError:
        raise ValueError("no such time in UTC") from None


Time = Annotated[datetime, AfterValidator(_in_utc)]


@router.get("/ledger")
def entries(
    call: LedgerReader,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="only entries before this position")] = None,
    about: Annotated[str | None, Query(max_length=300, description="only entries about this subject")] = None,
    by: Annotated[str | None, Query(max_length=300, description="only what this person did")] = None,
    kind: Annotated[list[str] | None, Query(max_length=50, description="only entries of these kinds")] = None,
    since: Annotated[Time | None, Query(description="only from this time on; UTC where it names no offset")] = None,
    until: Annotated[Time | None, Query(description="only before this time")] = None,
    limit: Limit = 50,
) -> Page[EntryOut]:
    """List the entries of the ledger, newest first."""
    found = call.store.ledger.show(limit + 1, before, about, kinds=kind or (), by=by, since=since, until=until)
    items = [EntryOut.from_record(entry) for entry in found[:limit]]
    if len(found) <= limit:
        return Page(items=items)
    return Page(items=items, next=asked_again(call, before=items[-1].seq, limit=limit))


@router.post("/ledger/verify")
def verify(call: LedgerReader) -> dict[str, Any]:
    """Verify every entry; each fault is named by its position."""
    report = call.store.ledger.verify()
    return {name: plain(getattr(report, name)) for name in ("intact", "entries", "head", "faults", "notes")}
