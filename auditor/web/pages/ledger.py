"""The ledger: its entries as sentences, filtered by what they are about, and whether nobody changed them."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.responses import Response

from auditor.ledger.chain import EntryRecord
from auditor.ledger.kinds import entry_kinds
from auditor.ledger.sentences import Piece, tell_entry
from auditor.reports.names import readable
from auditor.web.api.common import LedgerReader
from auditor.web.pages.addresses import id_url
from auditor.web.pages.common import KNOWN, page_router, told
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.listing import Listing
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 50
_MOST_FAULTS = 50
_MARKED = {"verdict", "answer"}


class LedgerFilter(BaseModel):
    """What entries are asked for; a field of a form that is left empty asks for nothing."""

    model_config = ConfigDict(extra="ignore")

    before: int | None = Field(default=None, ge=1, le=2**53)
    about: str = Field(default="", max_length=300)
    by: str = Field(default="", max_length=300)
    kind: str = Field(default="", max_length=50)
    since: date | Literal[""] = ""
    until: date | Literal[""] = ""
    said: str = ""

    @field_validator("about", "by")
    @classmethod
    def _stripped(cls, text: str) -> str:
        return text.strip()


@router.get("/ledger")
def entries(call: LedgerReader, asked: Annotated[LedgerFilter, Query()]) -> Response:
    """Show entries, newest first."""
    return _page(call, asked)


@router.post("/ledger/verify")
def verify(call: LedgerReader) -> Response:
    """Check every entry."""
    report = call.store.ledger.verify()
    return _page(call, LedgerFilter(), report=report, faults=report.faults[:_MOST_FAULTS])


def _page(call: Call, asked: LedgerFilter, **given: Any) -> Response:
    shown: dict[str, Any] = {"found": [], "older": None, "report": None, "faults": [], **given}
    filters = {name: str(getattr(asked, name)) for name in ("about", "by", "kind", "since", "until")}
    listing = Listing("/ledger", filters)
    try:
        found = call.store.ledger.show(
            _SHOWN + 1,
            asked.before,
            asked.about or None,
            kinds=[asked.kind] if asked.kind else [],
            by=asked.by or None,
            since=_start_of(asked.since),
            # the last day is meant with all of its hours
            until=_start_of(asked.until, days=1),
        )
        shown["found"] = [_told(entry) for entry in found[:_SHOWN]]
        if len(found) > _SHOWN:
            shown["older"] = listing.address(before=found[_SHOWN - 1].seq)
    except KNOWN as error:
        shown |= told(error)
    return page(call, "ledger.html", listing=listing, kinds=entry_kinds(), before=asked.before, **shown)


def _start_of(day: date | Literal[""], days: int = 0) -> datetime | None:
    # nothing is later than the last day there is
    if day == "" or (days and day == date.max):
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=days)


def _told(entry: EntryRecord) -> dict[str, Any]:
    """Return an entry as its page shows it: the sentence with its links, and the JSON."""
    at = datetime.fromisoformat(entry.at)
    pieces = [(piece, _look_of(piece), _address_of(piece)) for piece in tell_entry(entry)]
    text = json.dumps(json.loads(entry.json_line()), ensure_ascii=False, indent=2, sort_keys=True)
    return {
        "seq": entry.seq,
        "kind": entry.kind,
        "at": at,
        "pieces": pieces,
        "json": "\n".join(map(readable, text.split("\n"))),
    }


def _look_of(piece: Piece) -> str:
    """Return how a piece is drawn."""
    if piece.field in ("what", "subjects") and ":" in piece.value:
        return "subject"
    if piece.field in _MARKED:
        return "mark"
    return "person" if piece.field == "who" else "code" if piece.field in ("violated", "rules", "rule") else "text"


def _address_of(piece: Piece) -> str | None:
    """Return the page that a piece leads to."""
    return id_url(piece.field, piece.value) if piece.field else None
